"""A workspace keeps its records over every version, and its indexes serve what they are there for."""

from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from dowse.engines.sqlite.driver import APPLICATION_ID, connect, value
from dowse.engines.sqlite.edges import edges_at_sql
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.engines.sqlite.migrating import migrate
from dowse.errors import NewerWorkspace
from dowse.model.change import Delete, Link, Put
from dowse.model.record import Edge, Record
from dowse.model.request import Lane, ListPlan, Scope
from dowse.model.schema import Column, Field, Kind, Schema
from dowse.model.terms import Query, Term


def make(path: Path, schema: Schema) -> None:
    engine = SqliteEngine(path, schema)
    engine.apply([Put(Record("a", "page", "sea", {"body": "harbour"})), Put(Record("b", "page", "land"))])
    engine.apply([Link(Edge("b", "a", "links"))])
    engine.close()


def found(engine: SqliteEngine, word: str, lane: Lane = Lane.STEMS) -> list[str]:
    with engine.view() as view:
        ranking = view.match(Query("", (Term((word,)),)), ListPlan("list", lane), view.select(Scope()))
        return [record.key for record in view.fetch(ranking.handles)]


def test_a_new_file_is_brought_to_the_newest_version(tmp_path: Path) -> None:
    connection = connect(str(tmp_path / "w.dowse"))
    migrate(connection, "w.dowse")
    assert connection.pragma("user_version") >= 1
    assert value(connection, "select value from meta where name = 'generation'") == 0
    connection.close()


def test_migrating_twice_changes_nothing(tmp_path: Path) -> None:
    connection = connect(str(tmp_path / "w.dowse"))
    migrate(connection, "w.dowse")
    tables = list(connection.execute("select name, sql from sqlite_schema order by name"))
    migrate(connection, "w.dowse")
    assert list(connection.execute("select name, sql from sqlite_schema order by name")) == tables
    connection.close()


def test_a_workspace_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path, schema: Schema) -> None:
    path = tmp_path / "w.dowse"
    make(path, schema)
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", 99)
    connection.close()
    before = path.read_bytes()
    with pytest.raises(NewerWorkspace, match=r"w\.dowse was written by a newer dowse \(format 99.*Upgrade"):
        SqliteEngine(path, schema)
    assert path.read_bytes() == before


def test_a_step_that_fails_leaves_no_half_of_itself(tmp_path: Path) -> None:
    path = tmp_path / "w.dowse"
    connection = connect(str(path))
    # Stands where the first step wants to make its last table.
    connection.execute("create table label (x)")
    with pytest.raises(apsw.SQLError):
        migrate(connection, "w.dowse")
    assert connection.pragma("user_version") == 0
    assert [name for (name,) in connection.execute("select name from sqlite_schema")] == ["label"]
    connection.close()


def test_a_workspace_opened_again_answers_as_before(tmp_path: Path, schema: Schema) -> None:
    path = tmp_path / "w.dowse"
    make(path, schema)
    engine = SqliteEngine(path, schema, create=False)
    assert (found(engine, "harbours"), found(engine, "land", Lane.NAMES)) == (["a"], ["b"])
    engine.close()


def test_facets_of_an_older_workspace_are_found_changed_and_forgotten(tmp_path: Path, schema: Schema) -> None:
    path = tmp_path / "w.dowse"
    make(path, schema)
    engine = SqliteEngine(path, schema)
    marked = [Record(key, "page", "sea", {"body": "harbour"}, facets={"colour": "red"}) for key in ("c", "d", "e")]
    engine.apply(map(Put, marked))
    engine.close()
    connection = apsw.Connection(str(path))
    # As they were kept before, with an index by record.
    connection.execute("""
        create table older (
          name text not null, value not null, record integer not null references record (id) on delete cascade,
          primary key (name, value, record)
        ) without rowid;
        insert into older select * from facet;
        drop table facet;
        alter table older rename to facet;
        create index facet_record on facet (record);
        pragma user_version = 6;
    """)
    connection.close()
    engine = SqliteEngine(path, schema)
    engine.apply([Put(replace(marked[1], facets={"colour": "blue"})), Delete("e", purge=True)])
    with engine.view() as view:
        told = [view.recent(view.select(Scope(facets={"colour": (colour,)}))).handles for colour in ("red", "blue")]
        assert [[record.key for record in view.fetch(handles)] for handles in told] == [["c"], ["d"]]
    assert all(finding.ok for finding in engine.examine())
    engine.close()
    connection = apsw.Connection(str(path))
    assert not list(connection.execute("select 1 from sqlite_schema where name = 'facet_record'"))
    assert list(connection.execute("select count(*) from facet")) == [(2,)]
    connection.close()


def test_opening_a_workspace_again_does_not_rebuild_it(tmp_path: Path, schema: Schema) -> None:
    path = tmp_path / "w.dowse"
    make(path, schema)
    engine = SqliteEngine(path, schema)
    before = engine.status().generation
    engine.close()
    engine = SqliteEngine(path, schema)
    assert engine.status().generation == before
    engine.close()


def test_another_declaration_of_a_kind_rebuilds_the_lanes_and_keeps_the_records(tmp_path: Path, schema: Schema) -> None:
    path = tmp_path / "w.dowse"
    make(path, schema)
    named = Kind("page", (Field("title", Column.TITLE), Field("body", named=True)))
    engine = SqliteEngine(path, Schema({**schema.kinds, "page": named}, schema.edges))
    assert (found(engine, "harbour", Lane.NAMES), found(engine, "sea", Lane.NAMES)) == (["a"], [])
    with engine.view() as view:
        assert sorted(view.find(["a", "b"])) == ["a", "b"]
    engine.close()


def test_who_opens_a_workspace_with_other_lanes_is_told_that_it_takes_time(tmp_path: Path, schema: Schema) -> None:
    path = tmp_path / "told.dowse"
    told: list[str] = []
    SqliteEngine(path, schema, notify=told.append).close()
    SqliteEngine(path, schema, notify=told.append).close()
    assert told == []
    changed = Schema({"text": Kind("text", (Field("body"), Field("more")))}, {})
    SqliteEngine(path, changed, notify=told.append).close()
    assert len(told) == 1
    assert str(path) in told[0]


def test_a_rebuild_leaves_no_table_of_the_old_lanes(tmp_path: Path, schema: Schema) -> None:
    path = tmp_path / "w.dowse"
    make(path, schema)
    engine = SqliteEngine(path, schema)
    for _ in range(3):
        engine.reindex()
    engine.close()
    connection = connect(str(path))
    sets = {name.split("_")[0] for (name,) in connection.execute("select name from sqlite_schema where name like 'lane%'")}
    assert len(sets) == 1
    assert connection.pragma("application_id") == APPLICATION_ID
    connection.close()


@pytest.mark.requirement("T-17")
@pytest.mark.parametrize("by_kind", [False, True])
def test_backlinks_are_served_by_the_index_on_the_target(tmp_path: Path, schema: Schema, by_kind: bool) -> None:
    path = tmp_path / "w.dowse"
    make(path, schema)
    connection = connect(str(path))
    bindings = ('["a"]', '["links"]') if by_kind else ('["a"]',)
    plan = [row[3] for row in connection.execute(f"explain query plan {edges_at_sql('target', by_kind)}", bindings)]
    (backlinks,) = [step for step in plan if "edge" in step]
    assert backlinks.startswith("SEARCH edge USING INDEX edge_target (target=?")
    assert not [step for step in plan if step.startswith("SCAN") and "json_each" not in step and "wanted" not in step]
    connection.close()
