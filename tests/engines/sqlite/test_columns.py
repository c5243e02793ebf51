"""Is what a later generation takes over from an earlier one what reading it anew would give?"""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import apsw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite import lanes, scoping
from dowse.engines.sqlite.columns import _PACKED, _ROW, BLOCK, Attributes, Columns, read_columns, write_attributes
from dowse.engines.sqlite.driver import Connection, Garbled, connect, value
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.model.change import Change, Delete, Put
from dowse.model.record import Record

NAMES = ("updated", "kind", "space", "parent", "words", "names", "state")
KINDS = (("page",), ("item", "page"), ("symbol",))


def written(random: Random, number: int) -> Change:
    """A new record, an old one changed, or one deleted; of several kinds and with facets that come and go."""
    key = f"record-{random.randrange(3 * BLOCK)}"
    if random.random() < 0.2:
        return Put(Record(f"item-{number}", "item", "Carry the parcel", {}, facets={"priority": random.choice(("low", "high"))}))
    return Put(Record(key, "page", f"Page {number}", {"content": "word " * random.randrange(5)}))


def now(connection: Connection, before: Columns | None) -> Columns:
    current = lanes.current(connection)
    assert current is not None
    generation = value(connection, "select value from meta where name = 'generation'")
    return read_columns(connection, current.columns, generation, before)


def arrays(connection: Connection, columns: Columns) -> dict[str, list[object]]:
    found = {name: columns.column(name) for name in NAMES} | {"live": columns.live}
    found |= {str(kinds): scoping.of_kinds(connection, columns, kinds).mask for kinds in KINDS}
    found |= {level: scoping.with_facet(connection, columns, "priority", (level,)).mask for level in ("low", "high")}
    return {name: array.tolist() for name, array in found.items()}


@pytest.mark.parametrize("seed", range(4))
def test_columns_that_are_taken_over_equal_those_that_are_read_anew(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    engine = SqliteEngine(tmp_path / "w.dowse", SCHEMA)
    connection = connect(str(tmp_path / "w.dowse"), read_only=True)
    kept: Columns | None = None
    for turn in range(25):
        engine.apply([written(random, 100 * turn + number) for number in range(random.choice((1, 3, 60)))])
        kept = now(connection, kept)
        if turn % 3:
            # Not every generation is asked for everything: what nobody asked for must not be taken over half.
            assert arrays(connection, kept) == arrays(connection, now(connection, None))
    connection.close()
    engine.close()


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
    kept = now(connection, None)
    engine.apply([Put(Record("r7", "page", "Another", {}))])
    assert steps(connection, lambda: now(connection, None)) >= 20
    assert steps(connection, lambda: now(connection, kept)) < 5
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
    assert _PACKED.pack(*row) == np.array([tuple(row)], _ROW).tobytes()


def test_a_block_that_lost_its_end_is_called_damage_by_whoever_writes_to_it(tmp_path: Path) -> None:
    connection = connect(str(tmp_path / "columns"))
    connection.execute("create table some (id integer primary key, changed integer, data blob)")
    write_attributes(connection, "some", 1, {1: Attributes(0.0, 1, 1, 0, 2, 1, 1, 7), 2: None})
    connection.execute("update some set data = substr(data, 1, 30)")
    with pytest.raises(Garbled):
        write_attributes(connection, "some", 2, {200: None})
    connection.close()
