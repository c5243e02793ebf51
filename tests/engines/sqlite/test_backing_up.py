"""Is a backup whole, of one moment, and in nobody's way; and does restoring give back exactly what it holds?"""

import random
import shutil
import threading
from pathlib import Path

import pytest
from damaging import DAMAGES, digest, execute, make

import dowse
from dowse.app.opening import open_for_care
from dowse.errors import Conflict, DowseError, NewerWorkspace, NotAWorkspace, NotFound
from dowse.model.change import Put
from dowse.model.record import Record
from dowse.ports import Copying


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "test.dowse"
    make(made, 120)
    return made


def backed_up(path: Path) -> Path:
    target = path.with_name("backup.dowse")
    with dowse.open(path) as workspace:
        workspace.backup(target)
    return target


def test_a_backup_holds_the_same_and_says_what(path: Path, tmp_path: Path) -> None:
    with dowse.open(path) as workspace:
        made = workspace.backup(tmp_path / "backup.dowse")
    assert (made.records, made.edges, made.path) == (120, 119, str(tmp_path / "backup.dowse"))
    assert made.digest == digest(path)
    assert made.bytes == (tmp_path / "backup.dowse").stat().st_size


def test_a_backup_is_one_file_and_is_itself_a_workspace(path: Path) -> None:
    copy = backed_up(path)
    assert sorted(item.name for item in path.parent.iterdir()) == ["backup.dowse", "test.dowse"]
    with dowse.open(copy) as workspace:
        assert all(finding.ok for finding in workspace.doctor())
        assert workspace.search("tide 77").hits[0].record.key == "p77"


def test_the_digest_is_of_what_is_held_and_not_of_where_it_lies(path: Path) -> None:
    before = digest(path)
    with dowse.open(path) as workspace:
        workspace.put(kind="page", key="guest", title="Guest")
        assert digest(path) != before
        workspace.delete("guest", purge=True)
        workspace.reindex()
    execute(path, "vacuum")
    assert digest(path) == before


@pytest.mark.parametrize(
    "sql",
    [
        "update record set title = 'Other' where id = 5",
        "update record set version = 9 where id = 5",
        "delete from tag where record = 5",
        "update edge set facets = '{}' where source = 'p5'",
        "update meta set value = 'no' where name = 'mark:told'",
    ],
)
def test_any_difference_gives_another_digest(path: Path, sql: str) -> None:
    before = digest(path)
    execute(path, sql)
    assert digest(path) != before


def test_a_backup_is_of_the_moment_it_began_while_others_write_on(path: Path, tmp_path: Path) -> None:
    told: list[Copying] = []
    before = digest(path)
    with dowse.open(path) as workspace:
        workspace.reindex()

        def write(progress: Copying) -> None:
            told.append(progress)
            workspace.put(kind="page", key=f"during-{len(told)}", title="Written meanwhile")
            assert workspace.get(f"during-{len(told)}")

        made = workspace.backup(tmp_path / "backup.dowse", report=write)
        assert told[-1].bytes_done == told[-1].bytes_total == made.bytes
        assert made.digest == before
        assert digest(tmp_path / "backup.dowse") == before
        assert workspace.get("during-1").title == "Written meanwhile"


def test_a_backup_that_is_stopped_leaves_nothing_behind(path: Path, tmp_path: Path) -> None:
    def stop(_: Copying) -> None:
        raise KeyboardInterrupt

    with dowse.open(path) as workspace, pytest.raises(KeyboardInterrupt):
        workspace.backup(tmp_path / "backup.dowse", report=stop)
    assert [item.name for item in tmp_path.iterdir()] == ["test.dowse"]


def test_a_backup_takes_the_place_of_no_file(path: Path, tmp_path: Path) -> None:
    (tmp_path / "dear.txt").write_text("dear")
    with dowse.open(path) as workspace:
        with pytest.raises(Conflict, match="There is a file"):
            workspace.backup(tmp_path / "dear.txt")
        with pytest.raises(NotFound, match="There is no folder"):
            workspace.backup(tmp_path / "nowhere" / "backup.dowse")
    assert (tmp_path / "dear.txt").read_text() == "dear"


def test_restoring_gives_back_everything_and_keeps_what_was_there(path: Path) -> None:
    before, copy = digest(path), backed_up(path)
    with dowse.open(path) as workspace:
        workspace.delete("p7", purge=True)
        workspace.put(kind="page", key="later", title="Written later")
        after = digest(path)
        restored = workspace.restore_backup(copy, force=True)
        assert restored.digest == digest(path) == before
        assert workspace.get("p7").title == "Tide 7"
        assert workspace.search("tide 7").hits[0].record.key == "p7"
        assert [hit.record.key for hit in workspace.search("written later", mode="keyword").hits] == []
        assert all(finding.ok for finding in workspace.doctor())
    assert Path(restored.kept).name == "test.dowse.before-restore"
    assert digest(Path(restored.kept)) == after


def test_whoever_has_the_workspace_open_sees_what_was_restored(path: Path) -> None:
    copy = backed_up(path)
    with dowse.open(path) as other, dowse.open(path) as workspace:
        workspace.put(kind="page", key="later", title="Written later harbour")
        assert "later" in [hit.record.key for hit in other.search("later harbour").hits]
        workspace.restore_backup(copy, force=True)
        assert "later" not in [hit.record.key for hit in other.search("later harbour").hits]
        other.put(kind="page", key="then", title="Written then harbour")
        assert "then" in [hit.record.key for hit in workspace.search("then harbour").hits]
        assert all(finding.ok for finding in other.doctor())


