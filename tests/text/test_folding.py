"""Folding: when two characters are the same for a reader."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.text.folding import fold, fold_with_offsets, strip_marks

# Characters whose case, width or marks do something unusual, often enough to meet each other.
ODD = st.sampled_from([*"ßẞİıﬁŁłＡａÅéΣςǅ①½ªก็नि한가港", "e\u0301", "\u0301", "\u200d", "\u00ad"])
TEXTS = st.lists(st.one_of(st.characters(), ODD), max_size=30).map("".join)


@given(TEXTS, TEXTS)
def test_folding_is_done_character_by_character(first: str, second: str) -> None:
    assert fold(first + second) == fold(first) + fold(second)


@given(TEXTS)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(TEXTS)
def test_every_folded_character_is_traced_to_where_it_came_from(text: str) -> None:
    folded, offsets = fold_with_offsets(text)
    assert folded == fold(text)
    assert len(offsets) == len(folded) + 1
    assert offsets[-1] == len(text)
    assert offsets == sorted(offsets)
    for place, origin in enumerate(offsets[:-1]):
        assert folded[place] in fold(text[origin])


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_is_only_lowered(text: str) -> None:
    assert fold(text) == text.lower()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ÜBER", "uber"),
        ("Café", "cafe\u0301"),
        ("STRASSE", "straße"),
        ("ＦＵＬＬ", "full"),
        ("ﬁne", "fine"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("Ёлка", "елка"),
    ],
)
def test_case_width_and_diacritics_do_not_matter(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("ไม่", "ไม"), ("नि", "न"), ("が", "か"), ("한", "하"), ("a", "b"), ("l", "1")])
def test_marks_that_carry_meaning_stay(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(TEXTS)
def test_stripping_marks_keeps_case(text: str) -> None:
    assert fold(strip_marks(text)) == fold(text)
