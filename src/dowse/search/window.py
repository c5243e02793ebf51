"""Which hits are looked at closely? The best by words and the best by meaning; their order is settled among themselves."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from dowse.model.declaring import dataclass, replace
from dowse.model.page import Step
from dowse.model.ranking import Scores, Signal
from dowse.model.record import Facet
from dowse.model.request import Fusion, Lane, ListPlan, Plan, Scope
from dowse.model.terms import Query
from dowse.ports import View
from dowse.search.cut import cut, foremost
from dowse.search.fold import Folded
from dowse.search.fuse import Fused
from dowse.search.joining import is_in, joined
from dowse.search.meaning import Meaning
from dowse.search.retrieve import Retrieved
from dowse.text.naming import names_in

# How many hits by words, and as many by meaning. Fixed: the order must not depend on how many the caller wants to see. A file
# needs some of its parts in here to speak for it: 50 costs .005 on code, 400 gives nothing (docs/ranking.md).
WINDOW = 200
# The page and the stages before it ask for about so many of the first places: put in order once for all of them.
_ASKED_FOR = 40
# Behind everything that was looked at.
_BEHIND = 20

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Move:
    """A reason, the hits it moved (ascending), and how: something was added to each, then each was multiplied."""

    name: str
    handles: Ids
    added: Floats
    factors: Floats


@dataclass(frozen=True, slots=True)
class Window:
    """Hits in ascending order of handle. ``moves`` and ``via`` tell of some of them what moved them and how they were reached."""

    handles: Ids
    parts: Ids
    scores: Floats
    tiers: NDArray[np.int8]
    moves: tuple[Move, ...] = ()
    via: Mapping[int, tuple[Step, ...]] = field(default_factory=dict)
    named: Mapping[int, float] = field(default_factory=dict)
    """Records that are called what the query names, with how surely they are meant."""
    meant: Mapping[int, float] = field(default_factory=dict)
    """What the list by meaning gave each hit that it names; told where an explanation was asked for."""
    unworded: frozenset[int] = frozenset()
    """Hits whose words were too few to count: they stand here for what they mean. Told as ``meant`` is."""
    gone: Mapping[int, int] = field(default_factory=dict)
    """Hits that another one answers for, and which."""
    lacking: str = ""
    """What a second model could not say, and why."""
    _order: list[Ids] = field(init=False, compare=False, repr=False, default_factory=list)
    """The first places in order, as many as someone asked for. Not copied along: with other scores the order is another."""

    def ranked(self, view: View, limit: int | None = None, *, last: bool = False) -> Ids:
        """Places in the window, the best first; equals in the order of their keys. ``last``: nobody asks for more later."""
        wanted = len(self.handles) if limit is None else min(limit if last else max(limit, _ASKED_FOR), len(self.handles))
        if not self._order or len(self._order[0]) < wanted:
            self._order[:] = [cut(self.handles, self.scores, self.tiers, view.order, 0, wanted)]
        return self._order[0][:limit]

    def moved(self, name: str, at: Ids, added: Floats | float = 0.0, factors: Floats | float = 1.0) -> "Window":
        """The window after one more reason, which holds for the hits at these places (ascending)."""
        if not len(at):
            return self
        scores = self.scores.copy()
        scores[at] = (scores[at] + added) * factors
        move = Move(name, self.handles[at], np.broadcast_to(added, len(at)), np.broadcast_to(factors, len(at)))
        return replace(self, scores=scores, moves=(*self.moves, move))

    def signals(self, handle: int) -> tuple[Signal, ...]:
        """What moved one hit, in the order in which it was moved."""
        found = []
        for move in self.moves:
            at = int(np.searchsorted(move.handles, handle))
            if at < len(move.handles) and move.handles[at] == handle:
                found.append(Signal(move.name, float(move.factors[at]), float(move.added[at])))
        return tuple(found)


def look(
    view: View,
    folded: Folded,
    plan: Plan,
    lists: Sequence[Retrieved],
    close: Retrieved | None,
    meaning: Meaning,
    named: Mapping[int, float],
) -> Window:
    """The window, with what meaning and nearness say of every hit in it.

    ``close``: the list by meaning, where one ran; ``named``: who is called what the query names.
    """
    fused = folded.fused
    by_words = foremost(fused.handles, fused.scores, fused.tiers, view.order, WINDOW)
    at = by_words
    if close is not None or named:
        meaning_alike = _places_of_parts(folded, close.ranking.handles) if close is not None else by_words[:0]
        at = joined((by_words, meaning_alike, _places(fused.handles, np.array(sorted(named), np.int64))))
    if len(at) < len(fused.handles):
        handles, scores, tiers = fused.handles[at], fused.scores[at], fused.tiers[at]
    else:
        handles, scores, tiers = fused.handles, fused.scores.copy(), fused.tiers
    parts = handles if folded.parts is fused.handles else folded.parts[at]
    meant: Floats | float = 0.0
    if close is not None and meaning.vector is not None and plan.fusion is Fusion.SCORE:
        cosines = _of_parts(parts, handles, lambda wanted: view.similarity(meaning.vector, wanted))
        meant = weight(view, parts, close.plan, plan.query, meaning.strength) * meaning.worth(cosines)
        scores += meant
    near = _nearness(view, parts, handles, plan, fused.unit)
    if near is not None:
        scores += near
    window = Window(handles, parts, scores, tiers, named=named)
    if not plan.explain:
        return window
    return _accounted(
        window, fused, lists, np.broadcast_to(meant, len(at)), np.broadcast_to(0.0 if near is None else near, len(at))
    )


def by_meaning(lists: Sequence[Retrieved]) -> Retrieved | None:
    """The list by meaning, where one ran."""
    for item in lists:
        if item.plan.lane is Lane.VECTORS:
            return item
    return None


def weight(view: View, parts: Ids, plan: ListPlan, query: Query, strength: float) -> float:
    """What the list counts for, by the kinds of the hits; for all of them alike, or one kind would stand above the others.

    ``strength``: how much more the model knows than the one in the package. Where the query names the code it looks for, the name
    tells, whoever is asked; of a report the headline names.
    """
    if not len(parts) or not plan.by_kind:
        return plan.weight * strength
    named = bool(names_in(query.headline or query.text))
    factors = [called if named else factor * strength for _, factor, called in plan.by_kind]
    parted = zip(factors, shares(view, parts, plan), strict=True)
    return plan.weight * (strength + sum((factor - strength) * share for factor, share in parted))


def shares(view: View, parts: Ids, plan: ListPlan) -> list[float]:
    """How many of the hits are of each kind that the list counts otherwise, of 1."""
    kinds = [kind for kind, _, _ in plan.by_kind]
    return [len(view.among(view.select(of_kinds((kind,))), parts)) / len(parts) for kind in kinds]


# Of the kinds that surfaces declare, which are few; every search asks for the same.
@lru_cache(maxsize=256)
def of_kinds(kinds: tuple[str, ...]) -> Scope:
    return Scope(kinds=kinds)


# The same for a facet.
@lru_cache(maxsize=256)
def having(facet: str, values: tuple[Facet, ...]) -> Scope:
    return Scope(facets={facet: values})


def nearness_tells(plan: Plan) -> bool:
    # Most queries have no phrases.
    terms = plan.query.terms
    return plan.nearness > 0 and len(terms) > 1 and sum([term.required and len(term.words) == 1 for term in terms]) > 1


def settle(folded: Folded, window: Window) -> Folded:
    """Everything that was admitted, in an order that holds for every page: the window first, as it was settled, then the rest."""
    fused = folded.fused
    places = np.searchsorted(fused.handles, window.handles)
    known = is_in(fused.handles, window.handles)
    tiers = (fused.tiers + _BEHIND).astype(np.int8)
    scores = fused.scores.copy()
    tiers[places[known]] = window.tiers[known]
    scores[places[known]] = window.scores[known]
    merged, parts = replace(fused, scores=scores, tiers=tiers), folded.parts
    if not known.all():
        new, at = ~known, places[~known]
        merged = replace(
            fused,
            handles=np.insert(fused.handles, at, window.handles[new]),
            scores=np.insert(scores, at, window.scores[new]),
            tiers=np.insert(tiers, at, window.tiers[new]),
        )
        parts = np.insert(folded.parts, at, window.parts[new])
    if not window.gone:
        return Folded(merged, parts)
    kept = np.delete(np.arange(len(merged.handles)), _places(merged.handles, np.array(sorted(window.gone), np.int64)))
    return Folded(merged.at(kept), parts[kept])


def _places(ascending: Ids, wanted: Ids) -> Ids:
    """Where those of the wanted stand that are there."""
    return np.searchsorted(ascending, wanted[is_in(ascending, wanted)])


def _places_of_parts(folded: Folded, wanted: Ids) -> Ids:
    """Where the entries stand whose part is wanted. Where nothing was folded, parts are in order and need no look at each."""
    if folded.parts is folded.fused.handles:
        return _places(folded.parts, np.asarray(wanted, np.int64))
    return np.flatnonzero(is_in(np.asarray(wanted, np.int64), folded.parts))


def _nearness(view: View, parts: Ids, handles: Ids, plan: Plan, unit: float) -> Floats | None:
    """What it is worth that the words stand close together in the record that matched; None where nothing can."""
    if not nearness_tells(plan) or not len(parts):
        return None
    for text in plan.lists:
        if text.lane is Lane.STEMS:
            return plan.nearness / unit * _of_parts(parts, handles, partial(view.near, plan.query, text))
    return None


def _accounted(window: Window, fused: Fused, lists: Sequence[Retrieved], meant: Floats, near: Floats) -> Window:
    """Tells what no list's share does: holding every word, closeness beyond the list by meaning, words side by side."""
    close = next((item.ranking.handles for item in lists if item.plan.lane is Lane.VECTORS), ())
    listed = is_in(np.asarray(close, np.int64), window.parts)
    parts = {
        "every word": np.where(_complete(window, lists), fused.bonus, 0.0),
        "meaning": np.where(listed, 0.0, meant),
        "side by side": near,
    }
    told = ((name, added, np.flatnonzero(added)) for name, added in parts.items())
    moves = tuple(Move(name, window.handles[at], added[at], np.ones(len(at))) for name, added, at in told)
    shares = dict(zip(window.handles.tolist(), np.where(listed, meant, 0.0).tolist(), strict=True))
    unworded = frozenset(window.handles[window.scores == meant + near].tolist())
    return replace(window, moves=moves, meant=shares, unworded=unworded)


def _complete(window: Window, lists: Sequence[Retrieved]) -> NDArray[np.bool_]:
    """Which hits hold every word, in one of the lists that find."""
    complete = np.zeros(len(window.parts), np.bool_)
    for item in lists:
        if not item.plan.bonus and item.plan.lane is not Lane.VECTORS:
            every = np.asarray(item.ranking.coverage) >= 1.0
            complete |= is_in(np.asarray(item.ranking.handles, np.int64)[every], window.parts)
    return complete


def _of_parts(parts: Ids, handles: Ids, ask: Callable[[Ids], Scores]) -> Floats:
    """What a view says of the parts, which it takes in ascending order, as handles are."""
    if parts is handles:
        return np.asarray(ask(parts))
    order = np.argsort(parts)
    said = np.empty(len(order))
    said[order] = np.asarray(ask(parts[order]))
    return said
