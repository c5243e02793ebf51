"""What must ranking know of every record at once? A few numbers each, stored packed and read as arrays."""

import struct
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite.driver import Connection, Garbled, value

# Small enough that a one-record write stays a few pages, large enough that a million records are read in a few thousand rows.
BLOCK = 256

# Arrays derived from one generation: the columns themselves, and masks of the facets that searches ask for.
_MOST_KEPT = 48
# Keys and titles of records that searches came across: some megabytes at most.
_MOST_NAMES = 50_000

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


# A row as bytes.
_PACKED = struct.Struct("<d7I")

_Made = TypeVar("_Made")

_BLOCK_BYTES = BLOCK * _ROW.itemsize
_NO_ROWS = bytes(_BLOCK_BYTES)
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
    """All rows as arrays, indexed by record id. Never changed in place: another generation is another value.

    It shares with the one before what did not change, and of every array that one had makes again only the rows that did.
    """

    def __init__(
        self, generation: int, blocks: Sequence[bytes], before: "Columns | None" = None, changed: Sequence[int] = ()
    ) -> None:
        self.generation = generation
        self._blocks = blocks
        self._changed = changed
        self._earlier = dict(before._arrays) if before is not None else {}
        self._arrays: dict[Hashable, NDArray[Any]] = {}
        self._made: dict[Hashable, Any] = {}
        self._means: dict[str, float] = {}
        self.names: dict[int, tuple[str, str]] = {}
        """Key and title of records that were asked for, by id."""
        if before is not None:
            self.names = before.names.copy()
            for block in changed:
                for identity in range(block * BLOCK, (block + 1) * BLOCK):
                    self.names.pop(identity, None)
        self.live: NDArray[np.bool_] = self.by_row("live", lambda start, stop: self.column("state")[start:stop] == LIVE)
        self.count = int(np.count_nonzero(self.live))

    @property
    def size(self) -> int:
        return len(self._blocks) * BLOCK

    def column(self, name: str) -> NDArray[Any]:
        """One attribute of every record, laid out for fast reading."""
        return self.by_row(name, lambda start, stop: np.ascontiguousarray(self._rows(start, stop)[name]))

    def by_row(self, name: Hashable, make: Callable[[int, int], NDArray[Any]]) -> NDArray[Any]:
        """An array with a place for every record, of which any stretch can be made by itself; made on first need."""
        known = self._arrays.get(name)
        if known is None:
            earlier = self._earlier.pop(name, None)
            known = self._arrays[name] = make(0, self.size) if earlier is None else self._brought_up(earlier, make)
        return known

    def once(self, name: Hashable, make: Callable[[], _Made]) -> _Made:
        """What is derived from this generation, made on first need."""
        known: _Made | None = self._made.get(name)
        if known is None:
            known = self._made[name] = make()
        return known

    def learn(self, names: Mapping[int, tuple[str, str]]) -> None:
        """Keeps keys and titles for whoever asks next."""
        if len(self.names) + len(names) > _MOST_NAMES:
            self.names = {}
        self.names.update(names)

    @property
    def has_room(self) -> bool:
        """Whether further arrays may be kept: each takes up to eight bytes a record."""
        return len(self._made) + len(self._arrays) < _MOST_KEPT

    def mean(self, lane: str) -> float:
        """The mean length of a record in a lane; 1 where no record has a word, so that it can be divided by."""
        if lane not in self._means:
            total = int(self.column(lane).sum(dtype=np.int64))
            self._means[lane] = total / self.count if total else 1.0
        return self._means[lane]

    def with_changes(self, generation: int, changes: Sequence[tuple[int, bytes]]) -> "Columns":
        """As of a later generation, in which some blocks are others, given in ascending order."""
        blocks = [*self._blocks, *[_NO_ROWS] * (changes[-1][0] + 1 - len(self._blocks))]
        for block, data in changes:
            blocks[block] = data
        return Columns(generation, blocks, self, [block for block, _ in changes])

    def _brought_up(self, earlier: NDArray[Any], make: Callable[[int, int], NDArray[Any]]) -> NDArray[Any]:
        # Not zeros: what is filled at once need not be cleared before, and memory that was in use is used again.
        array = np.empty(self.size, earlier.dtype)
        array[: len(earlier)] = earlier
        array[len(earlier) :] = 0
        for block in self._changed:
            array[block * BLOCK : (block + 1) * BLOCK] = make(block * BLOCK, (block + 1) * BLOCK)
        return array

    def _rows(self, start: int, stop: int) -> NDArray[np.void]:
        """Whole blocks; all of them are put together only once."""
        if stop - start == BLOCK:
            return np.frombuffer(self._blocks[start // BLOCK], _ROW)
        return self.once("rows", lambda: np.frombuffer(b"".join(self._blocks), _ROW))[start:stop]


def write_attributes(connection: Connection, table: str, generation: int, attributes: Mapping[int, Attributes | None]) -> None:
    """Sets the rows of these records; None empties one."""
    touched: dict[int, list[tuple[int, Attributes | None]]] = {}
    for identity, row in attributes.items():
        touched.setdefault(identity // BLOCK, []).append((identity % BLOCK * _ROW.itemsize, row))
    blocks = []
    for block, rows in touched.items():
        stored = value(connection, f"select data from {table} where id = ?", (block,))
        data = bytearray(_NO_ROWS if stored is None else stored)
        if len(data) != _BLOCK_BYTES:
            raise Garbled("a block of what is known of every record is not as long as it was")
        # Not by NumPy, which takes ten times as long to make rows of tuples.
        for place, row in rows:
            _PACKED.pack_into(data, place, *(_EMPTY if row is None else row))
        blocks.append((block, generation, bytes(data)))
    connection.executemany(f"insert or replace into {table} (id, changed, data) values (?, ?, ?)", blocks)


def read_columns(connection: Connection, table: str, generation: int, before: Columns | None) -> Columns:
    """The arrays as of this generation, built from an earlier value where there is one."""
    if before is None or before.generation > generation:
        found = dict(connection.execute(f"select id, data from {table}"))
        return Columns(generation, [found.get(block, _NO_ROWS) for block in range(max(found, default=0) + 1)])
    # The sign keeps SQLite from going through all blocks only because they lie in this order.
    changes = list(connection.execute(f"select id, data from {table} where changed > ? order by +id", (before.generation,)))
    return before.with_changes(generation, changes) if changes else before
