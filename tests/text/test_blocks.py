import re

from hypothesis import given
from hypothesis import strategies as st

from dowse.text.blocks import LONGEST_LINE, cut_blocks, cut_line

ROWS = st.lists(st.sampled_from(["", "  ", "alpha = 1", "    beta(2)", "# gamma", "x" * 50]), max_size=80).map("\n".join)


def test_a_short_text_is_one_block():
    assert [block.text for block in cut_blocks("a\n\nb\n")] == ["a\n\nb"]


def test_a_long_text_is_cut_at_its_last_blank_line():
    text = "\n".join([*["one"] * 5, "", *["two"] * 5])
    assert [(block.line, block.line_end) for block in cut_blocks(text, lines=8)] == [(1, 5), (7, 11)]


def test_without_blank_lines_a_text_is_cut_where_it_is_indented_less():
    text = "\n".join(["a:", "  b", "  c", "  d", "e:", "  f", "  g", "  h"])
    assert [block.text.split("\n")[0] for block in cut_blocks(text, lines=6)] == ["a:", "e:"]


def test_blank_lines_make_no_block():
    assert cut_blocks(" \n\n\t\n") == ()


def test_a_huge_line_is_cut_after_a_space_or_mark():
    pieces = cut_blocks("word, " * 2000)
    assert all(len(block.text) <= LONGEST_LINE for block in pieces)
    assert {block.line for block in pieces} == {1}
    assert sum(block.text.count("word") for block in pieces) == 2000


def test_a_line_without_any_break_is_cut_all_the_same():
    assert [len(piece) for piece in cut_line("x" * 10, 4)] == [4, 4, 2]


@given(ROWS, st.integers(1, 20), st.integers(10, 400))
def test_blocks_hold_every_line_of_the_text_in_order(text: str, lines: int, characters: int):
    blocks = cut_blocks(text, lines=lines, characters=characters)
    assert [row for block in blocks for row in block.text.split("\n") if row.strip()] == [
        row for row in text.split("\n") if row.strip()
    ]
    for block in blocks:
        assert block.text == "\n".join(text.split("\n")[block.line - 1 : block.line_end])
        assert block.text.strip()


@given(st.text(max_size=300))
def test_any_text_is_cut_without_losing_a_word(text: str):
    assert re.findall(r"\w+", " ".join(block.text for block in cut_blocks(text, lines=3, characters=40))) == re.findall(
        r"\w+", text
    )
