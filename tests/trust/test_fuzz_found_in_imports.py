"""What the campaign on imports found: lines that are JSON, and yet ended in a traceback."""

from pathlib import Path

import pytest

from dowse.app.workspace import Workspace
from dowse.errors import InvalidRecord
from dowse.shells.mcp.operating import plain

GOOD = b'{"key": "good", "kind": "page", "title": "Good", "content": "quaywalk"}\n'
BAD = {
    "deep list": b"[" * 10_000 + b"]" * 10_000,
    "deep object": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "never closed": b'{"key": ' + b"[" * 10_000,
}


@pytest.mark.parametrize("line", BAD.values(), ids=BAD.keys())
def test_a_line_that_is_nested_too_deeply_is_told_with_its_number(by_words: Workspace, tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(GOOD + line + b"\n")
    with pytest.raises(InvalidRecord, match=r"bad\.jsonl, line 2: nested too deeply"):
        by_words.import_file(path)
    assert by_words.list().total == 0


@pytest.mark.parametrize("line", BAD.values(), ids=BAD.keys())
def test_it_can_be_left_out_and_the_others_are_there(by_words: Workspace, tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(line + b"\n" + GOOD)
    done = by_words.import_file(path, skip_bad=True)
    assert (done.records, done.skipped) == (1, 1)
    assert by_words.search("quaywalk").total == 1


@pytest.mark.parametrize("updated", [b"1" + b"0" * 400, b"NaN", b"Infinity"])
def test_a_time_that_is_none_is_told_with_its_line(by_words: Workspace, tmp_path: Path, updated: bytes) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(GOOD + GOOD.replace(b"good", b"late").replace(b"}", b', "updated": ' + updated + b"}"))
    with pytest.raises(InvalidRecord, match=r"bad\.jsonl, line 2: 'updated' must be seconds since 1970"):
        by_words.import_file(path)
    assert by_words.import_file(path, skip_bad=True).skipped == 1


@pytest.mark.parametrize("updated", [1.75e18, -1e300])
def test_a_time_that_no_calendar_knows_is_shown_as_it_is(by_words: Workspace, updated: float) -> None:
    kept = by_words.put(kind="page", title="Late", updated=updated)
    assert f"{updated:g}" in plain(kept)
