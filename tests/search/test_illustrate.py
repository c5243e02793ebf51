"""Excerpts mark what tells the reader something."""

import pytest

import dowse


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("what happens when the disk is full", ["disk", "full"]),
        ("is", ["is", "is"]),
        ("for", ["for"]),
    ],
)
def test_small_words_are_marked_only_where_nothing_else_of_the_query_stands(query: str, marked: list[str]) -> None:
    with dowse.open(":memory:", model="none") as workspace:
        workspace.put(kind="page", title="Trouble", content="It is told at once, for good, that a disk is full.")
        excerpt = workspace.search(query).hits[0].excerpt
    assert [excerpt.text[start:end] for start, end in excerpt.marks] == marked
