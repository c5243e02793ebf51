"""Records that come and go leave nothing behind that grows."""

from pathlib import Path

import pytest

from dowse.engines.sqlite.driver import connect, value
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.engines.sqlite.migrating import migrate
from dowse.model.change import Delete, Put, Rename
from dowse.model.record import Record
from dowse.model.request import Lane, ListPlan, Scope
from dowse.model.schema import Schema
from dowse.model.terms import Query, Term


def page(number: int, word: str = "harbour") -> Put:
    return Put(Record(f"page-{number}", "page", f"Page {number}", {"body": word}))


def largest(path: Path) -> int:
    connection = connect(str(path), read_only=True)
    try:
        return int(value(connection, "select max(id) from record") or 0)
    finally:
        connection.close()


def found(engine: SqliteEngine, word: str) -> list[str]:
    with engine.view() as view:
        ranking = view.match(Query("", (Term((word,)),)), ListPlan("list", Lane.STEMS), view.select(Scope()))
        return sorted(record.key for record in view.fetch(ranking.handles))


def sound(engine: SqliteEngine) -> bool:
    return all(finding.ok for finding in engine.examine())


def test_as_many_records_as_went_come_without_making_the_index_larger(tmp_path: Path, schema: Schema) -> None:
    path = tmp_path / "w.dowse"
    engine = SqliteEngine(path, schema)
    engine.apply([page(number) for number in range(30)])
    for turn in range(20):
        engine.apply([Delete(f"page-{turn * 10 + at}", purge=True) for at in range(10)])
        engine.apply([page(30 + turn * 10 + at) for at in range(10)])
    assert largest(path) == 30
    assert sound(engine)
    engine.close()


def test_a_record_with_the_number_of_another_is_found_as_itself_alone(tmp_path: Path, schema: Schema) -> None:
    engine = SqliteEngine(tmp_path / "w.dowse", schema)
    engine.apply([page(1, "harbour"), page(2, "harbour")])
    # Searched before and after, so that whatever is remembered of the number is put to the test.
    assert found(engine, "harbour") == ["page-1", "page-2"]
    engine.apply([Delete("page-1", purge=True)])
    engine.apply([page(3, "lantern")])
    assert (found(engine, "harbour"), found(engine, "lantern")) == (["page-2"], ["page-3"])
    engine.close()


def test_one_commit_that_takes_away_and_adds_keeps_both_apart(tmp_path: Path, schema: Schema) -> None:
    path = tmp_path / "w.dowse"
    engine = SqliteEngine(path, schema)
    engine.apply([page(1), page(2)])
    engine.apply([Delete("page-1", purge=True), page(3), page(4), Delete("page-4", purge=True), page(1, "lantern")])
    assert found(engine, "harbour") == ["page-2", "page-3"]
    assert found(engine, "lantern") == ["page-1"]
    assert sound(engine)
    engine.close()


def test_a_renamed_record_keeps_its_number_to_itself(tmp_path: Path, schema: Schema) -> None:
    engine = SqliteEngine(tmp_path / "w.dowse", schema)
    engine.apply([page(1), page(2)])
    engine.apply([Rename((("page-1", "moved"),))])
    engine.apply([page(3), page(4)])
    assert found(engine, "harbour") == ["moved", "page-2", "page-3", "page-4"]
    assert sound(engine)
    engine.close()


@pytest.mark.parametrize("wrong", [-5, 0, 2, 1 << 40])
def test_a_damaged_list_of_free_numbers_overwrites_no_record(tmp_path: Path, schema: Schema, wrong: int) -> None:
    path = tmp_path / "w.dowse"
    engine = SqliteEngine(path, schema)
    engine.apply([page(number) for number in range(1, 4)])
    connection = connect(str(path))
    connection.execute("insert into record_free values (?)", (wrong,))
    connection.close()
    engine.apply([page(9)])
    assert found(engine, "harbour") == ["page-1", "page-2", "page-3", "page-9"]
    assert largest(path) == 4
    engine.close()


def test_an_older_workspace_learns_which_numbers_are_free(tmp_path: Path, schema: Schema) -> None:
    path = tmp_path / "w.dowse"
    engine = SqliteEngine(path, schema)
    engine.apply([page(number) for number in range(1, 6)])
    engine.apply([Delete("page-2", purge=True), Delete("page-4", purge=True)])
    engine.close()
    connection = connect(str(path))
    connection.execute("drop table record_free")
    connection.pragma("user_version", 4)
    migrate(connection, "w.dowse")
    assert [number for (number,) in connection.execute("select id from record_free order by id")] == [2, 4]
    connection.close()
