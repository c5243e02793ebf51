"""Which records answer, and how strongly do the lists together speak for each?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dowse.model.ranking import Handles
from dowse.model.request import Fusion
from dowse.search.retrieve import ENOUGH, Retrieved

# The constant of reciprocal rank fusion: how little the first places differ from those behind them.
RRF_K = 60
# A record that holds less than this share of the heart of the query is no answer, even when there are no better ones. The largest
# share that costs nothing on the judged sets (docs/ranking.md).
LEAST_SHARE = 0.1

# What holding every word of the query is worth, of the best score. Free on the judged sets up to .1; .2 begins to cost.
COMPLETE_BONUS = 0.1

Floats = NDArray[np.float64]
Order = Callable[[Handles], Handles]


@dataclass(frozen=True, slots=True)
class Fused:
    """Every admitted record, in ascending order of handle. ``tier``: 0 holds every word, higher ones less surely."""

    handles: NDArray[np.int64]
    scores: Floats
    tiers: NDArray[np.int64]
    relaxed: bool
    ceiling: float
    """The most the lists that ran could have given; what a normalised score is divided by."""


def fuse(found: Sequence[Retrieved], fusion: Fusion, size: int, order: Order) -> Fused:
    """Adds up what the lists say. ``order`` sorts handles by key, for ranks among equals."""
    scores = np.zeros(size)
    tiers = np.full(size, _NOT_FOUND)
    complete = np.zeros(size, np.bool_)
    enough = np.zeros(size, np.bool_)
    for item in found:
        handles = np.asarray(item.ranking.handles, np.int64)
        share = np.asarray(item.ranking.coverage, np.float64)
        scores[handles] += contributions(item, fusion, order)
        tiers[handles] = np.minimum(tiers[handles], item.plan.tier)
        complete[handles] |= share >= 1.0
        enough[handles] |= share >= LEAST_SHARE * item.ranking.heaviest
    held = np.flatnonzero(enough)
    return _admit(held, scores[held], tiers[held], complete[held], fusion, _ceiling(found, fusion))


_NOT_FOUND = 9


def _admit(
    handles: NDArray[np.int64],
    scores: Floats,
    tiers: NDArray[np.int64],
    complete: NDArray[np.bool_],
    fusion: Fusion,
    ceiling: float,
) -> Fused:
    """Complete records win; where they are too few, records that hold enough of the query fill up.

    Fused by rank, complete records stand before all others. Fused by score they earn a bonus: strictly first, long texts that hold
    every word by chance would stand above the page that is about the question (docs/ranking.md).
    """
    count = int(np.count_nonzero(complete))
    if fusion is Fusion.RRF:
        tiers = tiers + np.where(complete, 0, _NOT_FOUND)
        kept = complete if count >= ENOUGH else np.ones(len(handles), np.bool_)
    else:
        scores = scores + np.where(complete, COMPLETE_BONUS * np.max(scores, initial=0.0), 0.0)
        kept = complete | (scores >= _least_of_enough(scores[complete])) if count >= ENOUGH else np.ones(len(handles), np.bool_)
    relaxed = count < ENOUGH and count < len(handles)
    return Fused(handles[kept], scores[kept], tiers[kept], relaxed, ceiling)


def _least_of_enough(scores: Floats) -> float:
    """What an incomplete record must reach to stand among complete ones: the score of the last that would do."""
    return float(np.partition(scores, len(scores) - ENOUGH)[len(scores) - ENOUGH])


def contributions(item: Retrieved, fusion: Fusion, order: Order) -> Floats:
    """What one list adds to the score of each of its records."""
    if fusion is Fusion.SCORE:
        return item.plan.weight * np.asarray(item.ranking.scores, np.float64)
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
        return sum(item.plan.weight for item in found) / (RRF_K + 1)
    return max((float(np.max(contributions(item, fusion, lambda handles: handles), initial=0.0)) for item in found), default=0.0)
