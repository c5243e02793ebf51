"""Which records answer, and how strongly do the lists together speak for each?"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dowse.model.declaring import dataclass, replace
from dowse.model.ranking import RRF_K, Handles
from dowse.model.request import Fusion, Lane
from dowse.search.ordering import Floats, Ids, add_to, give_bonus, nth_best, unite
from dowse.search.retrieve import ENOUGH, Retrieved

# What holding every word of the query is worth, of the best score. It buys U-04, not quality: .05 to .1 costs up to .01 on long
# pages and next to nothing elsewhere, .2 costs .02 there (docs/ranking.md).
COMPLETE_BONUS = 0.05

_Given = tuple[Ids, Floats]
Order = Callable[[Handles], Handles]


@dataclass(frozen=True, slots=True)
class Fused:
    """Every admitted record, in ascending order of handle. ``tier``: 0 holds every word, higher ones less surely."""

    handles: NDArray[np.int64]
    scores: Floats
    tiers: NDArray[np.int8]
    relaxed: bool
    ceiling: float
    """The most the lists that ran could have given; what a normalised score is divided by."""
    unit: float = 1.0
    """What the best record by words got from its lists; scores by words are counted in it, so that cosines can be added."""

    bonus: float = 0.0
    """What holding every word adds to a score."""
    behind: "Behind | None" = None
    """Who is admitted and not listed here, where only the front was asked for."""

    def at(self, places: NDArray[np.int64]) -> "Fused":
        """Some of the records."""
        return replace(self, handles=self.handles[places], scores=self.scores[places], tiers=self.tiers[places])


@dataclass(frozen=True, slots=True)
class Behind:
    """Admitted records that are not listed: how many, and the scores of those among some that are admitted (given ascending)."""

    count: int
    of: Callable[[Ids], tuple[Ids, Floats]]


def fuse(found: Sequence[Retrieved], fusion: Fusion, order: Order) -> Fused:
    """Adds up what the lists say. ``order`` sorts handles by key, for ranks among equals."""
    by_words = [item for item in found if item.plan.lane is not Lane.VECTORS]
    if len(by_words) == len(found):
        return _fuse_words(by_words, fusion, order, False, _ceiling(found, fusion))
    fused = _fuse_words(by_words, fusion, order, True, _ceiling(found, fusion))
    for item in found:
        if _by_meaning(item):
            fused = _with_meaning(fused, item, fusion, order)
    return fused


def _by_meaning(item: Retrieved) -> bool:
    return item.plan.lane is Lane.VECTORS


def _fuse_words(found: Sequence[Retrieved], fusion: Fusion, order: Order, hybrid: bool, ceiling: float) -> Fused:
    finding = [item for item in found if not item.plan.bonus]
    if fusion is Fusion.SCORE and len(finding) == 1:
        return _fuse_one(finding[0], [item for item in found if item.plan.bonus], ceiling)
    handles = _union([np.asarray(item.ranking.handles, np.int64) for item in finding])
    scores, complete = np.zeros(len(handles)), np.zeros(len(handles), np.bool_)
    tiers = np.full(len(handles), _NOT_FOUND, np.int8)
    for item in finding:
        # A list that names every record needs no looking up; the largest usually does.
        every = len(item.ranking.handles) == len(handles)
        at = slice(None) if every else np.searchsorted(handles, item.ranking.handles)
        scores[at] += contributions(item, fusion, order)
        complete[at] |= np.asarray(item.ranking.coverage) >= 1.0
        tiers[at] = np.minimum(tiers[at], item.plan.tier)
    _add_bonuses(handles, scores, found, fusion, order)
    return _admit(handles, scores, tiers, complete, fusion, hybrid, ceiling)


def _add_bonuses(handles: NDArray[np.int64], scores: Floats, found: Sequence[Retrieved], fusion: Fusion, order: Order) -> None:
    """Lists that find nobody add to who was found."""
    for item in found:
        if item.plan.bonus and len(item.ranking.handles):
            add_to(handles, scores, np.asarray(item.ranking.handles, np.int64), contributions(item, fusion, order))


def _with_meaning(fused: Fused, item: Retrieved, fusion: Fusion, order: Order) -> Fused:
    """A record that is close enough in meaning is admitted, whatever its words.

    By score, cosines are added later, when it is known which records by words are worth comparing.
    """
    near = np.asarray(item.ranking.handles, np.int64)
    handles = _union([fused.handles, near])
    at, known = np.searchsorted(handles, near), np.searchsorted(handles, fused.handles)
    scores, tiers = np.zeros(len(handles)), np.full(len(handles), item.plan.tier, np.int8)
    scores[known] = fused.scores
    tiers[known] = fused.tiers
    tiers[at] = np.minimum(tiers[at], item.plan.tier)
    if fusion is Fusion.RRF:
        scores[at] += contributions(item, fusion, order)
    return replace(fused, handles=handles, scores=scores, tiers=tiers)


def _union(lists: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Every handle of the lists, ascending. Most lists are part of the largest one, and then nothing is sorted."""
    if not lists:
        return np.empty(0, np.int64)
    ordered = sorted(lists, key=len, reverse=True)
    largest = ordered[0]
    for other in ordered[1:]:
        if not len(other):
            continue
        at = np.searchsorted(largest, other)
        missing = largest[np.minimum(at, len(largest) - 1)] != other
        if missing.any():
            largest = np.insert(largest, at[missing], other[missing])
    return largest


