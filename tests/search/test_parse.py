"""Understanding a query: any text is valid, and means the same every time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.model.schema import Column
from dowse.model.surface import Grammar
from dowse.model.terms import Clause, Either, Must, Not, Term
from dowse.search.parse import MOST_TERMS, headline, parse

# Pieces that make syntax, so that random queries hit the grammar and not only its edges.
PIECES = st.sampled_from(
    [
        '"',
        "(",
        ")",
        "*",
        "-",
        ":",
        "AND",
        "OR",
        "NOT",
        "NEAR",
        " ",
        "  ",
        "title:",
        "tag:",
        "word",
        "getUserById",
        "東京都",
        "the",
        "é",
        "\0",
    ]
)
QUERIES = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=25).map("".join), st.lists(PIECES, max_size=12).map(" ".join))


def words(text: str, grammar: Grammar = Grammar.FULL) -> list[str]:
    return [str(term) for term in parse(text, grammar).terms]


def word(text: str) -> Term:
    return Term((text,))


@pytest.mark.requirement("U-03", "R-05", "B-04", "T-08")
@settings(max_examples=200, deadline=None)
@given(QUERIES, st.sampled_from(Grammar), st.booleans())
def test_any_text_parses_and_always_alike(text: str, grammar: Grammar, keep: bool) -> None:
    query = parse(text, grammar, keep_lone_stop_words=keep)
    assert query == parse(text, grammar, keep_lone_stop_words=keep)
    assert query.text == text
    assert len(set(query.terms)) == len(query.terms) <= MOST_TERMS
    assert all(term.words and all(term.words) and term.weight > 0 for term in query.terms)


@pytest.mark.requirement("U-03", "R-05")
@pytest.mark.parametrize(
    "text", ["a AND " + "(" * 3000 + "b", "(" * 3000 + " AND " + ")" * 3000, "a OR " + "NOT(" * 2000, "-(" * 9]
)
def test_no_depth_of_nesting_is_too_deep(text: str) -> None:
    assert parse(text, Grammar.BOOLEAN) == parse(text, Grammar.BOOLEAN)


@pytest.mark.requirement("T-08", "T-09")
@settings(deadline=None)
@given(QUERIES)
def test_plain_text_has_no_syntax(text: str) -> None:
    query = parse(text, Grammar.PLAIN)
    assert query.filter is None
    assert not any(term.prefix or term.is_phrase or term.columns for term in query.terms)


@pytest.mark.requirement("R-05")
@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("a b", None),
        ("red AND blue", Must((word("red"), word("blue")))),
        ("red OR blue", Either((word("red"), word("blue")))),
        ("red NOT blue", Not(word("blue"))),
        ("red AND blue OR green", Either((Must((word("red"), word("blue"))), word("green")))),
        ("red AND (blue OR green)", Must((word("red"), Either((word("blue"), word("green")))))),
        ('"red blue"', Term(("red", "blue"), exact=True)),
        ('"red blu"*', Term(("red", "blu"), exact=True, prefix=True)),
        ("red and blue", None),
        ("AND OR", None),
        ("NOT", None),
    ],
)
def test_operators_and_phrases_decide(text: str, clause: Clause | None) -> None:
    assert parse(text, Grammar.BOOLEAN).filter == clause


def test_fields_and_exclusions_are_syntax_of_the_full_grammar_only() -> None:
    full = parse("title:red -blue")
    assert full.filter == Must((Term(("red",), columns=(Column.TITLE,)), Not(word("blue"))))
    assert parse("title:red -blue", Grammar.BOOLEAN).filter is None
    assert words("title:red -blue", Grammar.PLAIN) == ["title", "red", "blue"]
    assert parse("colour:red").filter is None


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ('-"red blue" green', Not(Term(("red", "blue"), exact=True))),
        ('title:"red blue" green', Term(("red", "blue"), columns=(Column.TITLE,), exact=True)),
        ('-title:"red blue" green', Not(Term(("red", "blue"), columns=(Column.TITLE,), exact=True))),
        ('NOT ("red blue") green', Not(Term(("red", "blue"), exact=True))),
        ("“red blue” green", Term(("red", "blue"), exact=True)),
        ('green ("red blue", "red")', Must((Term(("red", "blue"), exact=True), Term(("red",), exact=True)))),
        ('green "red bl', Term(("red", "bl"), exact=True)),
    ],
)
def test_a_phrase_can_be_excluded_and_asked_of_a_field(text: str, clause: Clause) -> None:
    query = parse(text)
    assert query.filter == clause
    assert "green" in words(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"level":"error","logger":"http.proxy","msg":"aborting with incomplete response"}',
        '{"level": "error", "msg": "aborting"}',
        'app.get("/items/{id}")',
        "Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON",
        'a board 5" wide and 6" high',
    ],
)
def test_quotes_in_what_was_pasted_are_punctuation(text: str) -> None:
    assert parse(text).filter is None
    assert not any(term.is_phrase for term in parse(text).terms)


def test_nothing_but_exclusions_is_what_is_looked_for() -> None:
    assert words("-red") == words("NOT red")[-1:] == ["red"]


@pytest.mark.requirement("R-06", "G-12")
def test_stop_words_are_left_out_beside_others_and_kept_alone_if_wanted() -> None:
    query = parse("the harbour of the north")
    assert ([str(term) for term in query.terms], query.ignored) == (["harbour", "north"], ("the", "of"))
    assert words("the of") == ["the", "of"]
    assert parse("the of", keep_lone_stop_words=False).terms == ()
    assert words('"the of"') == ['"the of"']


@pytest.mark.requirement("G-11")
def test_an_identifier_is_its_parts_and_optionally_its_whole() -> None:
    assert [(str(term), term.required) for term in parse("getUserById").terms] == [
        ("get", True),
        ("user", True),
        ("by", True),
        ("id", True),
        ("getuserbyid", False),
    ]


def test_a_star_opens_the_last_word() -> None:
    assert [(term.words, term.prefix) for term in parse("red harb*").terms] == [(("red",), False), (("harb",), True)]
    assert words("* red") == ["red"]


def test_a_long_query_keeps_its_longest_words() -> None:
    text = " ".join(f"w{'x' * (number % 40)}{number}" for number in range(300))
    assert len(parse(text).terms) == MOST_TERMS


LOG = "\n".join(f"2024-05-0{number % 9 + 1} worker{number} connection{number} refused by upstream{number}" for number in range(60))


def test_the_words_of_a_headline_are_kept_however_long_the_log_below_it_is() -> None:
    kept = words(f"Ship not at pier\n\n{LOG}")
    assert len(kept) == MOST_TERMS
    assert {"ship", "pier"} <= set(kept)
    assert not {"ship", "pier"} & set(words(f"{LOG} Ship not at pier"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"Upload hangs\n{LOG}", "Upload hangs"),
        (f"\n  Upload hangs  \r\n\r\n{LOG}", "Upload hangs"),
        (f"### Describe the bug\n\nUpload hangs at once\n{LOG}", "Upload hangs at once"),
        (f"**What happened?**\nUpload hangs at once\n{LOG}", "Upload hangs at once"),
        (f"Traceback (most recent call last):\n{LOG}", ""),
        (f"Hello,\n{LOG}", ""),
        (f"{'word ' * 40}\n{LOG}", ""),
        (LOG.replace("\n", " "), ""),
        ("Upload\nhangs", ""),
        ("how does the upload\nhang", ""),
        ("", ""),
    ],
)
def test_the_first_line_of_a_report_is_its_headline(text: str, said: str) -> None:
    assert headline(text) == parse(text).headline == said


@given(st.lists(st.text() | PIECES).map("\n".join))
def test_a_headline_is_a_line_of_the_text(text: str) -> None:
    assert headline(text) in ("", *map(str.strip, text.splitlines()))


def test_a_long_sentence_is_prose() -> None:
    text = 'He said "that is NOT so" AND went on - as he always did - to the harbour'
    assert parse(text).filter is None


def test_words_that_are_repeated_count_more_but_not_without_end() -> None:
    once, twice, often = (parse("harbour " * count).terms[0].weight for count in (1, 2, 100))
    assert once == 1.0 < twice < often < 9.0


def test_literals_are_the_tokens_as_typed_but_folded() -> None:
    assert parse("Straße get_User é", Grammar.PLAIN).literals == ("strasse", "get_user", "e")


def test_what_a_question_names_weighs_more_than_what_it_says_about_it() -> None:
    weights = {term.words[0]: term.weight for term in parse("purpose of the closeGate method").terms}
    assert weights["purpose"] == weights["method"] < weights["closegate"]
    # Its parts stay as much lighter than the whole as they are in any query.
    alone = {term.words[0]: term.weight for term in parse("closeGate").terms}
    assert weights["close"] / weights["closegate"] == alone["close"] / alone["closegate"]


def test_a_name_alone_and_the_names_of_a_report_weigh_as_any_word() -> None:
    lines = "Upload hangs forever\n\nSteps: start the server and send three megabytes, then closeGate waits and nothing happens"
    weights = [{term.words[0]: term.weight for term in parse(text).terms} for text in ("closeGate", lines)]
    assert weights[0]["closegate"] == weights[1]["closegate"] == weights[1]["hangs"]
