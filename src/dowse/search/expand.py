"""What is close to the best hits along the graph? The best product of decays over all paths, each neighbour with its way."""

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dowse.model.page import Step
from dowse.model.record import Edge
from dowse.model.request import Expansion
from dowse.model.schema import EdgeKind


@dataclass(frozen=True, slots=True)
class Reached:
    """A neighbour, what is left of the score there, and the way to it."""

    key: str
    score: float
    via: tuple[Step, ...]


def expand(
    seeds: Mapping[str, float],
    edges_at: Callable[[Sequence[str]], Sequence[Edge]],
    kinds: Mapping[str, EdgeKind],
    expansion: Expansion,
    least: float,
) -> list[Reached]:
    """Neighbours of the seeds, best first, none below ``least``. ``edges_at`` gives the live edges at some records."""
    best: dict[str, tuple[float, tuple[Step, ...]]] = {key: (score, ()) for key, score in seeds.items()}
    frontier = dict(best)
    for _ in range(expansion.depth):
        # Nothing the frontier leads to can be worth more than its members; those too low are not followed.
        open_ends = [key for key, (score, _) in frontier.items() if score * _most(kinds, expansion) >= least]
        if not open_ends:
            break
        reached: dict[str, tuple[float, tuple[Step, ...]]] = {}
        for edge in edges_at(sorted(open_ends)):
            for step, start, end in _ways(edge, kinds):
                if start not in frontier:
                    continue
                score, via = frontier[start]
                candidate = (score * decay(edge.kind, kinds, expansion), (*via, step))
                if candidate[0] >= least and candidate[0] > max(best.get(end, (0.0,))[0], reached.get(end, (0.0,))[0]):
                    reached[end] = candidate
        best.update(reached)
        frontier = reached
    found = [Reached(key, score, via) for key, (score, via) in best.items() if via and key not in seeds]
    return heapq.nsmallest(len(found), found, key=lambda item: (-item.score, item.key))


def decay(kind: str, kinds: Mapping[str, EdgeKind], expansion: Expansion) -> float:
    """What one hop leaves: as the caller said, else as the edge kind says, else the default."""
    if expansion.decay is not None:
        return expansion.decay
    declared = kinds.get(kind)
    return declared.decay if declared is not None and declared.decay is not None else expansion.default


def _most(kinds: Mapping[str, EdgeKind], expansion: Expansion) -> float:
    if expansion.decay is not None:
        return expansion.decay
    return max([expansion.default, *(kind.decay for kind in kinds.values() if kind.decay is not None)])


def _ways(edge: Edge, kinds: Mapping[str, EdgeKind]) -> list[tuple[Step, str, str]]:
    ways = [(Step(edge, forward=True), edge.source, edge.target)]
    declared = kinds.get(edge.kind)
    if declared is None or declared.incoming:
        ways.append((Step(edge, forward=False), edge.target, edge.source))
    return ways
