"""How does code look on a page? Escaped text in a few classes of colour, line by line, with what matched marked."""

import html
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Token, _TokenType
from pygments.util import ClassNotFound

Span = tuple[int, int]

# Beyond this a text is shown without colour: a lexer reads some hundred thousand characters a second, and someone waits.
_COLOURED = 60_000
# What our readers call a language, where Pygments calls it otherwise.
_ALIASES = {"csharp": "c#", "shell": "bash", "vue": "html", "svelte": "html", "jsonc": "json", "plaintext": "", "text": ""}
# The nearest ancestor of a token's type decides; everything else keeps the colour of the text.
_CLASSES: dict[_TokenType, str] = {
    Token.Comment: "c",
    Token.Keyword: "k",
    Token.Keyword.Constant: "n",
    Token.Keyword.Type: "t",
    Token.Operator.Word: "k",
    Token.Literal.String: "s",
    Token.Literal.String.Doc: "c",
    Token.Literal.String.Interpol: "",
    Token.Literal.Number: "n",
    Token.Name.Function: "f",
    Token.Name.Class: "t",
    Token.Name.Decorator: "d",
    Token.Name.Builtin: "b",
    Token.Name.Exception: "t",
    Token.Name.Tag: "k",
    Token.Name.Attribute: "f",
    Token.Name.Constant: "n",
    Token.Generic.Heading: "k",
    Token.Generic.Inserted: "s",
    Token.Generic.Deleted: "d",
}


def colour(code: str, language: str, marks: Sequence[Span] = ()) -> tuple[str, ...]:
    """The lines as HTML that is whole by itself. ``marks`` are places in the code, ascending and apart.

    >>> colour("if a < b:\\n    pass", "python", ((3, 4),))
    ('<span class="k">if</span> <mark>a</mark> &lt; b:', '    <span class="k">pass</span>')
    """
    lines: list[list[str]] = [[]]
    for start, end, name, marked in _cut(_pieces(code, language), marks):
        for number, part in enumerate(code[start:end].split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append(_element(part, name, marked))
    return tuple("".join(line) for line in lines)


def is_coloured(language: str) -> bool:
    """Whether there is a lexer for what is called so."""
    return _lexer(language) is not None


def _element(text: str, name: str, marked: bool) -> str:
    inner = html.escape(text)
    if name:
        inner = f'<span class="{name}">{inner}</span>'
    return f"<mark>{inner}</mark>" if marked else inner


@lru_cache(maxsize=512)
def _pieces(code: str, language: str) -> tuple[tuple[int, int, str], ...]:
    """Which stretch has which class; without gaps."""
    lexer = _lexer(language) if len(code) <= _COLOURED else None
    if lexer is None:
        return ((0, len(code), ""),)
    joined: list[tuple[int, int, str]] = []
    for start, kind, text in lexer.get_tokens_unprocessed(code):
        name = _class_of(kind)
        if joined and joined[-1][2] == name:
            joined[-1] = (joined[-1][0], start + len(text), name)
        else:
            joined.append((start, start + len(text), name))
    return tuple(joined)


def _cut(pieces: Sequence[tuple[int, int, str]], marks: Sequence[Span]) -> Iterator[tuple[int, int, str, bool]]:
    """The pieces, cut where a mark begins or ends."""
    edges = sorted({edge for mark in marks for edge in mark})
    next_edge = 0
    for start, end, name in pieces:
        at = start
        while at < end:
            while next_edge < len(edges) and edges[next_edge] <= at:
                next_edge += 1
            until = min(end, edges[next_edge]) if next_edge < len(edges) else end
            yield at, until, name, any(first <= at < last for first, last in marks)
            at = until


@lru_cache(maxsize=256)
def _lexer(language: str) -> Lexer | None:
    named = _ALIASES.get(language.lower(), language.lower())
    try:
        return get_lexer_by_name(named) if named else None
    except ClassNotFound:
        return None


@lru_cache(maxsize=512)
def _class_of(kind: _TokenType) -> str:
    return next((_CLASSES[ancestor] for ancestor in reversed(kind.split()) if ancestor in _CLASSES), "")
