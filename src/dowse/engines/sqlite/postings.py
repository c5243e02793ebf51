"""Which records hold a word, and how often? FTS5's own postings, read in bulk and kept in a bounded cache.

An entry is the union of the postings of a *family* of words: one word, all words of a stem, all words with a prefix, all words that
contain a string. The vocabulary says when each word last changed, so an entry is known to be current without reading it again.
"""

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite import trigrams
from dowse.engines.sqlite.driver import Connection, value
from dowse.engines.sqlite.lanes import Lanes, Source
from dowse.engines.sqlite.leaves import Leaves, Packing, Told
from dowse.engines.sqlite.tallying import COLUMN_BITS, PLACE_BITS, Postings, counted, distinct, joined, tallied
from dowse.text.spelling import pieces

# Room for the words of a hundred questions at a million records, and for those of a thousand at 100,000.
DEFAULT_CACHE_BYTES = 512 << 20
# The part that is left to what was made of other entries, when room is short: one in so many bytes.
_MADE_SHARE = 8
# What an entry takes beside its numbers, and a word in it beside its letters: of words that stand nowhere there is nothing else,
# and whoever asks for enough of them would fill the memory.
_ENTRY_BYTES, _WORD_BYTES = 450, 100
RECORD_SHIFT = COLUMN_BITS + PLACE_BITS
# Words farther into a column than this share the last place: they are found and counted, only their distance is unknown.
_LAST_PLACE = (1 << PLACE_BITS) - 1


_NOWHERE = np.empty(0, np.int64)


class Family(NamedTuple):
    """A set of words that count as one. ``state`` identifies their postings: same state, same postings."""

    words: tuple[str, ...]
    changed: tuple[int, ...]
    state: tuple[int, ...]


_Notes = tuple[tuple[int, ...], dict[object, dict[Any, Any]]]
_Entries = OrderedDict[tuple[object, ...], tuple[tuple[int, ...], object, int]]


