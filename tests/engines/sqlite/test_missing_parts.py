"""Whatever table, index or number of a workspace is gone or wrong: does the doctor name it, and is all well after a repair?"""

import shutil
from contextlib import suppress
from pathlib import Path

import apsw
import pytest
from damaging import digest, make

import dowse
from dowse.app.opening import open_for_care
from dowse.engines.sqlite import lanes
from dowse.engines.sqlite.driver import connect_plainly
from dowse.engines.sqlite.migrating import migrate
from dowse.errors import DowseError, NotAWorkspace
from dowse.ports import Finding

# What only a backup can give back; that it is gone is told.
_IRREPLACEABLE = ("record", "tag", "edge", "meta")


def _parts() -> list[tuple[str, str]]:
    """Everything with a statement that made it, in a new workspace: its type and its name."""
    with connect_plainly(":memory:") as connection:
        migrate(connection, "a new one")
        lanes.create(connection, lanes.Lanes(1))
        return list(connection.execute("select type, name from sqlite_schema where sql is not null order by name"))


_PARTS = [part for part in _parts() if part[1] not in _IRREPLACEABLE]
_COUNTS = ("generation", "flushed", "lanes", "updated", "vectors_done", "vectors_waiting", "vectors_since")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "sound.dowse"
    make(path, 40)
    with dowse.open(path) as workspace:
        # Of a symbol the end of a long body is kept apart.
        workspace.put(kind="symbol", key="long", title="getUserById", body="set_name and\n" + "quay " * 40_000)
    return path


@pytest.fixture
def path(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(sound, tmp_path / "test.dowse"))


def _change(path: Path, sql: str) -> None:
    connection = apsw.Connection(str(path))
    # Else SQLite keeps what FTS5 keeps from being changed.
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
    connection.execute(sql)
    connection.close()


def _faults(path: Path) -> list[Finding]:
    with open_for_care(path) as workspace:
        return [finding for finding in workspace.doctor() if not finding.ok]


def _repair(path: Path) -> list[Finding]:
    with open_for_care(path) as workspace:
        return [finding for finding in workspace.repair() if not finding.ok]


def _use(path: Path) -> int:
    """Asks and writes as anyone would; how many were found."""
    with dowse.open(path, create=False) as workspace:
        workspace.put(kind="page", key="new", title="New", content="a new one")
        workspace.update("p1", title="Other")
        workspace.delete("new", purge=True)
        return workspace.search("tide").total + workspace.search("arbou", mode="substring").total


def _expect_named_and_repaired(path: Path, sound: Path) -> None:
    before = digest(sound)
    spare = path.with_name("spare.dowse")
    shutil.copy(path, spare)
    with suppress(DowseError):
        _use(spare)
    assert _faults(path)
    _repair(path)
    assert _faults(path) == []
    assert digest(path) == before
    assert _use(path) == _use(Path(shutil.copy(sound, path.with_name("again.dowse"))))


@pytest.mark.parametrize(("kind", "name"), _PARTS, ids=[name for _, name in _PARTS])
def test_a_table_or_index_that_is_missing_is_named_and_comes_back(path: Path, sound: Path, kind: str, name: str) -> None:
    _change(path, f"drop {kind} {name}")
    _expect_named_and_repaired(path, sound)


@pytest.mark.parametrize("name", ["lane1_contains", "lane1_words", "lane1_names", "lane1_tail", "lane1_alternates"])
def test_a_part_of_the_index_that_is_empty_is_named_and_comes_back(path: Path, sound: Path, name: str) -> None:
    _change(path, f"delete from {name}")
    _expect_named_and_repaired(path, sound)


@pytest.mark.parametrize("name", ["words", "names", "tail", "alternates"])
def test_records_that_could_not_be_taken_out_of_the_index_again_are_named(path: Path, sound: Path, name: str) -> None:
    _change(path, f"delete from lane1_{name}_docsize")
    _expect_named_and_repaired(path, sound)


@pytest.mark.parametrize("value", ["'garbage'", "null", "-5"])
@pytest.mark.parametrize("name", _COUNTS)
def test_a_number_of_the_workspace_that_is_none_is_named_and_made_again(path: Path, sound: Path, name: str, value: str) -> None:
    if (name, value) == ("updated", "-5"):
        pytest.skip("a time before 1970 is one")
    _change(path, f"update meta set value = {value} where name = '{name}'")
    _expect_named_and_repaired(path, sound)


@pytest.mark.parametrize("name", ["generation", "updated", "lanes", "vectors_done", "vectors_waiting"])
def test_a_number_of_the_workspace_that_is_gone_is_named_and_made_again(path: Path, sound: Path, name: str) -> None:
    _change(path, f"delete from meta where name = '{name}'")
    _expect_named_and_repaired(path, sound)


def test_what_stands_for_the_number_of_the_index_is_never_run(path: Path) -> None:
    _change(path, "update meta set value = '1_columns; delete from record; --' where name = 'lanes'")
    with pytest.raises(DowseError, match="the lanes of the workspace is no number"):
        _use(path)
    _repair(path)
    with dowse.open(path, create=False) as workspace:
        assert workspace.status().records["page"] == 40


def test_a_place_for_a_passage_that_is_called_free_and_is_not_is_named(path: Path, sound: Path) -> None:
    _change(path, "insert into passage_free select id from passage limit 3")
    _expect_named_and_repaired(path, sound)


def test_records_that_are_gone_are_told_before_the_index_forgets_them(path: Path) -> None:
    _change(path, "delete from record where key in ('p3', 'p4')")
    assert "2 that the index knows are gone" in [finding.detail for finding in _faults(path)]
    assert "2 that the index knows are gone" in [finding.detail for finding in _repair(path)]
    assert _faults(path) == []


def test_a_file_without_its_table_of_records_is_not_replaced_by_an_empty_one(path: Path) -> None:
    _change(path, "drop table record")
    before = path.read_bytes()
    with pytest.raises(NotAWorkspace, match="Nothing can be read"):
        _repair(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["tag", "edge", "meta"])
def test_tags_edges_and_marks_that_are_gone_are_told_and_everything_else_is_saved(path: Path, name: str) -> None:
    _change(path, f"drop table {name}")
    assert _faults(path)
    told = {finding.name: finding.detail for finding in _repair(path)}
    assert "more may be lost" in told["saved"]
    assert _faults(path) == []
    with dowse.open(path, create=False) as workspace:
        assert workspace.status().records["page"] == 40
