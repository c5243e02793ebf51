"""Strings: what a string demands of the words of a text that contains it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.text.containing import Place, count_in, demand
from dowse.text.folding import fold
from dowse.text.words import plain_words

PIECES = st.sampled_from(["user", "By", "_", "-", ".", " ", "東京都", "ท่าเรือ", "é", "ß", "x" * 150, "1", "->"])
TEXTS = st.one_of(st.text(max_size=40), st.lists(PIECES, max_size=8).map("".join))
_TESTS = {
    Place.INSIDE: lambda piece, word: piece in word,
    Place.END: lambda piece, word: word.endswith(piece),
    Place.START: lambda piece, word: word.startswith(piece),
    Place.WHOLE: lambda piece, word: word == piece,
}


@given(TEXTS, TEXTS, TEXTS)
def test_a_text_that_contains_a_string_has_words_for_all_its_pieces(before: str, string: str, after: str) -> None:
    words = plain_words(before + string + after)
    for piece in demand(string).pieces:
        assert any(_TESTS[piece.place](piece.text, word) for word in words), piece


@given(TEXTS, TEXTS)
def test_a_certain_string_is_decided_by_words_alone(string: str, text: str) -> None:
    asked = demand(string)
    if asked.certain:
        assert any(asked.literal in word for word in plain_words(text)) == (asked.literal in fold(text))


@pytest.mark.parametrize(
    ("string", "pieces", "certain"),
    [
        ("embed", [("embed", Place.INSIDE)], True),
        ("EMBED", [("embed", Place.INSIDE)], True),
        ("er_by", [("er", Place.END), ("by", Place.START)], False),
        ("a.b.c", [("a", Place.END), ("b", Place.WHOLE), ("c", Place.START)], False),
        ("(call", [("call", Place.START)], False),
        ("call(", [("call", Place.END)], False),
        ("->", [], False),
        ("東京", [("東京", Place.WHOLE)], False),
        ("港", [("港", Place.INSIDE)], False),
    ],
)
def test_a_string_is_taken_apart(string: str, pieces: list[tuple[str, Place]], certain: bool) -> None:
    asked = demand(string)
    assert ([(piece.text, piece.place) for piece in asked.pieces], asked.certain) == (pieces, certain)


def test_occurrences_are_counted_as_a_reader_sees_them() -> None:
    assert count_in(fold("ß"), "Straße STRASSE") == 2
    assert count_in("é", "é") == 0
    assert count_in("aa", "aaaa") == 2
