"""Where do some words stand? Read from FTS5's own pages, a few times as fast as FTS5 tells it row by row.

An FTS5 index is a handful of segments, each a sorted list of terms over numbered pages (``sqlite.org/fts5.html``, shadow tables).
Which page a term begins on says the table ``_idx``; the pages are in ``_data``, with a list of the segments and, for each, of the
records that were deleted since. Nothing here is guessed: what looks otherwise than expected is left to FTS5.
"""

import json
from collections import deque
from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import islice, starmap
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite.driver import Connection, value

try:
    from dowse.engines.sqlite import _leaves as compiled
except ImportError:  # no compiler where dowse was installed
    compiled = None  # type: ignore[assignment]

# The row of the list of segments, and where in a row's number the segment's number begins.
_STRUCTURE = 10
_SEGMENT_BITS = 37
# Deleted records are listed under the number of their segment and this.
_DELETED = 1 << 16
# The kind of list that tells for each segment which records it holds: that of tables without content whose rows can be deleted.
_KIND = b"\xff\x00\x00\x01"
# Before every term of the index itself; other signs stand before prefixes.
_MAIN = b"0"
_LONGEST_VARINT = 9

Numbers = NDArray[np.int64]


class Told(IntEnum):
    """What is told of an occurrence: the record, the record and the column, or the place in it too.

    Or once for each record and word in a segment how often it stands there: the record, then the count, in the bits of a place.
    """

    RECORDS = 0
    CELLS = 1
    PLACES = 2
    COUNTS = 3


class Packing(NamedTuple):
    """How an occurrence becomes a number. ``columns``: the number of each column of the table, in its order."""

    told: Told
    columns: bytes
    column_bits: int
    place_bits: int


class _Segment(NamedTuple):
    """A segment, the rows of its pages, and the records deleted from it: their numbers, eight bytes each, ascending."""

    number: int
    first: int
    last: int
    deleted: bytes


# A term, a segment, and the page where the term stands if it is there: its number and what it holds.
_Beginning = tuple[bytes, _Segment, int, bytes | None]


