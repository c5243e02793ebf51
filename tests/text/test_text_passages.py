"""Stretches of a text: none too long, none without words, none of the words lost."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.text.passages import windows

ANY = settings(max_examples=200, deadline=None, database=None, derandomize=True)
pieces = st.sampled_from(["word", "longerword", " ", " ", "\n", "\n\n", "    ", ". ", "! ", "。", "東京", "x" * 40, "\t"])
texts = st.lists(pieces, max_size=120).map("".join)


def cut(text: str, size: int = 60, overlap: int = 0, most: int = 99) -> list[str]:
    return [text[start:end] for start, end in windows(text, size, overlap, most)]


def test_a_short_text_is_one_stretch_without_the_space_around_it() -> None:
    assert cut("  one two \n") == ["one two"]


def test_a_text_of_nothing_but_space_has_no_stretch() -> None:
    assert cut(" \n\t ") == cut("") == []


def test_a_paragraph_is_a_better_place_than_a_later_line() -> None:
    assert cut("first line of many words\nmore of it\n\nsecond\nthird and last of the words") == [
        "first line of many words\nmore of it",
        "second\nthird and last of the words",
    ]


def test_code_is_cut_at_the_ends_of_lines() -> None:
    lines = [f"value_{number} = compute({number})" for number in range(9)]
    assert all(line in lines for piece in cut("\n".join(lines), 80) for line in piece.split("\n"))


def test_prose_is_cut_at_the_ends_of_sentences() -> None:
    assert cut("The first is short. The second is a bit longer. The third ends it all.", 55) == [
        "The first is short. The second is a bit longer.",
        "The third ends it all.",
    ]


def test_the_next_stretch_repeats_the_last_sentence_that_fits_the_overlap() -> None:
    assert cut("The first is short. The second is longer. Third. The fourth ends it all.", 55, 15) == [
        "The first is short. The second is longer. Third.",
        "Third. The fourth ends it all.",
    ]


def test_one_endless_word_is_cut_all_the_same() -> None:
    assert cut("x" * 130, 60) == ["x" * 60, "x" * 60, "x" * 10]


def test_no_more_stretches_than_asked_for() -> None:
    assert len(cut("word " * 1000, 60, most=7)) == 7


@ANY
@given(text=texts, size=st.integers(8, 90), overlap=st.integers(0, 30))
def test_stretches_are_in_order_not_too_long_and_hold_every_word(text: str, size: int, overlap: int) -> None:
    spans = windows(text, size, overlap, 10_000)
    covered = {place for start, end in spans for place in range(start, end)}
    assert all(place in covered for place, character in enumerate(text) if not character.isspace())
    assert spans == sorted(set(spans))
    for start, end in spans:
        assert 0 < end - start <= size
        assert text[start:end] == text[start:end].strip()


@pytest.mark.parametrize("size", [100, 1000])
def test_neighbours_share_no_more_than_the_overlap(size: int) -> None:
    spans = windows("One two three. Four five six! Seven? " * 200, size, size // 8, 10_000)
    assert all(start >= end - size // 8 for (_, end), (start, _) in pairwise(spans))
