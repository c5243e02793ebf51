"""Who holds enough of a query, and how much does each score? What the terms give is added up, for everyone or for the front alone.

Most records that hold something of a question hold only its common words, and cannot stand in front. Who is found is told from a
byte a record; scores are computed for those that hold one of the telling words, if no other can be as good as the best of them.

Compiled (``_summing.c``), adding up is so much faster that the front of every list is told apart; the sums are the same to the last
bit, whichever way they are made.
"""

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite.postings import run_starts
from dowse.engines.sqlite.scoping import Mask
from dowse.model.ranking import HEAVIEST
from dowse.model.request import Front

try:
    from dowse.engines.sqlite import _summing as compiled
except ImportError:  # no compiler where dowse was installed
    compiled = None  # type: ignore[assignment]

Ids = NDArray[np.int64]
Values = NDArray[np.float64]
# Sorting beats an array of all records while fewer than one in so many is concerned.
_SPARSE = 16
# A term that more than one in so many records hold is kept as bits too: those are read faster than its numbers are.
_COMMON = 16
# Bits that are looked at together.
_WORD = 64
# Somewhat more than are looked at closely: what so many have for sure is where their front begins.
MANY = 256
# Numbers of all terms together. Adding up 60,000 takes as long as telling the front apart, 500,000 a quarter longer.
_MANY = 150_000
# With more terms than this there are too many ways to hold some of them to look at each.
_MOST_TERMS = 12
# What is added up in another order may differ in the last bits.
_ROUNDED_UP = 1 + 1e-9
_DOUBTFUL = 1e-12
_NOTHING = 1e-12
# Who holds all of a query but so little of it holds all of it.
_ROUNDING = 1e-9
_TRIFLING = 1e-8
# Of what a telling term gives: what the other terms can give together must be less.
_USUAL = 0.75
# What a byte can tell apart, of what records hold of a query.
_LEVELS = 255


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


class Ranked(NamedTuple):
    """Records, ascending; what each scores, and how much of the query it holds, of 1; and how many more there are that are not
    listed, in all and of those that hold everything.
    """

    ids: Ids
    scores: Values
    coverage: Values
    more: int = 0
    more_whole: int = 0


def rank(asked: Sequence[Part], least: float, size: int, within: Mask | None, wanted: Front | None) -> Ranked:
    """Everyone who holds enough, or where that is ``wanted`` the front alone. ``asked``: terms whose worth is 1 where they are
    required and else 0; ``least``: the share of the heaviest of them that is enough.
    """
    if compiled is None:
        return _rank(asked, least, size, within, wanted)
    front = None
    if wanted is not None:
        also, gains = np.asarray(wanted.also, np.int64), np.asarray(wanted.gains, np.float64)
        front = (wanted.wanted, wanted.enough, also, gains, MANY)
    ids, scores, coverage, *more = compiled.rank(asked, least, HEAVIEST, _ROUNDING, _NOTHING, size, within, front)
    return Ranked(np.frombuffer(ids, np.int64), np.frombuffer(scores), np.frombuffer(coverage), *more)


def rank_some(asked: Sequence[Part], least: float, wanted: Ids) -> Ranked:
    """Those of some records, given in ascending order, that hold enough. The same to the last bit."""
    parts, bound, total = weigh(asked, least)
    return _covered(add_up_of(parts, bound, wanted), total)


def weigh(asked: Sequence[Part], least: float) -> tuple[list[Part], float, float]:
    """The terms in their order with what holding each is worth, how much is enough, and how much there is."""
    required = sorted([part.weight * part.given.tells for part in asked if part.worth])
    total = sum(required)
    # What is not required never stands alone (a whole identifier comes with its parts), so holding nothing is not being found.
    bound = max(least * sum(required[-HEAVIEST:]), _NOTHING)
    if len(asked) == 1:
        # Whoever holds it holds everything, whatever it is worth.
        return [asked[0]._replace(worth=1.0)], 1.0, 1.0
    weighed = [part._replace(worth=part.weight * part.given.tells * part.worth) for part in asked]
    return in_order(weighed), bound, total


def _rank(asked: Sequence[Part], least: float, size: int, within: Mask | None, wanted: Front | None) -> Ranked:
    parts, bound, total = weigh(asked, least)
    found = front(parts, bound, (1 - _ROUNDING) * total, size, within, wanted) if wanted is not None else None
    if found is None:
        return _covered(add_up(parts, bound, size, within), total)
    return _covered(found.sums, total)._replace(more=found.more, more_whole=found.more_whole)


