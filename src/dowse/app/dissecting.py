"""Which rankings is a search made of? Each list alone, the words together, and the whole without its links."""

from collections.abc import Mapping
from dataclasses import replace

from dowse.model.request import Fusion, Lane, ListPlan, Mode
from dowse.model.surface import Surface

WORDS = "words fused"
NO_GRAPH = "without graph"


def rankings(surface: Surface, *, vectors: bool) -> Mapping[str, Surface]:
    """A surface for each ranking by its name. ``vectors``: there is a model, so that a list by meaning can run."""
    plans = [item for item in surface.lists[surface.mode] if vectors or item.lane is not Lane.VECTORS]
    # What only fills up where others find too little is no ranking of its own.
    found = {item.name: alone(surface, item) for item in plans if not item.fills}
    by_words = tuple(item for item in plans if item.lane is not Lane.VECTORS)
    if len(by_words) > 1:
        found[WORDS] = _bare(surface, by_words)
    if surface.spreading is not None:
        found[NO_GRAPH] = replace(surface, spreading=None)
    return found


def alone(surface: Surface, item: ListPlan) -> Surface:
    """The list by itself: it finds what it ranks, and nothing moves a hit afterwards."""
    bare = _bare(surface, (replace(item, bonus=False, tier=0, tokens=None),))
    # By score, cosines are added to what words found; by rank, one list keeps its own order.
    return replace(bare, fusion=Fusion.RRF) if item.lane is Lane.VECTORS else bare


def _bare(surface: Surface, plans: tuple[ListPlan, ...]) -> Surface:
    # In this mode no query is too short for a list by meaning.
    lists = {**surface.lists, Mode.HYBRID: plans}
    return replace(surface, mode=Mode.HYBRID, lists=lists, boosts=(), gathering=None, spreading=None, nesting=None, expansion=None)
