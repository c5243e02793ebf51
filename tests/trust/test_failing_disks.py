"""A full, failing or read-only disk, and a clock that goes backwards: what is told done stays, and nothing is there in part."""

import itertools
import json
import os
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import apsw
import pytest
from failing_disk import Disk, failing_disk

import dowse
from dowse.app.workspace import Workspace
from dowse.errors import StorageError
from dowse.model.change import Put
from dowse.model.record import Record

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def disk() -> Iterator[Disk]:
    with failing_disk() as made:
        yield made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "test.dowse"


def batch(number: int) -> list[Put]:
    return [Put(Record(f"b{number}-{part}", "page", f"Batch {number}", {"content": "tide " * 200})) for part in range(8)]


def keys(workspace: Workspace) -> set[str]:
    return {record.key for record in workspace.list(limit=1000).records}


def expected(done: list[int]) -> set[str]:
    return {f"b{number}-{part}" for number in done for part in range(8)}


def assert_well(workspace: Workspace) -> None:
    assert [finding for finding in workspace.doctor() if not finding.ok] == []


@pytest.mark.parametrize("error", [apsw.FullError, apsw.IOError, apsw.BusyError])
@pytest.mark.parametrize("call", ["write", "sync"])
@pytest.mark.parametrize("seed", range(4))
def test_a_write_that_fails_is_undone_and_the_next_one_works(
    disk: Disk, path: Path, error: type[apsw.Error], call: str, seed: int
) -> None:
    rng = random.Random(f"{error} {call} {seed}")
    done: list[int] = []
    with dowse.open(path) as workspace:
        for number in range(12):
            if number % 3 == 2:
                disk.break_down(error, call, after=rng.randrange(60))
            with suppress(StorageError):
                workspace.apply(batch(number))
                done.append(number)
            disk.recover()
            assert keys(workspace) == expected(done)
        assert_well(workspace)
    with dowse.open(path) as workspace:
        assert keys(workspace) == expected(done)
        assert_well(workspace)


def test_on_a_full_disk_everything_can_still_be_read_and_the_message_says_what_to_do(disk: Disk, path: Path) -> None:
    with dowse.open(path) as workspace:
        workspace.apply(batch(1))
        disk.break_down(apsw.FullError, "write")
        with pytest.raises(StorageError, match=r"the disk is full. Nothing of this change was kept; free some room and try again"):
            workspace.apply(batch(2))
        assert workspace.search("tide").hits
        assert workspace.get("b1-3").title == "Batch 1"
        disk.recover()


def test_a_reindex_that_fails_leaves_the_index_as_it_was(disk: Disk, path: Path) -> None:
    with dowse.open(path) as workspace:
        workspace.apply(batch(1))
        before = [hit.record.key for hit in workspace.search("tide").hits]
        disk.break_down(apsw.FullError, "write", after=2)
        with pytest.raises(StorageError):
            workspace.reindex()
        disk.recover()
        assert [hit.record.key for hit in workspace.search("tide").hits] == before
        assert_well(workspace)


def test_a_backup_that_does_not_fit_is_no_backup(disk: Disk, path: Path, tmp_path: Path) -> None:
    with dowse.open(path) as workspace:
        workspace.apply(batch(1))
        disk.break_down(apsw.FullError, "write", after=3)
        with pytest.raises(StorageError, match="the disk is full"):
            workspace.backup(tmp_path / "backup.dowse")
        disk.recover()
        assert not list(tmp_path.glob("backup*"))
        workspace.backup(tmp_path / "backup.dowse")


def test_a_restore_that_fails_leaves_the_workspace_as_it_was(disk: Disk, path: Path, tmp_path: Path) -> None:
    with dowse.open(path) as workspace:
        workspace.apply(batch(1))
        workspace.backup(tmp_path / "backup.dowse")
        workspace.apply(batch(2))
        for after in (1, 20, 100, 200):
            disk.break_down(apsw.FullError, "write", after=after)
            with pytest.raises(StorageError):
                workspace.restore_backup(tmp_path / "backup.dowse", force=True)
            disk.recover()
            assert keys(workspace) == expected([1, 2])
            assert_well(workspace)


def test_a_disk_that_cannot_be_read_is_named(disk: Disk, path: Path) -> None:
    with dowse.open(path) as workspace:
        workspace.apply(batch(1))
    with dowse.open(path) as workspace:
        disk.break_down(apsw.IOError, "read")
        with pytest.raises(StorageError, match="the disk failed to read or write"):
            workspace.apply(batch(2))
        disk.recover()
        assert keys(workspace) == expected([1])


def test_an_import_that_meets_a_full_disk_goes_on_where_it_stopped(disk: Disk, path: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text("".join(json.dumps({"kind": "page", "key": f"l{n}", "title": f"Line {n}"}) + "\n" for n in range(4100)))
    with dowse.open(path, model="none") as workspace:

        def fill_up(_: object) -> None:
            disk.break_down(apsw.FullError, "write", after=5)

        with pytest.raises(StorageError, match="the disk is full"):
            workspace.import_file(lines, report=fill_up)
        disk.recover()
        assert workspace.status().records == {"page": 2000}
        done = workspace.import_file(lines)
        assert (done.resumed_at > 0, workspace.status().records) == (True, {"page": 4100})
        assert_well(workspace)


@pytest.mark.skipif(ROOT, reason="nothing is read-only for root")
def test_a_read_only_folder_says_so(path: Path) -> None:
    dowse.open(path).close()
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        with pytest.raises(StorageError, match=r"read-only|cannot be opened"), dowse.open(path) as workspace:
            workspace.apply(batch(1))
    finally:
        path.parent.chmod(0o755)


def test_a_disk_that_becomes_read_only_refuses_writes_and_goes_on_answering(disk: Disk, path: Path) -> None:
    with dowse.open(path) as workspace:
        workspace.apply(batch(1))
        disk.break_down(apsw.ReadOnlyError, "write")
        with pytest.raises(StorageError, match="cannot be written: the file or its folder is read-only"):
            workspace.apply(batch(2))
        assert workspace.search("tide").hits
        disk.recover()


def test_a_clock_that_goes_backwards_breaks_nothing(path: Path) -> None:
    with dowse.open(path, clock=map(float, itertools.count(10_000, -100)).__next__) as workspace:
        for number in range(20):
            workspace.put(kind="page", key="same", title=f"Step {number}", content=f"tide {number}")
            workspace.put(kind="page", key=f"p{number}", title=f"Page {number}")
        assert (workspace.get("same").version, workspace.get("same").title) == (20, "Step 19")
        assert workspace.search("tide 19").hits[0].record.key == "same"
        assert workspace.status().generation >= 40
        updated = workspace.status().updated
        workspace.put(kind="page", key="last", title="Last")
        assert workspace.status().updated == updated
        assert_well(workspace)


def test_files_that_change_while_the_clock_goes_backwards_are_read_again(path: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    note = project / "note.md"
    with dowse.open(path, clock=map(float, itertools.count(10_000, -100)).__next__) as workspace:
        for number in range(4):
            note.write_text(f"# Note\n\nThe tide of day{number}.\n")
            os.utime(note, (5000 - number * 1000, 5000 - number * 1000))
            assert workspace.index(project, jobs=1).files == 1
            assert workspace.search(f"day{number}").hits
        assert_well(workspace)
