"""Who stands in front, where nothing was compiled? Told from a byte a record, as ``levels.h`` does.

Most records that hold something of a question hold only its common words, and cannot stand in front. Who is found is told from a
byte a record; scores are computed for those that hold one of the telling words, if no other can be as good as the best of them.
"""

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite.giving import Given, Ids, Part, Sums, Values, add_up_of, looked_up, weighed
from dowse.engines.sqlite.scoping import Mask
from dowse.model.request import Front

# With more terms than this there are too many ways to hold some of them to look at each.
_MOST_TERMS = 12
# What is added up in another order may differ in the last bits.
_ROUNDED_UP = 1 + 1e-9
_DOUBTFUL = 1e-12
_TRIFLING = 1e-8
# Of what a telling term gives: what the other terms can give together must be less.
_USUAL = 0.75
# What a byte can tell apart, of what records hold of a query.
_LEVELS = 255


class Found(NamedTuple):
    """The records that may stand in front, and how many more there are, in all and of those that hold everything."""

    sums: Sums
    more: int
    more_whole: int


def front_of(parts: Sequence[Part], bound: float, size: int, within: Mask | None, asked: Front) -> Found | None:
    """What the records hold is told by levels: everything, or how much of it as far as a byte can say."""
    levels = levels_of([part.worth for part in parts], bound)
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
        at, gifts = looked_up(part, records)
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
        np.add.at(scores, at, weighed(part.given.gifts, part.weight))
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


def levels_of(worths: Sequence[float], bound: float) -> _Levels | None:
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


class Scratch(threading.local):
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
_bytes, _steps = Scratch(np.uint8), Scratch(np.uint8)
_candidates, _found = Scratch(np.bool_), Scratch(np.bool_)
_floats = Scratch(np.float64)
