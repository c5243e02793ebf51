"""What is done behind a writer's back changes nothing that can be seen, and leaves little to do for who writes."""

import threading
from pathlib import Path

import pytest

from dowse.domains.everything import EVERYTHING, SCHEMA
from dowse.engines.sqlite import driver
from dowse.engines.sqlite.driver import connect_plainly, value
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.engines.sqlite.tending import Tending
from dowse.model.change import Delete, Put
from dowse.model.record import Record
from dowse.model.request import SearchRequest
from dowse.search.pipeline import search


def record(number: int) -> Record:
    return Record(f"r{number}", "page", f"Page {number}", {"content": f"word{number % 7} common text number{number}"})


def pieces(path: Path) -> int:
    """Segments of the words: FTS5 keeps one structure record, and every segment has a page 1."""
    connection = connect_plainly(str(path), read_only=True)
    try:
        return int(value(connection, "select count(distinct segid) from lane1_words_idx"))
    finally:
        connection.close()


def test_small_writes_are_put_together_and_found_as_before(tmp_path: Path) -> None:
    path = tmp_path / "workspace.dowse"
    engine = SqliteEngine(path, SCHEMA)
    for number in range(40):
        engine.apply([Put(record(number))])
    engine.apply([Delete("r7")])
    while engine._tending._thread is not None:
        threading.Event().wait(0.01)
    assert pieces(path) <= 8
    assert all(finding.ok for finding in engine.examine())
    with engine.view() as view:
        page = search(view, SearchRequest("common", limit=100), EVERYTHING, SCHEMA)
    assert {hit.record.key for hit in page.hits} == {f"r{number}" for number in range(40) if number != 7}
    engine.close()


def test_a_long_log_is_put_into_the_file_while_the_writer_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "_LOG_PAGES", 10)
    path = tmp_path / "workspace.dowse"
    engine = SqliteEngine(path, SCHEMA)
    engine.apply([Put(record(number)) for number in range(500)])
    engine._tending.finish()
    connection = connect_plainly(str(path), read_only=True)
    _, logged, put = next(iter(connection.execute("pragma wal_checkpoint(noop)")))
    connection.close()
    engine.close()
    assert put == logged > 10


def test_closing_ends_what_has_begun() -> None:
    begun = threading.Event()

    def merge(_: int) -> bool:
        begun.set()
        return True

    tending = Tending("nowhere", merge, 1)
    for _ in range(16):
        tending.little_was_written()
    assert begun.wait(10)
    tending.finish()
    assert tending._thread is None


def test_what_is_refused_ends_the_work_and_nothing_else() -> None:
    def merge(_: int) -> bool:
        raise driver.REFUSED("busy")

    tending = Tending("nowhere", merge, 1)
    for _ in range(16):
        tending.little_was_written()
    tending.finish()
    assert tending._thread is None
