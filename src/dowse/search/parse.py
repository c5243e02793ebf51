"""What does the query say? Any text is valid; what looks like syntax but makes none is read as words."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from dowse.errors import InvalidQuery
from dowse.model.declaring import replace
from dowse.model.schema import Column
from dowse.model.surface import Grammar
from dowse.model.terms import Clause, Either, Must, Not, Query, Term
from dowse.text.folding import fold
from dowse.text.naming import names_in
from dowse.text.stopwords import LIGHT_WORDS, STOP_WORDS
from dowse.text.words import Compound, compounds, plain_words

LONGEST_QUERY = 10_000
# A pasted file is a valid query. Its rarest words decide, and longer words are rarer; more of them are noise (docs/ranking.md).
MOST_TERMS = 100
# Who types getUserById means that name first; its parts, and the joined form of get_user_by_id, count half (docs/ranking.md).
_ALTERNATE_WEIGHT = 0.5
_LIGHT_WEIGHT = 0.25
# What a question names tells more than what it says about it: "the purpose of the close() method" (docs/ranking.md).
_NAMED_WEIGHT = 1.5
# Beside this many other words, light words only cost time.
_ENOUGH_WORDS = 6
# Saturation of a word that the query repeats, as BM25's k3: long questions repeat what they are about, but not without end.
_REPETITION = 2.0
# A longer first line is a paragraph, no headline.
_LONGEST_HEADLINE = 30

# Up to here a query is typed with care and its signs mean something. A longer one is a sentence, a message or a pasted passage,
# where quotes, dashes and capitals are prose.
_MOST_SYNTAX = 12
# More groups than a person would open; then they are punctuation.
_DEEPEST = 32

# Markdown's headings, and the lines in bold that stand for them.
_HEADING = re.compile(r"\s*(?:#+\s|\*\*[^*]*\*\*:?\s*$)")
_TOKEN = re.compile(r'(-?)(?:(\w+):)?"([^"]*)"?(\*?)|([()])|([^\s"()]+)')
# A phrase is typed as a word of its own.
_PHRASE = re.compile(r'(?<!\S)(?:NOT)?\(*-?(?:\w+:)?"[^"]*(?:"\*?[,.;!?]?\)*(?!\S)|\Z)')
# What keyboards and word processors make of quotes.
_QUOTES = str.maketrans("“”„‟", '""""')
_OPERATORS = ("AND", "OR", "NOT")
# Without any of these a text is words side by side, whatever the grammar.
_SIGNS = re.compile(rf"[\"“”„()*:]|(?<!\S)(?:-|(?:{'|'.join(_OPERATORS)})(?!\S))")
# As most are, which is seen faster.
_PLAIN = re.compile(r"[a-z0-9_ ]*")
_FIELDS = {"title": Column.TITLE, "body": Column.BODY, "tags": Column.TAGS, "tag": Column.TAGS}


class _Token(NamedTuple):
    kind: str
    text: str
    prefix: bool = False
    column: Column | None = None


class _Leaf(NamedTuple):
    """Words the user typed together, with what they say about them."""

    token: _Token


class _Node(NamedTuple):
    operator: str
    parts: tuple["_Tree", ...]


_Tree = _Leaf | _Node


def parse(text: str, grammar: Grammar = Grammar.FULL, *, keep_lone_stop_words: bool = True) -> Query:
    """The query as understood.

    >>> [str(term) for term in parse("how are retries capped").terms]
    ['retries', 'capped']
    >>> found = parse('"exact words" -draft').filter
    >>> str(found.clauses[0]), str(found.clauses[1].clause)
    ('"exact words"', 'draft')
    """
    if len(text) > LONGEST_QUERY:
        raise InvalidQuery(f"The query has {len(text):,} characters; at most {LONGEST_QUERY:,} are searched. Shorten it.")
    words = text.split()
    is_long = len(words) > _MOST_SYNTAX
    above = headline(text) if is_long else ""
    if grammar is Grammar.PLAIN or is_long or _PLAIN.fullmatch(text) or not _SIGNS.search(text) or _is_shouted(text, words):
        return _of_words(text, words, keep_lone_stop_words, above, is_long)
    typed = text.translate(_QUOTES)
    if _is_pasted(typed):
        return _of_words(text, words, keep_lone_stop_words, above, is_long)
    tree = _Parser(list(_tokens(typed, grammar))).parse()
    leaves = list(_positive(tree))
    if not leaves:
        # Nothing but operators and exclusions: they are what the user looks for.
        return _of_words(text, words, keep_lone_stop_words, above, is_long)
    said = [_Said(_leaf_terms(leaf.token), fold(leaf.token.text.strip())) for leaf in leaves]
    return _of_said(text, said, _filter(tree), keep_lone_stop_words, above, is_long)


