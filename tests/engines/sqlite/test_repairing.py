"""Does a repair touch nothing it need not touch, and no file that someone else is using?"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from damaging import digest, execute, make, overwrite, pages_of

import dowse
from dowse.app.opening import open_for_care
from dowse.engines.sqlite import scraping
from dowse.engines.sqlite.repairing import alone
from dowse.errors import Busy, NotAWorkspace

SOURCE = Path(dowse.__file__).resolve().parents[1]
HOLDER = """
import sys
import dowse
with dowse.open(sys.argv[1]) as workspace:
    workspace.get("p1")
    print("holding", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "test.dowse"
    make(made, 200)
    return made


@pytest.fixture
def holder(path: Path) -> Iterator[None]:
    """Another process that has the workspace open, and reads nothing at the moment."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "holding\n"
        yield
        process.kill()


def names(path: Path) -> list[str]:
    return sorted(item.name for item in path.parent.iterdir())


def test_what_is_derived_is_made_again_in_place_while_others_read_on(path: Path) -> None:
    with dowse.open(path) as other:
        execute(path, "delete from lane1_words where rowid % 2")
        with dowse.open(path) as workspace:
            assert "saved" not in [finding.name for finding in workspace.repair()]
        assert len(other.search("tide", limit=50).hits) == 50
    assert names(path) == ["test.dowse"]


def test_a_sound_workspace_holds_the_same_after_a_repair(path: Path) -> None:
    before = digest(path)
    with dowse.open(path) as workspace:
        assert all(finding.ok for finding in workspace.repair())
    assert (digest(path), names(path)) == (before, ["test.dowse"])


@pytest.mark.usefixtures("holder")
def test_a_damaged_file_that_another_process_has_open_is_left_alone(path: Path) -> None:
    overwrite(path, pages_of(path, "record")[1])
    with open_for_care(path) as workspace, pytest.raises(Busy, match=r"Another process has .* open. End it first"):
        workspace.repair()
    assert not list(path.parent.glob("*.damaged*"))


def test_a_damaged_file_that_is_being_read_in_this_process_is_left_alone(path: Path) -> None:
    overwrite(path, pages_of(path, "record")[1])
    with dowse.open(path) as workspace:
        with workspace.embedding.view(), pytest.raises(Busy, match="is being read right now"):
            workspace.repair()
        workspace.repair()
        assert all(finding.ok for finding in workspace.doctor())
        assert workspace.put(kind="page", key="new", title="A new one").version == 1


def test_nobody_opens_a_file_that_is_being_replaced(path: Path) -> None:
    with alone(path):
        code = f"import apsw; apsw.Connection({str(path)!r}).execute('select count(*) from record')"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "locked" in done.stderr
    connection = apsw.Connection(str(path))
    assert list(connection.execute("select count(*) from record")) == [(200,)]
    connection.close()


def test_a_repaired_workspace_makes_its_vectors_again(path: Path) -> None:
    overwrite(path, pages_of(path, "record")[1])
    with dowse.open(path) as workspace:
        workspace.repair()
        workspace.embed()
        state = workspace.status().embedding
        assert (state.waiting, state.done > 150) == (0, True)


def test_the_projects_of_a_repaired_workspace_are_known_as_before(path: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "note.md").write_text("# Bittern\n\nIn the reed.\n")
    with dowse.open(path) as workspace:
        workspace.index(project, jobs=1)
    overwrite(path, pages_of(path, "record")[1])
    with dowse.open(path) as workspace:
        workspace.repair()
        assert [item.space for item in workspace.projects()] == ["project"]
        assert workspace.index(project, jobs=1).unchanged == 1


def test_of_a_file_of_which_nothing_can_be_read_nothing_is_replaced(path: Path) -> None:
    overwrite(path, 1, path.read_bytes()[:100] + b"\xa5" * 3996)
    before = path.read_bytes()
    with open_for_care(path) as workspace, pytest.raises(NotAWorkspace, match="Nothing can be read"):
        workspace.repair()
    assert path.read_bytes() == before
    assert names(path) == ["test.dowse"]


def test_a_file_that_lost_all_records_is_not_replaced_by_an_empty_one(path: Path) -> None:
    for page in pages_of(path, "record"):
        overwrite(path, page)
    with open_for_care(path) as workspace, pytest.raises(NotAWorkspace, match="Nothing can be read"):
        workspace.repair()
    assert names(path)[0] == "test.dowse"
    assert not list(path.parent.glob("*.damaged*"))


def test_rows_whose_numbers_no_index_knows_are_found_by_ever_smaller_ranges(path: Path) -> None:
    leaves = pages_of(path, "record")
    overwrite(path, leaves[1])
    overwrite(path, leaves[3])
    for page in pages_of(path, "sqlite_autoindex_record_1"):
        overwrite(path, page)
    connection = apsw.Connection(str(path))
    found = {row[0] for row in scraping.by_number(connection, "record", "id, key", "key", lambda: None)}
    sound = {row for row in range(1, 201) if _is_readable(connection, row)}
    connection.close()
    assert 100 < len(sound) < 200
    assert found == sound


def _is_readable(connection: apsw.Connection, number: int) -> bool:
    try:
        return bool(list(connection.execute("select title from record where id = ?", (number,))))
    except apsw.CorruptError:
        return False
