from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from dowse.text.sentences import sentence_ends, split

PIECES = st.lists(st.sampled_from(["Word ", "one. ", "Two! ", "\n", "\n\n", "猫。", "x" * 30, "e.g. ", "3.14 "]), max_size=60).map(
    "".join
)


def sentences(text: str) -> list[str]:
    ends = [0, *sentence_ends(text), len(text)]
    return [text[start:end].strip() for start, end in pairwise(ends)]


def test_a_sentence_ends_before_the_next_one_begins() -> None:
    assert sentences('It runs. It stops! "Why?" Because.') == ["It runs.", "It stops!", '"Why?"', "Because."]


def test_abbreviations_and_numbers_end_no_sentence() -> None:
    assert sentences("Ask Dr. Ada, e.g. about 3.14 or Fig. 2. She knows.") == [
        "Ask Dr. Ada, e.g. about 3.14 or Fig. 2.",
        "She knows.",
    ]


def test_initials_end_no_sentence() -> None:
    assert sentences("By J. Smith. Done.") == ["By J. Smith.", "Done."]


def test_sentences_without_spaces_between_them_are_told_apart() -> None:
    assert sentences("今日は晴れ。明日は雨！本当？はい") == ["今日は晴れ。", "明日は雨！", "本当？", "はい"]


def test_a_blank_line_ends_a_sentence_without_a_stop() -> None:
    assert sentences("A heading\n\nand text") == ["A heading", "and text"]


def test_a_short_text_stays_whole() -> None:
    assert split("One. Two.", 100, 10) == [(0, 9)]


def test_parts_overlap_by_whole_sentences() -> None:
    text = "First one here. Second one here. Third one here. Fourth one here."
    shown = [text[start:end].strip() for start, end in split(text, 50, 20)]
    assert shown == ["First one here. Second one here. Third one here.", "Third one here. Fourth one here."]


def test_no_cut_falls_into_what_must_stay_whole() -> None:
    text = "Some words. " * 5 + "CODE. CODE. " * 20 + "More words. " * 5
    start, end = text.index("CODE"), text.index("More")
    assert any(first <= start and end <= last for first, last in split(text, 60, 15, [(start, end)]))


def test_text_without_any_break_is_cut_at_the_limit() -> None:
    assert split("x" * 25, 10, 3) == [(0, 10), (10, 20), (20, 25)]


@given(PIECES, st.integers(20, 80), st.integers(0, 15), st.lists(st.integers(0, 400), max_size=8))
def test_every_character_is_in_a_part_and_no_part_is_longer_than_allowed(
    text: str, limit: int, overlap: int, places: list[int]
) -> None:
    inside = sorted({place for place in places if place <= len(text)})
    whole = [(start, end) for start, end in zip(inside[::2], inside[1::2], strict=False) if start < end]
    spans = split(text, limit, overlap, whole)
    assert spans[0][0] == 0
    assert spans[-1][1] == len(text)
    longest = max([limit, *(end - start for start, end in whole)])
    for (start, end), (following, last) in pairwise(spans):
        assert start < following <= end < last
    for start, end in spans:
        assert end - start <= longest + overlap
        assert not any(first < place < last for first, last in whole for place in (start, end))