def headline(text: str) -> str:
    """What a report is about: its first line, if more stands below it than one types as a query; else nothing.

    Headings of a form are passed over. A line that ends in a colon announces something, as a traceback does, and says nothing.

    >>> headline("# Bug\\nUpload hangs\\n\\nSteps: start the server, send 3 MB, wait. Nothing happens for a minute.")
    'Upload hangs'
    >>> headline("two\\nlines")
    ''
    """
    lines = [line for line in text.splitlines() if line.strip() and not _HEADING.match(line)]
    if len(lines) < 2 or len(text.split()) <= _MOST_SYNTAX:
        return ""
    first, below = lines[0].strip(), sum(len(line.split()) for line in lines[1:])
    return first if 1 < len(first.split()) <= min(_LONGEST_HEADLINE, below) and not first.endswith(":") else ""


def _is_shouted(text: str, words: list[str]) -> bool:
    """All in capitals: NOT is then no more of an operator than any other word."""
    return len(words) > 2 and not any(word.islower() for word in words) and text.upper() == text and '"' not in text


def _is_pasted(text: str) -> bool:
    """JSON, code or a message: where a quote stands that begins or ends no phrase, all of them are punctuation."""
    return '"' in text and '"' in _PHRASE.sub("", text)


def _of_words(text: str, words: list[str], keep: bool, above: str, is_long: bool) -> Query:
    """Words side by side, without any syntax."""
    return _of_said(text, [_said(word) for word in words], None, keep, above, is_long)


def _of_said(text: str, said: "list[_Said]", filter: Clause | None, keep: bool, above: str, is_long: bool) -> Query:
    terms, ignored = _weigh([term for item in said for term in item.terms], keep, above)
    if len(said) > 1 and not above and (names := names_in(text)):
        terms = _with_names(terms, names)
    literals = tuple(dict.fromkeys([item.literal for item in said if item.literal]))
    return Query(text, terms, filter, literals, ignored, above, is_long)


def _tokens(text: str, grammar: Grammar) -> Iterator[_Token]:
    # Parentheses group only beside operators; elsewhere they are punctuation, as in a pasted call.
    grouping = any(f" {operator} " in f" {text} " for operator in _OPERATORS) and text.count("(") <= _DEEPEST
    for match in _TOKEN.finditer(text):
        sign, name, phrase, star, parenthesis, word = match.groups()
        if phrase is not None:
            yield from _phrase_tokens(sign, name or "", phrase, bool(star), grammar)
        elif parenthesis is not None:
            if grouping:
                yield _Token(parenthesis, parenthesis)
        elif word in _OPERATORS:
            yield _Token(word, word)
        else:
            yield from _word_tokens(word, grammar)


def _phrase_tokens(sign: str, name: str, phrase: str, prefix: bool, grammar: Grammar) -> Iterator[_Token]:
    column = _FIELDS.get(name.lower()) if grammar is Grammar.FULL else None
    if name and column is None:
        yield from _word_tokens(f"{sign}{name}", grammar)
    elif sign and grammar is Grammar.FULL and plain_words(phrase):
        yield _Token("NOT", "-")
    if phrase.strip():
        yield _Token("phrase", phrase, prefix, column)


def _word_tokens(word: str, grammar: Grammar) -> Iterator[_Token]:
    if grammar is Grammar.FULL and len(word) > 1 and word[0] == "-" and plain_words(word[1:2]):
        yield _Token("NOT", "-")
        word = word[1:]
    column = None
    if grammar is Grammar.FULL:
        name, colon, rest = word.partition(":")
        if colon and name.lower() in _FIELDS and plain_words(rest):
            column, word = _FIELDS[name.lower()], rest
    prefix = len(word) > 1 and word[-1] == "*" and bool(plain_words(word[-2]))
    yield _Token("word", word.rstrip("*") if prefix else word, prefix, column)


