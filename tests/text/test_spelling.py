"""What people type instead of a word, and what they do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.text.spelling import distance, pieces, spelt_like

WORDS = st.text(alphabet="abcé", max_size=9)


def table(one: str, other: str) -> int:
    """The same by the table everyone knows: slips between all beginnings of both."""
    rows = [list(range(len(other) + 1))]
    for at, left in enumerate(one, 1):
        row = [at]
        for place, right in enumerate(other, 1):
            changed = min(row[-1] + 1, rows[-1][place] + 1, rows[-1][place - 1] + (left != right))
            if at > 1 and place > 1 and (left, one[at - 2]) == (other[place - 2], right):
                changed = min(changed, rows[-2][place - 2] + 1)
            row.append(changed)
        rows.append(row)
    return rows[-1][-1]


@given(WORDS, WORDS, st.integers(1, 3))
def test_slips_are_counted_as_the_whole_table_counts_them(one: str, other: str, most: int) -> None:
    counted = table(one, other)
    assert distance(one, other, most) == distance(other, one, most) == (counted if counted <= most else 0)


@given(st.text(alphabet="abcé", min_size=5, max_size=12), WORDS, st.integers(1, 2))
def test_who_is_spelt_like_a_word_holds_a_piece_of_it_about_where_it_stands(word: str, other: str, most: int) -> None:
    held = [piece in other[max(start - most, 0) : start + most + len(piece)] for start, piece in pieces(word, most)]
    assert any(held) or not distance(word, other, most)


@given(st.text(alphabet="abcdef", min_size=9, max_size=14), st.lists(st.tuples(st.integers(0, 13), st.integers(0, 3)), max_size=2))
def test_the_pieces_outlive_slips_wherever_they_are_made(word: str, slips: list[tuple[int, int]]) -> None:
    other = word
    for at, kind in slips:
        left, right = other[:at], other[at:]
        other = left + ("x" + right, right[1:], "x" + right[1:], right[1:2] + right[:1] + right[2:])[kind]
    held = [piece in other[max(start - 2, 0) : start + 2 + len(piece)] for start, piece in pieces(word, 2)]
    assert any(held) or not distance(word, other, 2)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("yeild", "yield"), ("recieve", "receive"), ("websokets", "websockets"), ("dependansys", "dependencys"), ("größse", "größe")],
)
def test_words_are_known_by_what_people_type(typed: str, meant: str) -> None:
    assert spelt_like(typed, [meant, "another"]) == [meant]


@pytest.mark.parametrize(("typed", "other"), [("kafka", "kafke"), ("teh", "the"), ("sha256sum", "sha255sum"), ("wield", "yield")])
def test_short_words_numbers_and_other_beginnings_are_what_they_are(typed: str, other: str) -> None:
    assert spelt_like(typed, [other]) == []


@given(st.text(), st.lists(st.text()))
def test_what_is_found_is_known_and_begins_alike(typed: str, known: list[str]) -> None:
    found = spelt_like(typed, known)
    assert set(found) <= set(known)
    assert all(other[:1] == typed[:1] and other != typed for other in found)
