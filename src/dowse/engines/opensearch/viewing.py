"""What does one reader see? A moment of the cluster, with everything a search asks of it in few requests."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import cast

import numpy as np

from dowse.engines.opensearch import linking, meaning, remembering
from dowse.engines.opensearch.documents import (
    ascii_lower,
    entitled,
    handle_of,
    load_record,
)
from dowse.engines.opensearch.driver import Json
from dowse.engines.opensearch.indices import load_profile
from dowse.engines.opensearch.known import COLUMNS, Known, columns, container
from dowse.engines.opensearch.lanes import Stemmer
from dowse.engines.opensearch.matching import LONGEST_ROW, Matcher
from dowse.engines.opensearch.nearness import nearness, numbered
from dowse.engines.opensearch.scoping import (
    EVERY_RECORD,
    MOST_TERMS,
    Chosen,
    Test,
    all_of,
    any_of,
    reach_query,
    reach_test,
    scope_query,
    scope_test,
    terms_query,
)
from dowse.engines.opensearch.snapshots import MOST, Reader, paged
from dowse.model.passage import Embedding, Passage, Vectors
from dowse.model.ranking import COMMON, Handles, Ranking, Scores
from dowse.model.reach import Reach
from dowse.model.record import Edge, Record
from dowse.model.request import Boost, Lane, ListPlan, Scope
from dowse.model.schema import Schema
from dowse.model.source import Source, Stamp
from dowse.model.terms import Clause, Query, Term
from dowse.ports import Direction, Selection
from dowse.text.folding import fold

# More records of one name than anyone could mean.
_MOST_ENTITLED = 1000
# Records of a listing, latest first; who wants those behind narrows the scope.
_MOST_LISTED = 100_000
# Records that the stages of a search ask for one after another; who reads many reads each once.
_REREAD = 1000
# The best of each list, about which much is asked.
_LIKELY = 200
# Records whose whole texts come in one answer.
_FETCHED_AT_ONCE = 500


class OpenSearchView:
    """Reads at one moment."""

    def __init__(self, reader: Reader, schema: Schema, stemmer: Stemmer) -> None:
        self._reader = reader
        self._schema = schema
        self._matcher = Matcher(reader, stemmer)
        self._known = Known(reader)
        self._fetched: dict[int, Record] = {}
        self._likely: set[int] = set()
        """Records that the stages of this search will ask about: the best of its lists."""

    @property
    def reader(self) -> Reader:
        return self._reader

    @property
    def generation(self) -> int:
        return self._reader.moment.state.generation

    @property
    def updated(self) -> float:
        return self._reader.moment.state.updated

    # Selections

    def select(
        self, scope: Scope, filter: Clause | None = None, folds: tuple[str, ...] = (), within: Selection | None = None
    ) -> Selection:
        bounds = cast(Chosen, within) if within is not None else None
        query, test = scope_query(scope), scope_test(scope)
        above = scope_query(scope, "p.")
        narrowed = [query, bounds.query] if bounds is not None else [query]
        chosen = Chosen(
            all_of(narrowed), _both(test, bounds), _also(above, bounds), self._count, bounds is not None and bounds.texts
        )
        if folds:
            chosen = self._folded(chosen, folds, bounds)
        if filter is not None:
            chosen = Chosen(all_of([chosen.query, self._matcher.holders(filter)]), None, None, self._count, texts=True)
        return chosen

    def _folded(self, inside: Chosen, folds: tuple[str, ...], bounds: Chosen | None) -> Chosen:
        parts: list[Json] = [{"term": {"state": "live"}}, {"terms": {"kind": list(folds)}}]
        above = inside.above if inside.above is not None else terms_query("p.handle", self._all(inside))
        parts += [above, *([bounds.query] if bounds is not None else [])]
        return Chosen(any_of([inside.query, all_of(parts)]), None, None, self._count, inside.texts)

    def reached(self, reach: Reach) -> Selection:
        return Chosen(reach_query(reach), reach_test(reach), reach_query(reach, "p."), self._count)

    def holds(self, within: Selection, handle: int) -> bool:
        return bool(len(self.among(within, [handle])))

    def among(self, within: Selection, handles: Handles) -> Handles:
        chosen = cast(Chosen, within)
        wanted = [int(handle) for handle in handles]
        if chosen.test is not None:
            known = self._known.of(wanted)
            there = {handle for handle, item in known.items() if chosen.test(item)}
        else:
            there = self._told_by_cluster(chosen, wanted)
        return np.array([handle for handle in wanted if handle in there], np.int64)

    def _told_by_cluster(self, chosen: Chosen, handles: Sequence[int]) -> set[int]:
        unknown = [handle for handle in dict.fromkeys(handles) if handle not in chosen.known]
        for start in range(0, len(unknown), MOST_TERMS):
            some = unknown[start : start + MOST_TERMS]
            query = all_of([chosen.query, terms_query("handle", some)])
            found = {hit["sort"][0] for hit in self._reader.every(query, ["handle"], **columns())}
            chosen.known.update({handle: handle in found for handle in some})
        return {handle for handle in handles if chosen.known[handle]}

    def _all(self, chosen: Chosen) -> list[int]:
        return [hit["sort"][0] for hit in self._reader.every(chosen.query, ["handle"], **columns())]

    def _count(self, chosen: Chosen) -> int:
        """How many there are; asked once at a moment, for searches ask the same again and again."""
        facts = self._reader.moment.facts
        key = ("size", repr(chosen.query))
        if key not in facts:
            body = {"query": chosen.query, "size": 0, "track_total_hits": True}
            facts[key] = self._reader.complete(body)["hits"]["total"]["value"]
        return int(facts[key])

    def concerning(self, boosts: tuple[Boost, ...]) -> tuple[Boost, ...]:
        return boosts  # to tell would cost as much as to ask each

    def may_link(self, kinds: tuple[str, ...]) -> bool:
        del kinds  # to look costs as much as to follow them
        return True

    def may_hold(self, kinds: tuple[str, ...]) -> bool:
        del kinds  # the same
        return True

    def linked(self, within: Selection) -> dict[str, int]:
        counted: Counter[str] = Counter()
        edges = linking.every(self._reader)
        while some := list(islice(edges, MOST)):
            ends = sorted({handle_of(end) for edge in some for end in (edge.source, edge.target)})
            there = {int(handle) for handle in self.among(within, ends)}
            counted.update(edge.kind for edge in some if handle_of(edge.source) in there and handle_of(edge.target) in there)
        return dict(sorted(counted.items()))

    # Lists

    def match(self, query: Query, plan: ListPlan, within: Selection) -> Ranking:
        ranking = self._matcher.match(query, plan, cast(Chosen, within).query)
        if plan.lane is Lane.SUBSTRING and any(len(literal) > LONGEST_ROW for literal in query.literals):
            ranking = self._verified(ranking, query.literals)
        best = np.argsort(-np.asarray(ranking.scores), kind="stable")[:_LIKELY]
        self._likely.update(np.asarray(ranking.handles)[best].tolist())
        return ranking

    def _verified(self, ranking: Ranking, literals: Sequence[str]) -> Ranking:
        """Those whose texts do contain every string; only the beginning of a long one was looked for."""
        wanted = [fold(literal) for literal in literals if len(literal) > LONGEST_ROW]
        records = self.fetch(ranking.handles[:_FETCHED_AT_ONCE])
        kept = []
        for at, record in enumerate(records):
            texts = [fold(record.text(field.name)) for field in self._schema.kinds[record.kind].fields]
            if all(any(literal in text for text in texts) for literal in wanted):
                kept.append(at)
        cut = ranking.truncated or len(records) < len(ranking.handles)
        return Ranking(ranking.handles[kept], ranking.scores[kept], ranking.coverage[kept], cut)

    def near(self, query: Query, plan: ListPlan, handles: Handles) -> Scores:
        words = [term for term in query.terms if term.required and not term.is_phrase]
        worths = self._matcher.worths(words, plan)
        telling = [(term, worth) for term, (holders, worth) in zip(words, worths, strict=True) if holders <= COMMON]
        if len(telling) < 2:
            return np.zeros(len(handles))
        forms = self.forms(query.terms)
        numbers = numbered([forms[term] for term, _ in telling])
        worth = [worth for _, worth in telling]
        return np.array([nearness(numbers, worth, self._schema, record) for record in self.fetch(handles)])

    def recent(self, within: Selection, handles: Handles | None = None) -> Ranking:
        if handles is not None:
            found = [int(handle) for handle in self.among(within, handles)]
            known = self._known.of(found)
            return Ranking(np.array(found, np.int64), np.array([known[h].updated for h in found]), np.ones(len(found)))
        chosen = cast(Chosen, within)
        sort: list[Json] = [{"updated": "desc"}, {"handle": "asc"}]
        hits = self._reader.every(chosen.query, sort, limit=_MOST_LISTED, page=MOST, **columns())
        pairs = sorted((hit["sort"][1], hit["sort"][0]) for hit in hits)
        newest = np.array([updated for _, updated in pairs], np.float64)
        truncated = len(pairs) == _MOST_LISTED
        return Ranking(np.array([handle for handle, _ in pairs], np.int64), newest, np.ones(len(pairs)), truncated)

    def counts(self, handles: Handles, name: str) -> dict[str, int]:
        field = {"kind": "kind", "space": "space", "tag": "tags"}.get(name, "said")
        counted: Counter[str] = Counter()
        wanted = [int(handle) for handle in handles]
        for start in range(0, len(wanted), MOST_TERMS):
            query = all_of([EVERY_RECORD, terms_query("handle", wanted[start : start + MOST_TERMS])])
            terms: Json = {"field": field, "size": MOST}
            if field == "said":
                terms["include"] = f"{_escaped(name)}=.*"
            body = {"query": query, "size": 0, "aggs": {"values": {"terms": terms}}}
            for bucket in self._reader.complete(body)["aggregations"]["values"]["buckets"]:
                counted[bucket["key"]] += bucket["doc_count"]
        cut = len(name) + 1 if field == "said" else 0
        return {value[cut:]: many for value, many in counted.items()}

    def order(self, handles: Handles) -> Handles:
        wanted = [int(handle) for handle in handles]
        if len(wanted) <= _LIKELY:
            # Equals are put in order group by group, and then looked at: all that may be asked for comes at once.
            self._known.of([*wanted, *sorted(self._likely)])
        keys = self._known.keys(wanted)
        return np.array(sorted(wanted, key=lambda handle: keys[handle]), np.int64)

    def forms(self, terms: Sequence[Term]) -> dict[Term, frozenset[str]]:
        return self._matcher.forms(terms)

    def misspelt(self, query: Query, plan: ListPlan) -> dict[str, list[str]]:
        return self._matcher.misspelt(query, plan)

    # Meaning

    @property
    def embedding(self) -> Embedding:
        state = self._reader.moment.state
        profile = load_profile(state.profile)
        if profile is None:
            return Embedding()
        facts = self._reader.moment.facts
        if "embedding" not in facts:
            facts["embedding"] = meaning.counts(self._reader)
        return Embedding(profile, *facts["embedding"])

    def nearest(self, vector: Vectors, within: Selection, limit: int, floor: float) -> Ranking:
        chosen = cast(Chosen, within)
        query = terms_query("record", self._all(chosen)) if chosen.texts else chosen.query
        return meaning.nearest(self._reader, self._profile_dimension, vector, query, limit, floor, self.embedding.done, self.order)

    def similarity(self, vector: Vectors, handles: Handles) -> Scores:
        return meaning.similarity(self._reader, self._profile_dimension, vector, [int(handle) for handle in handles])

    def passages(self, vector: Vectors, handles: Handles) -> list[Passage | None]:
        wanted = [int(handle) for handle in handles]
        numbers = meaning.closest(self._reader, self._profile_dimension, vector, wanted)
        records = self.fetch(sorted(numbers))
        return meaning.passages(self._schema, wanted, numbers, dict(zip(sorted(numbers), records, strict=True)))

    def meanings(self, handles: Handles) -> list[Vectors | None]:
        return meaning.meanings(self._reader, self._profile_dimension, [int(handle) for handle in handles])

    def unembedded(self, limit: int) -> list[tuple[bytes, str]]:
        waiting = meaning.waiting(self._reader, limit)
        records = self._records(sorted({handle for handle, _ in waiting.values()}))
        return meaning.texts(self._schema, waiting, records)

    @property
    def _profile_dimension(self) -> int | None:
        profile = load_profile(self._reader.moment.state.profile)
        return profile.dimension if profile is not None else None

    # Records

    def fetch(self, handles: Handles) -> list[Record]:
        wanted = [int(handle) for handle in handles]
        found = {handle: self._fetched[handle] for handle in wanted if handle in self._fetched}
        missing = [handle for handle in dict.fromkeys(wanted) if handle not in found]
        if missing:
            found |= self._records(missing)
        if len(found) <= _REREAD:
            self._fetched |= found
        return [found[handle] for handle in wanted]

    def _records(self, handles: Sequence[int]) -> dict[int, Record]:
        found: dict[int, Record] = {}
        for start in range(0, len(handles), _FETCHED_AT_ONCE):
            some = list(handles[start : start + _FETCHED_AT_ONCE])
            body = {
                "query": all_of([EVERY_RECORD, terms_query("handle", some)]),
                "size": len(some),
                "track_total_hits": False,
            }
            for hit in self._reader.complete(body)["hits"]["hits"]:
                # Whole documents, for a part would have to be looked for in each; and who reads a text asks for the rest next.
                document = hit["_source"]
                self._known.learn(document)
                found[document["handle"]] = load_record(document["stored"])
        return found

    def find(self, keys: Iterable[str]) -> dict[str, Record]:
        wanted = list(dict.fromkeys(keys))
        handles = [handle_of(key) for key in wanted]
        found = {handle: self._fetched[handle] for handle in handles if handle in self._fetched}
        missing = [handle for handle in handles if handle not in found]
        if missing:
            found |= self._records(missing)
        return {key: record for key in wanted if (record := found.get(handle_of(key))) is not None and record.key == key}

    def resolve(self, prefix: str, limit: int = 2) -> list[str]:
        query = all_of([EVERY_RECORD, {"prefix": {"key": prefix}}]) if prefix else EVERY_RECORD
        return [hit["sort"][0] for hit in self._reader.every(query, ["key"], limit=limit, **columns())]

    def handles(self, keys: Sequence[str]) -> list[int | None]:
        known = self._known.of([handle_of(key) for key in keys])
        return [item.handle if (item := known.get(handle_of(key))) is not None and item.key == key else None for key in keys]

    def parents(self, handles: Handles, kinds: tuple[str, ...]) -> Handles:
        wanted = [int(handle) for handle in handles]
        if not kinds or not wanted:
            return handles
        above: dict[int, int] = {}
        for start in range(0, len(wanted), MOST_TERMS):
            some = terms_query("handle", wanted[start : start + MOST_TERMS])
            # A parent that is gone cannot answer for its child.
            query = all_of([EVERY_RECORD, some, {"terms": {"kind": list(kinds)}}, {"term": {"p.state": "live"}}])
            for hit in self._reader.every(query, ["handle"], **columns("p.handle")):
                above[hit["sort"][0]] = hit["fields"]["p.handle"][0]
        return np.array([above.get(handle, handle) for handle in wanted], np.int64)

    def containers(self, handles: Handles, kinds: tuple[str, ...]) -> Handles:
        wanted = [int(handle) for handle in handles]
        known = self._known.of(wanted)
        around = {handle_of(key) for item in known.values() for key in item.ancestors}
        known = known | self._known.of(sorted(around))
        return np.array([container(known, handle, kinds) for handle in wanted], np.int64)

    def names(self, handles: Handles) -> list[tuple[str, str]]:
        wanted = [int(handle) for handle in handles]
        known = self._known.of(wanted)
        long = [handle for handle in wanted if known[handle].title is None]
        titles = {handle: record.title for handle, record in zip(long, self.fetch(long), strict=True)} if long else {}
        return [(known[handle].key, titles.get(handle, known[handle].title or "")) for handle in wanted]

    def entitled(self, titles: Sequence[str]) -> list[tuple[int, str]]:
        wanted = {ascii_lower(title) for title in titles}
        query = terms_query("entitled", sorted({entitled(title) for title in titles}))
        hits = self._reader.remaining(paged(query, ["key"], _MOST_ENTITLED, **columns(*COLUMNS)))
        handles = [self._known.remember(hit) for hit in hits]
        named = zip(handles, self.names(handles), strict=True)
        return [(handle, title) for handle, (_, title) in named if ascii_lower(title) in wanted]

    # Edges

    def edges(self, keys: Sequence[str], direction: Direction, kinds: tuple[str, ...] = ()) -> list[Edge]:
        return linking.edges(self._reader, self._known, self._schema, sorted(set(keys)), direction, kinds)

    def scan(self) -> Iterator[Record | Edge]:
        for hit in self._reader.every(EVERY_RECORD, ["key"], _source=["stored"]):
            yield load_record(hit["_source"]["stored"])
        yield from linking.every(self._reader)

    # What is remembered, and files

    def mark(self, name: str) -> str | None:
        return remembering.marks(self._reader).get(name)

    def marks(self, beginning: str) -> dict[str, str]:
        return {name: content for name, content in remembering.marks(self._reader).items() if name.startswith(beginning)}

    def stamps(self, space: str) -> dict[str, Stamp]:
        return remembering.stamps(self._reader, space)

    def sources(self, space: str, paths: Sequence[str]) -> list[Source]:
        return remembering.sources(self._reader, space, paths)

    def unsettled(self, space: str, limit: int) -> list[Source]:
        return remembering.unsettled(self._reader, space, limit)

    def definers(self, space: str, names: Sequence[str], limit: int) -> dict[str, tuple[str, ...]]:
        return remembering.definers(self._reader, space, names, limit)


def _both(test: Test, bounds: Chosen | None) -> Test | None:
    if bounds is None:
        return test
    other = bounds.test
    return (lambda item: test(item) and other(item)) if other is not None else None


def _also(above: Json, bounds: Chosen | None) -> Json | None:
    if bounds is None:
        return above
    return all_of([above, bounds.above]) if bounds.above is not None else None


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if not letter.isalnum() else letter for letter in text)
