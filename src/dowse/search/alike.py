"""Which hits say the same? Copies, and what stands inside another hit; only the best of them is shown."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

import numpy as np

from dowse.model.passage import Vectors
from dowse.model.record import Record
from dowse.model.request import Nesting
from dowse.ports import View
from dowse.search.window import Window
from dowse.text.folding import fold

# A page or two of hits: further down nobody is kept from anything by a copy.
_LOOKED_AT = 30
# Two texts of one title that are as close as this differ by a word or two. Overloads and small methods of one name are less alike.
_SAME = 0.98
# A line or two under one title say too little to be the same thing twice.
_TELLING = 200


def fold_alike(view: View, window: Window, nesting: Nesting) -> Window:
    """Takes hits away that another one answers for, and notes which. Of two that are one within the other, the outer answers."""
    gone, nested = _nested(view, window, nesting)
    gone |= _copied(view, nested, gone)
    return replace(nested, gone={handle: _answering(gone, handle) for handle in gone}) if gone else window


def _nested(view: View, window: Window, nesting: Nesting) -> tuple[dict[int, int], Window]:
    """Hits within the text of another hit, each with that one, which takes the place of the best of them.

    What only a link led to did not match, and answers for nothing that did.
    """
    best = window.handles[window.ranked(view, _LOOKED_AT)]
    matched = {int(handle) for handle in best} - set(window.via)
    own, around = view.containers(best, nesting.inner), view.containers(best, nesting.outer)
    gone = {
        int(handle): int(outer)
        for handle, inner, outer in zip(best, own, around, strict=True)
        if inner == handle and outer != handle and int(outer) in matched
    }
    scores, tiers = window.scores.copy(), window.tiers.copy()
    for inner, outer in gone.items():
        better, at = np.searchsorted(window.handles, (inner, outer))
        scores[at] = max(scores[at], scores[better])
        tiers[at] = min(tiers[at], tiers[better])
    return gone, replace(window, scores=scores, tiers=tiers)


def _copied(view: View, window: Window, gone: Mapping[int, int]) -> dict[int, int]:
    """Of the hits that are left, those that say what a better one says, each with that one."""
    best = [handle for handle in window.handles[window.ranked(view, _LOOKED_AT)].tolist() if handle not in gone]
    titles = {handle: fold(title) for handle, (_, title) in zip(best, view.names(best), strict=True)}
    meaning = cache(view.meaning)
    first: dict[str, list[int]] = {}
    copies: dict[int, int] = {}
    for handle in best:
        others = first.setdefault(titles[handle], [])
        same = next((other for other in others if titles[handle] and _same(view, meaning, handle, other)), None)
        if same is None:
            others.append(handle)
        else:
            copies[handle] = same
    return copies


def _answering(gone: Mapping[int, int], handle: int) -> int:
    """Who is shown in the end: what stands within a copy is answered by what the copy is one of."""
    while handle in gone:
        handle = gone[handle]
    return handle


def _same(view: View, meaning: Callable[[int], Vectors | None], one: int, other: int) -> bool:
    mine, theirs = meaning(one), meaning(other)
    if mine is None or theirs is None or len(mine) != len(theirs) or _closest(mine, theirs) < _SAME:
        return False
    first, second = view.fetch([one, other])
    return first.kind == second.kind and min(_length(first), _length(second)) >= _TELLING


def _length(record: Record) -> int:
    return sum(map(len, record.fields.values()))


def _closest(mine: Vectors, theirs: Vectors) -> float:
    """How alike two records are: passage by passage, the least alike pair decides."""
    return float(np.min(np.sum(np.asarray(mine) * np.asarray(theirs), axis=1)))
