"""How well does each record match? BM25 as all engines count it, written as a query that the cluster works out exactly.

Fields give how often a term occurs, by the weight of the column (a similarity of our own); a script over them saturates the sum by
the record's length and multiplies by the term's worth. What terms give is added up, so that a query of too many goes in parts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from dowse.engines.opensearch.driver import Json
from dowse.engines.opensearch.scoping import all_of, any_of
from dowse.engines.opensearch.snapshots import MOST, Reader
from dowse.model.ranking import HEAVIEST, Ranking
from dowse.model.request import Lane, ListPlan

# Clauses of one query; a cluster takes 1,024, and the scope has some too.
_MOST_CLAUSES = 800
_SATURATED = (
    "double f = _score; if (f <= 0) { return 0; }"
    " double norm = params.k1 * (1 - params.b + params.b * doc[params.length].value / params.mean);"
    " return params.worth * f * (params.k1 + 1) / (f + norm);"
)
_NOTHING = 1e-12


class Sought(NamedTuple):
    """A term as a query: who holds it, how often, and who holds the very form; and how many clauses that takes."""

    weight: float
    required: bool
    holders: Json
    counted: Json
    exact: Json | None = None
    clauses: int = 0


class Numbers(NamedTuple):
    """How many records can be found, and how many words they and their names have on average."""

    records: int
    mean: float
    name_mean: float


class Listed(NamedTuple):
    """One list: its terms, what each is worth, and how they rank."""

    sought: Sequence[Sought]
    worths: Sequence[float]
    plan: ListPlan

    @property
    def required(self) -> list[float]:
        return sorted(worth for worth, item in zip(self.worths, self.sought, strict=True) if item.required)

    @property
    def bound(self) -> float:
        """What a record must hold at least."""
        return max(self.plan.least * sum(self.required[-HEAVIEST:]), _NOTHING)

    def bodies(self, numbers: Numbers, within: Json) -> list[Json]:
        parts = list(_parts(self.sought))
        narrowed = all_of([within, *self._essential()]) if len(parts) == 1 else within
        return [self._body(part, numbers, narrowed) for part in parts]

    def _body(self, part: Sequence[int], numbers: Numbers, within: Json) -> Json:
        # Of a single term everyone who is found holds all.
        names = [str(at) if len(self.sought) > 1 else "" for at in part]
        clauses = [
            _scored(self.sought[at], self.worths[at], self.plan, numbers, name) for at, name in zip(part, names, strict=True)
        ]
        return {
            "query": {"bool": {"should": clauses, "minimum_should_match": 1, "filter": [within]}},
            "size": MOST,
            "sort": [{"_score": "desc"}, {"handle": "asc"}],
            "track_total_hits": True,
            "_source": False,
            "stored_fields": "_none_",
        }

    def _essential(self) -> list[Json]:
        """Finds who holds a term that every answer holds; nothing where all terms are such."""
        needed = [at for at, item in enumerate(self.sought) if item.required]
        chosen = [needed[at] for at in essential([self.worths[at] for at in needed], self.bound)]
        clauses = sum(item.clauses for item in self.sought)
        return (
            [any_of([self.sought[at].holders for at in chosen])]
            if 0 < len(chosen) < len(self.sought) and 2 * clauses <= _MOST_CLAUSES
            else []
        )

    def ranking(self, answers: Sequence[Json], lacking: str) -> Ranking:
        """The records that hold enough, each with its score and its share of the query's weight."""
        scores: dict[int, float] = {}
        held: dict[int, float] = {}
        counted = {str(at): self.worths[at] if item.required else 0.0 for at, item in enumerate(self.sought)}
        for answer in answers:
            for hit in answer["hits"]["hits"]:
                score, handle = hit["sort"][:2]
                scores[handle] = scores.get(handle, 0.0) + score
                names = ("0",) if len(self.sought) == 1 else hit.get("matched_queries", ())
                held[handle] = held.get(handle, 0.0) + sum(counted[name] for name in names)
        cut = any(answer["hits"]["total"]["value"] > len(answer["hits"]["hits"]) for answer in answers)
        found = _ranking(scores, held, sum(self.required), self.bound)
        return replace(found, truncated=cut or bool(lacking), lacking=lacking)


def rank(reader: Reader, lists: Sequence[Listed], numbers: Numbers, within: Json) -> list[Ranking]:
    """What each list says, all asked at once."""
    bodies = [item.bodies(numbers, within) for item in lists]
    reader.partial = False
    answers = iter(reader.search_all([body for some in bodies for body in some]))
    told = [list(islice(answers, len(some))) for some in bodies]
    lacking = reader.missed()
    return [item.ranking(some, lacking) for item, some in zip(lists, told, strict=True)]


def essential(worths: Sequence[float], bound: float) -> list[int]:
    """Those terms, by number, of which one is held by whoever holds as much as the bound: the others weigh less even together.

    Common words stand in most records and tell little; so they are counted where they stand, and nobody is looked for by them.
    """
    order = sorted(range(len(worths)), key=lambda at: (worths[at], at))
    light = 0.0
    for number, at in enumerate(order):
        light += worths[at]
        # A little below the bound: sums of the same numbers differ in their last digits by the order in which they are added.
        if light >= bound * (1 - 1e-9):
            return sorted(order[number:])
    return []


def _ranking(scores: dict[int, float], held: dict[int, float], total: float, bound: float) -> Ranking:
    handles = sorted(handle for handle, share in held.items() if share >= bound)
    coverage = np.array([held[handle] for handle in handles], np.float64) / (total or 1.0)
    coverage[coverage > 1 - 1e-9] = 1.0
    return Ranking(np.array(handles, np.int64), np.array([scores[handle] for handle in handles], np.float64), coverage)


def _parts(sought: Sequence[Sought]) -> Iterator[list[int]]:
    """The terms by number, in as few queries as clauses allow."""
    part: list[int] = []
    clauses = 0
    for at, item in enumerate(sought):
        if part and clauses + item.clauses > _MOST_CLAUSES:
            yield part
            part, clauses = [], 0
        part.append(at)
        clauses += item.clauses
    yield part


def _scored(item: Sought, worth: float, plan: ListPlan, numbers: Numbers, name: str) -> Json:
    """Found by who holds it, scored by how often and by the very form."""
    names = plan.lane is Lane.NAMES
    parameters = {
        "worth": worth,
        "k1": plan.k1,
        "b": plan.b,
        "mean": numbers.name_mean if names else numbers.mean,
        "length": "name_length" if names else "length",
    }
    scored: list[Json] = [{"script_score": {"query": item.counted, "script": {"source": _SATURATED, "params": parameters}}}]
    if item.exact is not None:
        scored.append({"constant_score": {"filter": item.exact, "boost": worth * plan.exact}})
    holders = {"bool": {"filter": [item.holders], "_name": name}} if name else item.holders
    return {"bool": {"filter": [holders], "should": scored}}
