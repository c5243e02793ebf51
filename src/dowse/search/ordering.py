"""Who stands in front, and what do the lists give each? What a search does with each of many scores.

Compiled (``_ordering.c``) where there is a compiler; the answers are the same to the last bit.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

try:
    from dowse.search import _ordering as compiled
except ImportError:  # no compiler where dowse was installed
    compiled = None  # type: ignore[assignment]

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]
Tiers = NDArray[np.int8]
# Records, ascending; what a list gives each; and what that counts for.
Adding = Sequence[tuple[Ids, Floats, float]]

# Of so many scores one is looked at to see where the best begin.
_SAMPLED = 16
# So few are put in order faster than the front of them is told apart.
_FEW = 512


class United(NamedTuple):
    """Those who are admitted, ascending, with what the lists give each, in units of what the best has.

    ``bonus``: what holding everything gave, before it was counted in units. ``whole``: how many of the list hold everything.
    ``least``: what one that does not must reach where enough others do (``narrow``).
    """

    handles: Ids
    scores: Floats
    unit: float
    bonus: float
    whole: int
    least: float
    narrow: bool


def unite(
    handles: Ids,
    scores: Floats,
    coverage: Floats,
    weight: float,
    adding: Adding,
    further: int,
    further_whole: int,
    enough: int,
    share: float,
) -> United:
    """What a list of records gives, with what others add to it; who holds everything gets a ``share`` of the best score more.

    ``further``: so many are behind those that are listed, and so many of them hold everything. If ``enough`` do, of the others only
    those are admitted that are as good as the last of these that would be enough.
    """
    if compiled is not None:
        found = compiled.unite(handles, scores, coverage, weight, adding, further, further_whole, enough, share)
        admitted, sums, unit, bonus, count, least, narrow = found
        return United(np.frombuffer(admitted, np.int64), np.frombuffer(sums), unit, bonus, count, least, bool(narrow))
    given = weight * scores
    for named, gains, worth in adding:
        add_to(handles, given, named, worth * gains)
    complete = coverage >= 1.0
    whole = np.flatnonzero(complete)
    unit, bonus = give_bonus(given, whole, share)
    is_narrow = enough <= len(whole) + further_whole < len(handles) + further
    if not is_narrow or len(whole) < enough:
        return United(handles, given, unit, bonus, len(whole), -np.inf, is_narrow)
    least = nth_best(given[whole], enough)
    kept = complete | (given >= least)
    return United(handles[kept], given[kept], unit, bonus, len(whole), least, is_narrow)


def first(scores: Floats, tiers: Tiers, wanted: int) -> tuple[Ids, bool]:
    """The first places, by tier, then score, with all that equal the last of them; and whether any of them are equal."""
    if compiled is not None:
        places, equal = compiled.first(scores, tiers, wanted)
        return np.frombuffer(places, np.int64), bool(equal)
    if len(scores) <= _FEW:
        return np.lexsort((-scores, tiers)), True
    some = _front(scores, tiers, wanted)
    return some[np.lexsort((-scores[some], tiers[some]))], True


def foremost(scores: Floats, tiers: Tiers, wanted: int) -> tuple[Ids, Ids]:
    """The places of those that are among the first whatever decides between equals, and of those that equal the last, if there is
    not room for all of them; both ascending.
    """
    if compiled is not None:
        sure, equal = compiled.foremost(scores, tiers, wanted)
        return np.frombuffer(sure, np.int64), np.frombuffer(equal, np.int64)
    some = np.sort(_front(scores, tiers, wanted))
    if len(some) <= wanted:
        return some, some[:0]
    tier = tiers[some].max()
    last = scores[some[tiers[some] == tier]].min()
    same = (tiers[some] == tier) & (scores[some] == last)
    return some[~same], some[same]


def add_to(handles: Ids, scores: Floats, named: Ids, gains: Floats) -> None:
    """Adds to the scores of those that are named; others that are named are not there."""
    if len(handles):
        places = np.minimum(np.searchsorted(handles, named), len(handles) - 1)
        there = handles[places] == named
        scores[places[there]] += gains[there]


def give_bonus(scores: Floats, whole: Ids, share: float) -> tuple[float, float]:
    """Gives those that hold everything their bonus, and counts scores in what the best then has; returns that, and the bonus."""
    if not len(scores):
        return 1.0, 0.0
    best = float(scores.max())
    bonus = share * best
    scores[whole] += bonus
    unit = max(best, float(scores[whole].max(initial=0.0))) or 1.0
    scores /= unit
    return unit, bonus


def nth_best(scores: Floats, number: int) -> float:
    """The score of the one that comes as the ``number``-th."""
    return float(np.partition(scores, len(scores) - number)[len(scores) - number])


def _front(scores: Floats, tiers: Tiers, wanted: int) -> Ids:
    """The first ``wanted`` places and every place that equals the last of them."""
    if wanted >= len(scores):
        return np.arange(len(scores))
    if not tiers.any():
        return _best(scores, wanted)
    chosen: list[Ids] = []
    for tier in np.flatnonzero(np.bincount(tiers)):
        members = np.flatnonzero(tiers == tier)
        if len(members) > wanted:
            chosen.append(members[scores[members] >= nth_best(scores[members], wanted)])
            break
        chosen.append(members)
        wanted -= len(members)
        if wanted <= 0:
            break
    return np.concatenate(chosen)


def _best(scores: Floats, wanted: int) -> Ids:
    """The places of the best ``wanted`` scores and of all that equal the last of them.

    Every sixteenth score tells where the line lies, roughly: what is clearly below it need not be put in order.
    """
    sample = scores[::_SAMPLED]
    above = 2 * (wanted // _SAMPLED + 1)
    if above < len(sample) // 2:
        likely = np.flatnonzero(scores >= nth_best(sample, above))
        if len(likely) >= wanted:
            return likely[scores[likely] >= nth_best(scores[likely], wanted)]
    return np.flatnonzero(scores >= nth_best(scores, wanted))
