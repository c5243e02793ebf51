"""What is put together with every write changes nothing that can be seen, and no write has much to do."""

from pathlib import Path

import pytest

from dowse.domains.everything import EVERYTHING, SCHEMA
from dowse.engines.sqlite import lanes
from dowse.engines.sqlite.driver import value
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.engines.sqlite.leaves import pieces
from dowse.model.change import Delete, Put
from dowse.model.record import Record
from dowse.model.request import SearchRequest
from dowse.search.pipeline import search


@pytest.fixture
def engine(tmp_path: Path) -> SqliteEngine:
    return SqliteEngine(tmp_path / "w.dowse", SCHEMA)


def put(number: int) -> Put:
    return Put(Record(f"r{number}", "page", f"Page {number}", {"content": f"word{number % 7} common text number{number}"}))


def changes_of(engine: SqliteEngine, number: int) -> int:
    """Rows that a write of one record changes, those of FTS5's own tables among them: a row is a page there."""
    before = engine._writer.total_changes()
    engine.apply([put(number)])
    return engine._writer.total_changes() - before


def most_pieces(engine: SqliteEngine) -> int:
    current = lanes.current(engine._writer)
    assert current is not None
    return max(pieces(engine._writer, table) for table in current.in_pieces)


def test_small_writes_are_put_together_and_found_as_before(engine: SqliteEngine) -> None:
    for number in range(140):
        engine.apply([put(number)])
        assert most_pieces(engine) <= 16
    engine.apply([Delete("r7")])
    assert all(finding.ok for finding in engine.examine())
    with engine.view() as view:
        page = search(view, SearchRequest("common", limit=100), EVERYTHING, SCHEMA)
    assert page.total == 139
    engine.close()


def test_no_small_write_does_the_work_of_many(engine: SqliteEngine) -> None:
    engine.apply([put(number) for number in range(3000)])
    changed = sorted(changes_of(engine, 3000 + number) for number in range(200))
    # FTS5 by itself would do everything with one in sixty-four.
    assert changed[-1] < 3 * changed[len(changed) // 2]
    engine.close()


def test_large_writes_leave_it_to_fts5_again(engine: SqliteEngine) -> None:
    def setting() -> object:
        current = lanes.current(engine._writer)
        assert current is not None
        return value(engine._writer, f"select v from {current.contains}_config where k = 'automerge'")

    engine.apply([put(1)])
    assert setting() == 0
    engine.apply([put(number) for number in range(100)])
    assert setting() == 4
    engine.apply([put(number) for number in range(100, 200)])
    engine.apply([put(1), Delete("r2")])
    assert setting() == 0
    assert all(finding.ok for finding in engine.examine())
    engine.close()


def test_pieces_are_counted_in_tables_of_every_kind(engine: SqliteEngine) -> None:
    engine.apply([put(1)])
    current = lanes.current(engine._writer)
    assert current is not None
    counted = {table: pieces(engine._writer, table) for table in current.in_pieces}
    assert counted[current.contains] == counted[current.text[0].table] == 1
    assert counted[current.text[2].table] == 0
    assert pieces(engine._writer, current.text[0].table) == 1
    engine.close()