def _covered(sums: Sums, total: float) -> Ranked:
    coverage = sums.held / total if total else np.ones(len(sums.ids))
    coverage[sums.held >= (1 - _ROUNDING) * total] = 1.0
    return Ranked(sums.ids, sums.scores, coverage)


def are_few(parts: Sequence[Part], size: int) -> bool:
    """Whether so few records are concerned that adding up all of them takes no time."""
    return sum([len(part.given.ids) for part in parts]) < size // _SPARSE


def are_many(parts: Sequence[Part]) -> bool:
    """Whether it takes longer to add up everyone than to tell the front apart."""
    return sum([len(part.given.ids) for part in parts]) > _MANY


def add_up(parts: Sequence[Part], bound: float, size: int, within: Mask | None = None) -> Sums:
    """Every record that holds at least ``bound``; of those ``within`` alone, where that is given."""
    if compiled is not None:
        return _sums(*compiled.everyone(parts, bound, size, within))
    return _within(_sum_sparse(parts, bound) if are_few(parts, size) else _sum_dense(parts, bound, size), within)


def add_up_of(parts: Sequence[Part], bound: float, wanted: Ids) -> Sums:
    """Those of some records, given in ascending order, that hold at least ``bound``. The same to the last bit."""
    scores, held = np.zeros(len(wanted)), np.zeros(len(wanted))
    for part in parts:
        at, gifts = _looked_up(part, wanted)
        scores[at] += gifts
        if part.worth:
            held[at] += part.worth
    kept = held >= bound
    return Sums(wanted[kept], scores[kept], held[kept])


def _within(sums: Sums, mask: Mask | None) -> Sums:
    if mask is None:
        return sums
    kept = mask[sums.ids]
    return Sums(sums.ids[kept], sums.scores[kept], sums.held[kept])


def in_order(parts: Sequence[Part]) -> list[Part]:
    """The terms in the order in which they are always added up, so that every way to do it ends in the same number: those that may
    give most first.
    """
    return sorted(parts, key=_most_first)


def _most_first(part: Part) -> float:
    return -part.weight * part.given.most


def _looked_up(part: Part, records: Ids) -> tuple[Ids, Values]:
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
    return at, _weighed(gifts[places], part.weight)


def _weighed(gifts: NDArray[np.float32], weight: float) -> Values:
    """Multiplied and added up in full precision."""
    return np.multiply(gifts, weight, dtype=np.float64)


def _are_set(bits: NDArray[np.uint8], records: Ids) -> NDArray[np.uint8]:
    return bits.take(records >> 3) >> (records & 7).astype(np.uint8) & np.uint8(1)


class Found(NamedTuple):
    """The records that may stand in front, and how many more there are, in all and of those that hold everything."""

    sums: Sums
    more: int
    more_whole: int


def front(parts: Sequence[Part], bound: float, whole: float, size: int, within: Mask | None, asked: Front) -> Found | None:
    """The front as ``Front`` has it; ``parts`` are in their order. Who holds as much as ``whole`` holds everything.

    None: it cannot be told for less than adding up everything.
    """
    if compiled is None:
        return _front(parts, bound, size, within, asked) if are_many(parts) else None
    also, gains = np.asarray(asked.also, np.int64), np.asarray(asked.gains, np.float64)
    ids, scores, held, *more = compiled.front(parts, bound, whole, size, within, asked.wanted, asked.enough, also, gains, MANY)
    return Found(_sums(ids, scores, held), *more)


def _sums(ids: bytearray, scores: bytearray, held: bytearray) -> Sums:
    return Sums(np.frombuffer(ids, np.int64), np.frombuffer(scores), np.frombuffer(held))


