"""Which hits are looked at closely? The best by words and the best by meaning; their order is settled among themselves."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from dowse.model.page import Step
from dowse.model.ranking import Scores, Signal
from dowse.model.request import Fusion, Lane, ListPlan, Plan, Scope
from dowse.ports import View
from dowse.search.cut import cut
from dowse.search.define import definitions
from dowse.search.fold import Folded
from dowse.search.fuse import Fused
from dowse.search.joining import is_in, joined
from dowse.search.meaning import Meaning
from dowse.search.retrieve import Retrieved

# How many hits by words, and as many by meaning. Fixed: the order must not depend on how many the caller wants to see. A file
# needs some of its parts in here to speak for it: 50 costs .005 on code, 400 gives nothing (docs/ranking.md).
WINDOW = 200
# Behind everything that was looked at.
_BEHIND = 20

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Window:
    """Hits in ascending order of handle. ``signals`` and ``via`` tell of some of them what moved them and how they were reached."""

    handles: Ids
    parts: Ids
    scores: Floats
    tiers: NDArray[np.int8]
    signals: Mapping[int, tuple[Signal, ...]] = field(default_factory=dict)
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

    def ranked(self, view: View, limit: int | None = None) -> Ids:
        """Places in the window, the best first; equals in the order of their keys."""
        return cut(self.handles, self.scores, self.tiers, view.order, 0, limit or len(self.handles))

    def rescored(self, scores: Floats, signals: Mapping[int, tuple[Signal, ...]]) -> "Window":
        return replace(self, scores=scores, signals=signals)


def look(view: View, folded: Folded, plan: Plan, lists: Sequence[Retrieved], meaning: Meaning) -> Window:
    """The window, with what meaning and nearness say of every hit in it."""
    fused = folded.fused
    by_words = cut(fused.handles, fused.scores, fused.tiers, view.order, 0, WINDOW)
    close = next((item for item in lists if item.plan.lane is Lane.VECTORS), None)
    by_meaning = _places_of_parts(folded, close.ranking.handles) if close is not None else by_words[:0]
    named = definitions(view, plan.query) if any(boost.when == "definition" for boost in plan.boosts) else {}
    by_name = _places(fused.handles, np.array(sorted(named), np.int64))
    at = joined((by_words, by_meaning, by_name))
    window = Window(fused.handles[at], folded.parts[at], fused.scores[at], fused.tiers[at], named=named)
    meant = np.zeros(len(at))
    if close is not None and meaning.vector is not None and plan.fusion is Fusion.SCORE:
        cosines = _of_parts(window, lambda parts: view.similarity(meaning.vector, parts))
        meant = weight(view, window, close.plan) * meaning.worth(cosines)
    near = _nearness(view, window, plan, fused.unit)
    window = replace(window, scores=window.scores + meant + near)
    return _accounted(window, fused, lists, meant, near) if plan.explain else window


def weight(view: View, window: Window, plan: ListPlan) -> float:
    """What the list counts for, by the kinds of the hits; for all of them alike, or one kind would stand above the others."""
    if not len(window.parts):
        return plan.weight
    shares = [(factor, len(view.among(view.select(Scope(kinds=(kind,))), window.parts))) for kind, factor in plan.by_kind]
    return plan.weight * (1.0 + sum((factor - 1.0) * many for factor, many in shares) / len(window.parts))


def nearness_tells(plan: Plan) -> bool:
    return plan.nearness > 0 and sum(term.required and not term.is_phrase for term in plan.query.terms) > 1


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


def _nearness(view: View, window: Window, plan: Plan, unit: float) -> Floats:
    """What it is worth that the words stand close together in the record that matched."""
    text = next((item for item in plan.lists if item.lane is Lane.STEMS), None)
    if text is None or not nearness_tells(plan) or not len(window.parts):
        return np.zeros(len(window.parts))
    return plan.nearness / unit * _of_parts(window, lambda parts: view.near(plan.query, text, parts))


def _accounted(window: Window, fused: Fused, lists: Sequence[Retrieved], meant: Floats, near: Floats) -> Window:
    """Tells what no list's share does: holding every word, closeness beyond the list by meaning, words side by side."""
    close = next((item.ranking.handles for item in lists if item.plan.lane is Lane.VECTORS), ())
    listed = is_in(np.asarray(close, np.int64), window.parts)
    parts = {
        "every word": np.where(_complete(window, lists), fused.bonus, 0.0),
        "meaning": np.where(listed, 0.0, meant),
        "side by side": near,
    }
    told = {
        handle: tuple(Signal(name, added=float(added[at])) for name, added in parts.items() if added[at])
        for at, handle in enumerate(window.handles.tolist())
    }
    shares = dict(zip(window.handles.tolist(), np.where(listed, meant, 0.0).tolist(), strict=True))
    unworded = frozenset(window.handles[window.scores == meant + near].tolist())
    signals = {handle: signals for handle, signals in told.items() if signals}
    return replace(window, signals=signals, meant=shares, unworded=unworded)


def _complete(window: Window, lists: Sequence[Retrieved]) -> NDArray[np.bool_]:
    """Which hits hold every word, in one of the lists that find."""
    complete = np.zeros(len(window.parts), np.bool_)
    for item in lists:
        if not item.plan.bonus and item.plan.lane is not Lane.VECTORS:
            every = np.asarray(item.ranking.coverage) >= 1.0
            complete |= is_in(np.asarray(item.ranking.handles, np.int64)[every], window.parts)
    return complete


def _of_parts(window: Window, ask: Callable[[Ids], Scores]) -> Floats:
    """What a view says of the parts, which it takes in ascending order."""
    order = np.argsort(window.parts)
    said = np.empty(len(order))
    said[order] = np.asarray(ask(window.parts[order]))
    return said
