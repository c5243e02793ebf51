"""Which hits say the same? Copies, and what stands inside another hit; only the best of them is shown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dowse.model.passage import Vectors
from dowse.model.ranking import Signal
from dowse.model.request import Nesting
from dowse.ports import View
from dowse.search.window import Window
from dowse.text.folding import fold

# A page or two of hits: further down nobody is kept from anything by a copy.
_LOOKED_AT = 20
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
    best = window.handles[window.ranked(view, _LOOKED_AT)]
    matched = {int(handle) for handle in best} - set(window.via)
    own, around = view.containers(best, nesting.inner), view.containers(best, nesting.outer)
    gone = {
        int(handle): int(outer)
        for handle, inner, outer in zip(best, own, around, strict=True)
        if inner == handle and outer != handle and int(outer) in matched
    }
    scores, tiers, signals = window.scores.copy(), window.tiers.copy(), dict(window.signals)
    for inner, outer in gone.items():
        better, at = np.searchsorted(window.handles, (inner, outer))
        if scores[better] > scores[at]:
            risen = Signal("a part of it", added=float(scores[better] - scores[at]))
            signals[outer] = (*signals.get(outer, ()), risen)
            scores[at] = scores[better]
        tiers[at] = min(tiers[at], tiers[better])
    return gone, replace(window, scores=scores, tiers=tiers, signals=signals)


def _copied(view: View, window: Window, gone: Mapping[int, int]) -> dict[int, int]:
    """Of the hits that are left, those that say what a better one says, each with that one."""
    best = [handle for handle in window.handles[window.ranked(view, _LOOKED_AT)].tolist() if handle not in gone]
    titles = [fold(title) for _, title in view.names(best)]
    called = Counter(titles)
    namesakes = [handle for handle, title in zip(best, titles, strict=True) if title and called[title] > 1]
    hits = [
        _Namesake(handle, record.kind, fold(record.title), sum(map(len, record.fields.values())))
        for handle, record in zip(namesakes, view.fetch(namesakes), strict=True)
    ]
    kept: list[_Namesake] = []
    copies: dict[int, int] = {}
    alike = _alike(view, hits)
    for hit in hits:
        same = next((other.handle for other in kept if (other.handle, hit.handle) in alike and _may_be_same(hit, other)), None)
        if same is None:
            kept.append(hit)
        else:
            copies[hit.handle] = same
    return copies


def _alike(view: View, hits: Sequence[_Namesake]) -> set[tuple[int, int]]:
    """The pairs of hits that mean the same, passage by passage: the least alike passages decide. All are compared at once."""
    asked = [one.handle for one in hits if any(one is not other and _may_be_same(one, other) for other in hits)]
    by_length: dict[int, list[tuple[int, Vectors]]] = {}
    for handle, rows in zip(asked, view.meanings(asked), strict=True) if asked else ():
        if rows is not None:
            by_length.setdefault(len(rows), []).append((handle, rows))
    pairs: set[tuple[int, int]] = set()
    for several in by_length.values():
        handles = [handle for handle, _ in several]
        rows = np.stack([np.asarray(rows) for _, rows in several], axis=1)
        # A matrix of cosines for each passage, of every hit with every other.
        same = (rows @ rows.transpose(0, 2, 1)).min(axis=0) >= _SAME
        pairs.update((handles[one], handles[other]) for one, other in np.argwhere(same).tolist())
    return pairs


def _answering(gone: Mapping[int, int], handle: int) -> int:
    """Who is shown in the end: what stands within a copy is answered by what the copy is one of."""
    while handle in gone:
        handle = gone[handle]
    return handle


def _may_be_same(one: _Namesake, other: _Namesake) -> bool:
    shorter, longer = (one.length, other.length) if one.length < other.length else (other.length, one.length)
    return one.kind == other.kind and one.title == other.title and shorter >= _TELLING and shorter >= _AS_LONG * longer
