"""What must ranking know of every record at once? A few numbers each, stored packed and read as arrays."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite.driver import Connection, value

# Small enough that a one-record write stays a few pages, large enough that a million records are read in a few thousand rows.
BLOCK = 256

# Arrays derived from one generation: the columns themselves, and masks of the facets that searches ask for.
_MOST_KEPT = 48

# What a row stands for. Zero: no record has this id.
LIVE = 1
DELETED = 2
PLACEHOLDER = 3

_ROW = np.dtype(
    [
        ("updated", "<f8"),
        ("kind", "<u4"),
        ("space", "<u4"),
        ("parent", "<u4"),
        ("words", "<u4"),
        ("names", "<u4"),
        ("state", "<u4"),
        ("check", "<u4"),
    ]
)


_BLOCK_BYTES = BLOCK * _ROW.itemsize
_EMPTY = (0,) * len(_ROW.names or ())


class Attributes(NamedTuple):
    """One record's row. ``words`` and ``names`` are its lengths in the two lanes; ``parent`` is 0 for none.

    ``check``: a sum over everything it holds, by which a record is noticed whose bytes changed without anyone writing it.
    """

    updated: float
    kind: int
    space: int
    parent: int
    words: int
    names: int
    state: int
    check: int


class Columns:
    """All rows as arrays, indexed by record id. Never changed in place: another generation is another value."""

    def __init__(self, generation: int, rows: NDArray[np.void]) -> None:
        self.generation = generation
        self.rows = rows
        self._arrays: dict[str, NDArray[Any]] = {}
        self.live: NDArray[np.bool_] = rows["state"] == LIVE
        self.count = int(np.count_nonzero(self.live))

    @property
    def size(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> NDArray[Any]:
        """One attribute of every record, laid out for fast reading."""
        return self.once(name, lambda: np.ascontiguousarray(self.rows[name]))

    def once(self, name: str, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
        """An array derived from this generation, made on first need."""
        if name not in self._arrays:
            self._arrays[name] = make()
        return self._arrays[name]

    @property
    def has_room(self) -> bool:
        """Whether further arrays may be kept: each takes up to eight bytes a record."""
        return len(self._arrays) < _MOST_KEPT

    def mean(self, lane: str) -> float:
        """The mean length of a record in a lane; 1 where no record has a word, so that it can be divided by."""
        total = int(self.column(lane).sum(dtype=np.int64))
        return total / self.count if total else 1.0


def write_attributes(connection: Connection, table: str, generation: int, attributes: Mapping[int, Attributes | None]) -> None:
    """Sets the rows of these records; None empties one."""
    touched: dict[int, dict[int, Attributes | None]] = {}
    for identity, row in attributes.items():
        touched.setdefault(identity // BLOCK, {})[identity % BLOCK] = row
    blocks = []
    for block, rows in touched.items():
        stored = value(connection, f"select data from {table} where id = ?", (block,))
        data = np.zeros(BLOCK, _ROW) if stored is None else np.frombuffer(stored, _ROW).copy()
        data[list(rows)] = np.array([_EMPTY if row is None else tuple(row) for row in rows.values()], _ROW)
        blocks.append((block, generation, data.tobytes()))
    connection.executemany(f"insert or replace into {table} (id, changed, data) values (?, ?, ?)", blocks)


def read_columns(connection: Connection, table: str, generation: int, before: Columns | None) -> Columns:
    """The arrays as of this generation, built from an earlier value where there is one."""
    if before is None or before.generation > generation:
        return Columns(generation, _read_all(connection, table))
    changed = list(connection.execute(f"select id, data from {table} where changed > ? order by id", (before.generation,)))
    if not changed:
        return before
    rows = np.zeros(max(before.size, (changed[-1][0] + 1) * BLOCK), _ROW)
    # As bytes: NumPy copies rows of named columns one column at a time.
    flat = rows.view(np.uint8)
    flat[: before.rows.nbytes] = before.rows.view(np.uint8)
    for block, data in changed:
        flat[block * _BLOCK_BYTES : (block + 1) * _BLOCK_BYTES] = np.frombuffer(data, np.uint8)
    return Columns(generation, rows)


def _read_all(connection: Connection, table: str) -> NDArray[np.void]:
    blocks = dict(connection.execute(f"select id, data from {table}"))
    empty = bytes(_BLOCK_BYTES)
    return np.frombuffer(b"".join([blocks.get(block, empty) for block in range(max(blocks, default=0) + 1)]), _ROW)
