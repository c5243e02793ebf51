"""How well does each record match? BM25 as all engines count it, written as one query that the cluster works out exactly.

Fields give how often a term occurs, by the weight of the column (a similarity of our own); a script over them saturates the sum by
the record's length and multiplies by the term's worth. How many records hold a term, and how long records are on average, is
counted at this moment over the whole index, so that neither shards nor deleted documents bend a score.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from dowse.engines.opensearch.driver import Json
from dowse.engines.opensearch.lanes import Stemmer
from dowse.engines.opensearch.mapping import NAMES
from dowse.engines.opensearch.scoping import all_of, any_of
from dowse.engines.opensearch.snapshots import MOST, Reader
from dowse.model.ranking import HEAVIEST, Ranking
from dowse.model.request import Lane, ListPlan
from dowse.model.schema import COLUMNS, PLAIN_COLUMNS
from dowse.model.terms import Clause, Either, Must, Not, Query, Term
from dowse.text.folding import fold
from dowse.text.words import is_paired

# Forms of an open word that are counted one by one, in each column; whoever has another one is found and counts as holding it
# once less. A query may have 1,024 clauses in all.
_FORMS = 100
# Forms that an open phrase may end in.
_ENDINGS = 1000
_GRAM = 3
_SATURATED = (
    "double f = _score; if (f <= 0) { return 0; }"
    " double norm = params.k1 * (1 - params.b + params.b * doc[params.length].value / params.mean);"
    " return params.worth * f * (params.k1 + 1) / (f + norm);"
)
_NOTHING = 1e-12

EMPTY = Ranking(np.empty(0, np.int64), np.empty(0), np.empty(0))


class Sought(NamedTuple):
    """A term as a query: who holds it, how often, and who holds the very form."""

    weight: float
    required: bool
    holders: Json
    counted: Json
    exact: Json | None = None


class Numbers(NamedTuple):
    """How many records can be found, and how many words they and their names have on average."""

    records: int
    mean: float
    name_mean: float


class Matcher:
    """Matches queries at one moment."""

    def __init__(self, reader: Reader, stemmer: Stemmer) -> None:
        self._reader = reader
        self._stemmer = stemmer

    def match(self, query: Query, plan: ListPlan, within: Json) -> Ranking:
        if plan.lane is Lane.SUBSTRING:
            sought = [containing(literal) for literal in query.literals]
        else:
            sought = [self._sought(term, plan) for term in query.terms]
        if not any(item.required for item in sought):
            return EMPTY
        worths = self._worths(sought)
        return self._rank(sought, worths, plan, within)

    def worths(self, terms: Sequence[Term], plan: ListPlan) -> list[tuple[int, float]]:
        """For each term how many records hold it, and what it is worth."""
        sought = [self._sought(term, plan) for term in terms]
        return list(zip(self._holders([item.holders for item in sought]), self._worths(sought), strict=True))

    def holders(self, clause: Clause) -> Json:
        """Finds the records for which a clause holds."""
        match clause:
            case Must(clauses):
                return all_of([self.holders(part) for part in clauses])
            case Either(clauses):
                return any_of([self.holders(part) for part in clauses])
            case Not(part):
                return {"bool": {"must_not": [self.holders(part)]}}
            case _ if clause.is_phrase:
                return any_of([_phrase(clause, f"w.{column}") for column in clause.columns or PLAIN_COLUMNS])
            case _:
                family, value = self._form(clause)
                fields = [f"{family}.{column}" for column in clause.columns] or [f"{family}.any"]
                return any_of([_one(field, clause, value) for field in fields])

    def _form(self, term: Term, *, stemmed: bool = True) -> tuple[str, str]:
        """Among words or stems, and as which."""
        word = term.words[0]
        if term.prefix or is_single(word) or term.exact or not stemmed:
            return "w", word
        return "s", self._stemmer.one(word)

    def _sought(self, term: Term, plan: ListPlan) -> Sought:
        names = plan.lane is Lane.NAMES
        if term.is_phrase:
            columns: Sequence[str] = NAMES[:1] if names else [str(column) for column in term.columns or PLAIN_COLUMNS]
            holders = any_of([_phrase(term, f"w.{column}") for column in columns])
            return Sought(term.weight, term.required, holders, {"constant_score": {"filter": holders}})
        family, value = self._form(term, stemmed=plan.lane is not Lane.WORDS)
        every = dict(zip(map(str, COLUMNS), plan.column_weights, strict=True))
        wanted = [str(column) for column in term.columns or COLUMNS]
        weights = dict.fromkeys(NAMES, 1.0) if names else {column: every[column] for column in wanted}
        narrow = names or bool(term.columns)
        holders = any_of([_one(f"{family}.{column}", term, value) for column in (weights if narrow else ("any",))])
        parts = [part for column, weight in weights.items() for part in _count(f"{family}.{column}", term, value, weight)]
        exact = None
        if plan.exact and family == "s" and not term.columns:
            fields = [f"w.{column}" for column in NAMES] if names else ["w.any"]
            exact = any_of([{"term": {field: term.words[0]}} for field in fields])
        return Sought(term.weight, term.required, holders, {"bool": {"should": parts}}, exact)

    def _worths(self, sought: Sequence[Sought]) -> list[float]:
        held = self._holders([item.holders for item in sought])
        records = self.numbers.records
        return [item.weight * idf(records, holders) for item, holders in zip(sought, held, strict=True)]

    def _holders(self, queries: Sequence[Json]) -> list[int]:
        """How many records each query finds; asked once at a moment."""
        facts = self._reader.moment.facts
        keys = [("holders", repr(query)) for query in queries]
        missing = {key: query for key, query in zip(keys, queries, strict=True) if key not in facts}
        numbers = ("numbers",) not in facts
        bodies: list[Json] = [{"query": query, "size": 0, "track_total_hits": True} for query in missing.values()]
        answers = self._reader.search_all([*bodies, _NUMBERS] if numbers else bodies)
        if numbers:
            facts["numbers",] = _numbers(answers.pop())
        for key, answer in zip(missing, answers, strict=True):
            facts[key] = answer["hits"]["total"]["value"]
        return [facts[key] for key in keys]

    @property
    def numbers(self) -> Numbers:
        self._holders(())
        found: Numbers = self._reader.moment.facts["numbers",]
        return found

    def _rank(self, sought: Sequence[Sought], worths: Sequence[float], plan: ListPlan, within: Json) -> Ranking:
        required = sorted(worth for worth, item in zip(worths, sought, strict=True) if item.required)
        several = len(required) > 1
        clauses = [
            _scored(item, worth, plan, self.numbers, str(at) if several and item.required else "")
            for at, (item, worth) in enumerate(zip(sought, worths, strict=True))
        ]
        needed = [clause for clause, item in zip(clauses, sought, strict=True) if item.required]
        body = {
            "query": {
                "bool": {
                    "must": [{"bool": {"should": needed, "minimum_should_match": 1}}],
                    "should": [clause for clause, item in zip(clauses, sought, strict=True) if not item.required],
                    "filter": [within],
                }
            },
            "size": MOST,
            "sort": [{"_score": "desc"}, {"handle": "asc"}],
            "track_scores": False,
            "track_total_hits": True,
            "_source": False,
            "stored_fields": "_none_",
        }
        self._reader.partial = False
        answer = self._reader.search(body)
        hits = answer["hits"]["hits"]
        truncated = answer["hits"]["total"]["value"] > len(hits) or self._reader.partial
        self._reader.partial = False
        total = sum(required)
        bound = max(plan.least * sum(required[-HEAVIEST:]), _NOTHING)
        handles = np.array([hit["sort"][1] for hit in hits], np.int64)
        scores = np.array([hit["sort"][0] for hit in hits], np.float64)
        held = np.array([sum(worths[int(name)] for name in hit["matched_queries"]) if several else total for hit in hits])
        kept = np.flatnonzero(held >= bound) if len(held) else np.empty(0, np.int64)
        order = kept[np.argsort(handles[kept])]
        coverage = held[order] / total if total else np.ones(len(order))
        coverage[coverage > 1 - 1e-9] = 1.0
        return Ranking(handles[order], scores[order], coverage, truncated)


def containing(literal: str) -> Sought:
    """A string anywhere in a text: its trigrams in a row. A shorter one begins a trigram, for texts go on behind their end."""
    wanted = fold(literal)
    if not wanted:
        nobody: Json = {"match_none": {}}
        return Sought(1.0, True, nobody, nobody)
    if len(wanted) >= _GRAM:
        holders: Json = {"match_phrase": {"grams": wanted}}
        return Sought(1.0, True, holders, holders)
    return Sought(1.0, True, {"prefix": {"grams": wanted}}, {"bool": {"should": _open("prefix", "grams", wanted, 1.0)}})


def is_single(word: str) -> bool:
    """Where words are pairs of characters, one character stands inside them."""
    return len(word) == 1 and is_paired(word)


def idf(records: int, holders: int) -> float:
    """How much a word tells: the rarer, the more."""
    return math.log(1 + (records - holders + 0.5) / (holders + 0.5))


def _scored(item: Sought, worth: float, plan: ListPlan, numbers: Numbers, name: str) -> Json:
    names = plan.lane is Lane.NAMES
    parameters = {
        "worth": worth,
        "k1": plan.k1,
        "b": plan.b,
        "mean": numbers.name_mean if names else numbers.mean,
        "length": "name_length" if names else "length",
    }
    counted: Json = {"script_score": {"query": item.counted, "script": {"source": _SATURATED, "params": parameters}}}
    if item.exact is not None:
        bonus = {"constant_score": {"filter": item.exact, "boost": worth * plan.exact}}
        counted = {"bool": {"should": [counted, bonus]}}
    if not name:
        return counted
    # Named by who holds it: that needs no counting.
    return {"bool": {"must": [counted], "filter": [{"bool": {"filter": [item.holders], "_name": name}}]}}


def _phrase(term: Term, field: str) -> Json:
    text = " ".join(term.words)
    if term.prefix:
        return {"match_phrase_prefix": {field: {"query": text, "max_expansions": _ENDINGS}}}
    return {"match_phrase": {field: text}}


def _one(field: str, term: Term, value: str) -> Json:
    """Who has a term of one word in a field."""
    if term.prefix:
        return {"prefix": {field: value}}
    if is_single(value):
        return {"wildcard": {field: f"*{value}*"}}
    return {"term": {field: value}}


def _count(field: str, term: Term, value: str, weight: float) -> list[Json]:
    """How often, by the weight of the field."""
    if term.prefix:
        return _open("prefix", field, value, weight)
    if is_single(value):
        return _open("wildcard", field, f"*{value}*", weight)
    return [{"term": {field: {"value": value, "boost": weight}}}]


def _open(kind: str, field: str, value: str, weight: float) -> list[Json]:
    """Words that begin with or contain something: some of them counted, all of them found."""
    counted = {kind: {field: {"value": value, "boost": weight, "rewrite": f"top_terms_{_FORMS}"}}}
    return [counted, {kind: {field: {"value": value, "boost": 0.0}}}]


_NUMBERS: Json = {
    "query": {"term": {"state": "live"}},
    "size": 0,
    "track_total_hits": True,
    "aggs": {"words": {"sum": {"field": "length"}}, "names": {"sum": {"field": "name_length"}}},
}


def _numbers(answer: Json) -> Numbers:
    records = answer["hits"]["total"]["value"]
    words, names = (answer["aggregations"][name]["value"] for name in ("words", "names"))
    return Numbers(records, words / records if words else 1.0, names / records if names else 1.0)


Ask = Callable[[Json], Json]
