"""Who holds enough of a query, and how much does each score? What the terms give is added up, for everyone or for the front alone.

Compiled (``_summing.c``), adding up is so much faster that the front of every list is told apart; the sums are the same to the last
bit, whichever way they are made.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dowse.engines.sqlite.fronting import Found, Scratch, front_of
from dowse.engines.sqlite.giving import MANY, Asked, Ids, Part, Sums, Values, add_up_of, in_order, weighed
from dowse.engines.sqlite.scoping import Mask
from dowse.engines.sqlite.tallying import run_starts
from dowse.model.ranking import HEAVIEST
from dowse.model.request import Front

try:
    from dowse.engines.sqlite import _summing as compiled
except ImportError:  # no compiler where dowse was installed
    compiled = None  # type: ignore[assignment]

# Sorting beats an array of all records while fewer than one in so many is concerned.
_SPARSE = 16
# Numbers of all terms together. Adding up 60,000 takes as long as telling the front apart, 500,000 a quarter longer.
_MANY = 150_000
_NOTHING = 1e-12
# Who holds all of a query but so little of it holds all of it.
_ROUNDING = 1e-9
# A place for every record; what is left in one is nobody else's zero.
_scores, _held = Scratch(np.float64), Scratch(np.float64)


class Ranked(NamedTuple):
    """Records, ascending; what each scores, and how much of the query it holds, of 1; and how many more there are that are not
    listed, in all and of those that hold everything. ``whole``: how many there are of these in all.
    """

    ids: Ids
    scores: Values
    coverage: Values
    more: int = 0
    more_whole: int = 0
    whole: int = 0


def rank(asked: Sequence[Asked], least: float, size: int, within: Mask | None, wanted: Front | None) -> Ranked:
    """Everyone who holds enough, or where that is ``wanted`` the front alone. ``least``: the share of the heaviest terms that is
    enough.
    """
    if compiled is None:
        return _rank([Part(*item) for item in asked], least, size, within, wanted)
    front = None
    if wanted is not None:
        also, gains = np.asarray(wanted.also, np.int64), np.asarray(wanted.gains, np.float64)
        front = (wanted.wanted, wanted.enough, also, gains, MANY)
    ids, scores, coverage, *more = compiled.rank(asked, least, HEAVIEST, _ROUNDING, _NOTHING, size, within, front)
    return Ranked(np.frombuffer(ids, np.int64), np.frombuffer(scores), np.frombuffer(coverage), *more)


def rank_some(asked: Sequence[Asked], least: float, wanted: Ids) -> Ranked:
    """Those of some records, given in ascending order, that hold enough. The same to the last bit."""
    parts, bound, total = weigh([Part(*item) for item in asked], least)
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
    listed = _covered(found.sums, total)
    return listed._replace(more=found.more, more_whole=found.more_whole, whole=listed.whole + found.more_whole)


def _covered(sums: Sums, total: float) -> Ranked:
    coverage = sums.held / total if total else np.ones(len(sums.ids))
    coverage[sums.held >= (1 - _ROUNDING) * total] = 1.0
    return Ranked(sums.ids, sums.scores, coverage, whole=int(np.count_nonzero(coverage >= 1.0)))


def are_few(parts: Sequence[Part], size: int) -> bool:
    """Whether so few records are concerned that adding up all of them takes no time."""
    return sum([len(part.given.ids) for part in parts]) < size // _SPARSE


def are_many(parts: Sequence[Part]) -> bool:
    """Whether it takes longer to add up everyone than to tell the front apart."""
    return sum([len(part.given.ids) for part in parts]) > _MANY


def add_up(parts: Sequence[Part], bound: float, size: int, within: Mask | None = None) -> Sums:
    """Every record that holds at least ``bound``; of those ``within`` alone, where that is given."""
    if compiled is not None:
        return _sums(*compiled.everyone(parts, bound, size, within)[:3])
    return _within(_sum_sparse(parts, bound) if are_few(parts, size) else _sum_dense(parts, bound, size), within)


def _within(sums: Sums, mask: Mask | None) -> Sums:
    if mask is None:
        return sums
    kept = mask[sums.ids]
    return Sums(sums.ids[kept], sums.scores[kept], sums.held[kept])


def front(parts: Sequence[Part], bound: float, whole: float, size: int, within: Mask | None, asked: Front) -> Found | None:
    """The front as ``Front`` has it; ``parts`` are in their order. Who holds as much as ``whole`` holds everything.

    None: it cannot be told for less than adding up everything.
    """
    if compiled is None:
        return front_of(parts, bound, size, within, asked) if are_many(parts) else None
    also, gains = np.asarray(asked.also, np.int64), np.asarray(asked.gains, np.float64)
    ids, scores, held, *more = compiled.front(parts, bound, whole, size, within, asked.wanted, asked.enough, also, gains, MANY)
    return Found(_sums(ids, scores, held), *more[:2])


def _sums(ids: bytearray, scores: bytearray, held: bytearray) -> Sums:
    return Sums(np.frombuffer(ids, np.int64), np.frombuffer(scores), np.frombuffer(held))


def _sum_dense(parts: Sequence[Part], bound: float, size: int) -> Sums:
    """Adds up in arrays with a place for every record; keeps the records that hold at least ``bound``."""
    scores, held = _scores.zeros(size), _held.zeros(size)
    for (ids, gifts, *_), weight, worth in parts:
        places = ids.astype(np.int64)
        np.add.at(scores, places, weighed(gifts, weight))
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
    gifts = [weighed(part.given.gifts, part.weight) for part in parts]
    scores, held = np.zeros(len(starts)), np.zeros(len(starts))
    np.add.at(scores, places, np.concatenate(gifts))
    np.add.at(held, places, worths)
    kept = held >= bound
    return Sums(ids[starts][kept], scores[kept], held[kept])
