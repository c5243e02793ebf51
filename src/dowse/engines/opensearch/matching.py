"""Who holds a term, how often, and what is it worth? Terms and filters as queries of the cluster.

How many records hold a term, and how long records are on average, is counted at this moment over the whole index, so that neither
shards nor deleted documents bend a score.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dowse.engines.opensearch.driver import Json
from dowse.engines.opensearch.forms import Forms, is_single, near_bodies
from dowse.engines.opensearch.lanes import Stemmer, searchable
from dowse.engines.opensearch.mapping import NAMES
from dowse.engines.opensearch.scoping import NOBODY, all_of, any_of
from dowse.engines.opensearch.scoring import Listed, Numbers, Sought, rank
from dowse.engines.opensearch.snapshots import Reader
from dowse.engines.opensearch.vocabulary import pairs
from dowse.model.ranking import Ranking
from dowse.model.request import Lane, ListPlan
from dowse.model.schema import COLUMNS, PLAIN_COLUMNS
from dowse.model.terms import Clause, Either, Must, Not, Query, Term
from dowse.text.spelling import slips, spelt_like

# Forms of an open word that are counted one by one, in each column; whoever has another one is found all the same.
_FORMS = 50
# What a query holds as clauses, which are 1,024 at most: of one word, and of an open one in all its columns.
_PLAIN, _OPEN = 8, 5 * _FORMS
# Forms that an open phrase may end in.
_ENDINGS = 1000
_GRAM = 3
# What is remembered of one moment: numbers of some bytes each.
_MOST_FACTS = 100_000
# Characters of a string that are looked for as trigrams; whether what is longer is there is read off the texts.
LONGEST_ROW = 300
# Lists that every search by words asks for, one after the other; others only if these find too little.
_ALWAYS_ASKED = (Lane.STEMS, Lane.NAMES)
Fact = tuple[str, ...]
EMPTY = Ranking(np.empty(0, np.int64), np.empty(0), np.empty(0))


class Matcher:
    """Matches queries at one moment."""

    def __init__(self, reader: Reader, stemmer: Stemmer) -> None:
        self._reader = reader
        self._stemmer = stemmer
        self._forms: dict[Term, frozenset[str]] = {}
        self._moment = reader.moment
        self._facts: dict[Fact, Any] = {}
        """What was asked about the moment. It is kept here too, for others clear what is remembered for all."""
        self._asked: tuple[Query, ListPlan, Json] | None = None
        """The list that was asked for last."""
        self._ahead: list[tuple[Query, ListPlan, Json, Ranking]] = []
        """Lists that were asked for along with it."""

    def match(self, query: Query, plan: ListPlan, within: Json) -> Ranking:
        # Everyone is listed, whatever front would do: what is asked for is the same with any.
        plan = replace(plan, front=None)
        for about, of, inside, ranking in self._ahead:
            if about is query and of == plan and inside is within:
                return ranking
        following = self._following(query, plan, within)
        lists = {item: self._all_sought(query, item) for item in (plan, *following)}
        if not any(item.required for item in lists[plan]):
            return EMPTY
        holders = [item.holders for sought in lists.values() for item in sought]
        # Every page marks what it shows, so the forms of the words are asked for along with their numbers.
        self._learn(holders, query.terms if any(item.lane is Lane.STEMS for item in lists) else ())
        listed = [Listed(sought, self._worths(sought), item) for item, sought in lists.items() if sought]
        ranking, *ahead = rank(self._reader, listed, self.numbers, within)
        self._ahead = [(query, item.plan, within, found) for item, found in zip(listed[1:], ahead, strict=True)]
        return ranking

    def _following(self, query: Query, plan: ListPlan, within: Json) -> list[ListPlan]:
        """The lists that were asked for after this one the last time: a surface asks for the same ones again and again."""
        facts = self._reader.moment.facts
        before, self._asked = self._asked, (query, plan, within)
        if before is not None and before[0] is query and before[1] != plan and plan.lane in _ALWAYS_ASKED:
            facts["following", before[1]] = plan
        found = facts.get(("following", plan))
        return [found] if found is not None else []

    def _all_sought(self, query: Query, plan: ListPlan) -> list[Sought]:
        if plan.lane is Lane.SUBSTRING:
            return [containing(literal) for literal in query.literals]
        return [self._sought(term, plan) for term in query.terms]

    def forms(self, terms: Sequence[Term]) -> dict[Term, frozenset[str]]:
        """The words that count as each term."""
        self._learn((), terms)
        return {term: self._forms[term] for term in terms}

    def misspelt(self, query: Query, plan: ListPlan) -> dict[str, list[str]]:
        """The words of a query that stand nowhere, not even within another, with those spelt like them."""
        terms = [term for term in query.terms if term.may_be_misspelt and slips(term.words[0])]
        held = self._holders([self._sought(term, plan).holders for term in terms])
        absent = [term.words[0] for term, number in zip(terms, held, strict=True) if not number]
        within = self._holders([{"wildcard": {"w.any": f"*{word}*"}} for word in absent])
        asked = [word for word, number in zip(absent, within, strict=True) if not number]
        answers = self._reader.search_all([], words=near_bodies(asked))
        near = [[word for word, _ in pairs(answer["hits"]["hits"])] for answer in answers]
        found = {word: spelt_like(word, dict.fromkeys(others)) for word, others in zip(asked, near, strict=True)}
        return {word: others for word, others in found.items() if others}

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
            many = 2 * len(term.words) * len(columns)
            return Sought(term.weight, term.required, holders, {"constant_score": {"filter": holders}}, clauses=many)
        family, value = self._form(term, stemmed=plan.lane is not Lane.WORDS)
        every = dict(zip(map(str, COLUMNS), plan.column_weights, strict=True))
        wanted = [str(column) for column in term.columns or COLUMNS]
        weights = dict.fromkeys(NAMES, 1.0) if names else {column: every[column] for column in wanted}
        narrow = names or bool(term.columns)
        holders = any_of([_one(f"{family}.{column}", term, value) for column in (weights if narrow else ("any",))])
        # Columns without weight are part of who holds it, and of nothing else.
        parts = [_count(f"{family}.{column}", term, value, weight) for column, weight in weights.items() if weight]
        exact = None
        if plan.exact and family == "s" and not term.columns:
            fields = [f"w.{column}" for column in NAMES] if names else ["w.any"]
            exact = any_of([{"term": {field: term.words[0]}} for field in fields])
        many = _OPEN if term.prefix or is_single(value) else _PLAIN
        return Sought(term.weight, term.required, holders, {"bool": {"should": parts}} if parts else NOBODY, exact, many)

    def _worths(self, sought: Sequence[Sought]) -> list[float]:
        held = self._holders([item.holders for item in sought])
        records = self.numbers.records
        return [item.weight * idf(records, holders) for item, holders in zip(sought, held, strict=True)]

    def _holders(self, queries: Sequence[Json]) -> list[int]:
        """How many records each query finds."""
        self._learn(queries)
        return [self._facts["holders", repr(query)] for query in queries]

    def _learn(self, queries: Sequence[Json], terms: Sequence[Term] = ()) -> None:
        """Asks what is not known yet at this moment, all at once: how many records queries find, and the forms of terms."""
        moment = self._reader.moment
        if moment is not self._moment:
            self._moment, self._facts = moment, {}
        queried: dict[Fact, Json] = {("numbers",): _NUMBERS} | {("holders", repr(query)): _counting(query) for query in queries}
        self._facts |= {key: fact for key in queried if (fact := moment.facts.get(key)) is not None}
        missing = {key: body for key, body in queried.items() if key not in self._facts}
        forms = Forms([term for term in dict.fromkeys(terms) if term not in self._forms], self._stemmer)
        answers = self._reader.search_all(list(missing.values()), words=forms.bodies)
        self._forms |= forms.found(answers[len(missing) :])
        told = {key: _told(key, answer) for key, answer in zip(missing, answers[: len(missing)], strict=True)}
        if self._reader.moment is not moment:
            # It was lost while it was asked, and what was known is known of the one before.
            self._learn(queries, terms)
            return
        self._facts |= told
        if len(moment.facts) > _MOST_FACTS:
            # A server that nobody writes to lives long at one moment.
            moment.facts.clear()
        moment.facts |= told

    @property
    def numbers(self) -> Numbers:
        self._learn(())
        found: Numbers = self._facts["numbers",]
        return found


def containing(literal: str) -> Sought:
    """A string anywhere in a text: its trigrams in a row. A shorter one begins a trigram, for texts go on behind their end."""
    wanted = searchable(literal)
    if not wanted:
        return Sought(1.0, True, NOBODY, NOBODY)
    if len(wanted) < _GRAM:
        return Sought(1.0, True, {"prefix": {"grams": wanted}}, _open("prefix", "grams", wanted, 1.0), clauses=_OPEN)
    row = wanted[:LONGEST_ROW]
    grams = len(row) - _GRAM + 1
    # A similarity of our own is asked for each trigram of the row, and what it says is added up.
    counted = {"match_phrase": {"grams": {"query": row, "boost": 1 / grams}}}
    return Sought(1.0, True, {"match_phrase": {"grams": row}}, counted, clauses=2 * grams)


def idf(records: int, holders: int) -> float:
    """How much a word tells: the rarer, the more."""
    return math.log(1 + (records - holders + 0.5) / (holders + 0.5))


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


def _count(field: str, term: Term, value: str, weight: float) -> Json:
    """How often, by the weight of the field."""
    if term.prefix:
        return _open("prefix", field, value, weight)
    if is_single(value):
        return _open("wildcard", field, f"*{value}*", weight)
    return {"term": {field: {"value": value, "boost": weight}}}


def _open(kind: str, field: str, value: str, weight: float) -> Json:
    """Words that begin with or contain something, some of them counted."""
    return {kind: {field: {"value": value, "boost": weight, "rewrite": f"top_terms_{_FORMS}"}}}


_NUMBERS: Json = {
    "query": {"term": {"state": "live"}},
    "size": 0,
    "track_total_hits": True,
    "aggs": {"words": {"sum": {"field": "length"}}, "names": {"sum": {"field": "name_length"}}},
}


def _counting(query: Json) -> Json:
    return {"query": query, "size": 0, "track_total_hits": True}


def _told(key: Fact, answer: Json) -> Any:
    return _numbers(answer) if key == ("numbers",) else answer["hits"]["total"]["value"]


def _numbers(answer: Json) -> Numbers:
    records = answer["hits"]["total"]["value"]
    words, names = (answer["aggregations"][name]["value"] for name in ("words", "names"))
    return Numbers(records, words / records if words else 1.0, names / records if names else 1.0)
