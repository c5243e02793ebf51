"""What else of the same file answers? Its hits speak for each other, and all but the best stand back for other files."""

import numpy as np

from dowse.model.ranking import Signal
from dowse.model.request import Gathering
from dowse.ports import View
from dowse.search.window import Window


def gather(view: View, window: Window, gathering: Gathering) -> Window:
    """Adds to the hits of a file what the others there are worth; then damps each but the best."""
    if not len(window.handles):
        return window
    files = [int(handle) for handle in view.containers(window.handles, gathering.kinds)]
    members: dict[int, list[int]] = {}
    for at in window.ranked(view).tolist():
        if files[at] and not window.via.get(int(window.handles[at])):
            members.setdefault(files[at], []).append(at)
    scores = window.scores.copy()
    signals = dict(window.signals)
    for places in members.values():
        if len(places) > 1:
            _settle(places, window, gathering, scores, signals)
    return window.rescored(scores, signals)


def _settle(
    places: list[int], window: Window, gathering: Gathering, scores: "np.ndarray", signals: dict[int, tuple[Signal, ...]]
) -> None:
    others = places[1 : gathering.members]
    added = sum(gathering.share ** (number + 1) * window.scores[at] for number, at in enumerate(others))
    for number, at in enumerate(places):
        factor = gathering.repeat**number
        scores[at] = (window.scores[at] + added) * factor
        told = [Signal("same file", added=float(added))]
        if number:
            told.append(Signal("file already shown", factor))
        handle = int(window.handles[at])
        signals[handle] = (*signals.get(handle, ()), *told)
