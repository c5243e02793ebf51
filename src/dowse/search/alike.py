"""Which hits say the same? Copies, and what stands inside another hit; only the best of them is shown."""

from dataclasses import dataclass, replace

import numpy as np

from dowse.model.passage import Vectors
from dowse.model.request import Nesting
from dowse.ports import View
from dowse.search.window import Window
from dowse.text.folding import fold

# A page or two of hits: further down nobody is kept from anything by a copy.
_LOOKED_AT = 40
# Two texts of one title that are as close as this differ by a word or two. Overloads and small methods of one name are less alike.
_SAME = 0.98


@dataclass(frozen=True, slots=True)
class _Seen:
    """A hit, what it is called, and the record whose text it stands in (0: none)."""

    handle: int
    title: str
    around: int


def fold_alike(view: View, window: Window, nesting: Nesting) -> Window:
    """Takes hits away that a better one answers for."""
    best = window.handles[np.argsort(-window.scores, kind="stable")[:_LOOKED_AT]]
    kept: list[_Seen] = []
    gone: set[int] = set()
    for hit in _seen(view, best, nesting):
        if any(_nested(hit, other) or _copies(view, hit, other) for other in kept):
            gone.add(hit.handle)
        else:
            kept.append(hit)
    return replace(window, gone=window.gone | gone) if gone else window


def _seen(view: View, handles: "np.ndarray", nesting: Nesting) -> list[_Seen]:
    inner = [int(handle) for handle in view.containers(handles, nesting.inner)]
    outer = [int(handle) for handle in view.containers(handles, nesting.outer)]
    return [
        _Seen(int(handle), fold(title), around if own == handle else 0)
        for handle, (_, title), own, around in zip(handles, view.names(handles), inner, outer, strict=True)
    ]


def _nested(one: _Seen, other: _Seen) -> bool:
    return one.around == other.handle or other.around == one.handle


def _copies(view: View, one: _Seen, other: _Seen) -> bool:
    if one.title != other.title:
        return False
    mine, theirs = view.meaning(one.handle), view.meaning(other.handle)
    return mine is not None and theirs is not None and len(mine) == len(theirs) and _closest(mine, theirs) >= _SAME


def _closest(mine: Vectors, theirs: Vectors) -> float:
    """How alike two records are: passage by passage, the least alike pair decides."""
    return float(np.min(np.sum(np.asarray(mine) * np.asarray(theirs), axis=1)))