class Leaves:
    """The pages of one FTS5 table, as one snapshot sees them."""

    def __init__(self, connection: Connection, table: str) -> None:
        self._connection = connection
        self._table = table
        self._segments = self._structure() if compiled is not None else None
        # In the order of the segments, as the statements take them.
        self._firsts = json.dumps([segment.first for segment in self._segments or ()])
        # One word is asked for several times in a row: where it stands, and how often.
        self._last: tuple[str, list[_Beginning]] | None = None

    def occurrences(self, words: Sequence[str], packing: Packing) -> Numbers | None:
        """A number for each occurrence of some words, ascending, but for counts. None: FTS5 must be asked."""
        if self._segments is None:
            return None
        found: list[bytearray] = []
        beginnings = self._beginning(words[0]) if len(words) == 1 else self._beginnings(words)
        for term, segment, page, block in beginnings:
            if block is None:
                return None
            following = self._following(page, segment.last)
            read = compiled.occurrences(block, term, following, segment.deleted, *packing)
            if read is None:
                return None
            if read:
                found.append(read)
        if not found:
            return np.empty(0, np.int64)
        if len(found) == 1 and (packing.told is Told.RECORDS or len(packing.columns) == 1):
            return np.frombuffer(found[0], np.int64)
        told = np.frombuffer(b"".join(found), np.int64)
        return told if packing.told is Told.COUNTS else np.sort(told, kind="stable")

    def _beginning(self, word: str) -> list[_Beginning]:
        """For each segment the page where a word stands if it is there."""
        if self._last is None or self._last[0] != word:
            term, segments = _MAIN + word.encode(), self._segments or ()
            rows = self._connection.execute(
                f"""
                with begun as materialized (select segment.key, {self._page_of("?2")} page from json_each(?1) segment)
                select key, page, (select block from {self._table}_data where id = page) from begun where page is not null
                """,
                (self._firsts, term),
            )
            self._last = word, [(term, segments[number], page, block) for number, page, block in rows]
        return self._last[1]

    def _beginnings(self, words: Sequence[str]) -> list[_Beginning]:
        """The same for several words, each page read once."""
        segments = self._segments or ()
        rows = self._connection.execute(
            f"""
            select word.key, segment.key, {self._page_of("cast('0' || word.value as blob)")}
            from json_each(?1) segment cross join json_each(?2) word
            """,
            (self._firsts, json.dumps(words)),
        )
        terms = [_MAIN + word.encode() for word in words]
        begun = [(terms[word], segments[number], page) for word, number, page in rows if page is not None]
        pages = self._pages({page for _, _, page in begun})
        return [(term, segment, page, pages.get(page)) for term, segment, page in begun]

    def _page_of(self, term: str) -> str:
        """Where a term is in a segment whose first page is ``segment.value``; null if it comes before all that stand there."""
        number = f"(segment.value >> {_SEGMENT_BITS})"
        begins = f"select pgno from {self._table}_idx where segid = {number} and term <= {term} order by term desc limit 1"
        # The last bit of what is noted tells something else. Pages that are gone stay listed: a merge has got so far.
        return f"max(segment.value, ({number} << {_SEGMENT_BITS}) + (({begins}) >> 1))"

    def _pages(self, numbers: set[int]) -> dict[int, bytes]:
        rows = self._connection.execute(
            f"select id, block from {self._table}_data where id in (select value from json_each(?))", (json.dumps(sorted(numbers)),)
        )
        return dict(rows)

    def _following(self, page: int, last: int) -> Iterator[bytes]:
        """The pages behind one; asked for only where a term goes on."""
        rows = self._connection.execute(f"select block from {self._table}_data where id > ? and id <= ? order by id", (page, last))
        for (block,) in rows:
            yield block

    def _structure(self) -> tuple[_Segment, ...] | None:
        block = value(self._connection, f"select block from {self._table}_data where id = {_STRUCTURE}")
        if not isinstance(block, bytes) or block[4:8] != _KIND:
            return None
        listed = compiled.segments(block[8:])
        try:
            return tuple(starmap(self._segment, listed)) if listed is not None else None
        except _Odd:
            return None

    def _segment(self, number: int, first: int, last: int, lists: int) -> _Segment:
        """With the records that were deleted from it: tables of their numbers, four or eight bytes each, with gaps between them."""
        pages = number << _SEGMENT_BITS
        if not lists:
            return _Segment(number, pages + first, pages + last, b"")
        start = (number + _DELETED) << _SEGMENT_BITS
        rows = self._connection.execute(
            f"select block from {self._table}_data where id between ? and ?", (start, start + lists - 1)
        )
        deleted = []
        for (block,) in rows:
            if len(block) < 8 or block[0] not in (4, 8):
                raise _Odd
            numbers = np.frombuffer(block[8 : len(block) - (len(block) - 8) % block[0]], f">u{block[0]}").astype(np.int64)
            deleted.append(numbers[numbers != 0])
            if block[1]:
                deleted.append(np.zeros(1, np.int64))
        if not deleted:
            raise _Odd
        return _Segment(number, pages + first, pages + last, np.sort(np.concatenate(deleted)).tobytes())


def levels(connection: Connection, table: str) -> list[tuple[int, int]]:
    """Of each level of a table how many of its segments are being put together, and how many it has; the newest first."""
    block = value(connection, f"select block from {table}_data where id = {_STRUCTURE}")
    if not isinstance(block, bytes):
        return []
    tells_deleted = block[4:8] == _KIND
    numbers = _numbers(block[8 if tells_deleted else 4 :])
    try:
        count, _, _ = islice(numbers, 3)
        found = []
        for _ in range(count):
            merging, segments = islice(numbers, 2)
            found.append((merging, segments))
            # Of each segment its number, its first and last page, and where it is told who was deleted five numbers more.
            deque(islice(numbers, segments * (8 if tells_deleted else 3)), maxlen=0)
    except (_Odd, ValueError):
        return []
    return found


class _Odd(Exception):
    """Something is not as expected."""


def _numbers(block: bytes) -> Iterator[int]:
    number = length = 0
    for byte in block:
        length += 1
        number = number << 7 | byte & 0x7F
        if length == _LONGEST_VARINT:
            raise _Odd
        if not byte & 0x80:
            yield number
            number = length = 0
    raise _Odd
