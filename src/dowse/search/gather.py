"""What else of the same file answers? Its hits speak for each other, and all but the best stand back for other files."""

import numpy as np

from dowse.model.request import Gathering
from dowse.ports import View
from dowse.search.joining import is_in
from dowse.search.window import Floats, Ids, Window

# What the others of a file add is at most what its best hit has: a file answers by what it says, not by how much there is of it. On
# judged code the bound costs nothing, half of it .008 (docs/ranking.md).
_MOST = 1.0


def gather(view: View, window: Window, gathering: Gathering) -> Window:
    """Adds to the hits of a file what the others there are worth; then damps each but the best."""
    places, starts, numbers = _by_file(view, window, gathering)
    if not len(places):
        return window
    scores = window.scores[places]
    best = float(window.scores.max()) or 1.0
    # A hit counts by its share of the best one of all: many weak ones are many chances, not much evidence.
    counts = (numbers > 0) & (numbers < gathering.members)
    worths = np.where(counts, gathering.share**numbers * scores**2 / best, 0.0)
    together = np.add.reduceat(worths, starts)
    added = np.repeat(np.minimum(together, _MOST * scores[starts]), np.diff(np.append(starts, len(places))))
    order = np.argsort(places)
    gathered = window.moved("same file", places[order], added[order])
    again = order[numbers[order] > 0]
    return gathered.moved("file already shown", places[again], factors=gathering.repeat ** numbers[again])


def _by_file(view: View, window: Window, gathering: Gathering) -> tuple[Ids, Ids, Floats]:
    """The places of the hits of files with several, file by file and in each the best first; where each file begins among them,
    and the number of each hit in its file, from 0. What only a link led to is no hit of its file.
    """
    files = np.asarray(view.containers(window.handles, gathering.kinds), np.int64)
    if window.via:
        files[is_in(np.array(sorted(window.via), np.int64), window.handles)] = 0
    if not files.any():
        return files[:0], files[:0], window.scores[:0]
    ranked = window.ranked(view)
    ranked = ranked[files[ranked] > 0]
    places = ranked[np.argsort(files[ranked], kind="stable")]
    begins = np.ones(len(places), np.bool_)
    np.not_equal(files[places[1:]], files[places[:-1]], out=begins[1:])
    starts = np.flatnonzero(begins)
    sizes = np.diff(np.append(starts, len(places)))
    several = np.repeat(sizes > 1, sizes)
    numbers = np.arange(len(places)) - np.repeat(starts, sizes)
    return places[several], np.flatnonzero(begins[several]), numbers[several].astype(np.float64)
