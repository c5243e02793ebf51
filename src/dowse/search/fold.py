"""Who answers for a part? Records of folded kinds are answered by their parent, once, at the place of the best part."""

import numpy as np
from numpy.typing import NDArray

from dowse.model.declaring import dataclass, replace
from dowse.ports import View
from dowse.search.fuse import Fused


@dataclass(frozen=True, slots=True)
class Folded:
    """The fused list by who answers. ``parts`` are the records that matched."""

    fused: Fused
    parts: NDArray[np.int64]


def fold(fused: Fused, view: View, kinds: tuple[str, ...]) -> Folded:
    """One entry per answering record."""
    if not kinds:
        return Folded(fused, fused.handles)
    answering = np.asarray(view.parents(fused.handles, kinds), np.int64)
    best_first = np.lexsort((-fused.scores, fused.tiers, answering))
    first = (
        np.concatenate(([True], answering[best_first][1:] != answering[best_first][:-1]))
        if len(answering)
        else np.empty(0, np.bool_)
    )
    kept = best_first[first]
    return Folded(replace(fused.at(kept), handles=answering[kept]), fused.handles[kept])
