"""A reader sees one moment until it ends, and knows when the next one is the same."""

from pathlib import Path

from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.engines.sqlite.reading import Reader
from dowse.model.change import Put
from dowse.model.record import Record


def page(key: str) -> Put:
    return Put(Record(key, "page", title=key, updated=1.0))


def test_as_long_as_nobody_writes_the_moment_is_the_very_same(tmp_path: Path) -> None:
    path = tmp_path / "w.dowse"
    engine = SqliteEngine(path, SCHEMA)
    reader = Reader(str(path))
    first = reader.begin()
    reader.end()
    assert reader.begin() is first
    reader.end()
    engine.apply([page("new")])
    later = reader.begin()
    assert later.generation == first.generation + 1
    reader.end()
    reader.close()
    engine.close()


def test_what_others_write_meanwhile_is_not_seen_before_the_next_beginning(tmp_path: Path) -> None:
    path = tmp_path / "w.dowse"
    engine = SqliteEngine(path, SCHEMA)
    reader = Reader(str(path))
    count = "select count(*) from record"
    reader.begin()
    engine.apply([page("new")])
    assert reader.connection.execute(count).fetchall() == [(0,)]
    reader.end()
    reader.begin()
    assert reader.connection.execute(count).fetchall() == [(1,)]
    reader.end()
    reader.close()
    engine.close()


def test_a_view_sees_one_moment_also_where_it_asks_for_the_first_time_after_a_write(tmp_path: Path) -> None:
    with_one = SqliteEngine(tmp_path / "w.dowse", SCHEMA)
    with_one.apply([page("one")])
    with with_one.view() as view:
        with_one.apply([page("two")])
        assert [record.key for record in view.scan()] == ["one"]  # type: ignore[union-attr]
    with with_one.view() as view:
        assert [record.key for record in view.scan()] == ["one", "two"]  # type: ignore[union-attr]
    with_one.close()
