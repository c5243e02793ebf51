"""What does a term give each record that holds it? In arrays that adding up reads quickly."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

try:
    from dowse.engines.sqlite import _giving as compiled
except ImportError:  # no compiler where dowse was installed
    compiled = None  # type: ignore[assignment]

Ids = NDArray[np.int64]
Values = NDArray[np.float64]
# A term that more than one in so many records hold is kept as bits too: those are read faster than its numbers are.
_COMMON = 16
# Bits that are looked at together.
_WORD = 64
# Somewhat more than are looked at closely: what so many have for sure is where their front begins.
MANY = 256
_ONE_BYTE, _TWO_BYTES = 1 << 8, 1 << 16
# Marks are made for as many more records as one in so many, and some.
_SLACK, _LEAST_SLACK = 16, 1024
Marks: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.uint32]]


class Held(NamedTuple):
    """Who holds a term, ascending; how often, how long each is, and (1) whether it holds it as it was typed.

    All of it lasts until a word of the term is written anew: who comes to be longer or shorter has all its words written anew.
    ``marks``: of a common term what ``Given`` has as bits and starts, for at least as many records as there were.
    """

    ids: NDArray[Any]
    frequencies: NDArray[Any]
    lengths: NDArray[Any]
    exact: NDArray[np.uint8] | None = None
    marks: "Marks | None" = None

    @property
    def nbytes(self) -> int:
        arrays = (self.ids, self.frequencies, self.lengths, self.exact, *(self.marks or ()))
        return sum([array.nbytes for array in arrays if array is not None])

    def packed(self, size: int) -> "Held":
        """The same in as few bytes as it fits, with marks where it is a common term among so many records."""
        frequencies, lengths = self.frequencies, self.lengths
        if frequencies.max(initial=0) < _ONE_BYTE and np.array_equal(frequencies, counts := frequencies.astype(np.uint8)):
            frequencies = counts
        if lengths.max(initial=0) < _TWO_BYTES:
            lengths = lengths.astype(np.uint16)
        ids = self.ids.astype(np.int32)
        # With room for those that come, or each would have them made again.
        marks = marked(ids, size + size // _SLACK + _LEAST_SLACK) if len(ids) * _COMMON > size else None
        return Held(ids, frequencies, lengths, self.exact, marks)


class Formula(NamedTuple):
    """BM25 of one word: how much the length counts and what it is on average, how soon more of it counts no more, how much holding
    the word tells, and what is added where it stands as it was typed.
    """

    b: float
    mean: float
    k1: float
    tells: float
    exact: float = 0.0


class Given(NamedTuple):
    """What one term gives at a weight of one: the records that hold it, ascending, and what it adds to the score of each, in seven
    digits: half the memory to read, and no two scores that differ in a digit anyone sees become the same.

    ``most``: the most it gives any. Of a common term also ``bits``: one for each record, the lowest first, in words of 64; and
    ``starts``: how many records hold it below each word. ``to_many``: what it gives ``MANY`` records at least; 0 where that was not
    looked at. ``tells``: how much holding it tells (``idf``).
    """

    ids: NDArray[np.int32]
    gifts: NDArray[np.float32]
    most: float
    bits: NDArray[np.uint8] | None
    starts: NDArray[np.uint32] | None
    to_many: float = 0.0
    tells: float = 0.0

    @property
    def nbytes(self) -> int:
        return sum([array.nbytes for array in (self.ids, self.gifts, self.bits, self.starts) if array is not None])


class Part(NamedTuple):
    """A term of a query: what it gives, its weight, and what holding it is worth (0: it is not missed where it is missing)."""

    given: Given
    weight: float
    worth: float


# A part of a query as it is asked for: 1 as what holding it is worth where it is required, else 0. A plain tuple, of which every
# question makes some, and only what was compiled looks into them.
Asked = tuple[Given, float, float]


class Sums(NamedTuple):
    """Records, ascending; what each scores, and what it holds of the query."""

    ids: Ids
    scores: Values
    held: Values


def given(held: Held, how: Formula, size: int) -> Given:
    """What a term of weight one gives each record that holds it so often, of so many records."""
    ids = held.ids.astype(np.int32, copy=False)
    marks = held.marks
    if len(ids) * _COMMON <= size:
        marks = None
    elif marks is None or len(marks[0]) * 8 < size:
        marks = marked(ids, size)
    # A common term gives little, and finds enough of those it gives most right away.
    gifts, most, to_many = _gifts(held, how, 0 if marks is not None else MANY)
    bits, starts = marks if marks is not None else (None, None)
    return Given(ids, gifts, most, bits, starts, to_many, how.tells)


def _gifts(held: Held, how: Formula, many: int) -> tuple[NDArray[np.float32], float, float]:
    """What each gets, the most, and what so many get at least."""
    factor = (how.k1 + 1) * how.tells
    if compiled is not None:
        formula = (how.b, how.mean, 1 - how.b, how.k1, factor, how.exact)
        made, most, to_many = compiled.give(held.frequencies, held.lengths, held.exact, formula, many)
        return np.frombuffer(made, np.float32), most, to_many
    norm = how.b * held.lengths
    norm /= how.mean
    norm += 1 - how.b
    norm *= how.k1
    norm += held.frequencies
    gained: Values = held.frequencies * factor
    gained /= norm
    if held.exact is not None:
        gained += held.exact * how.exact
    gifts = gained.astype(np.float32)
    place = len(gifts) - many
    to_many = float(np.partition(gifts, place)[place]) if many and place >= 0 else 0.0
    return gifts, float(gifts.max(initial=0.0)), to_many


def marked(ids: NDArray[np.int32], size: int) -> Marks:
    """A bit for each of so many records, and how many of these are below each 64."""
    if compiled is not None:
        made, below = compiled.mark(ids, size)
        return np.frombuffer(made, np.uint8), np.frombuffer(below, np.uint32)
    mask = np.zeros(-(-size // _WORD) * _WORD, np.bool_)
    mask[ids] = True
    starts = np.searchsorted(ids, np.arange(0, len(mask) + 1, _WORD)).astype(np.uint32)
    return np.packbits(mask, bitorder="little"), starts


def in_order(parts: Sequence[Part]) -> list[Part]:
    """The terms in the order in which they are always added up, so that every way to do it ends in the same number: those that may
    give most first.
    """
    return sorted(parts, key=_most_first)


def _most_first(part: Part) -> float:
    return -part.weight * part.given.most


def add_up_of(parts: Sequence[Part], bound: float, wanted: Ids) -> Sums:
    """Those of some records, given in ascending order, that hold at least ``bound``. The same to the last bit."""
    scores, held = np.zeros(len(wanted)), np.zeros(len(wanted))
    for part in parts:
        at, gifts = looked_up(part, wanted)
        scores[at] += gifts
        if part.worth:
            held[at] += part.worth
    kept = held >= bound
    return Sums(wanted[kept], scores[kept], held[kept])


def looked_up(part: Part, records: Ids) -> tuple[Ids, Values]:
    """Where in some records the term is held, and what it gives there."""
    ids, gifts, bits = part.given.ids, part.given.gifts, part.given.bits
    if bits is not None and len(records) and records[-1] >> 3 >= len(bits):
        bits = None  # made before there were so many records
    at = np.arange(len(records)) if bits is None else np.flatnonzero(_are_set(bits, records))
    wanted = records[at].astype(np.int32)
    places = np.searchsorted(ids, wanted)
    if bits is None and len(ids):
        there = ids[np.minimum(places, len(ids) - 1)] == wanted
        at, places = at[there], places[there]
    elif bits is None:
        at, places = at[:0], places[:0]
    return at, weighed(gifts[places], part.weight)


def weighed(gifts: NDArray[np.float32], weight: float) -> Values:
    """Multiplied and added up in full precision."""
    return np.multiply(gifts, weight, dtype=np.float64)


def _are_set(bits: NDArray[np.uint8], records: Ids) -> NDArray[np.uint8]:
    return bits.take(records >> 3) >> (records & 7).astype(np.uint8) & np.uint8(1)
