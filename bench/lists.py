"""What is each list worth alone, and what does fusing them add?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from bench.tables import Cell, table
from dowse.app.dissecting import NO_GRAPH, WORDS
from dowse.app.judging import difference
from dowse.model.benching import Difference

# How far below its best single list a fusion may stand: less is noise on sets of this size.
ALLOWED = 0.005


@dataclass(frozen=True, slots=True)
class Comparison:
    """nDCG@10 of the whole search and of each ranking it is made of.

    ``against``: the whole minus the best single list. ``beyond_words``: the whole minus all lists by words together, where nothing
    moves a hit afterwards. ``graph``: with links minus without.
    """

    name: str
    fusion: float
    alone: Mapping[str, float]
    best: str
    against: Difference
    beyond_words: Difference | None
    graph: Difference | None

    @property
    def is_low(self) -> bool:
        return self.against.mean < -ALLOWED

    @property
    def graph_hurts(self) -> bool:
        return self.graph is not None and self.graph.mean < -ALLOWED


def compare(name: str, fusion: Sequence[float], alone: Mapping[str, Sequence[float]]) -> Comparison:
    """From nDCG@10 question by question."""
    means = {ranking: fmean(values) for ranking, values in alone.items()}
    best = max((ranking for ranking in means if ranking not in (WORDS, NO_GRAPH)), key=lambda ranking: means[ranking])
    against, beyond, graph = (
        difference(fusion, alone[ranking]) if ranking in alone else None for ranking in (best, WORDS, NO_GRAPH)
    )
    assert against is not None
    return Comparison(name, fmean(fusion), means, best, against, beyond, graph)


def render_lists(comparisons: Sequence[Comparison]) -> str:
    rankings = list(dict.fromkeys(ranking for item in comparisons for ranking in item.alone))
    head = ["nDCG@10", *rankings, "fusion", "best list", "fusion − best", "95 %", "", "− words fused", "graph adds"]
    return table(head, [_row(item, rankings) for item in comparisons])


def _row(item: Comparison, rankings: Sequence[str]) -> list[Cell]:
    graph = _signed(item.graph.mean) + (" HURTS" if item.graph_hurts else "") if item.graph is not None else None
    flag = f"BELOW by more than {ALLOWED}" if item.is_low else ""
    interval = f"{_signed(item.against.low)} … {_signed(item.against.high)}"
    alone = [item.alone.get(ranking) for ranking in rankings]
    words = _signed(item.beyond_words.mean) if item.beyond_words is not None else None
    return [item.name, *alone, item.fusion, item.best, _signed(item.against.mean), interval, flag, words, graph]


def _signed(number: float) -> str:
    return f"{number:+.3f}"
