"""Is what is known of every record written as it is read, and read without reading all of it?"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite import lanes
from dowse.engines.sqlite.columns import _PACKED, Attributes, read_changes, read_columns, write_attributes
from dowse.engines.sqlite.driver import Connection, Garbled, connect, generation_of
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.engines.sqlite.ground import BLOCK, ROW
from dowse.model.change import Delete, Put
from dowse.model.record import Record


def state(connection: Connection) -> tuple[str, int]:
    current = lanes.current(connection)
    assert current is not None
    return current.columns, generation_of(connection)


def steps(connection: Connection, read: Callable[[], object]) -> int:
    """Rows that were gone through without an index by what ``read`` asks."""
    found = 0

    def add(event: dict[str, Any]) -> None:
        nonlocal found
        found += event["stmt_status"]["SQLITE_STMTSTATUS_FULLSCAN_STEP"]

    connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, add)
    read()
    connection.trace_v2(0)
    return found


def test_what_changed_is_read_without_going_through_what_did_not(tmp_path: Path) -> None:
    engine = SqliteEngine(tmp_path / "w.dowse", SCHEMA)
    engine.apply([Put(Record(f"r{number}", "page", f"Page {number}", {})) for number in range(20 * BLOCK)])
    connection = connect(str(tmp_path / "w.dowse"), read_only=True)
    table, generation = state(connection)
    engine.apply([Put(Record("r7", "page", "Another", {}))])
    assert steps(connection, lambda: read_columns(connection, table, generation)) >= 20
    assert steps(connection, lambda: read_changes(connection, table, generation)) < 5
    connection.close()
    engine.close()


def test_names_of_records_that_changed_are_asked_for_again(tmp_path: Path) -> None:
    engine = SqliteEngine(tmp_path / "w.dowse", SCHEMA)
    engine.apply([Put(Record("page-1", "page", "Before", {}))])
    with engine.view() as view:
        (handle,) = view.handles(["page-1"])
        assert view.names([handle]) == [("page-1", "Before")]
    engine.apply([Put(Record("page-1", "page", "After", {}))])
    with engine.view() as view:
        assert view.names([handle]) == [("page-1", "After")]
    engine.apply([Delete("page-1")])
    with engine.view() as view:
        assert view.entitled(["After"]) == []
    engine.close()


SMALL = st.integers(0, 2**32 - 1)


@given(st.builds(Attributes, st.floats(allow_nan=False), *[SMALL] * 7))
def test_a_row_is_written_as_it_is_read(row: Attributes) -> None:
    assert _PACKED.pack(*row) == np.array([tuple(row)], ROW).tobytes()


def test_a_block_that_lost_its_end_is_called_damage_by_whoever_writes_to_it(tmp_path: Path) -> None:
    connection = connect(str(tmp_path / "columns"))
    connection.execute("create table some (id integer primary key, changed integer, data blob)")
    write_attributes(connection, "some", 1, {1: Attributes(0.0, 1, 1, 0, 2, 1, 1, 7), 2: None})
    connection.execute("update some set data = substr(data, 1, 30)")
    with pytest.raises(Garbled):
        write_attributes(connection, "some", 2, {200: None})
    connection.close()
