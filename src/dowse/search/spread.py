"""What do the links of the best hits say? One hop along them, as a list of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dowse.model.declaring import replace
from dowse.model.page import Step
from dowse.model.record import Edge
from dowse.model.request import Spreading
from dowse.model.schema import EdgeKind
from dowse.ports import Direction, Selection, View
from dowse.search.deriving import Derived
from dowse.search.fuse import Fused
from dowse.search.joining import is_in
from dowse.search.window import Window

# How the reason is called.
LINKED = "linked"
# Of every further hit that links a record, this share of what the one before gave.
_FURTHER = 0.5
# No tier of its own: a record that joins stands in that of the best hit that links it.
_LAST = 127


_CARRYING = Derived[Mapping[str, EdgeKind], tuple[str, ...]](
    lambda kinds: tuple(sorted([name for name, kind in kinds.items() if kind.carries > 0]))
)


@dataclass(frozen=True, slots=True)
class _Seed:
    """A hit whose links are followed."""

    score: float
    tier: int


@dataclass(frozen=True, slots=True)
class _Gift:
    """What one hit gives a neighbour, and along which edge. ``tier``: that of the hit; its links lead no further up."""

    worth: float
    step: Step
    tier: int


def spread(
    view: View, window: Window, fused: Fused, spreading: Spreading, kinds: Mapping[str, EdgeKind], within: Selection
) -> Window:
    """The window with what links add; a record that only links lead to joins it and says how it was reached."""
    carrying = _CARRYING.of(kinds)
    if not carrying or not view.may_link(carrying):
        return window
    seeds = window.ranked(view, spreading.seeds)
    if not len(seeds):
        return window
    keys = [key for key, _ in view.names(window.handles[seeds].tolist())]
    edges = view.edges(sorted(keys), Direction.ALL, carrying)
    if not edges:
        return window
    found = zip(keys, window.scores[seeds].tolist(), window.tiers[seeds].tolist(), strict=True)
    hits = {key: _Seed(score, tier) for key, score, tier in found}
    gifts = _gifts(hits, edges, kinds, spreading)
    reached = sorted(gifts)
    added = {
        handle: gifts[key]
        for key, handle in zip(reached, view.handles(reached), strict=True)
        if handle is not None and view.holds(within, handle)
    }
    return _joined(window, fused, added, spreading)


def _gifts(
    seeds: Mapping[str, _Seed], edges: Sequence[Edge], kinds: Mapping[str, EdgeKind], spreading: Spreading
) -> dict[str, list[_Gift]]:
    ways = [way for edge in edges for way in _ways(edge, kinds) if way[0] in seeds and way[0] != way[1]]
    # As with the hits of a file: a hit counts by its share of the best one.
    best_score = max(seed.score for seed in seeds.values()) or 1.0
    fans: dict[str, set[str]] = {}
    for start, end, _ in ways:
        fans.setdefault(start, set()).add(end)
    best: dict[tuple[str, str], _Gift] = {}
    for start, end, step in ways:
        seed = seeds[start]
        shared = seed.score**2 / best_score / len(fans[start]) ** spreading.fan
        gift = _Gift(shared * kinds[step.edge.kind].carries, step, seed.tier)
        if (start, end) not in best or gift.worth > best[start, end].worth:
            best[start, end] = gift
    gifts: dict[str, list[_Gift]] = {}
    for (_, end), gift in sorted(best.items(), key=lambda item: (-item[1].worth, item[0])):
        gifts.setdefault(end, []).append(gift)
    return gifts


def _ways(edge: Edge, kinds: Mapping[str, EdgeKind]) -> list[tuple[str, str, Step]]:
    ways = [(edge.source, edge.target, Step(edge, forward=True))]
    if kinds[edge.kind].incoming:
        ways.append((edge.target, edge.source, Step(edge, forward=False)))
    return ways


def _joined(window: Window, fused: Fused, added: Mapping[int, Sequence[_Gift]], spreading: Spreading) -> Window:
    new = np.array(sorted(set(added) - set(window.handles.tolist())), np.int64)
    matched = is_in(fused.handles, new)
    own = np.zeros(len(new))
    own[matched] = fused.scores[np.searchsorted(fused.handles, new[matched])]
    if fused.behind is not None and not matched.all():
        found, behind = fused.behind.of(new[~matched])
        places = np.searchsorted(new, found)
        own[places], matched[places] = behind, True
    only_linked = set(new[~matched].tolist())
    handles = np.concatenate((window.handles, new))
    order = np.argsort(handles)
    scores = np.concatenate((window.scores, own))[order]
    tiers = np.concatenate((window.tiers, np.full(len(new), _LAST, np.int8)))[order]
    via, linked = dict(window.via), []
    for at, handle in enumerate(handles[order].tolist()):
        gifts = added.get(handle)
        if not gifts:
            continue
        worth = spreading.weight * sum(gift.worth * _FURTHER**number for number, gift in enumerate(gifts))
        linked.append((at, worth))
        tiers[at] = min(tiers[at], *(gift.tier for gift in gifts))
        if handle in only_linked:
            via[handle] = (gifts[0].step,)
    joined = replace(
        window,
        handles=handles[order],
        parts=np.concatenate((window.parts, new))[order],
        scores=scores,
        tiers=tiers,
        via=via,
    )
    places, worths = np.array(linked).reshape(-1, 2).T
    return joined.moved(LINKED, places.astype(np.int64), worths)
