"""Where do the vectors lie, and how are they read at once? In packed blocks, by the number of their passage.

What tells far from near (whose a vector is, its scale, its sketch) is a block of its own, small enough that all of them stay in
memory. The numbers themselves are read for those that come into question, one by one or, once it pays, by the segment.
"""

import math
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dowse.engines.quantising import SKETCH_WORDS, Outline, Question, Values, cosines_of, products, scales_of, sketches_of
from dowse.engines.sqlite.driver import Connection, value
from dowse.engines.sqlite.tallying import distinct

# Small enough that a one-record write stays a few pages, large enough that a million passages are read in a few thousand rows.
BLOCK = 256
# What is copied when one of its vectors changes, and what is looked through at once without leaving the processor's cache.
_SEGMENT_BLOCKS = 128
SEGMENT = _SEGMENT_BLOCKS * BLOCK
# Numbers of vectors that stay in memory, in bytes: two million of 256. Those beyond are read from the file each time.
KEPT_BYTES = 512 << 20
# Segments that one search reads for those after it: a million vectors are in memory after eight, and none of these waits long.
_AT_ONCE = 4
# Changed blocks that lie beside their segment before they become part of a copy of it.
_MOST_CHANGED = 16
# A segment is read whole if at least one in so many of its vectors is wanted: then that takes no longer than one by one.
_DENSE = 8

_SKETCHES = np.dtype(
    [("owners", "<i4", (BLOCK,)), ("scales", "<f4", (BLOCK,)), ("sketches", "<u8", (SKETCH_WORDS, BLOCK))],
)

Slots = NDArray[np.int64]


@dataclass(slots=True)
class Segment:
    """Some thousand neighbouring places as arrays. Only ``values`` comes later, when it is first needed.

    ``owners``: the record of each vector; 0 where there is none.
    """

    owners: NDArray[np.int32]
    scales: NDArray[np.float32]
    sketches: NDArray[np.uint64]
    """For each block a row for each word, so that all first words of it lie side by side."""
    values: Values | None = None
    changed: Mapping[int, Values] = field(default_factory=dict)
    """Blocks in which the numbers are others: each commit changes a few, and to copy all would take ten times as long."""

    def rows(self, places: Slots) -> Values:
        """The numbers at some places, once they are there."""
        assert self.values is not None
        found: Values = self.values[places]
        for here, values, within in self._otherwise(places):
            found[here] = values[within]
        return found

    def products(self, asked: Question, places: Slots, out: NDArray[np.float32]) -> None:
        """The same of those numbers with a question."""
        assert self.values is not None
        products(asked, self.values, places, out)
        for here, values, within in self._otherwise(places):
            products(asked, values, within, out[here])

    def _otherwise(self, places: Slots) -> Iterator[tuple[slice, Values, Slots]]:
        """Which of the places lie in a block that changed; its numbers, and where in it they are."""
        for block, values in self.changed.items():
            here = slice(*np.searchsorted(places, (block * BLOCK, (block + 1) * BLOCK)))
            if here.start < here.stop:
                yield here, values, places[here] - block * BLOCK


