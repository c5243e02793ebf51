"""What is quoted of a record stands in its file on the lines that are cited."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dowse
from dowse.app.quoting import Quote, main_field, quote
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.model.page import Excerpt
from dowse.model.record import Record

_SAMPLES = Path(__file__).resolve().parent.parent / "ingest" / "code" / "samples"
_GAP = re.compile(r"… lines? (\d+)(?:-(\d+))?")


def page(content: str) -> Record:
    return Record("a", "page", "A", {"content": content})


def cut(content: str, room: int, focus: str = "", **facets: object) -> Quote:
    kind = "section" if facets else "page"
    record = Record("a", kind, "A", {"content": content}, facets=facets)  # type: ignore[arg-type]
    start = content.find(focus)
    return quote(record, SCHEMA.kinds[kind], Excerpt("content", focus, (), start, start + len(focus)) if focus else None, room)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with dowse.open(str(tmp_path_factory.mktemp("samples") / "samples.dowse")) as workspace:
        workspace.index(str(_SAMPLES), space="samples", jobs=1)
        yield workspace


def test_the_lines_around_a_gap_are_those_of_the_file_in_every_language(samples: Workspace) -> None:
    checked = 0
    for record in samples.list(kinds=("symbol",), limit=1000).records:
        lines = (_SAMPLES / record.text("path")).read_text(encoding="utf-8").split("\n")
        has_parts = samples.list(parent=record.key, limit=1).total > 0
        for room in (140, 180, 240, 300):
            shown = quote(record, SCHEMA.kinds["symbol"], None, room, has_parts=has_parts)
            rows = shown.text.split("\n")
            last = _GAP.fullmatch(rows[-1])
            if last is None:
                continue
            checked += 1
            before = int(last[1]) - 1
            assert shown.lines == (record.facets["line"], before), record.key
            assert rows[-2].strip().rstrip("…") in lines[before - 1], record.key
            assert int(last[2] or last[1]) == record.facets["lineEnd"]
    assert checked >= 50


def test_the_text_of_a_kind_is_its_last_field() -> None:
    wanted = {"page": "content", "item": "description", "note": "body", "knowledge": "content", "symbol": "body", "file": "title"}
    assert {name: main_field(SCHEMA.kinds[name]) for name in wanted} == wanted


def test_a_short_record_is_whole() -> None:
    assert quote(page("One.\nTwo."), SCHEMA.kinds["page"], None, 100) == Quote("One.\nTwo.", None, "markdown", whole=True)


def test_a_section_is_cited_by_the_lines_that_are_shown_of_it() -> None:
    rows = [f"row number {number}" for number in range(40)]
    shown = cut("\n".join(rows), 300, "row number 20", line=3, lineEnd=44)
    first, last = shown.text.split("\n")[0], shown.text.split("\n")[-1]
    assert shown.lines is not None
    start, end = shown.lines
    assert shown.text.split("\n")[1:-1] == rows[start - 5 : end - 4]
    assert (first, last) == (f"… lines 5-{start - 1}", f"… lines {end + 1}-44")


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    shown = cut(" ".join(f"Sentence number {number} ends here." for number in range(60)), 400, "number 30 ")
    middle = shown.text.split("\n")[1]
    assert middle.startswith("Sentence number ")
    assert middle.endswith((" ends here. ", " ends here."))
    assert "number 30 ends" in middle


def test_a_fence_that_is_cut_is_closed_and_one_that_is_cut_into_is_opened() -> None:
    code = "\n".join(f"print({number})" for number in range(60))
    text = f"Before.\n\n```python\n{code}\n```\n\nAfter."
    begun, within = cut(text, 300), cut(text, 300, "print(30)")
    for shown in (begun, within):
        assert [row for row in shown.text.split("\n") if row.startswith("```")] == ["```python", "```"]
    assert "print(30)" in within.text


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=2000), st.integers(200, 600), st.integers(0, 1999))
def test_a_cut_holds_nothing_that_the_text_does_not_and_stays_within_its_room(text: str, room: int, at: int) -> None:
    record = page(text)
    focus = Excerpt("content", text[at : at + 20], (), min(at, len(text)), min(at + 20, len(text)))
    shown = quote(record, SCHEMA.kinds["page"], focus, room)
    assert len(shown.text) <= room + 1
    if not shown.whole:
        kept = [row for row in shown.text.split("\n") if not row.startswith(("…", "```", "~~~"))]
        assert all(row.rstrip("…") in text for row in kept)