def test_restoring_over_records_needs_to_be_said_twice(path: Path) -> None:
    copy = backed_up(path)
    with (
        dowse.open(path) as workspace,
        pytest.raises(Conflict, match=r"holds 120 records. To put the backup in its place, say force"),
    ):
        workspace.restore_backup(copy)


def test_a_workspace_that_is_new_or_not_there_needs_no_force(path: Path, tmp_path: Path) -> None:
    copy = backed_up(path)
    with dowse.open(tmp_path / "new.dowse") as workspace:
        assert workspace.restore_backup(copy).digest == digest(path)
    with open_for_care(tmp_path / "none.dowse") as workspace:
        assert workspace.restore_backup(copy).kept == ""
    assert digest(tmp_path / "none.dowse") == digest(path)


def test_a_damaged_workspace_is_replaced_and_kept(path: Path) -> None:
    before, copy = digest(path), backed_up(path)
    path.write_bytes(path.read_bytes()[:5000])
    with open_for_care(path) as workspace:
        with pytest.raises(Conflict, match="is there, though it cannot be opened"):
            workspace.restore_backup(copy)
        restored = workspace.restore_backup(copy, force=True)
    assert Path(restored.kept).stat().st_size == 5000
    with dowse.open(path) as workspace:
        assert all(finding.ok for finding in workspace.doctor())
    assert digest(path) == before


def test_what_is_kept_takes_the_place_of_no_earlier_one(path: Path) -> None:
    copy = backed_up(path)
    with dowse.open(path) as workspace:
        kept = [workspace.restore_backup(copy, force=True).kept for _ in range(2)]
    assert [Path(name).name for name in kept] == ["test.dowse.before-restore", "test.dowse.before-restore-1"]


def test_a_backup_whose_bytes_changed_is_refused_and_the_workspace_stays(path: Path) -> None:
    before, copy = digest(path), backed_up(path)
    execute(copy, "update record set title = 'Forged' where id = 3")
    with dowse.open(path) as workspace, pytest.raises(NotAWorkspace, match="does not hold what it held when it was made"):
        workspace.restore_backup(copy, force=True)
    assert digest(path) == before
    assert sorted(item.name for item in path.parent.iterdir()) == ["backup.dowse", "test.dowse"]


def test_a_backup_that_was_used_as_a_workspace_can_be_restored_as_it_is_now(path: Path) -> None:
    copy = backed_up(path)
    with dowse.open(copy) as workspace:
        workspace.put(kind="page", key="later", title="Written into the backup")
    with dowse.open(path) as workspace:
        workspace.restore_backup(copy, force=True)
        assert workspace.get("later").title == "Written into the backup"


@pytest.mark.parametrize("kind", ["a page of noise", "cut", "some bytes"])
def test_a_damaged_backup_never_takes_the_place_of_a_workspace(path: Path, kind: str) -> None:
    copy, before = backed_up(path), digest(path)
    rng = random.Random(kind)
    copy.write_bytes(DAMAGES[kind](rng, bytearray(copy.read_bytes())))
    with dowse.open(path) as workspace:
        try:
            workspace.restore_backup(copy, force=True)
        except DowseError:
            assert sorted(item.name for item in path.parent.iterdir() if "-" not in item.name) == ["backup.dowse", "test.dowse"]
    assert digest(path) == before


def test_other_files_and_newer_versions_are_no_backups(path: Path, tmp_path: Path) -> None:
    execute(tmp_path / "foreign.db", "create table bird (name)")
    (tmp_path / "letter.txt").write_text("Dear reader, " * 500)
    newer = Path(shutil.copy(path, tmp_path / "newer.dowse"))
    execute(newer, "pragma user_version = 99")
    with dowse.open(path) as workspace:
        for name, error in (
            ("foreign.db", NotAWorkspace),
            ("letter.txt", NotAWorkspace),
            ("newer.dowse", NewerWorkspace),
            ("no", NotFound),
        ):
            with pytest.raises(error):
                workspace.restore_backup(tmp_path / name, force=True)


def test_a_plain_copy_of_a_closed_workspace_can_be_restored_too(path: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(path, tmp_path / "copy.dowse"))
    with dowse.open(path) as workspace:
        workspace.put(kind="page", key="later", title="Written later")
        workspace.restore_backup(copy, force=True)
    assert digest(path) == digest(copy)


def test_backups_and_writes_of_many_threads_do_not_disturb_each_other(path: Path, tmp_path: Path) -> None:
    failures: list[BaseException] = []
    with dowse.open(path) as workspace:

        def write(start: int) -> None:
            try:
                for number in range(start, start + 20):
                    workspace.apply([Put(Record(f"w{number}", "page", "Written"))])
            except DowseError as error:
                failures.append(error)

        writers = [threading.Thread(target=write, args=(start,)) for start in (0, 20)]
        for writer in writers:
            writer.start()
        made = [workspace.backup(tmp_path / f"{number}.dowse") for number in range(3)]
        for writer in writers:
            writer.join()
    assert failures == []
    assert [item.digest for item in made] == [digest(tmp_path / f"{number}.dowse") for number in range(3)]
