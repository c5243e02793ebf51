"""Which part of the order is the page? Exact for any page, without putting the rest in order."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dowse.model.ranking import Handles

Ids = NDArray[np.int64]


def cut(
    handles: Ids, scores: NDArray[np.float64], tiers: NDArray[np.int8], order: Callable[[Handles], Handles], offset: int, limit: int
) -> Ids:
    """Places in ``handles`` of the page: by tier, then score, then key."""
    wanted = min(offset + limit, len(handles))
    if offset >= wanted:
        return np.empty(0, np.int64)
    some = _front(scores, tiers, wanted)
    some = some[np.lexsort((-scores[some], tiers[some]))]
    return _settle_ties(some, handles, scores, tiers, order, offset, wanted)[offset:wanted]


def _front(scores: NDArray[np.float64], tiers: NDArray[np.int8], wanted: int) -> Ids:
    """The first ``wanted`` places and every place that equals the last of them."""
    if wanted >= len(scores):
        return np.arange(len(scores))
    if not tiers.any():
        last = np.partition(scores, len(scores) - wanted)[len(scores) - wanted]
        return np.flatnonzero(scores >= last)
    chosen: list[Ids] = []
    for tier in np.flatnonzero(np.bincount(tiers)):
        members = np.flatnonzero(tiers == tier)
        if len(members) > wanted:
            last = np.partition(scores[members], len(members) - wanted)[len(members) - wanted]
            chosen.append(members[scores[members] >= last])
            break
        chosen.append(members)
        wanted -= len(members)
        if wanted <= 0:
            break
    return np.concatenate(chosen)


def _settle_ties(
    places: Ids,
    handles: Ids,
    scores: NDArray[np.float64],
    tiers: NDArray[np.int8],
    order: Callable[[Handles], Handles],
    offset: int,
    end: int,
) -> Ids:
    """Puts equals in the order of their keys, where they touch the page."""
    same = (scores[places[1:]] == scores[places[:-1]]) & (tiers[places[1:]] == tiers[places[:-1]])
    if not same[max(0, offset - 1) : end].any():
        return places
    settled = places.copy()
    starts = np.flatnonzero(np.concatenate(([True], ~same)))
    ends = np.append(starts[1:], len(places))
    for start, stop in zip(starts.tolist(), ends.tolist(), strict=True):
        if stop - start > 1 and start < end and stop > offset:
            group = np.sort(places[start:stop])
            keyed = np.asarray(order(handles[group]), np.int64)
            settled[start:stop] = group[np.searchsorted(handles[group], keyed)]
    return settled
