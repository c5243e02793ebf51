"""Many records in and out: in batches, resumable, and with messages that say where."""

import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse.app.transfer import BATCH, Progress
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.errors import DowseError, InvalidRecord, NotFound
from dowse.model.change import Applied, Change, Mark

# Three batches, the last one not full.
LINES = BATCH * 2 + 100


class Dying(SqliteEngine):
    """An engine whose process dies after some batches of records."""

    left = 1

    def apply(self, changes: Iterable[Change]) -> Applied:
        listed = list(changes)
        if any(isinstance(change, Mark) and change.value is not None for change in listed):
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
        return super().apply(listed)


def write(path: Path, lines: Iterable[Any]) -> Path:
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def exported(workspace: Workspace) -> str:
    out = io.StringIO()
    workspace.export(out)
    return out.getvalue()


@pytest.fixture
def many(tmp_path: Path) -> Path:
    def lines() -> Iterator[Any]:
        for number in range(LINES - 1):
            yield {"kind": "page", "key": f"p{number}", "title": f"Page {number}", "updated": 5}
        yield {"type": "edge", "source": "p0", "target": f"p{LINES - 2}", "kind": "links_to"}

    return write(tmp_path / "many.jsonl", lines())


def test_a_killed_import_goes_on_where_it_stopped_and_ends_like_a_whole_one(many: Path, tmp_path: Path) -> None:
    with dowse.open(tmp_path / "whole.dowse") as whole:
        whole.import_file(many)
        expected = exported(whole)
    engine = Dying(tmp_path / "killed.dowse", SCHEMA)
    with Workspace(engine) as killed, pytest.raises(KeyboardInterrupt):
        killed.import_file(many)
    seen: list[Progress] = []
    with dowse.open(tmp_path / "killed.dowse") as resumed:
        assert resumed.status().records == {"page": BATCH}
        progress = resumed.import_file(many, report=seen.append)
        assert exported(resumed) == expected
        assert all(finding.ok for finding in resumed.doctor())
    assert (progress.records, progress.edges, progress.lines) == (LINES - 1 - BATCH, 1, LINES)
    assert progress.resumed_at > 0
    assert [step.lines for step in seen] == [2 * BATCH, LINES]
    assert progress.bytes_done == progress.bytes_total == many.stat().st_size


def test_an_import_can_start_over(many: Path, tmp_path: Path) -> None:
    with Workspace(Dying(tmp_path / "killed.dowse", SCHEMA)) as killed, pytest.raises(KeyboardInterrupt):
        killed.import_file(many)
    with dowse.open(tmp_path / "killed.dowse") as again:
        progress = again.import_file(many, restart=True)
        assert (progress.resumed_at, progress.lines, again.status().records) == (0, LINES, {"page": LINES - 1})


def test_a_file_that_changed_is_read_from_its_beginning(tmp_path: Path, workspace: Workspace) -> None:
    path = write(tmp_path / "some.jsonl", [{"kind": "page", "key": "a"}])
    assert workspace.import_file(path).records == 1
    write(path, [{"kind": "page", "key": "b"}, {"kind": "page", "key": "a"}])
    progress = workspace.import_file(path)
    assert (progress.resumed_at, progress.records) == (0, 1)


def test_a_finished_import_can_be_repeated_and_changes_nothing(tmp_path: Path, workspace: Workspace) -> None:
    path = write(tmp_path / "some.jsonl", [{"kind": "page", "key": "a", "updated": 5}])
    workspace.import_file(path)
    before = exported(workspace)
    progress = workspace.import_file(path)
    assert (progress.records, progress.lines, progress.resumed_at) == (0, 1, 0)
    assert exported(workspace) == before


BAD_LINES = {
    "no JSON": ("{nope", "not valid JSON"),
    "no object": ("[1]", "must be an object, not list"),
    "no such kind": ({"kind": "pge"}, "Did you mean 'page'"),
    "no such field": ({"kind": "page", "body": "x"}, "A page has no 'body'"),
    "no Unicode": ('{"kind": "page", "title": "\\ud800"}', "no valid Unicode"),
    "no Unicode in an edge": ('{"type": "edge", "source": "\\ud800", "target": "b", "kind": "links_to"}', "no valid Unicode"),
    "half an edge": ({"type": "edge", "source": "a", "kind": "links_to"}, "needs a target"),
    "no such edge": ({"type": "edge", "source": "a", "target": "b", "kind": "knows"}, "no edge kind 'knows'"),
    "nobody to delete": ({"type": "delete", "key": "nobody"}, "No record has the id 'nobody'"),
    "below itself": ({"kind": "page", "key": "good", "parent": "good"}, "cannot be placed below 'good'"),
}


@pytest.mark.parametrize("bad", BAD_LINES)
def test_a_bad_line_stops_the_import_with_its_file_and_number(workspace: Workspace, tmp_path: Path, bad: str) -> None:
    line, message = BAD_LINES[bad]
    path = write(tmp_path / "some.jsonl", [{"kind": "page", "key": "good"}, "", line])
    with pytest.raises(DowseError, match=rf"some\.jsonl, line 3: .*({message})"):
        workspace.import_file(path)


@pytest.mark.parametrize("bad", BAD_LINES)
def test_a_bad_line_can_be_skipped(workspace: Workspace, tmp_path: Path, bad: str) -> None:
    path = write(tmp_path / "some.jsonl", [{"kind": "page", "key": "good"}, BAD_LINES[bad][0], {"kind": "page", "key": "more"}])
    progress = workspace.import_file(path, skip_bad=True)
    assert (progress.records, progress.skipped) == (2, 1)
    assert sorted(record.key for record in workspace.list().records) == ["good", "more"]


def test_a_file_that_is_not_there_is_not_found(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no file"):
        workspace.import_file(tmp_path / "nothing.jsonl")


def test_lines_can_delete_and_unlink(workspace: Workspace, tmp_path: Path) -> None:
    edge = {"source": "a", "target": "b", "kind": "links_to"}
    lines = [{"kind": "page", "key": key} for key in ("a", "b", "c")]
    path = write(tmp_path / "some.jsonl", [*lines, {"type": "edge", **edge}])
    workspace.import_file(path)
    assert len(workspace.neighbours("a")) == 1
    workspace.import_file(write(path, [{"type": "unlink", **edge}, {"type": "delete", "key": "c"}]))
    assert workspace.neighbours("a") == ()
    assert sorted(record.key for record in workspace.list().records) == ["a", "b"]


def test_wiki_links_of_imported_pages_become_edges(workspace: Workspace, tmp_path: Path) -> None:
    lines = [{"kind": "page", "key": "a", "content": "see [[B]]"}, {"kind": "page", "key": "b"}]
    workspace.import_file(write(tmp_path / "some.jsonl", lines))
    assert [link.record.key for link in workspace.neighbours("a")] == ["b"]


def test_a_record_with_an_unknown_name_says_which_is_close(workspace: Workspace, tmp_path: Path) -> None:
    path = write(tmp_path / "some.jsonl", [{"kind": "page", "key": "a", "contnt": "x"}])
    with pytest.raises(InvalidRecord, match="Did you mean 'content'"):
        workspace.import_file(path)