def _front(parts: Sequence[Part], bound: float, size: int, within: Mask | None, asked: Front) -> Found | None:
    """What the records hold is told by levels: everything, or how much of it as far as a byte can say."""
    levels = _levels([part.worth for part in parts], bound)
    telling = _telling(parts, asked.wanted)
    if levels is None or not telling:
        return None
    rest = sum([part.weight * part.given.most for part in parts[telling:]])
    held = _bytes.zeros(size)
    for number in range(telling):
        _hold(held, parts[number].given, levels.steps[number])
    candidates = np.not_equal(held, 0, out=_candidates.kept(size))
    for number in range(telling):
        if not levels.steps[number]:
            candidates[parts[number].given.ids] = True
    for number in range(telling, len(parts)):
        _hold(held, parts[number].given, levels.steps[number])
    found = np.greater_equal(held, levels.least, out=_found.kept(size))
    if within is not None:
        found &= within
    total = int(np.count_nonzero(found))
    also, gains = np.asarray(asked.also, np.int64), np.asarray(asked.gains, np.float64)
    candidates[also] = True
    candidates &= found
    records = np.flatnonzero(candidates)
    if len(records) < asked.wanted:
        return None
    level = held[records]
    entire = level == levels.full
    complete = int(np.count_nonzero(entire))
    enough = asked.enough if asked.enough <= complete < total else 0
    scores, gained = _partly(parts[:telling], records, size), _spread_out(also, gains, records, size)
    certain = np.where(np.isinf(gained), 0.0, gained)
    line = _line(scores + certain, entire, asked.wanted, enough)
    if not enough:
        line = max(line, _surely(parts[telling:], records, scores, asked.wanted))
    unknown = rest
    for part in parts[telling:]:
        possible = (scores + unknown) * _ROUNDED_UP + gained
        some = _leading(possible, scores + certain, entire, line, asked.wanted)
        records, scores, level, entire = records[some], scores[some], level[some], entire[some]
        gained, certain = gained[some], certain[some]
        _add([part], records, scores)
        unknown -= part.weight * part.given.most
    line = _line(scores + certain, entire, asked.wanted, enough)
    if line <= rest * _ROUNDED_UP:
        return None
    kept = _leading(scores + gained, scores + certain, entire, line, asked.wanted)
    listed = add_up_of(parts, bound, records[kept])
    return Found(listed, total - len(kept), complete - int(np.count_nonzero(entire[kept])))


def _telling(parts: Sequence[Part], wanted: int) -> int:
    """How many of the first terms a record in front holds one of, at a guess; 0 where that would be all of them."""
    rest, count, usual, required = sum([part.weight * part.given.most for part in parts]), 0, 0.0, False
    for number, part in enumerate(parts[:-1], 1):
        most = part.weight * part.given.most
        rest -= most
        count += len(part.given.ids)
        required = required or part.worth > 0
        # The last of those in front scores about what the term gives of which there are records enough; the caller sees whether
        # that was right.
        usual = usual or (most if count >= 2 * wanted else 0.0)
        if required and rest < _USUAL * usual:
            return number
    return 0


def _line(scores: Values, entire: Mask, wanted: int, enough: int) -> float:
    """What a record must have to be in front: what the last has that is wanted, or that is enough."""
    line = _nth(scores, wanted)
    return min(line, _nth(scores[entire], enough)) if enough else line


def _leading(possible: Values, sure: Values, entire: Mask, line: float, wanted: int) -> Ids:
    """The places of those that may be in front, if what they may have at most is ``possible`` and what all have at least is
    ``sure``.
    """
    leading = possible >= line
    if entire.any():
        leading |= entire & (possible >= _nth(sure[entire], wanted))
    return np.flatnonzero(leading)


def _surely(parts: Sequence[Part], records: Ids, scores: Values, wanted: int) -> float:
    """What so many have for sure: the best so far and as many again, with what these terms give them."""
    some = np.flatnonzero(scores >= _nth(scores, 2 * wanted))
    best = scores[some]
    _add(parts, records[some], best)
    return _nth(best, wanted)


def _add(parts: Sequence[Part], records: Ids, scores: Values) -> None:
    for part in parts:
        at, gifts = _looked_up(part, records)
        scores[at] += gifts


def _spread_out(ids: Ids, values: Values, records: Ids, size: int) -> Values:
    """For each of some records the value it has, or nothing."""
    array = _floats.kept(size)
    array[ids] = values
    found: Values = array[records]
    array[ids] = 0.0
    return found


def _partly(parts: Sequence[Part], records: Ids, size: int) -> Values:
    """What some terms together give each of some records; all that hold any of the terms and are found are among these."""
    scores = _floats.kept(size)
    places = [part.given.ids.astype(np.int64) for part in parts]
    for part, at in zip(parts, places, strict=True):
        np.add.at(scores, at, _weighed(part.given.gifts, part.weight))
    partly = scores[records]
    for at in places:
        scores[at] = 0.0
    return partly


def _nth(scores: Values, number: int) -> float:
    """The score of the one that comes as the ``number``-th, or as the last."""
    at = max(0, len(scores) - number)
    return float(np.partition(scores, at)[at])


