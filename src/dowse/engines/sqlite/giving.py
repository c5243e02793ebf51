"""What does a term give each record that holds it? In arrays that adding up reads quickly."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Values = NDArray[np.float64]
# A term that more than one in so many records hold is kept as bits too: those are read faster than its numbers are.
_COMMON = 16
# Bits that are looked at together.
_WORD = 64
# Somewhat more than are looked at closely: what so many have for sure is where their front begins.
MANY = 256


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


class Sums(NamedTuple):
    """Records, ascending; what each scores, and what it holds of the query."""

    ids: Ids
    scores: Values
    held: Values


def given(ids: Ids, gifts: Values | NDArray[np.float32], size: int, tells: float = 0.0) -> Given:
    gifts = gifts.astype(np.float32)
    bits = starts = None
    if len(ids) * _COMMON > size:
        mask = np.zeros(-(-size // _WORD) * _WORD, np.bool_)
        mask[ids] = True
        bits = np.packbits(mask, bitorder="little")
        starts = np.searchsorted(ids, np.arange(0, len(mask) + 1, _WORD)).astype(np.uint32)
    # A common term gives little, and finds enough of those it gives most right away.
    looked_at = bits is None and len(ids) >= MANY
    to_many = float(np.partition(gifts, len(gifts) - MANY)[len(gifts) - MANY]) if looked_at else 0.0
    return Given(ids.astype(np.int32), gifts, float(gifts.max(initial=0.0)), bits, starts, to_many, tells)


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
