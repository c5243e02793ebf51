"""What else of the same file answers? Its hits speak for each other, and all but the best stand back for other files."""

import numpy as np

from dowse.model.ranking import Signal
from dowse.model.request import Gathering
from dowse.ports import View
from dowse.search.window import Window

# What the others of a file add is at most what its best hit has: a file answers by what it says, not by how much there is of it. On
# judged code the bound costs nothing, half of it .008 (docs/ranking.md).
_MOST = 1.0


def gather(view: View, window: Window, gathering: Gathering) -> Window:
    """Adds to the hits of a file what the others there are worth; then damps each but the best."""
    files = _by_file(view, window, gathering)
    if not files:
        return window
    scores = window.scores.copy()
    signals = dict(window.signals)
    best = float(window.scores.max()) or 1.0
    for places in files:
        # A hit counts by its share of the best one of all: many weak ones are many chances, not much evidence.
        worths = [float(window.scores[at]) ** 2 / best for at in places[1 : gathering.members]]
        together = sum(gathering.share ** (number + 1) * worth for number, worth in enumerate(worths))
        added = min(together, _MOST * float(window.scores[places[0]]))
        for number, at in enumerate(places):
            factor = gathering.repeat**number
            scores[at] = (window.scores[at] + added) * factor
            handle = int(window.handles[at])
            repeated = (Signal("file already shown", factor),) if number else ()
            signals[handle] = (*signals.get(handle, ()), Signal("same file", added=added), *repeated)
    return window.rescored(scores, signals)


def _by_file(view: View, window: Window, gathering: Gathering) -> list[list[int]]:
    """The places of each file with several hits, best first. What only a link led to is no hit of its file."""
    members: dict[int, list[int]] = {}
    files = np.asarray(view.containers(window.handles, gathering.kinds), np.int64).tolist()
    handles = window.handles.tolist()
    for at in window.ranked(view).tolist():
        if files[at] and handles[at] not in window.via:
            members.setdefault(files[at], []).append(at)
    return [places for places in members.values() if len(places) > 1]