class PostingsCache:
    """Least recently used entries leave when the bound is reached. Shared by all threads of a process.

    What was made of other entries leaves first, down to its share: it is made again in milliseconds, where reading takes a hundred.
    And it all leaves with the commit it was made of: nobody who comes later can use it, and dead pieces between the arrays of every
    question would keep the memory around them from being used again.
    """

    def __init__(self, limit: int = DEFAULT_CACHE_BYTES) -> None:
        self._limit = limit
        self._read: _Entries = OrderedDict()
        self._made: _Entries = OrderedDict()
        self._read_bytes = self._made_bytes = 0
        self._made_of: tuple[int, ...] = (0,)
        self._notes: _Notes = ((0,), {})
        self.commits = 0
        """How often what was made left with the commit it was made of."""
        self._lock = threading.Lock()

    def get(self, key: tuple[object, ...], state: tuple[int, ...]) -> object | None:
        with self._lock:
            entries = self._made if key in self._made else self._read
            entry = entries.get(key)
            if entry is None or entry[0] != state:
                return None
            entries.move_to_end(key)
            return entry[1]

    def shortcuts(self, state: tuple[int, ...], name: object) -> dict[Any, Any]:
        """Where whoever asks for the same again and again may note what lies here for it. The notes of a commit go with it, and all
        of them as soon as anything leaves for want of room: nothing stays for being noted.
        """
        # Both at once: another thread may be putting others in their place.
        noted, notes = self._notes
        if noted != state:
            return {}
        found = notes.get(name)
        return found if found is not None else notes.setdefault(name, {})

    def put(self, key: tuple[object, ...], state: tuple[int, ...], item: object, size: int, *, made: bool = False) -> None:
        """``made``: of what lies here as well, for a state that ends with the number of a commit."""
        size += _ENTRY_BYTES
        if size > self._limit // 2:
            return
        with self._lock:
            if made and not self._is_current(state):
                return
            entries = self._made if made else self._read
            old = entries.pop(key, None)
            self._count(size - (old[2] if old is not None else 0), made=made)
            entries[key] = (state, item, size)
            if self.bytes > self._limit:
                self._notes = (self._made_of, {})
            while self.bytes > self._limit:
                from_made = bool(self._made) and (self._made_bytes > self._limit // _MADE_SHARE or not self._read)
                _, (_, _, dropped) = (self._made if from_made else self._read).popitem(last=False)
                self._count(-dropped, made=from_made)

    def _is_current(self, state: tuple[int, ...]) -> bool:
        """Lets go of what was made of an older commit; False for who began before another's write."""
        if state != self._made_of:
            if state[-1] < self._made_of[-1]:
                return False
            self.commits += bool(self._made)
            self._made.clear()
            self._made_of, self._made_bytes = state, 0
            self._notes = (state, {})
        return True

    def _count(self, size: int, *, made: bool) -> None:
        if made:
            self._made_bytes += size
        else:
            self._read_bytes += size

    @property
    def bytes(self) -> int:
        return self._read_bytes + self._made_bytes


class PostingsReader:
    """Postings as one snapshot sees them."""

    def __init__(self, connection: Connection, lanes: Lanes, generation: int, flushed: int, cache: PostingsCache) -> None:
        self._connection = connection
        self._lanes = lanes
        self._cache = cache
        self._flushed = flushed
        self._state = (lanes.number, generation)
        self._leaves: dict[str, Leaves] = {}

    def family(self, relation: str, text: str) -> Family:
        """The words that stand in this relation to the text: word, stem, prefix, contains or suffix."""
        key = ("family", relation, text)
        known = self._cache.get(key, self._state)
        if not isinstance(known, Family):
            rows = list(self._connection.execute(*self._family_query(relation, text)))
            changed = tuple(row[1] for row in rows)
            known = Family(tuple(row[0] for row in rows), changed, self._postings_state(changed))
            self._cache.put(key, self._state, known, sum(map(len, known.words)) + _WORD_BYTES * len(known.words))
        return known

    def read(
        self, sources: Sequence[Source], relation: str, text: str, *, coarse: bool = False, keep: str | None = None
    ) -> Postings:
        """The postings of a family in a lane.

        ``coarse``: all columns of a table count as its fullest one, which is read faster. The postings of the one word ``keep`` of
        the family are wanted next, and kept as they pass by.
        """
        family = self.family(relation, text)
        lane = (sources[0].table, coarse)
        cached = self._cache.get((*lane, relation, text), family.state)
        if isinstance(cached, Postings):
            return cached
        # Together, for each reading costs: only the one word that is wanted by itself is read by itself.
        others = tuple(word for word in family.words if word != keep)
        alone = self._told(sources, (keep,), coarse) if keep is not None and len(others) < len(family.words) else None
        rest = self._told(sources, others, coarse) if others else []
        postings = _put_together([*rest, *(alone or ())], coarse)
        self._cache.put((*lane, relation, text), family.state, postings, postings.nbytes)
        if alone is not None:
            kept = _put_together(alone, coarse) if others else postings
            changed = family.changed[family.words.index(str(keep))]
            self._cache.put((*lane, "word", keep), self._postings_state((changed,)), kept, kept.nbytes)
        return postings

    def places(self, sources: Sequence[Source], relation: str, text: str) -> NDArray[np.int64]:
        """Every place of the family, ascending."""
        family = self.family(relation, text)
        key = ("places", sources[0].table, relation, text)
        found = self._cache.get(key, family.state)
        if not isinstance(found, np.ndarray):
            found = joined([self._decode(source, family.words, Told.PLACES) for source in sources]) if family.words else _NOWHERE
            self._cache.put(key, family.state, found, found.nbytes)
        return found

    def phrase(self, sources: Sequence[Source], words: Sequence[str], columns: Sequence[str], *, prefix: bool) -> Postings:
        """Records with these words next to each other.

        The one place where a query becomes FTS5 syntax; words are letters and digits.
        """
        quoted = '"' + " ".join(words).replace('"', "") + '"' + (" *" if prefix else "")
        found = []
        for source in sources:
            own = [name for _, name in source.columns if name in columns]
            if own:
                packed = f"select group_concat(rowid << {COLUMN_BITS}) from {source.table} where {source.table} match ?"
                found.append(_parse(value(self._connection, packed, (f"{{{' '.join(own)}}} : {quoted}",))))
        cells = distinct(np.sort(joined(found)))
        return Postings(cells, np.ones(len(cells), np.int32))

    def words_like(self, word: str, most: int) -> list[str]:
        """The words with the same first letter that may be spelt like this one: about as long, and one piece of it is theirs."""
        held = pieces(word, most)
        # To read them all from the file takes a tenth of what it takes to compare them.
        windows = [(max(start - most, 0) + 1, len(piece) + most + min(start, most), piece) for start, piece in held]
        sql = f"""
            select word from {self._lanes.vocabulary} where word >= ? and word < ? and length(word) between ? and ?
            and ({" or ".join(["instr(substr(word, ?, ?), ?)"] * len(held))})
        """
        asked = (
            word[0],
            word[0] + "\U0010ffff",
            len(word) - most,
            len(word) + most,
            *(value for window in windows for value in window),
        )
        return [found for (found,) in self._connection.execute(sql, asked)]

    def _family_query(self, relation: str, text: str) -> tuple[str, tuple[str, ...]]:
        vocabulary = self._lanes.vocabulary
        if relation == "word":
            return f"select word, changed from {vocabulary} where word = ?", (text,)
        if relation == "stem":
            return f"select word, changed from {vocabulary} where stem = ? order by word", (text,)
        if relation == "prefix":
            return f"select word, changed from {vocabulary} where word >= ? and word < ? order by word", (text, text + "\U0010ffff")
        if relation == "suffix":
            return f"select word, changed from {vocabulary} where substr(word, -length(?1)) = ?1 order by word", (text,)
        if len(text) < trigrams.LENGTH:
            return f"select word, changed from {vocabulary} where instr(word, ?) order by word", (text,)
        # The text is letters and digits only. LIKE would look for each of its trigrams; the rarest let hardly more through.
        contains = self._lanes.contains
        return (
            f"select v.word, v.changed from {contains} c join {vocabulary} v on v.id = c.rowid"
            f" where c.{contains} match ? and instr(v.word, ?) order by v.word",
            (" ".join(f'"{piece}"' for piece in trigrams.telling(text)), text),
        )

    def _postings_state(self, changed: tuple[int, ...]) -> tuple[int, ...]:
        return (self._lanes.number, self._flushed, max(changed, default=0), len(changed))

    def _told(self, sources: Sequence[Source], words: tuple[str, ...], coarse: bool) -> list[tuple[int, NDArray[np.int64]]]:
        """Of each source its fullest column, and for each occurrence of some words the cell, or how often each record holds one."""
        told = Told.COUNTS if coarse else Told.CELLS
        return [(source.columns[0][0], self._decode(source, words, told)) for source in sources]

    def _decode(self, source: Source, words: tuple[str, ...], told: Told) -> NDArray[np.int64]:
        """One number per occurrence of some words, ascending."""
        leaves = self._leaves.get(source.table)
        if leaves is None:
            leaves = self._leaves[source.table] = Leaves(self._connection, source.table)
        columns = bytes([number for number, _ in source.columns])
        found = leaves.occurrences(words, Packing(told, columns, COLUMN_BITS, PLACE_BITS))
        return self._told_by_rows(source, words, told) if found is None else found

    def _told_by_rows(self, source: Source, words: tuple[str, ...], told: Told) -> NDArray[np.int64]:
        """The same as FTS5 tells it, a row for each occurrence."""
        (fullest, most), *others = source.columns
        cases = " ".join(f"when '{name}' then {number}" for number, name in others)
        column = f"iif(col = '{most}', {fullest}, case col {cases} end)" if others else str(fullest)
        sql = f"select group_concat({_PACKED[told].format(column=column)}) from {source.instances} where term"
        if len(words) == 1:
            return np.sort(_parse(value(self._connection, f"{sql} = ?", words)))
        return np.sort(_parse(value(self._connection, f"{sql} in (select value from json_each(?))", (json.dumps(words),))))


# How a number is made of ``doc``, ``{column}`` and ``offset``.
_PACKED = {
    Told.RECORDS: "doc",
    Told.COUNTS: f"(doc << {PLACE_BITS}) | 1",
    Told.CELLS: f"doc * {1 << COLUMN_BITS} + {{column}}",
    Told.PLACES: f"(doc << {RECORD_SHIFT}) | ({{column}} << {PLACE_BITS}) | min(offset, {_LAST_PLACE})",
}


def _put_together(told: Sequence[tuple[int, NDArray[np.int64]]], coarse: bool) -> Postings:
    if not coarse:
        return counted(joined([numbers for _, numbers in told]))
    by_column: dict[int, list[NDArray[np.int64]]] = {}
    for column, numbers in told:
        by_column.setdefault(column, []).append(numbers)
    return tallied([(column, joined(found, sort=False)) for column, found in by_column.items()])


def _parse(packed: str | None) -> NDArray[np.int64]:
    return np.fromstring(packed, np.int64, sep=",") if packed else np.empty(0, np.int64)
