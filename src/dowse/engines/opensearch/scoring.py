"""How well does each record match? BM25 as all engines count it, written as a query that the cluster works out exactly.

Fields give how often a term occurs, by the weight of the column (a similarity of our own); a script over them saturates the sum by
the record's length and multiplies by the term's worth. What terms give is added up, so that a query of too many goes in parts.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from dowse.engines.opensearch.driver import Json
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


def rank(
    reader: Reader, sought: Sequence[Sought], worths: Sequence[float], plan: ListPlan, numbers: Numbers, within: Json
) -> Ranking:
    """The records that hold any required term, each with its score and its share of the query's weight."""
    required = sorted(worth for worth, item in zip(worths, sought, strict=True) if item.required)
    parts = list(_parts(sought))
    # Of a single term everyone who is found holds all.
    single = len(sought) == 1
    bodies = [_body([(at, sought[at], worths[at]) for at in part], plan, numbers, within, named=not single) for part in parts]
    reader.partial = False
    answers = [reader.search(bodies[0])] if len(bodies) == 1 else reader.search_all(bodies)
    scores: dict[int, float] = {}
    held: dict[int, float] = {}
    for answer in answers:
        for hit in answer["hits"]["hits"]:
            score, handle = hit["sort"][:2]
            scores[handle] = scores.get(handle, 0.0) + score
            names = ("0",) if single else hit.get("matched_queries", ())
            held[handle] = held.get(handle, 0.0) + sum(worths[int(name)] for name in names if sought[int(name)].required)
    truncated = reader.partial or any(answer["hits"]["total"]["value"] > len(answer["hits"]["hits"]) for answer in answers)
    reader.partial = False
    return _ranking(scores, held, sum(required), max(plan.least * sum(required[-HEAVIEST:]), _NOTHING), truncated)


def _ranking(scores: dict[int, float], held: dict[int, float], total: float, bound: float, truncated: bool) -> Ranking:
    handles = sorted(handle for handle, share in held.items() if share >= bound)
    coverage = np.array([held[handle] for handle in handles], np.float64) / (total or 1.0)
    coverage[coverage > 1 - 1e-9] = 1.0
    return Ranking(np.array(handles, np.int64), np.array([scores[handle] for handle in handles], np.float64), coverage, truncated)


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


def _body(terms: Sequence[tuple[int, Sought, float]], plan: ListPlan, numbers: Numbers, within: Json, *, named: bool) -> Json:
    clauses = [_scored(item, worth, plan, numbers, str(at) if named else "") for at, item, worth in terms]
    return {
        "query": {"bool": {"should": clauses, "minimum_should_match": 1, "filter": [within]}},
        "size": MOST,
        "sort": [{"_score": "desc"}, {"handle": "asc"}],
        "track_total_hits": True,
        "_source": False,
        "stored_fields": "_none_",
    }


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
