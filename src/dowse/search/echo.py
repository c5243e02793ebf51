"""Do the best hits say more of what is meant than the question does? What is close to them in meaning moves up."""

from collections.abc import Sequence

import numpy as np

from dowse.model.passage import Vectors
from dowse.model.request import ListPlan
from dowse.ports import View
from dowse.search.meaning import Meaning
from dowse.search.spread import LINKED
from dowse.search.window import Ids, Window, shares

# How many hits speak for what is meant: among ten are wrong ones, and with fewer a single one decides (docs/ranking.md).
BEST = 3
# How many are compared with them: who stands farther behind would not reach the first page.
HEARD = 30


def echo(view: View, window: Window, plan: ListPlan, meaning: Meaning, files: tuple[str, ...] = ()) -> Window:
    """The window after its first hits were compared with the best of them. ``plan``: the list by meaning.

    Of each of the best, the passage that is closest to the question speaks, as loudly as the hit scores. The more of the hits are
    of kinds that the list counts otherwise (code), the less it counts: there, those of a file (of these kinds) already speak for
    each other. Where hits are linked, people have said what belongs together, and likeness says nothing.
    """
    linked = any(move.name == LINKED for move in window.moves)
    if meaning.vector is None or linked or not plan.echo or not len(window.parts):
        return window
    first = window.ranked(view, HEARD)
    code = sum(shares(view, window.parts, plan))
    weight = plan.echo * (1.0 - code * _filed(view, window.handles[first], files) if code else 1.0)
    if weight <= 0:
        return window
    best = first[:BEST]
    best = best[np.argsort(window.parts[best], kind="stable")]
    said = _said(meaning.vector, view.meanings(window.parts[best]), window.scores[best].tolist())
    if said is None:
        return window
    first = first[np.argsort(window.parts[first], kind="stable")]
    added = weight * meaning.worth(view.similarity(said, window.parts[first]))
    order = np.argsort(first)
    order = order[added[order] > 0]
    return window.moved("like the best hits", first[order], added[order])


def _filed(view: View, handles: Ids, files: tuple[str, ...]) -> float:
    """How many of some hits stand in a file, of 1."""
    return np.count_nonzero(view.containers(handles, files)) / len(handles) if files else 1.0


def _said(question: Vectors, passages: Sequence[Vectors | None], scores: Sequence[float]) -> Vectors | None:
    """The direction in which the best hits lie; None where none of them says anything."""
    closest = [(score, rows[(rows @ question).argmax()]) for rows, score in zip(passages, scores, strict=True) if rows is not None]
    total = sum(max(score, 0.0) * row for score, row in closest)
    length = float(np.linalg.norm(total))
    return total / length if length else None
