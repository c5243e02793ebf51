"""What of a record is given a meaning, and under which digest."""

from dataclasses import replace
from itertools import pairwise

import pytest

from dowse.engines import passaging
from dowse.engines.passaging import MOST, OVERLAP, WINDOW, digest_of, fingerprint, passages_of
from dowse.model.passage import Passage
from dowse.model.record import Record
from dowse.model.schema import Column, Field, Kind, Schema

SYMBOL = Kind(
    "symbol",
    (Field("title", Column.TITLE, named=True), Field("path", named=True), Field("signature"), Field("doc"), Field("body")),
)
PAGE = Kind("page", (Field("title", Column.TITLE, named=True), Field("content"), Field("tags", Column.TAGS)))
LONG = "The tide turns and the sea runs over the sand. " * 90


def page(title: str = "", content: str = "", **more: object) -> Record:
    return Record("p", "page", title, {"content": content}, **more)  # type: ignore[arg-type]


def test_a_short_record_is_one_passage_under_its_title() -> None:
    assert passages_of(PAGE, page("Tides", "High at noon.")) == (Passage("content", 0, 13, "Tides\nHigh at noon."),)


def test_a_record_of_a_title_alone_is_a_passage_of_its_title() -> None:
    assert passages_of(PAGE, page("Tides")) == (Passage("title", 0, 5, "Tides"),)


def test_a_record_without_text_has_no_passages() -> None:
    assert passages_of(PAGE, page("", " \n ")) == ()


@pytest.mark.parametrize("record", [replace(page("Tides"), key="@p"), page("Tides", facets={"placeholder": True})])
def test_what_stands_for_something_elsewhere_has_no_passages(record: Record) -> None:
    assert passages_of(PAGE, record) == ()


def test_each_stretch_of_a_long_text_stands_under_the_title() -> None:
    found = passages_of(PAGE, page("Tides", LONG))
    assert len(found) > 2
    for passage in found:
        assert passage.text == f"Tides\n{LONG[passage.start : passage.end]}"
        assert passage.end - passage.start <= WINDOW
    assert all(later.start >= earlier.end - OVERLAP for earlier, later in pairwise(found))


def test_a_text_without_end_has_so_many_passages_and_no_more() -> None:
    assert len(passages_of(PAGE, page("Tides", LONG * 100))) == MOST


def test_the_path_is_told_as_words_whether_it_is_a_field_or_a_facet() -> None:
    by_field = Record("s", "symbol", "open", {"path": "src/gate_keeper.py", "body": "..."})
    assert passages_of(SYMBOL, by_field)[0].text == "open\nsrc gate keeper py\n..."
    by_facet = page("Tides", "High.", facets={"path": "docs/sea-side.md"})
    assert passages_of(PAGE, by_facet)[0].text == "Tides\ndocs sea side md\nHigh."


def test_what_the_body_says_already_is_not_said_twice() -> None:
    body = "def open():\n    '''Open it.'''\n"
    record = Record("s", "symbol", "open", {"signature": "def open()", "doc": "Open it.", "body": body})
    assert passages_of(SYMBOL, record) == (Passage("body", 0, len(body), f"open\n{body}"),)


def test_short_texts_of_a_record_share_a_passage_that_points_at_the_longest() -> None:
    record = Record("s", "symbol", "open", {"signature": "def open()", "doc": "Opens what was shut.", "body": "pass"})
    assert passages_of(SYMBOL, record) == (Passage("doc", 0, 20, "open\ndef open()\nOpens what was shut.\npass"),)


def test_two_fields_of_the_same_text_count_once() -> None:
    record = Record("s", "symbol", "open", {"doc": "Opens it.", "body": "Opens it."})
    assert passages_of(SYMBOL, record)[0].text == "open\nOpens it."


def test_tags_are_no_part_of_the_meaning() -> None:
    assert passages_of(PAGE, page("Tides", tags=("wet",))) == passages_of(PAGE, page("Tides"))


def test_the_same_text_has_the_same_digest_and_another_text_another() -> None:
    assert digest_of("sea") == digest_of("sea") != digest_of("see")
    assert len(digest_of("\ud800")) == passaging.DIGEST_BYTES


def test_another_declaration_of_a_kind_is_another_way_to_cut() -> None:
    named = Kind("page", (Field("title", Column.TITLE, named=True), Field("content", named=True)))
    assert fingerprint(Schema({"page": PAGE}, {})) == fingerprint(Schema({"page": PAGE}, {}))
    assert fingerprint(Schema({"page": PAGE}, {})) != fingerprint(Schema({"page": named}, {}))
