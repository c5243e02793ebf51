"""How good is an order of hits, and is one order better than another by more than chance?"""

import math
import re
from collections.abc import Sequence
from statistics import fmean

import numpy as np

from dowse.model.benching import Difference, Measures
from dowse.model.record import Record

# What people look at, and how deep a search may be expected to hold what they need.
SHOWN = 10
DEPTH = 100
# The interval of two thousand resamples moves in its third decimal only, which is finer than any judgement here.
_RESAMPLES = 2000
_SEED = 20
_SPAN = re.compile(r"(?P<path>.+):(?P<first>\d+)(?:-(?P<last>\d+))?")

Ranks = tuple[int | None, ...]
"""For each thing that was expected the place of the first hit that is it, from 1."""


def ranks(expected: Sequence[str], hits: Sequence[Record], inner: tuple[str, ...] = ()) -> Ranks:
    """Where each of the expected stands among the hits. A hit of a kind in ``inner`` shows the record that it stands in.

    >>> ranks(["a", "docs/x.md", "b"], [Record("p:docs/x.md#1", "section", facets={"path": "docs/x.md"}), Record("a", "item")])
    (2, 1, None)
    """
    return tuple(next((at for at, hit in enumerate(hits, 1) if _is_answer(hit, wanted, inner)), None) for wanted in expected)


def path_of(wanted: str) -> str:
    """The path that an expectation names, without its lines.

    >>> path_of("src/a.py:12-40"), path_of("src/a.py")
    ('src/a.py', 'src/a.py')
    """
    span = _SPAN.fullmatch(wanted)
    return span["path"] if span is not None else wanted


def ndcg(found: Ranks) -> float:
    """What the first ten hits are worth, of what they could be worth; each of the expected counts alike.

    >>> ndcg((1,)), ndcg((None,)), round(ndcg((2, None)), 3)
    (1.0, 0.0, 0.387)
    """
    best = sum(_worth(place) for place in range(1, min(SHOWN, len(found)) + 1))
    return min(1.0, sum(_worth(place) for place in found if place is not None and place <= SHOWN) / best) if best else 0.0


def measures(found: Sequence[Ranks]) -> Measures:
    """The means over questions."""
    if not found:
        return Measures(0.0, 0.0, 0.0)
    return Measures(
        ndcg=fmean(map(ndcg, found)),
        mrr=fmean(_reciprocal(places) for places in found),
        recall=fmean(sum(place is not None and place <= DEPTH for place in places) / (len(places) or 1) for places in found),
    )


def difference(ours: Sequence[float], theirs: Sequence[float]) -> Difference:
    """Ours minus theirs on the same questions, with the 95 % interval of a paired bootstrap over the questions.

    >>> difference([1.0, 1.0], [0.5, 0.5])
    Difference(mean=0.5, low=0.5, high=0.5)
    """
    apart = np.asarray(ours, np.float64) - np.asarray(theirs, np.float64)
    if not len(apart):
        return Difference(0.0, 0.0, 0.0)
    # The same draws every time: two runs of one build must print one table.
    drawn = np.random.default_rng(_SEED).integers(0, len(apart), (_RESAMPLES, len(apart)))
    low, high = np.quantile(apart[drawn].mean(axis=1), (0.025, 0.975))
    return Difference(float(apart.mean()), float(low), float(high))


def _is_answer(hit: Record, wanted: str, inner: tuple[str, ...]) -> bool:
    """Is it the record with this id, or a part of the file at this path, or does it overlap the lines that are named?"""
    if hit.key == wanted or (hit.kind in inner and hit.parent == wanted):
        return True
    if not hit.path:
        return False
    paths = (hit.path, f"{hit.space}:{hit.path}")
    if wanted in paths:
        return True
    span = _SPAN.fullmatch(wanted)
    if span is None or span["path"] not in paths or hit.lines is None:
        return False
    first, last = int(span["first"]), int(span["last"] or span["first"])
    return hit.lines[0] <= last and hit.lines[1] >= first


def _reciprocal(places: Ranks) -> float:
    first = min((place for place in places if place is not None), default=None)
    return 1.0 / first if first is not None and first <= SHOWN else 0.0


def _worth(place: int) -> float:
    return 1.0 / math.log2(place + 1)