class _Parser:
    """Recursive descent: OR binds least, then AND, then standing side by side, then NOT."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def parse(self) -> _Tree:
        parts = []
        while self._at < len(self._tokens):
            parts.append(self._either())
            if self._peek() == ")":
                self._at += 1
        return parts[0] if len(parts) == 1 else _Node("GROUP", tuple(parts))

    def _either(self) -> _Tree:
        return self._chain("OR", lambda: self._chain("AND", self._group))

    def _chain(self, operator: str, part: "object") -> _Tree:
        assert callable(part)
        parts = [part()]
        while self._peek() == operator:
            self._at += 1
            parts.append(part())
        filled = [item for item in parts if not (isinstance(item, _Node) and not item.parts)]
        return filled[0] if len(filled) == 1 else _Node(operator, tuple(filled))

    def _group(self) -> _Tree:
        parts: list[_Tree] = []
        while (kind := self._peek()) not in ("", "OR", "AND", ")"):
            self._at += 1
            if kind == "NOT":
                denied = self._unary()
                if denied is not None:
                    parts.append(_Node("NOT", (denied,)))
            elif kind == "(":
                parts.append(_Node("PAREN", (self._either(),)))
                if self._peek() == ")":
                    self._at += 1
            else:
                parts.append(_Leaf(self._tokens[self._at - 1]))
        return parts[0] if len(parts) == 1 and isinstance(parts[0], _Node) else _Node("GROUP", tuple(parts))

    def _unary(self) -> _Tree | None:
        while self._peek() == "NOT":
            self._at += 1
        kind = self._peek()
        if kind in ("", "OR", "AND", ")"):
            return None
        self._at += 1
        if kind == "(":
            inner = self._either()
            if self._peek() == ")":
                self._at += 1
            return inner
        return _Leaf(self._tokens[self._at - 1])

    def _peek(self) -> str:
        return self._tokens[self._at].kind if self._at < len(self._tokens) else ""


def _positive(tree: _Tree) -> Iterator[_Leaf]:
    """The leaves a match should hold, in the order typed."""
    if isinstance(tree, _Leaf):
        yield tree
    elif tree.operator != "NOT":
        for part in tree.parts:
            yield from _positive(part)


class _Said(NamedTuple):
    """What was typed between two spaces: its terms, each with whether it is a stop word, and the letters as they are."""

    terms: tuple[tuple[Term, bool], ...]
    literal: str


@lru_cache(maxsize=4096)
def _said(word: str) -> _Said:
    return _Said(_leaf_terms(_Token("word", word)), fold(word))


def _weigh(said: list[tuple[Term, bool]], keep_lone_stop_words: bool, above: str) -> tuple[tuple[Term, ...], tuple[str, ...]]:
    """The terms that rank, each once, and the stop words left out. ``above``: the headline, whose words are kept before others."""
    if not above and len({term.words for term, _ in said}) == len(said) <= MOST_TERMS:
        return _weigh_once(said, keep_lone_stop_words)
    terms: dict[Term, int] = {}
    stopped: dict[Term, int] = {}
    for term, stops in said:
        counts = stopped if stops else terms
        counts[term] = counts.get(term, 0) + 1
    if not terms and keep_lone_stop_words:
        terms, stopped = stopped, terms
    telling = [term for term in terms if term.weight != _LIGHT_WEIGHT]
    chosen = telling if len(telling) >= _ENOUGH_WORDS else list(terms)
    if len(chosen) > MOST_TERMS:
        headed = {term for word in above.split() for term, _ in _leaf_terms(_Token("word", word))}
        longest = set(sorted(chosen, key=lambda term: (term not in headed, -sum(map(len, term.words))))[:MOST_TERMS])
        chosen = [term for term in chosen if term in longest]
    if len(chosen) < sum([terms[term] for term in chosen]):
        chosen = [_repeated(term, terms[term]) for term in chosen]
    return tuple(chosen), tuple([" ".join(term.words) for term in stopped])


def _weigh_once(said: list[tuple[Term, bool]], keep_lone_stop_words: bool) -> tuple[tuple[Term, ...], tuple[str, ...]]:
    """The same where nothing is said twice, as in most queries: nobody needs to count."""
    terms = [term for term, stops in said if not stops]
    stopped = [term for term, stops in said if stops] if len(terms) < len(said) else []
    if not terms and keep_lone_stop_words:
        terms, stopped = stopped, terms
    if len(terms) > _ENOUGH_WORDS:
        telling = [term for term in terms if term.weight != _LIGHT_WEIGHT]
        terms = telling if len(telling) >= _ENOUGH_WORDS else terms
    return tuple(terms), tuple([" ".join(term.words) for term in stopped]) if stopped else ()


def _repeated(term: Term, count: int) -> Term:
    """The term as heavy as the query makes it by repeating it."""
    return term if count == 1 else replace(term, weight=term.weight * count * (_REPETITION + 1) / (count + _REPETITION))


def _with_names(terms: tuple[Term, ...], names: tuple[str, ...]) -> tuple[Term, ...]:
    """The terms, those of what the question names heavier. A report names more than it is about, and is not asked here."""
    named = {word for name in names for compound in compounds(name) for word in (*compound.parts, compound.whole)}
    return tuple([replace(term, weight=term.weight * _NAMED_WEIGHT) if term.words[0] in named else term for term in terms])


@lru_cache(maxsize=4096)
def _leaf_terms(token: _Token) -> tuple[tuple[Term, bool], ...]:
    return tuple(_make_terms(token))


def _make_terms(token: _Token) -> Iterator[tuple[Term, bool]]:
    """The terms of what was typed between two spaces, each with whether it is a stop word."""
    columns = (token.column,) if token.column is not None else ()
    if token.kind == "phrase":
        words = tuple(plain_words(token.text))
        if words:
            yield Term(words, columns=columns, exact=True, prefix=token.prefix), False
        return
    found = compounds(token.text)
    for number, compound in enumerate(found):
        prefix = token.prefix and number == len(found) - 1
        for place, part in enumerate(compound.parts, 1):
            opened = prefix and place == len(compound.parts)
            term = Term((part,), _weight(compound, part), opened, columns)
            yield term, _is_stop(compound) and not prefix and not columns
        if compound.whole:
            yield Term((compound.whole,), _weight(compound, compound.whole), prefix, columns, required=False), False


def _weight(compound: Compound, word: str) -> float:
    if not compound.whole:
        return _LIGHT_WEIGHT if word in LIGHT_WORDS else 1.0
    return 1.0 if word in compound.plain else _ALTERNATE_WEIGHT


def _is_stop(compound: Compound) -> bool:
    return not compound.whole and len(compound.parts) == 1 and compound.parts[0] in STOP_WORDS


def _filter(tree: _Tree) -> Clause | None:
    """What decides: phrases, fields, exclusions and everything joined by an operator. Words side by side only rank."""
    if isinstance(tree, _Leaf):
        return _leaf_clause(tree.token) if tree.token.kind == "phrase" or tree.token.column is not None else None
    if tree.operator != "GROUP":
        return _clause(tree)
    return _must([clause for part in tree.parts if (clause := _filter(part)) is not None])


def _clause(tree: _Tree) -> Clause | None:
    if isinstance(tree, _Leaf):
        return _leaf_clause(tree.token)
    parts = [clause for part in tree.parts if (clause := _clause(part)) is not None]
    if not parts:
        return None
    if tree.operator == "NOT":
        return Not(parts[0])
    if tree.operator == "OR":
        return parts[0] if len(parts) == 1 else Either(tuple(parts))
    return _must(parts)


def _leaf_clause(token: _Token) -> Clause | None:
    return _must([term for term, _ in _leaf_terms(token) if term.required])


def _must(clauses: list[Clause] | list[Term]) -> Clause | None:
    if not clauses:
        return None
    return clauses[0] if len(clauses) == 1 else Must(tuple(clauses))
