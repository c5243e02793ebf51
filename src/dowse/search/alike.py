"""Which hits say the same? Copies, and what stands inside another hit; only the best of them is shown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dowse.model.declaring import replace
from dowse.model.passage import Vectors
from dowse.model.request import Nesting
from dowse.ports import View
from dowse.search.window import Window
from dowse.text.folding import fold

# A page or two of hits: further down nobody is kept from anything by a copy.
LOOKED_AT = 20
# Two texts of one title that are as close as this differ by a word or two. Overloads and small methods of one name are less alike.
_SAME = 0.98
# A line or two under one title say too little to be the same thing twice.
_TELLING = 200
# Texts of which one is shorter by more than a tenth differ by more than a word or two.
_AS_LONG = 0.9


@dataclass(frozen=True, slots=True)
class _Namesake:
    """A hit that another hit shares its title with, and how long its texts are."""

    handle: int
    kind: str
    title: str
    length: int


def fold_alike(view: View, window: Window, nesting: Nesting) -> Window:
    """Takes hits away that another one answers for, and notes which. Of two that are one within the other, the outer answers."""
    gone, nested = _nested(view, window, nesting)
    gone |= _copied(view, nested, gone)
    return replace(nested, gone={handle: _answering(gone, handle) for handle in gone}) if gone else window


def _nested(view: View, window: Window, nesting: Nesting) -> tuple[dict[int, int], Window]:
    """Hits within the text of another hit, each with that one, which takes the place of the best of them.

    What only a link led to did not match, and answers for nothing that did.
    """
    if not view.may_hold(nesting.inner):
        return {}, window
    best = window.handles[window.ranked(view, LOOKED_AT)]
    own = np.asarray(view.containers(best, nesting.inner), np.int64)
    if not own.any():
        return {}, window
    inner = best[own == best]
    if not len(inner):
        return {}, window
    matched = set(best.tolist()) - set(window.via)
    around = np.asarray(view.containers(inner, nesting.outer), np.int64)
    gone = {
        handle: outer for handle, outer in zip(inner.tolist(), around.tolist(), strict=True) if outer != handle and outer in matched
    }
    for inner, outer in gone.items():
        better, at = np.searchsorted(window.handles, (inner, outer))
        rise = float(window.scores[better] - window.scores[at])
        if rise > 0:
            window = window.moved("a part of it", np.array([at]), rise)
        if window.tiers[better] < window.tiers[at]:
            tiers = window.tiers.copy()
            tiers[at] = tiers[better]
            window = replace(window, tiers=tiers)
    return gone, window


def _copied(view: View, window: Window, gone: Mapping[int, int]) -> dict[int, int]:
    """Of the hits that are left, those that say what a better one says, each with that one."""
    if view.embedding.profile is None:
        # Nobody can tell how close two texts are.
        return {}
    best = [handle for handle in window.handles[window.ranked(view, LOOKED_AT)].tolist() if handle not in gone]
    titles = [fold(title) for _, title in view.names(best)]
    if len(set(titles)) == len(titles):
        return {}
    called = Counter(titles)
    namesakes = [handle for handle, title in zip(best, titles, strict=True) if title and called[title] > 1]
    close = _close(view, namesakes) if namesakes else set()
    if not close:
        return {}
    compared = [handle for handle in namesakes if any(handle in pair for pair in close)]
    hits = [
        _Namesake(handle, record.kind, fold(record.title), sum(map(len, record.fields.values())))
        for handle, record in zip(compared, view.fetch(compared), strict=True)
    ]
    kept: list[_Namesake] = []
    copies: dict[int, int] = {}
    for hit in hits:
        same = next((other.handle for other in kept if (other.handle, hit.handle) in close and _may_be_same(hit, other)), None)
        if same is None:
            kept.append(hit)
        else:
            copies[hit.handle] = same
    return copies


def _close(view: View, handles: Sequence[int]) -> set[tuple[int, int]]:
    """The pairs of hits that mean the same, passage by passage: the least alike passages decide. All are compared at once."""
    by_length: dict[int, list[tuple[int, Vectors]]] = {}
    for handle, rows in zip(handles, view.meanings(handles), strict=True):
        if rows is not None:
            by_length.setdefault(len(rows), []).append((handle, rows))
    pairs: set[tuple[int, int]] = set()
    for several in by_length.values():
        if len(several) > 1:
            rows = np.stack([np.asarray(rows) for _, rows in several], axis=1)
            # A matrix of cosines for each passage, of every hit with every other.
            same = np.triu((rows @ rows.transpose(0, 2, 1)).min(axis=0) >= _SAME, 1)
            pairs.update((several[one][0], several[other][0]) for one, other in np.argwhere(same).tolist())
    return pairs


def _answering(gone: Mapping[int, int], handle: int) -> int:
    """Who is shown in the end: what stands within a copy is answered by what the copy is one of."""
    while handle in gone:
        handle = gone[handle]
    return handle


def _may_be_same(one: _Namesake, other: _Namesake) -> bool:
    shorter, longer = (one.length, other.length) if one.length < other.length else (other.length, one.length)
    return one.kind == other.kind and one.title == other.title and shorter >= _TELLING and shorter >= _AS_LONG * longer