def _hold(held: NDArray[np.uint8], item: Given, step: int) -> None:
    if not step:
        return
    if item.bits is not None:
        mask = np.unpackbits(item.bits, count=len(held), bitorder="little")
        held += np.multiply(mask, np.uint8(step), out=_steps.kept(len(held)))
    else:
        np.add.at(held, item.ids.astype(np.int64), np.uint8(step))


class _Levels(NamedTuple):
    steps: list[int]
    least: int
    full: int


def _levels(worths: Sequence[float], bound: float) -> _Levels | None:
    """Small whole numbers that stand for the worths: their sums are at least ``least`` just where those of the worths are at least
    the bound, and ``full`` where everything is held that is worth anything. None where a byte is too little for that.
    """
    total = sum(worths)
    if len(worths) > _MOST_TERMS or not total:
        return None
    scale = (_LEVELS - len(worths)) / total
    steps = [max(1, round(worth * scale)) if worth else 0 for worth in worths]
    full = sum(steps)
    ways = _ways(len(worths))
    held, sums = ways @ np.array(worths), ways @ np.array(steps, np.float64)
    admitted = held >= bound
    least, highest = float(sums[admitted].min(initial=full)), float(sums[~admitted].max(initial=-1.0))
    # So close to the bound, the order of adding up would decide.
    doubtful = np.abs(held - bound).min() <= _DOUBTFUL * total
    # Who holds all but next to nothing of a query counts as holding all of it.
    trifling = min([worth for worth in worths if worth]) <= _TRIFLING * total
    if doubtful or trifling or full > _LEVELS or highest >= least:
        return None
    return _Levels(steps, int(least), full)


@lru_cache(maxsize=_MOST_TERMS + 1)
def _ways(count: int) -> Values:
    """Every way to hold some of so many terms, a row each."""
    return np.array([[number >> place & 1 for place in range(count)] for number in range(1 << count)], np.float64)


class _Scratch(threading.local):
    """An array with a place for every record. Each thread has its own and keeps it: where there are a million records, getting the
    memory anew for each question would take longer than adding up.
    """

    def __init__(self, kind: type) -> None:
        self._array: NDArray[Any] = np.zeros(0, kind)

    def kept(self, size: int) -> NDArray[Any]:
        """As it was left; whoever takes it leaves it empty."""
        if len(self._array) < size:
            self._array = np.zeros(size, self._array.dtype)
        return self._array[:size]

    def zeros(self, size: int) -> NDArray[Any]:
        array = self.kept(size)
        array.fill(0)
        return array


# One for each use: what is left in one is nobody else's zero.
_bytes, _steps = _Scratch(np.uint8), _Scratch(np.uint8)
_candidates, _found = _Scratch(np.bool_), _Scratch(np.bool_)
_floats = _Scratch(np.float64)
_scores, _held = _Scratch(np.float64), _Scratch(np.float64)


def _sum_dense(parts: Sequence[Part], bound: float, size: int) -> Sums:
    """Adds up in arrays with a place for every record; keeps the records that hold at least ``bound``."""
    scores, held = _scores.zeros(size), _held.zeros(size)
    for (ids, gifts, *_), weight, worth in parts:
        places = ids.astype(np.int64)
        np.add.at(scores, places, _weighed(gifts, weight))
        if worth:
            np.add.at(held, places, worth)
    handles = np.flatnonzero(held >= bound)
    return Sums(handles, scores[handles], held[handles])


def _sum_sparse(parts: Sequence[Part], bound: float) -> Sums:
    """The same by sorting; faster where few records are concerned, whatever the size of the workspace."""
    found = np.concatenate([part.given.ids for part in parts]) if parts else np.empty(0, np.int32)
    if not len(found):
        return Sums(np.empty(0, np.int64), np.empty(0), np.empty(0))
    order = np.argsort(found, kind="stable")
    ids = found[order].astype(np.int64)
    starts = run_starts(ids)
    # One after the other: sums of runs would be rounded in another order.
    places = np.empty(len(ids), np.int64)
    places[order] = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(ids))))
    worths = np.repeat([part.worth for part in parts], [len(part.given.ids) for part in parts])
    gifts = [_weighed(part.given.gifts, part.weight) for part in parts]
    scores, held = np.zeros(len(starts)), np.zeros(len(starts))
    np.add.at(scores, places, np.concatenate(gifts))
    np.add.at(held, places, worths)
    kept = held >= bound
    return Sums(ids[starts][kept], scores[kept], held[kept])
