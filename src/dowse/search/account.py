"""What made up a score before any reason moved it? Told where an explanation was asked for, so that it adds up."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dowse.model.ranking import Signal
from dowse.model.request import Lane
from dowse.search.fuse import Fused
from dowse.search.joining import is_in
from dowse.search.retrieve import Retrieved
from dowse.search.window import Window

Floats = NDArray[np.float64]


def account(window: Window, fused: Fused, lists: Sequence[Retrieved], meant: Floats, near: Floats) -> Window:
    """Signals for what no list's share tells: holding every word, closeness beyond the list by meaning, words side by side."""
    whole = np.where(_complete(window, lists), fused.bonus, 0.0)
    listed = _listed(window, lists)
    told = {
        handle: tuple(
            Signal(name, added=added)
            for name, added in (("every word", bonus), ("meaning", 0.0 if is_listed else close), ("side by side", beside))
            if added
        )
        for handle, bonus, close, is_listed, beside in zip(
            window.handles.tolist(), whole.tolist(), meant.tolist(), listed.tolist(), near.tolist(), strict=True
        )
    }
    shares = dict(zip(window.handles.tolist(), np.where(listed, meant, 0.0).tolist(), strict=True))
    return replace(window, signals={handle: signals for handle, signals in told.items() if signals}, meant=shares)


def _complete(window: Window, lists: Sequence[Retrieved]) -> NDArray[np.bool_]:
    complete = np.zeros(len(window.parts), np.bool_)
    for item in lists:
        if not item.plan.bonus and item.plan.lane is not Lane.VECTORS:
            every = np.asarray(item.ranking.coverage) >= 1.0
            complete |= is_in(np.asarray(item.ranking.handles, np.int64)[every], window.parts)
    return complete


def _listed(window: Window, lists: Sequence[Retrieved]) -> NDArray[np.bool_]:
    """Which hits the list by meaning names; the others were compared because their words brought them here."""
    close = next((item for item in lists if item.plan.lane is Lane.VECTORS), None)
    if close is None:
        return np.zeros(len(window.parts), np.bool_)
    return is_in(np.asarray(close.ranking.handles, np.int64), window.parts)
