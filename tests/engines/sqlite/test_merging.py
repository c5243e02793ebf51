"""What is put together with every write changes nothing that can be seen, and no write has much to do."""

from pathlib import Path

import pytest

from dowse.domains.everything import EVERYTHING, SCHEMA
from dowse.engines.sqlite import lanes, merging
from dowse.engines.sqlite.driver import value
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.engines.sqlite.leaves import levels as levels_of
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
    return max(sum(segments for _, segments in levels_of(engine._writer, table)) for table in current.in_pieces)


def test_small_writes_are_put_together_and_found_as_before(engine: SqliteEngine) -> None:
    for number in range(140):
        engine.apply([put(number)])
        assert most_pieces(engine) <= 32
    engine.apply([Delete("r7")])
    assert all(finding.ok for finding in engine.examine())
    with engine.view() as view:
        page = search(view, SearchRequest("common", limit=100), EVERYTHING, SCHEMA)
    assert page.total == 139
    engine.close()


def test_no_small_write_does_the_work_of_many(engine: SqliteEngine) -> None:
    engine.apply([put(number) for number in range(3000)])
    changed = sorted(changes_of(engine, 3000 + number) for number in range(200))
    # FTS5 by itself would do everything with one in sixty-four, nine times as much as with the others.
    assert changed[-1] < 5 * changed[len(changed) // 2]
    engine.close()


def test_what_an_import_left_half_done_is_not_left_to_one_write(engine: SqliteEngine) -> None:
    for start in range(0, 6000, 100):
        engine.apply([put(number) for number in range(start, start + 100)])
    changed = sorted(changes_of(engine, 6000 + number) for number in range(700))
    assert changed[-1] < 5 * changed[len(changed) // 2]
    assert most_pieces(engine) < 64
    engine.close()


@pytest.mark.parametrize(
    ("levels", "waits"),
    [([(0, 15), (0, 3)], False), ([(5, 20), (0, 3)], False), ([(0, 3), (5, 21)], True), ([(16, 40)], False)],
    ids=["nothing is begun", "few gather behind it", "many do", "it goes on by itself"],
)
def test_what_few_pieces_began_is_ended_once_many_gather_behind_it(levels: list[tuple[int, int]], waits: bool) -> None:
    assert merging._waits(levels) is waits


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
    counted = {table: levels_of(engine._writer, table) for table in current.in_pieces}
    assert counted[current.contains] == counted[current.text[0].table] == [(0, 1)]
    assert counted[current.text[2].table] == []
    engine.close()
