"""What the campaign on damaged workspaces found: errors of Python reached the user where bytes had changed."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest

import dowse
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite import lanes
from dowse.engines.sqlite.driver import connect_plainly
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.engines.sqlite.viewing import SqliteView
from dowse.errors import NotAWorkspace
from dowse.shells.cli.main import run


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "test.dowse"
    with dowse.open(made) as workspace:
        for number in range(8):
            workspace.put(
                kind="page", key=f"page-{number}", title=f"Tide {number}", content="The gauge tells how high the tide is."
            )
    return made


def lane(connection: apsw.Connection) -> lanes.Lanes:
    current = lanes.current(connection)
    assert current is not None
    return current


def without_a_record(connection: apsw.Connection) -> None:
    """The index names a record whose row is gone."""
    connection.execute("delete from record where key = 'page-3'")


def with_broken_fields(connection: apsw.Connection) -> None:
    connection.execute("update record set fields = ?", (json.dumps({"content": "tide"})[:-2],))


def with_short_columns(connection: apsw.Connection) -> None:
    """The packed numbers end before the last record."""
    connection.execute(f"update {lane(connection).columns} set data = zeroblob(0)")


def with_crooked_columns(connection: apsw.Connection) -> None:
    """They end within a row."""
    connection.execute(f"update {lane(connection).columns} set data = substr(data, 1, 100)")


def without_columns(connection: apsw.Connection) -> None:
    connection.execute(f"delete from {lane(connection).columns}")


def with_a_far_parent(connection: apsw.Connection) -> None:
    """A number in them leads to a record that is far beyond the last."""
    blob = bytes(range(200, 256)) * 10
    connection.execute(f"update {lane(connection).columns} set data = cast(? || substr(data, 561) as blob)", (blob,))


def without_a_generation(connection: apsw.Connection) -> None:
    connection.execute("update meta set value = 'x' where name = 'generation'")


DAMAGES: tuple[Callable[[apsw.Connection], None], ...] = (
    without_a_record,
    with_broken_fields,
    with_short_columns,
    with_crooked_columns,
    without_columns,
    with_a_far_parent,
    without_a_generation,
)
USES: dict[str, Callable[[Workspace], object]] = {
    "search": lambda workspace: workspace.search("gauge"),
    "list": lambda workspace: workspace.list(limit=100),
    "write": lambda workspace: workspace.put(kind="page", title="New", content="tide"),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damage_is_told_as_damage_or_does_no_harm(path: Path, damage: Callable[[apsw.Connection], None], use: str) -> None:
    connection = connect_plainly(str(path))
    connection.pragma("foreign_keys", False)
    damage(connection)
    connection.close()
    told = ""
    try:
        with dowse.open(path) as workspace:
            USES[use](workspace)
    except NotAWorkspace as error:
        told = str(error)
    assert not told or "dowse doctor --repair" in told


@pytest.mark.parametrize("damage", [without_a_record, with_broken_fields], ids=lambda damage: damage.__name__)
def test_a_search_that_meets_it_says_what_to_do(path: Path, damage: Callable[[apsw.Connection], None]) -> None:
    connection = connect_plainly(str(path))
    connection.pragma("foreign_keys", False)
    damage(connection)
    connection.close()
    with dowse.open(path) as workspace, pytest.raises(NotAWorkspace, match=r"is damaged .* Run 'dowse doctor --repair'"):
        workspace.search("gauge")


def test_a_generation_that_is_no_number_is_named_and_repaired(path: Path) -> None:
    connection = connect_plainly(str(path))
    without_a_generation(connection)
    connection.close()
    with dowse.open(path) as workspace:
        assert "the generation of the workspace is no number" in [item.detail for item in workspace.doctor() if not item.ok]
        workspace.repair()
        assert [item for item in workspace.doctor() if not item.ok] == []
        workspace.put(kind="page", title="New", content="tide")
        assert workspace.search("gauge").total == 8


def test_an_index_that_names_nobody_is_damage_though_every_check_is_clean(path: Path) -> None:
    with closing(SqliteEngine(path, SCHEMA)) as engine:
        for ask in (SqliteView.fetch, SqliteView.names):
            with pytest.raises(NotAWorkspace, match=r"names a record that is not there, number 71\)\. Run"), engine.view() as view:
                ask(view, [1, 71])


def test_a_generation_that_is_gone_is_told_where_the_index_must_be_made_again(path: Path) -> None:
    connection = connect_plainly(str(path))
    connection.execute("delete from meta where name in ('generation', 'fingerprint')")
    connection.close()
    with pytest.raises(NotAWorkspace, match=r"the number of the last commit is gone.* Run 'dowse doctor --repair'"):
        dowse.open(path)
    assert run(["doctor", "--repair", "--workspace", str(path)]) == 0
    with dowse.open(path) as workspace:
        assert workspace.search("gauge").total == 8


def with_a_wrong_stem(connection: apsw.Connection) -> None:
    connection.execute(f"update {lane(connection).vocabulary} set stem = 'gaugf' where word = 'gauge'")


def with_a_kind_of_no_record(connection: apsw.Connection) -> None:
    """In the packed numbers, past the last record, where nothing is."""
    table = lane(connection).columns
    (data,) = next(connection.execute(f"select data from {table}"))
    connection.execute(f"update {table} set data = ?", (data[:-28] + b"\0\0\x40\0" + data[-24:],))


def with_another_time(connection: apsw.Connection) -> None:
    connection.execute("update record set updated = updated + 1 where key = 'page-3'")


@pytest.mark.parametrize(
    ("damage", "name"),
    [(with_a_wrong_stem, "vocabulary"), (with_a_kind_of_no_record, "attributes"), (with_another_time, "attributes")],
    ids=["a stem", "a kind", "a time"],
)
def test_the_doctor_names_what_only_the_index_says_and_repairs_it(
    path: Path, damage: Callable[[apsw.Connection], None], name: str
) -> None:
    connection = connect_plainly(str(path))
    damage(connection)
    connection.close()
    with dowse.open(path) as workspace:
        assert name in [item.name for item in workspace.doctor() if not item.ok]
        workspace.repair()
        assert [item for item in workspace.doctor() if not item.ok] == []
        assert workspace.search("gauge").total == 8
