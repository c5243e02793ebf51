"""What must ranking know of every record at once? A few numbers each, stored packed and read as arrays."""

import struct
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite.driver import Connection, value
from dowse.engines.sqlite.ground import BLOCK, MOST_KEPT, NO_ROWS, ROW, Ground, attribute, grown, rows_of, whole

# A row as bytes.
_PACKED = struct.Struct("<d7I")
_EMPTY = (0,) * len(ROW.names or ())
_BLOCK_BITS = BLOCK.bit_length() - 1

_Made = TypeVar("_Made")


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
    """All rows as one snapshot sees them, as arrays indexed by record id: the ground, and the blocks that are others there.

    For whom it was made, its arrays never change; they are of no use once the ground went on to another commit.
    """

    def __init__(self, generation: int, ground: Ground, changed: Mapping[int, bytes] = MappingProxyType({})) -> None:
        self.generation = generation
        self.ground = ground
        self.changed = changed
        self.size = max(len(ground.blocks), max(changed, default=0) + 1) * BLOCK
        self.count = ground.total("live") + self._more("live")
        self._rows_changed = np.frombuffer(b"".join(changed.values()), ROW)
        self._arrays: dict[Hashable, NDArray[Any]] = {}
        self._made: dict[Hashable, Any] = {}
        self._means: dict[str, float] = {}
        self._names: dict[int, tuple[str, str]] = {}
        self.notes: dict[Any, Any] = {}
        """What follows from declarations for these rows, by the declaration: every search asks for the same."""
        self.entitled: dict[tuple[str, ...], list[tuple[int, str]]] = {}
        """Who has one of some titles, as far as that was asked."""
        self.matchers: dict[Any, Any] = {}
        """What each reader matches queries with against these rows; here, so that it goes with them."""

    @property
    def live(self) -> NDArray[np.bool_]:
        return self.column("live")

    def column(self, name: str) -> NDArray[Any]:
        """One attribute of every record, laid out for fast reading."""
        if not self.changed:
            return self.ground.column(name)
        known = self._arrays.get(name)
        if known is None:
            known = self._arrays[name] = self._patched(self.ground.column(name), self.changed, partial(self.stretch, name))
        return known

    def of(self, name: str, handles: NDArray[np.integer[Any]]) -> NDArray[Any]:
        """One attribute of some records."""
        lying = self.ground.column(name)
        if not self.changed:
            found: NDArray[Any] = lying[handles]
            return found
        # Who is beyond the ground is in a block that changed.
        found = lying.take(handles, mode="clip")
        at = np.flatnonzero(self._places[handles >> _BLOCK_BITS] >= 0)
        rows = self._rows_changed[self._places[handles[at] >> _BLOCK_BITS] * BLOCK + (handles[at] & (BLOCK - 1))]
        found[at] = attribute(rows, name)
        return found

    def stretch(self, name: str, start: int, stop: int) -> NDArray[Any]:
        """One attribute of neighbouring records; of a whole block it is read without making the array of all."""
        if stop - start == BLOCK:
            block = start // BLOCK
            return attribute(rows_of(self.changed.get(block) or self.ground.blocks[block]), name)
        return self.column(name)[start:stop]

    def by_row(self, name: Hashable, make: Callable[[int, int], NDArray[Any]]) -> NDArray[Any]:
        """An array with a place for every record, of which any stretch can be made by itself; made on first need."""
        known = self._arrays.get(name)
        if known is None:
            known = self._arrays[name] = self._derived(name, make)
        return known

    def size_of(self, name: Hashable) -> int:
        """How many records a mask that was made by row holds."""
        lying = self.ground.derived(name)
        if lying is None or self.changed:
            return int(np.count_nonzero(self._arrays[name]))
        counts = lying.counts
        if counts is None:
            counts = lying.counts = np.count_nonzero(self._arrays[name].reshape(-1, BLOCK), axis=1)
        return int(counts.sum())

    def once(self, name: Hashable, make: Callable[[], _Made]) -> _Made:
        """What is derived from this generation, made on first need."""
        known: _Made | None = self._made.get(name)
        if known is None:
            known = self._made[name] = make()
        return known

    def named(self, handles: Iterable[int]) -> dict[int, tuple[str, str]]:
        """Key and title of those records that were asked for before."""
        names, own, changed = self.ground.names, self._names, self.changed
        if not changed:
            return {handle: names[handle] for handle in handles if handle in names}
        found = {handle: (own if handle // BLOCK in changed else names).get(handle) for handle in handles}
        return {handle: name for handle, name in found.items() if name is not None}

    def learn(self, names: Mapping[int, tuple[str, str]]) -> None:
        """Keeps keys and titles for whoever asks next."""
        if self.changed:
            self._names |= {handle: name for handle, name in names.items() if handle // BLOCK in self.changed}
            names = {handle: name for handle, name in names.items() if handle // BLOCK not in self.changed}
        self.ground.learn(names)

    @property
    def has_room(self) -> bool:
        """Whether further arrays may be kept: each takes up to eight bytes a record."""
        return len(self._made) + self.ground.kept < MOST_KEPT

    def mean(self, lane: str) -> float:
        """The mean length of a record in a lane; 1 where no record has a word, so that it can be divided by."""
        if lane not in self._means:
            total = self.ground.total(lane) + self._more(lane)
            self._means[lane] = total / self.count if total else 1.0
        return self._means[lane]

    @cached_property
    def _places(self) -> NDArray[np.int32]:
        """For each block which of those that changed it is; -1: it did not."""
        places = np.full(self.size // BLOCK, -1, np.int32)
        places[list(self.changed)] = np.arange(len(self.changed))
        return places

    def _more(self, name: str) -> int:
        """By how much the sum of an attribute is more than that of the ground."""
        return sum(self.ground.difference(name, block, data) for block, data in self.changed.items())

    def _derived(self, name: Hashable, make: Callable[[int, int], NDArray[Any]]) -> NDArray[Any]:
        lying = self.ground.derived(name)
        if lying is None:
            array = make(0, self.size)
            self.ground.keep(name, array, set(self.changed))
            return array
        stale = lying.stale
        if self.changed:
            return self._patched(lying.array, stale | self.changed.keys(), make)
        # Nobody else relies on what is stale, and whoever does the same writes the same. It is right before it is said to be.
        array = grown(lying.array, self.size)
        counts = grown(lying.counts, self.size // BLOCK) if lying.counts is not None else None
        for block in stale:
            array[block * BLOCK : (block + 1) * BLOCK] = made = make(block * BLOCK, (block + 1) * BLOCK)
            if counts is not None:
                counts[block] = np.count_nonzero(made)
        lying.array, lying.counts = array, counts
        lying.stale = set()
        return array[: self.size]

    def _patched(self, array: NDArray[Any], blocks: Iterable[int], make: Callable[[int, int], NDArray[Any]]) -> NDArray[Any]:
        # Not zeros: what is filled at once need not be cleared before, and memory that was in use is used again.
        own = np.empty(self.size, array.dtype)
        own[: len(array)] = array[: self.size]
        own[len(array) :] = 0
        for block in blocks:
            own[block * BLOCK : (block + 1) * BLOCK] = make(block * BLOCK, (block + 1) * BLOCK)
        return own


def write_attributes(connection: Connection, table: str, generation: int, attributes: Mapping[int, Attributes | None]) -> None:
    """Sets the rows of these records; None empties one."""
    touched: dict[int, list[tuple[int, Attributes | None]]] = {}
    for identity, row in attributes.items():
        touched.setdefault(identity // BLOCK, []).append((identity % BLOCK * ROW.itemsize, row))
    blocks = []
    for block, rows in touched.items():
        stored = value(connection, f"select data from {table} where id = ?", (block,))
        data = bytearray(NO_ROWS if stored is None else whole(stored))
        # Not by NumPy, which takes ten times as long to make rows of tuples.
        for place, row in rows:
            _PACKED.pack_into(data, place, *(_EMPTY if row is None else row))
        blocks.append((block, generation, bytes(data)))
    connection.executemany(f"insert or replace into {table} (id, changed, data) values (?, ?, ?)", blocks)


def read_columns(connection: Connection, table: str, generation: int) -> Columns:
    """All of it, read anew."""
    found = dict(connection.execute(f"select id, data from {table}"))
    blocks = [whole(found[block]) if block in found else NO_ROWS for block in range(max(found, default=0) + 1)]
    return Columns(generation, Ground(generation, blocks))


def read_changes(connection: Connection, table: str, generation: int) -> list[tuple[int, bytes]]:
    """The blocks that changed after a commit."""
    # The sign keeps SQLite from going through all blocks only because they lie in this order.
    found = connection.execute(f"select id, data from {table} where changed > ? order by +id", (generation,))
    return [(block, whole(data)) for block, data in found]


def read_blocks(connection: Connection, table: str, blocks: Iterable[int]) -> list[tuple[int, bytes]]:
    """Some blocks; one that is not there has no rows."""
    found = ((block, value(connection, f"select data from {table} where id = ?", (block,))) for block in blocks)
    return [(block, whole(data) if data is not None else NO_ROWS) for block, data in found]
