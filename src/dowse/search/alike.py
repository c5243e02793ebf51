"""Which hits say the same? Copies, and what stands inside another hit; only the best of them is shown."""

from collections.abc import Callable
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class _Seen:
    """A hit, what it is called, and the record whose text it stands in (0: none)."""

    handle: int
    title: str
    around: int


def fold_alike(view: View, window: Window, nesting: Nesting) -> Window:
    """Takes hits away that a better one answers for, and notes which."""
    best = window.handles[window.ranked(view, _LOOKED_AT)]
    kept: list[_Seen] = []
    gone: dict[int, int] = {}
    meaning = cache(view.meaning)
    for hit in _seen(view, best, nesting):
        answering = next((other for other in kept if _nested(hit, other) or _copies(view, meaning, hit, other)), None)
        if answering is None:
            kept.append(hit)
        else:
            gone[hit.handle] = answering.handle
    return replace(window, gone=gone) if gone else window


def _seen(view: View, handles: "np.ndarray", nesting: Nesting) -> list[_Seen]:
    inner = [int(handle) for handle in view.containers(handles, nesting.inner)]
    outer = [int(handle) for handle in view.containers(handles, nesting.outer)]
    return [
        _Seen(int(handle), fold(title), around if own == handle else 0)
        for handle, (_, title), own, around in zip(handles, view.names(handles), inner, outer, strict=True)
    ]


def _nested(one: _Seen, other: _Seen) -> bool:
    return one.around == other.handle or other.around == one.handle


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
