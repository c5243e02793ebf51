"""What lies one link behind the best hits and pays to look at? What they call, who tests them, what was decided about them."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from dowse.model.declaring import dataclass
from dowse.model.record import Edge, Record
from dowse.model.schema import Schema
from dowse.ports import Direction, View

# What is left of a hit's score behind a link that people made: a task, a decision, a page about it.
_LINKED = 0.8
# Links that code makes, forwards and backwards: what a hit calls explains it, who calls it shows its use, and what holds it is the
# map around it. What a file holds, and who imports it, lead everywhere.
_CODE = {
    "calls": (0.6, 0.3),
    "tests": (0.7, 0.6),
    "extends": (0.5, 0.3),
    "implements": (0.5, 0.4),
    "contains": (0.0, 0.5),
    "imports": (0.0, 0.0),
}
_VERBS = {"calls": "called by", "tests": "tested by", "extends": "extended by", "implements": "implemented by"}
# What holds a hit shows what else is there only if it lists its parts; a section has a text of its own.
_LISTING = ("codefile", "document", "symbol")
# A test that calls something may test anything; one that tests it says so by a link of its own.
_CALLS_IN_TEST = 0.1
# More tests than this of all hits say how tests are written, not what is tested.
_MOST_TESTS = 2
# Half a project calls such a definition: it explains nothing about this hit.
_WIDESPREAD = 30


@dataclass(frozen=True, slots=True)
class Reached:
    """A record behind a link. ``ways``: the hits it was reached from, and in which words."""

    record: Record
    score: float
    ways: tuple[tuple[str, str], ...]


def reach(view: View, seeds: Mapping[str, float], known: frozenset[str], schema: Schema, least: float) -> list[Reached]:
    """The records behind the links of the seeds, the most telling first, none with a score below ``least``.

    ``known``: records that need not be reached.
    """
    if not seeds:
        return []
    ways: dict[str, dict[str, float]] = {}
    words: dict[tuple[str, str], str] = {}
    for edge in sorted(view.edges(list(seeds), Direction.ALL)):
        for seed, other, forward in ((edge.source, edge.target, True), (edge.target, edge.source, False)):
            worth = _worth(edge, schema, forward=forward)
            if seed not in seeds or other in known or other in seeds or worth <= 0:
                continue
            ways.setdefault(other, {})
            if seeds[seed] * worth > ways[other].get(seed, 0.0):
                ways[other][seed] = seeds[seed] * worth
                words[other, seed] = told(edge, forward=forward)
    spread = _spread(view, sorted(ways))
    records = view.find(ways)
    found = [
        Reached(record, _score(record, ways[key], words, spread[key]), _told(seeds, key, words))
        for key, record in records.items()
        if spread[key] <= _WIDESPREAD and not record.is_placeholder and _is_telling(record, ways[key], words)
    ]
    telling = [item for item in found if item.score >= least]
    return _few_tests(sorted(telling, key=lambda item: (-item.score, item.record.key)))


def told(edge: Edge, *, forward: bool) -> str:
    """How the record at one end is reached from the other, in words that a citation follows.

    >>> told(Edge("a", "b", "calls"), forward=True), told(Edge("a", "b", "relates_to"), forward=False)
    ('called by', 'relates to')
    """
    words = edge.kind.replace("_", " ")
    return _VERBS.get(edge.kind, f"{words} from") if forward else words


def _worth(edge: Edge, schema: Schema, *, forward: bool) -> float:
    if edge.kind in _CODE:
        return _CODE[edge.kind][0 if forward else 1]
    return _LINKED * schema.edges[edge.kind].carries


def _spread(view: View, keys: Sequence[str]) -> Counter[str]:
    """How many point at each: what everybody uses says little about one of them."""
    return Counter(edge.target for edge in view.edges(keys, Direction.INCOMING, ("calls",)))


def _is_telling(record: Record, seeds: Iterable[str], words: Mapping[tuple[str, str], str]) -> bool:
    return record.kind in _LISTING or any(words[record.key, seed] != "contains" for seed in seeds)


def _score(record: Record, reached: Mapping[str, float], words: Mapping[tuple[str, str], str], spread: int) -> float:
    is_test = record.facets.get("test") is True
    parts = [_CALLS_IN_TEST * part if is_test and words[record.key, seed] == "calls" else part for seed, part in reached.items()]
    return math.fsum(parts) / (1.0 + math.log2(max(spread, 1)) / 4)


def _told(seeds: Mapping[str, float], key: str, words: Mapping[tuple[str, str], str]) -> tuple[tuple[str, str], ...]:
    return tuple((seed, words[key, seed]) for seed in seeds if (key, seed) in words)


def _few_tests(found: Sequence[Reached]) -> list[Reached]:
    kept: list[Reached] = []
    tests = 0
    for item in found:
        tests += item.record.facets.get("test") is True
        if item.record.facets.get("test") is not True or tests <= _MOST_TESTS:
            kept.append(item)
    return kept