_NOT_FOUND = 9


def _admit(
    handles: NDArray[np.int64],
    scores: Floats,
    tiers: NDArray[np.int8],
    complete: NDArray[np.bool_],
    fusion: Fusion,
    hybrid: bool,
    ceiling: float,
) -> Fused:
    """Complete records win; where they are too few, records that hold enough of the query fill up.

    Fused by rank, complete records stand before all others, unless a list by meaning speaks too, which knows no words. Fused by
    score they earn a bonus: strictly first, long texts that hold every word by chance would stand above the page that is about
    the question (docs/ranking.md).
    """
    whole = np.flatnonzero(complete)
    count = len(whole)
    unit, bonus = 1.0, 0.0
    if fusion is Fusion.SCORE and len(scores):
        unit, bonus = give_bonus(scores, whole, COMPLETE_BONUS)
    elif not hybrid:
        tiers = tiers + np.where(complete, 0, _NOT_FOUND).astype(np.int8)
    if count == len(handles) or count < ENOUGH:
        return Fused(handles, scores, tiers, count < len(handles), ceiling, unit, bonus / unit)
    kept = complete if fusion is Fusion.RRF else complete | (scores >= nth_best(scores[whole], ENOUGH))
    return Fused(handles[kept], scores[kept], tiers[kept], False, ceiling, unit, bonus / unit)


def _fuse_one(item: Retrieved, bonuses: Sequence[Retrieved], ceiling: float) -> Fused:
    """By score, where one list finds and the others only add to that; of it, the front may be all that is listed: best scores, and
    those that settle who is admitted, are in it.
    """
    behind = item.ranking.unlisted
    further, further_whole = (behind.count, behind.complete) if behind is not None else (0, 0)
    adding = [
        (np.asarray(other.ranking.handles, np.int64), np.asarray(other.ranking.scores, np.float64), other.plan.weight)
        for other in bonuses
        if len(other.ranking.handles)
    ]
    handles, given = np.asarray(item.ranking.handles, np.int64), np.asarray(item.ranking.scores, np.float64)
    coverage = np.asarray(item.ranking.coverage, np.float64)
    united = unite(handles, given, coverage, item.plan.weight, adding, further, further_whole, ENOUGH, COMPLETE_BONUS)
    unit, bonus, least = united.unit, united.bonus, united.least
    tier, size = item.plan.tier, len(united.handles)
    tiers = np.full(size, tier, np.int8) if tier else np.zeros(size, np.int8)
    count = united.whole + further_whole
    relaxed = not united.narrow and count < len(united.handles) + further
    if behind is None:
        return Fused(united.handles, united.scores, tiers, relaxed, ceiling, unit, bonus / unit)
    unlisted = behind.of

    def of(wanted: Ids) -> _Given:
        some = Retrieved(item.plan, unlisted(wanted))
        gained = contributions(some, Fusion.SCORE, _unordered)
        _add_bonuses(some.ranking.handles, gained, bonuses, Fusion.SCORE, _unordered)
        entire = some.ranking.coverage >= 1.0
        gained[entire] += bonus
        gained /= unit
        there = entire | (gained >= least)
        return some.ranking.handles[there], gained[there]

    left = Behind(further_whole if united.narrow else further, of)
    return Fused(united.handles, united.scores, tiers, relaxed, ceiling, unit, bonus / unit, left)


def _unordered(handles: Handles) -> Handles:
    return handles


def contributions(item: Retrieved, fusion: Fusion, order: Order, unit: float = 1.0) -> Floats:
    """What one list adds to the score of each of its records; words are counted in the ``unit``, cosines as they are."""
    if fusion is Fusion.SCORE:
        return item.plan.weight / (1.0 if _by_meaning(item) else unit) * np.asarray(item.ranking.scores, np.float64)
    return item.plan.weight / (RRF_K + ranks(item, order))


def ranks(item: Retrieved, order: Order) -> NDArray[np.int64]:
    """The place of each record in the list, from 1; equals stand in the order of their keys."""
    handles = np.asarray(item.ranking.handles, np.int64)
    keyed = np.asarray(order(item.ranking.handles), np.int64)
    at = np.searchsorted(handles, keyed)
    # Complete records stand before incomplete ones, as they do on the page.
    incomplete = np.asarray(item.ranking.coverage)[at] < 1.0
    sequence = np.lexsort((-np.asarray(item.ranking.scores)[at], incomplete))
    places = np.empty(len(handles), np.int64)
    places[at[sequence]] = np.arange(1, len(handles) + 1)
    return places


def _ceiling(found: Sequence[Retrieved], fusion: Fusion) -> float:
    if fusion is Fusion.RRF:
        return sum(item.plan.weight for item in found if len(item.ranking.handles)) / (RRF_K + 1)
    return 1.0 + sum([item.plan.weight for item in found if item.plan.lane is Lane.VECTORS])
