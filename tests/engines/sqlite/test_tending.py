"""The log is put into the file behind a writer's back, as far as those who read let it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite import driver
from dowse.engines.sqlite.driver import Connection, connect, connect_plainly, reading, writing
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.engines.sqlite.tending import Tending
from dowse.model.change import Put
from dowse.model.record import Record


def record(number: int) -> Record:
    return Record(f"r{number}", "page", f"Page {number}", {"content": f"word{number % 7} common text number{number}"})


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


@contextmanager
def tended_while_read(folder: Path) -> Iterator[tuple[Tending, Connection]]:
    """Inside, someone reads what was there before the log grew long."""
    path = str(folder / "w.dowse")
    writer, reader = connect(path, mapped=False), connect(path, read_only=True)
    writer.execute("create table filler (content blob)")
    with reading(reader):
        reader.execute("select count(*) from filler").fetchall()
        with writing(writer):
            writer.execute("insert into filler values (zeroblob(40000))")
        tending = Tending(path)
        tending.log_is_long()
        yield tending, writer
    reader.close()


def test_a_log_that_someone_still_reads_is_put_into_the_file_once_they_have_ended(tmp_path: Path) -> None:
    with tended_while_read(tmp_path) as (tending, writer):
        pass
    thread = tending._thread
    if thread is not None:
        thread.join()
    _, logged, put = next(iter(writer.execute("pragma wal_checkpoint(noop)")))
    writer.close()
    assert put == logged


def test_closing_ends_what_has_begun_although_someone_reads(tmp_path: Path) -> None:
    with tended_while_read(tmp_path) as (tending, writer):
        tending.finish()
        assert tending._thread is None
    writer.close()


def test_a_file_that_is_gone_ends_the_work_and_nothing_else(tmp_path: Path) -> None:
    tending = Tending(str(tmp_path / "nowhere" / "w.dowse"))
    tending.log_is_long()
    tending.finish()
    assert tending._thread is None
