"""Which part of the order is the page? Exact for any page, without putting the rest in order."""

from collections.abc import Callable

import numpy as np

from dowse.model.ranking import Handles
from dowse.search import ordering
from dowse.search.ordering import Floats, Ids, Tiers


def cut(handles: Ids, scores: Floats, tiers: Tiers, order: Callable[[Handles], Handles], offset: int, limit: int) -> Ids:
    """Places in ``handles`` of the page: by tier, then score, then key."""
    wanted = min(offset + limit, len(handles))
    if offset >= wanted:
        return np.empty(0, np.int64)
    some, equal = ordering.first(scores, np.asarray(tiers, np.int8), wanted)
    if not equal:
        return some[offset:wanted]
    return _settle_ties(some, handles, scores, tiers, order, offset, wanted)[offset:wanted]


def foremost(handles: Ids, scores: Floats, tiers: Tiers, order: Callable[[Handles], Handles], wanted: int) -> Ids:
    """The places that the first ``wanted`` of the order have, ascending. Only those that equal the last need to be put in order."""
    sure, equal = ordering.foremost(scores, tiers, wanted)
    if not len(equal):
        return sure
    chosen = np.asarray(order(handles[equal]), np.int64)[: wanted - len(sure)]
    return np.sort(np.concatenate((sure, equal[np.searchsorted(handles[equal], chosen)])))


def _settle_ties(
    places: Ids,
    handles: Ids,
    scores: Floats,
    tiers: Tiers,
    order: Callable[[Handles], Handles],
    offset: int,
    end: int,
) -> Ids:
    """Puts equals in the order of their keys, where they touch the page. All groups of equals are settled at once."""
    ranked, levels = scores[places], tiers[places]
    same = (ranked[1:] == ranked[:-1]) & (levels[1:] == levels[:-1])
    if not same[max(0, offset - 1) : end].any():
        return places
    groups = np.zeros(len(places), np.int64)
    np.cumsum(~same, out=groups[1:])
    start, stop = np.searchsorted(groups, groups[offset]), np.searchsorted(groups, groups[end - 1], "right")
    equal = np.zeros(len(places), np.bool_)
    equal[1:] |= same
    equal[:-1] |= same
    at = start + np.flatnonzero(equal[start:stop])
    members = np.sort(places[at])
    by_key = np.empty(len(members), np.int64)
    by_key[np.searchsorted(handles[members], np.asarray(order(handles[members]), np.int64))] = np.arange(len(members))
    settled = places.copy()
    settled[at] = places[at[np.lexsort((by_key[np.searchsorted(members, places[at])], groups[at]))]]
    return settled
