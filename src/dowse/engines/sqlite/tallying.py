"""How often does which record hold some words? What pages tell is put together: by cell, that is by record and column."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

try:
    from dowse.engines.sqlite import _tallying as compiled
except ImportError:  # no compiler where dowse was installed
    compiled = None  # type: ignore[assignment]

# A cell in one number: the record and three bits for the column; there are fewer than eight. A place adds where in the column;
# beside a record alone as many bits tell how often it holds a word.
COLUMN_BITS = 3
PLACE_BITS = 24
# Where more than one in so many records hold a word, an array with a place for every record is faster than sorting.
_DENSE = 16
_FOUR_BYTES, _ONE_BYTE = 1 << 32, 1 << 8
_Number = TypeVar("_Number", np.int64, np.float64)


@dataclass(frozen=True, slots=True)
class Postings:
    """For each record and column that hold the family, packed in one number, how often. Ascending; in as few bytes as they fit."""

    cells: NDArray[np.int64] | NDArray[np.uint32]
    counts: NDArray[np.int32] | NDArray[np.uint8]

    @property
    def nbytes(self) -> int:
        return self.cells.nbytes + self.counts.nbytes

    def frequencies(self, column_weights: Sequence[float]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Record ids, and the weighted number of occurrences in each. A record found only in columns without weight has zero."""
        weights = np.asarray(column_weights, np.float64)
        if compiled is not None:
            ids, sums = compiled.frequencies(self.cells, self.counts, weights, COLUMN_BITS)
            return np.frombuffer(ids, np.int64), np.frombuffer(sums)
        return _sum_runs(self._records(), self.counts * weights[self._columns()])

    def only(self, columns: Sequence[int]) -> "Postings":
        """What stands in these columns."""
        wanted = np.zeros(1 << COLUMN_BITS, np.bool_)
        wanted[list(columns)] = True
        kept = wanted[self._columns()]
        return Postings(self.cells[kept], self.counts[kept])

    def records(self) -> NDArray[np.int64]:
        records = self._records()
        return records[run_starts(records)]

    def _records(self) -> NDArray[np.int64]:
        return (self.cells >> COLUMN_BITS).astype(np.int64, copy=False)

    def _columns(self) -> NDArray[np.int64] | NDArray[np.uint32]:
        return self.cells & ((1 << COLUMN_BITS) - 1)


def counted(cells: NDArray[np.int64]) -> Postings:
    """Of a cell for each occurrence, ascending."""
    starts = run_starts(cells)
    return _in_few_bytes(cells[starts], np.diff(starts, append=len(cells)))


def tallied(told: Sequence[tuple[int, NDArray[np.int64]]]) -> Postings:
    """Of a column each, all of them different, and counts for it in any order: the record, then how often."""
    if compiled is None:
        return _tallied(told)
    parts = []
    # In the order of the columns, as a record's cells stand.
    for column, numbers in sorted(told, key=itemgetter(0)):
        if not len(numbers):
            continue
        size = (int(numbers.max()) >> PLACE_BITS) + 1
        dense = len(numbers) * _DENSE >= size
        parts.append((numbers if dense else np.sort(numbers, kind="stable"), column, size if dense else 0))
    cells, counts, few = compiled.counted(parts, COLUMN_BITS, PLACE_BITS)
    if few:
        return Postings(np.frombuffer(cells, np.uint32), np.frombuffer(counts, np.uint8))
    return Postings(np.frombuffer(cells, np.int64), np.frombuffer(counts, np.int32))


def _tallied(told: Sequence[tuple[int, NDArray[np.int64]]]) -> Postings:
    cells = joined([(numbers >> PLACE_BITS) * (1 << COLUMN_BITS) + column for column, numbers in told], sort=False)
    counts = joined([numbers & ((1 << PLACE_BITS) - 1) for _, numbers in told], sort=False)
    order = np.argsort(cells, kind="stable")
    return _in_few_bytes(*_sum_runs(cells[order], counts[order]))


def _in_few_bytes(cells: NDArray[np.int64], counts: NDArray[np.int64]) -> Postings:
    if not len(cells) or (cells[-1] < _FOUR_BYTES and counts.max() < _ONE_BYTE):
        return Postings(cells.astype(np.uint32), counts.astype(np.uint8))
    return Postings(cells, counts.astype(np.int32))


def among(ids: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.uint8]:
    """For each of some records, ascending, 1 if it is among others, ascending and all of them among these."""
    if compiled is not None:
        return np.frombuffer(compiled.among(ids, others), np.uint8)
    marks = np.zeros(len(ids), np.uint8)
    marks[np.searchsorted(ids, others)] = 1
    return marks


def joined(found: Sequence[NDArray[np.int64]], *, sort: bool = True) -> NDArray[np.int64]:
    filled = [item for item in found if len(item)]
    if len(filled) < 2:
        return filled[0] if filled else np.empty(0, np.int64)
    together = np.concatenate(filled)
    return np.sort(together, kind="stable") if sort else together


def _sum_runs(keys: NDArray[np.int64], values: NDArray[_Number]) -> tuple[NDArray[np.int64], NDArray[_Number]]:
    """Sums the values of equal neighbouring keys."""
    if len(keys) < 2:
        return keys, values
    starts = run_starts(keys)
    if len(starts) == len(keys):
        return keys, values
    return keys[starts], np.add.reduceat(values, starts)


def distinct(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Each of some sorted keys once. NumPy's own way loads its masked arrays for it, for which the first search would wait."""
    return keys[run_starts(keys)]


def run_starts(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where a new key begins, in sorted keys."""
    begins = np.ones(len(keys), np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=begins[1:])
    return np.flatnonzero(begins)