@dataclass(slots=True)
class Vectors:
    """All vectors as one snapshot sees them. Never changed in place: another generation is another value that shares segments."""

    generation: int
    dimension: int
    segments: tuple[Segment, ...]
    warm: bool = False
    """More than one search has asked, so it pays to keep what is read."""

    @property
    def outlines(self) -> tuple[Outline, ...]:
        """What tells far from near, of all segments."""
        return tuple([(segment.owners, segment.sketches) for segment in self.segments])

    def rows(self, connection: Connection, slots: Slots) -> tuple[Values, NDArray[np.float32]]:
        """The numbers and the scales at these places, given in ascending order."""
        values = np.empty((len(slots), self.dimension), np.int8)
        scales = np.empty(len(slots), np.float32)
        for here, segment, places in self._by_segment(connection, slots):
            scales[here] = segment.scales[places]
            if segment.values is not None:
                values[here] = segment.rows(places)
            else:
                values[here] = read_values(connection, slots[here], self.dimension)
        return values, scales

    def compare(self, connection: Connection, asked: Question, slots: Slots) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The record of each vector at these places, given in ascending order, and how close it is."""
        owners = np.empty(len(slots), np.int64)
        found, scales = np.empty(len(slots), np.float32), np.empty(len(slots), np.float32)
        for here, segment, places in self._by_segment(connection, slots):
            owners[here], scales[here] = segment.owners[places], segment.scales[places]
            if segment.values is not None:
                segment.products(asked, places, found[here])
            else:
                values = read_values(connection, slots[here], self.dimension)
                products(asked, values, np.arange(len(values)), found[here])
        return owners, cosines_of(found, asked, scales)

    def _by_segment(self, connection: Connection, slots: Slots) -> Iterator[tuple[slice, Segment, Slots]]:
        """Which of the places lie in which segment, and where in it; reads its numbers where that pays."""
        bounds = np.searchsorted(slots, np.arange(len(self.segments) + 1) * SEGMENT).tolist()
        read = 0
        for number, segment in enumerate(self.segments):
            start, stop = bounds[number], bounds[number + 1]
            if start == stop:
                continue
            if (
                segment.values is None
                and ((stop - start) * _DENSE >= SEGMENT or (self.warm and read < _AT_ONCE))
                and self._has_room()
            ):
                segment.values = _read_segment(connection, number, self.dimension)
                read += 1
            yield slice(start, stop), segment, slots[start:stop] - number * SEGMENT

    def _has_room(self) -> bool:
        kept = sum(segment.values.nbytes for segment in self.segments if segment.values is not None)
        return kept + SEGMENT * self.dimension <= KEPT_BYTES


@dataclass(slots=True)
class VectorCache:
    """The newest vectors that were read, for the next who asks."""

    _vectors: Vectors | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def at(self, connection: Connection, generation: int, dimension: int) -> Vectors:
        """The vectors as a snapshot of this generation sees them."""
        since: int = value(connection, "select value from meta where name = 'vectors_since'") or 0
        with self._lock:
            before = self._vectors
            if before is not None and (before.generation < since or before.dimension != dimension):
                before = None
            vectors = _read(connection, generation, dimension, before)
            vectors.warm = self._vectors is not None
            if self._vectors is None or generation >= self._vectors.generation:
                self._vectors = vectors
            return vectors


def write_vectors(
    connection: Connection,
    generation: int,
    slots: Sequence[int],
    owners: Sequence[int],
    values: Values,
    emptied: Sequence[int] = (),
) -> None:
    """Empties some places, then fills some, each with a vector and whose it is. A vector of nothing belongs to nobody."""
    filled, free = np.asarray(slots, np.int64), np.asarray(emptied, np.int64)
    scales, sketches = scales_of(values), sketches_of(values)
    whose = np.where(scales > 0, np.asarray(owners, np.int64), 0)
    for block in distinct(np.sort(np.concatenate([filled, free]) // BLOCK)).tolist():
        chosen = np.flatnonzero(filled // BLOCK == block)
        places = filled[chosen] % BLOCK
        stored = value(connection, "select data from sketch where id = ?", (block,))
        data = np.zeros((), _SKETCHES) if not _is_whole(stored) else np.frombuffer(stored, _SKETCHES)[0].copy()
        gone = free[free // BLOCK == block] % BLOCK
        data["owners"][gone], data["scales"][gone], data["sketches"][:, gone] = 0, 0, 0
        data["owners"][places], data["scales"][places] = whose[chosen], scales[chosen]
        data["sketches"][:, places] = sketches[chosen].T
        connection.execute(
            "insert or replace into sketch (id, changed, data) values (?, ?, ?)", (block, generation, data.tobytes())
        )
        if not data["owners"].any():
            connection.execute("delete from vector where id = ?", (block,))
        elif len(places):
            _write_values(connection, block, places, values[chosen])


def read_values(connection: Connection, slots: Slots, dimension: int) -> Values:
    """The numbers at some places, one by one."""
    values = np.empty((len(slots), dimension), np.int8)
    if not len(slots):
        return values
    with connection.blob_open("main", "vector", "data", int(slots[0]) // BLOCK, False) as blob:
        for at, slot in enumerate(slots.tolist()):
            blob.reopen(slot // BLOCK)
            blob.seek(slot % BLOCK * dimension)
            blob.read_into(values[at])
    return values


def read_kept(connection: Connection, slots: Sequence[int], dimension: int) -> Values:
    """The numbers at some places, for who writes: also where a block has none, because its vectors are all of nothing."""
    wanted = np.asarray(slots, np.int64)
    values = np.zeros((len(wanted), dimension), np.int8)
    for block in distinct(np.sort(wanted // BLOCK)).tolist():
        if value(connection, "select 1 from vector where id = ?", (block,)):
            chosen = np.flatnonzero(wanted // BLOCK == block)
            values[chosen] = read_values(connection, wanted[chosen], dimension)
    return values


def read_owners(connection: Connection) -> Iterator[tuple[int, NDArray[np.int32], int]]:
    """For each block whose its vectors are, and how many bytes of numbers are there (-1: the block itself is damaged)."""
    stored = connection.execute(
        "select sketch.id, sketch.data, ifnull(length(vector.data), 0) from sketch left join vector using (id) order by sketch.id"
    )
    for block, data, size in stored:
        whole = _is_whole(data)
        yield block, np.frombuffer(data, _SKETCHES)[0]["owners"] if whole else np.zeros(BLOCK, np.int32), size if whole else -1


def _is_whole(stored: bytes | None) -> bool:
    return stored is not None and len(stored) == _SKETCHES.itemsize


def _write_values(connection: Connection, block: int, places: Slots, values: Values) -> None:
    dimension = values.shape[1]
    if value(connection, "select 1 from vector where id = ?", (block,)) is None:
        whole = np.zeros((BLOCK, dimension), np.int8)
        whole[places] = values
        connection.execute("insert into vector (id, data) values (?, ?)", (block, whole.tobytes()))
        return
    with connection.blob_open("main", "vector", "data", block, True) as blob:
        for place, row in zip(places.tolist(), values, strict=True):
            blob.seek(place * dimension)
            blob.write(row.tobytes())


def _read(connection: Connection, generation: int, dimension: int, before: Vectors | None) -> Vectors:
    if before is None or before.generation > generation:
        before = Vectors(-1, dimension, ())
    if before.generation == generation:
        return before
    changed: dict[int, list[tuple[int, bytes]]] = {}
    # The sign keeps SQLite from going through all blocks only because they lie in this order.
    for block, data in connection.execute("select id, data from sketch where changed > ? order by +id", (before.generation,)):
        changed.setdefault(block // _SEGMENT_BLOCKS, []).append((block % _SEGMENT_BLOCKS, data))
    count = max(len(before.segments), max(changed, default=-1) + 1)
    segments = [*before.segments, *(empty_segment() for _ in range(count - len(before.segments)))]
    for number, blocks in changed.items():
        segments[number] = _patched(connection, segments[number], number, blocks, dimension)
    return Vectors(generation, dimension, tuple(segments))


def empty_segment(dimension: int | None = None) -> Segment:
    """Places without vectors; with ``dimension`` their numbers as well."""
    sketches = _apart((_SEGMENT_BLOCKS, SKETCH_WORDS, BLOCK), np.uint64)
    values = _apart((SEGMENT, dimension), np.int8) if dimension is not None else None
    return Segment(np.zeros(SEGMENT, np.int32), np.zeros(SEGMENT, np.float32), sketches, values)


def _patched(connection: Connection, old: Segment, number: int, blocks: list[tuple[int, bytes]], dimension: int) -> Segment:
    """The segment with some of its blocks as they are now."""
    data = np.frombuffer(b"".join(data for _, data in blocks), _SKETCHES)
    at = [block for block, _ in blocks]
    owners, scales, sketches = old.owners.copy(), old.scales.copy(), _copied_apart(old.sketches)
    owners.reshape(-1, BLOCK)[at] = data["owners"]
    scales.reshape(-1, BLOCK)[at] = data["scales"]
    sketches[at] = data["sketches"]
    if old.values is None:
        return Segment(owners, scales, sketches)
    changed = {**old.changed, **{block: _read_block(connection, number, block, dimension) for block in at}}
    if len(changed) <= _MOST_CHANGED:
        return Segment(owners, scales, sketches, old.values, changed)
    values = _copied_apart(old.values)
    for block, rows in changed.items():
        values[block * BLOCK : (block + 1) * BLOCK] = rows
    return Segment(owners, scales, sketches, values)


def _read_segment(connection: Connection, number: int, dimension: int) -> Values:
    values = _apart((SEGMENT, dimension), np.int8)
    for block in range(_SEGMENT_BLOCKS):
        values[block * BLOCK : (block + 1) * BLOCK] = _read_block(connection, number, block, dimension)
    return values


def _read_block(connection: Connection, number: int, block: int, dimension: int) -> Values:
    """Zeroes where there are none."""
    stored = value(connection, "select data from vector where id = ?", (number * _SEGMENT_BLOCKS + block,))
    if stored is None:
        return np.zeros((BLOCK, dimension), np.int8)
    return np.frombuffer(stored, np.int8).reshape(BLOCK, dimension)


def _copied_apart(array: NDArray[Any]) -> NDArray[Any]:
    copy = _apart(array.shape, array.dtype)
    copy[:] = array
    return copy


def _apart(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Zeroes in memory of their own, which goes back to the system with the array.

    A segment takes megabytes and is made anew after a commit, by whichever thread asks next: from the allocator, each thread's part
    of the memory would sooner or later have holes of that size, which stay the process's for as long as anything lies behind them.
    """
    import mmap  # a search by words never needs it

    size = math.prod(shape) * np.dtype(dtype).itemsize
    # Private, where one can say so: a process that is forked must not see what this one writes.
    own = mmap.mmap(-1, size) if sys.platform == "win32" else mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return np.frombuffer(own, dtype).reshape(shape)
