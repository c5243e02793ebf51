"""Which hits say the same? Copies, and what stands inside another hit; only the best of them is shown."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

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


@dataclass(frozen=True, slots=True)
class _Seen:
    """A hit, what it is called, and the record whose text it stands in (0: none)."""

    handle: int
    title: str
    around: int


def fold_alike(view: View, window: Window, nesting: Nesting) -> Window:
    """Takes hits away that another one answers for, and notes which. Of two that are one within the other, the outer answers."""
    best = window.handles[window.ranked(view, _LOOKED_AT)]
    kept: list[_Seen] = []
    gone: dict[int, int] = {}
    raised: dict[int, int] = {}
    meaning = cache(view.meaning)
    for hit in _seen(view, best, nesting):
        inner = next((at for at, other in enumerate(kept) if other.around == hit.handle), None)
        answering = next((other for other in kept if hit.around == other.handle or _copies(view, meaning, hit, other)), None)
        if inner is not None:
            gone[kept[inner].handle] = hit.handle
            raised[hit.handle] = kept[inner].handle
            kept[inner] = hit
        elif answering is not None:
            gone[hit.handle] = answering.handle
        else:
            kept.append(hit)
    return replace(window, gone=gone, scores=_raised(window, raised)) if gone else window


def _raised(window: Window, raised: Mapping[int, int]) -> NDArray[np.float64]:
    """A hit that answers for a better one within it takes its place."""
    scores = window.scores.copy()
    for outer, inner in raised.items():
        at, better = np.searchsorted(window.handles, (outer, inner))
        scores[at] = max(scores[at], scores[better])
    return scores


def _seen(view: View, handles: NDArray[np.int64], nesting: Nesting) -> list[_Seen]:
    inner = [int(handle) for handle in view.containers(handles, nesting.inner)]
    outer = [int(handle) for handle in view.containers(handles, nesting.outer)]
    return [
        _Seen(int(handle), fold(title), around if own == handle else 0)
        for handle, (_, title), own, around in zip(handles, view.names(handles), inner, outer, strict=True)
    ]


def _copies(view: View, meaning: Callable[[int], Vectors | None], one: _Seen, other: _Seen) -> bool:
    if not one.title or one.title != other.title:
        return False
    mine, theirs = meaning(one.handle), meaning(other.handle)
    if mine is None or theirs is None or len(mine) != len(theirs) or _closest(mine, theirs) < _SAME:
        return False
    first, second = view.fetch([one.handle, other.handle])
    return first.kind == second.kind and min(_length(first), _length(second)) >= _TELLING


def _length(record: Record) -> int:
    return sum(map(len, record.fields.values()))


def _closest(mine: Vectors, theirs: Vectors) -> float:
    """How alike two records are: passage by passage, the least alike pair decides."""
    return float(np.min(np.sum(np.asarray(mine) * np.asarray(theirs), axis=1)))
