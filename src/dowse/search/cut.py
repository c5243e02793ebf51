"""Which part of the order is the page? Exact for any page, without putting the rest in order."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dowse.model.ranking import Handles

try:
    from dowse.search import _ordering as compiled
except ImportError:  # no compiler where dowse was installed
    compiled = None  # type: ignore[assignment]

Ids = NDArray[np.int64]

# Of so many scores one is looked at to see where the best begin.
_SAMPLED = 16
# So few are put in order faster than the front of them is told apart.
_FEW = 512


def cut(
    handles: Ids, scores: NDArray[np.float64], tiers: NDArray[np.int8], order: Callable[[Handles], Handles], offset: int, limit: int
) -> Ids:
    """Places in ``handles`` of the page: by tier, then score, then key."""
    wanted = min(offset + limit, len(handles))
    if offset >= wanted:
        return np.empty(0, np.int64)
    if compiled is not None:
        found, equal = compiled.first(scores, np.asarray(tiers, np.int8), wanted)
        some = np.frombuffer(found, np.int64)
        if not equal:
            return some[offset:wanted]
    elif len(handles) <= _FEW:
        some = np.lexsort((-scores, tiers))
    else:
        some = _front(scores, tiers, wanted)
        some = some[np.lexsort((-scores[some], tiers[some]))]
    return _settle_ties(some, handles, scores, tiers, order, offset, wanted)[offset:wanted]


def foremost(
    handles: Ids, scores: NDArray[np.float64], tiers: NDArray[np.int8], order: Callable[[Handles], Handles], wanted: int
) -> Ids:
    """The places that the first ``wanted`` of the order have, ascending. Only those that equal the last need to be put in order."""
    sure, equal = _surely(scores, tiers, wanted) if compiled is None else _surely_compiled(scores, tiers, wanted)
    if not len(equal):
        return sure
    chosen = np.asarray(order(handles[equal]), np.int64)[: wanted - len(sure)]
    return np.sort(np.concatenate((sure, equal[np.searchsorted(handles[equal], chosen)])))


def _surely_compiled(scores: NDArray[np.float64], tiers: NDArray[np.int8], wanted: int) -> tuple[Ids, Ids]:
    sure, equal = compiled.foremost(scores, tiers, wanted)
    return np.frombuffer(sure, np.int64), np.frombuffer(equal, np.int64)


def _surely(scores: NDArray[np.float64], tiers: NDArray[np.int8], wanted: int) -> tuple[Ids, Ids]:
    """The places of those that are among the first whatever their keys, and of those that equal the last, if there is not room for
    all of them; both ascending.
    """
    some = np.sort(_front(scores, tiers, wanted))
    if len(some) <= wanted:
        return some, some[:0]
    tier = tiers[some].max()
    last = scores[some[tiers[some] == tier]].min()
    equal = (tiers[some] == tier) & (scores[some] == last)
    return some[~equal], some[equal]


def _front(scores: NDArray[np.float64], tiers: NDArray[np.int8], wanted: int) -> Ids:
    """The first ``wanted`` places and every place that equals the last of them."""
    if wanted >= len(scores):
        return np.arange(len(scores))
    if not tiers.any():
        return _best(scores, wanted)
    chosen: list[Ids] = []
    for tier in np.flatnonzero(np.bincount(tiers)):
        members = np.flatnonzero(tiers == tier)
        if len(members) > wanted:
            chosen.append(members[_last_and_above(scores[members], wanted)])
            break
        chosen.append(members)
        wanted -= len(members)
        if wanted <= 0:
            break
    return np.concatenate(chosen)


def _best(scores: NDArray[np.float64], wanted: int) -> Ids:
    """The places of the best ``wanted`` scores and of all that equal the last of them.

    Every sixteenth score tells where the line lies, roughly: what is clearly below it need not be put in order.
    """
    sample = scores[::_SAMPLED]
    above = 2 * (wanted // _SAMPLED + 1)
    if above < len(sample) // 2:
        line = np.partition(sample, len(sample) - above)[len(sample) - above]
        likely = np.flatnonzero(scores >= line)
        if len(likely) >= wanted:
            return likely[_last_and_above(scores[likely], wanted)]
    return np.flatnonzero(_last_and_above(scores, wanted))


def _last_and_above(scores: NDArray[np.float64], wanted: int) -> NDArray[np.bool_]:
    last: float = np.partition(scores, len(scores) - wanted)[len(scores) - wanted]
    return scores >= last


def _settle_ties(
    places: Ids,
    handles: Ids,
    scores: NDArray[np.float64],
    tiers: NDArray[np.int8],
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
