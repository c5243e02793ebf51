"""Excerpts: the stretch of a text that shows best why it matched."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.text.excerpting import Match, Window, choose, find_literals, find_words, merge
from dowse.text.folding import fold
from dowse.text.words import plain_words, spans

WORDS = 8
PIECES = st.sampled_from(
    ["harbour", " ", "wall", "getUserById", "snake_case", "東京都の港", "ท่าเรือใหญ่", "x" * 90, "é", "ß", "-", "\n", "🚀"]
)
TEXTS = st.one_of(st.text(max_size=120), st.lists(PIECES, max_size=60).map("".join))


def window_of(text: str, *words: str, size: int = WORDS) -> Window:
    return choose(text, find_words(text, {word: number for number, word in enumerate(words)}), [1.0] * len(words), size)


def shown(text: str, *words: str, size: int = WORDS) -> str:
    window = window_of(text, *words, size=size)
    return text[window.start : window.end]


@given(TEXTS, st.lists(st.sampled_from(["harbour", "wall", "user", "getuserbyid", "snakecase", "case", "a", "xx"]), unique=True))
def test_words_are_found_just_where_all_words_of_the_text_say_they_stand(text: str, words: list[str]) -> None:
    forms = {word: number for number, word in enumerate(words)}
    every = [(span.start, span.end, forms[span.word]) for span in spans(text) if span.word in forms]
    assert [(match.start, match.end, match.term) for match in find_words(text, forms)] == every


def test_a_short_text_is_shown_whole() -> None:
    assert shown("the harbour wall", "wall") == "the harbour wall"


def test_the_window_has_the_asked_number_of_words_around_the_match() -> None:
    text = " ".join(f"w{number}" for number in range(100))
    words = shown(text, "w50").split()
    assert len(words) == WORDS
    assert "w50" in words
    assert words[0] != "w50"


def test_different_words_beat_many_of_the_same() -> None:
    text = "harbour harbour harbour " + "filler " * 40 + "harbour wall " + "filler " * 40
    assert "harbour wall" in shown(text, "harbour", "wall")


def test_the_earliest_of_equals_is_chosen() -> None:
    text = "filler " * 20 + "harbour first " + "filler " * 40 + "harbour second " + "filler " * 20
    assert "first" in shown(text, "harbour")


def test_a_text_without_matches_shows_its_beginning() -> None:
    text = " ".join(f"w{number}" for number in range(100))
    assert shown(text, "harbour") == " ".join(f"w{number}" for number in range(WORDS))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("東京都" * 30 + "港湾" + "東京都" * 30, "港湾"),
        ("ทดสอบ" * 30 + "เรือ" + "ทดสอบ" * 30, "เร"),
        ("한국어" * 30 + "항구" + "한국어" * 30, "항구"),
    ],
)
def test_unspaced_scripts_are_counted_by_characters(text: str, word: str) -> None:
    window = window_of(text, word)
    assert window.marks
    assert window.end - window.start <= WORDS * 2 + 2
    assert all(fold(text[start:end]) == word for start, end in window.marks)


def test_an_endless_word_does_not_fill_the_page() -> None:
    text = "x" * 5000 + " harbour " + "y" * 5000
    window = window_of(text, "harbour")
    assert [text[start:end] for start, end in window.marks] == ["harbour"]
    assert window.end - window.start <= WORDS * 41


def test_a_match_longer_than_the_window_is_marked_as_far_as_it_is_shown() -> None:
    text = "before " + "港湾局長" * 20 + " after"
    window = choose(text, find_literals(text, ["港湾局長" * 20]), [1.0], WORDS)
    assert window.marks == ((window.start, window.end),) or window.marks[0][1] == window.end
    assert text[slice(*window.marks[0])].startswith("港湾局長")


def test_the_parts_of_an_identifier_are_marked_where_they_stand() -> None:
    text = "call getUserById here"
    assert [text[start:end] for start, end in window_of(text, "user").marks] == ["User"]
    assert [text[start:end] for start, end in window_of(text, "getuserbyid").marks] == ["getUserById"]
    assert [text[start:end] for start, end in window_of(text, "user", "by").marks] == ["UserBy"]


@pytest.mark.parametrize(
    ("text", "literal", "marked"),
    [
        ("The Straße is long", "strasse", ["Straße"]),
        ("cafe\u0301 noir", "cafe", ["cafe\u0301"]),
        ("ﬁne", "f", ["ﬁ"]),
        ("a->b->c", "->", ["->", "->"]),
        ("aaaa", "aa", ["aaaa"]),
        ("İstanbul", "istanbul", ["İstanbul"]),
    ],
)
def test_strings_are_marked_as_they_were_written(text: str, literal: str, marked: list[str]) -> None:
    assert [text[start:end] for start, end in merge(find_literals(text, [literal]))] == marked


def test_marks_that_touch_become_one() -> None:
    matches = [Match(5, 8, 0), Match(0, 3, 0), Match(3, 4, 1), Match(6, 7, 1)]
    assert merge(matches) == ((0, 4), (5, 8))


@settings(max_examples=80, deadline=None)
@given(TEXTS, st.integers(1, 12), st.data())
def test_marks_lie_inside_the_window_and_hold_what_is_asked(text: str, size: int, data: st.DataObject) -> None:
    words = plain_words(text)
    asked = data.draw(st.lists(st.sampled_from(words), min_size=1, max_size=3, unique=True)) if words else []
    window = window_of(text, *asked, size=size)
    assert 0 <= window.start <= window.end <= len(text)
    assert bool(window.marks) == bool(asked)
    at = window.start
    for start, end in window.marks:
        assert at <= start < end <= window.end
        marked = fold(text[start:end])
        assert any(word in marked or marked in word for word in asked)
        at = end


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.data())
def test_strings_are_found_wherever_they_stand(text: str, data: st.DataObject) -> None:
    folded = fold(text)
    if not folded:
        return
    start = data.draw(st.integers(0, len(folded) - 1))
    literal = folded[start : start + data.draw(st.integers(1, 10))]
    matches = find_literals(text, [literal])
    assert len(matches) == folded.count(literal)
    for match in matches:
        assert literal in fold(text[match.start : match.end])
