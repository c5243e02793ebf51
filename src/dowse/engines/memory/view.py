"""What does a reader of the memory engine see? Every answer worked out from the texts, with no index at all."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dowse.engines.memory.documents import EMPTY, NAMES, Document, read, stands_in, values_of
from dowse.engines.memory.meaning import Found, Passages
from dowse.engines.memory.store import Store, is_live
from dowse.engines.quantising import question
from dowse.model.passage import Embedding, Passage, Vectors
from dowse.model.ranking import CLOSE, COMMON, HEAVIEST, IN_ORDER, Handles, Ranking, Scores
from dowse.model.reach import Reach
from dowse.model.record import Edge, Record
from dowse.model.request import Boost, Lane, ListPlan, Scope
from dowse.model.schema import COLUMNS, PLAIN_COLUMNS, Column, Schema
from dowse.model.source import Source, Stamp
from dowse.model.terms import Clause, Either, Must, Not, Query, Term
from dowse.ports import Direction, Selection
from dowse.text.containing import count_in, demand
from dowse.text.folding import fold
from dowse.text.spelling import spelt_like
from dowse.text.words import is_paired

# The columns whose words make a record long: those that rank.
_COUNTED = (Column.TITLE, Column.BODY, Column.TAGS, Column.ALTERNATES)

Stem = Callable[[str], str]
# What one term gives each record that holds it: how often it occurs, by the weight of the columns.
_Frequencies = dict[int, float]


@dataclass(frozen=True, slots=True)
class _Chosen:
    handles: frozenset[int]

    @property
    def size(self) -> int:
        return len(self.handles)


class MemoryView:
    """Answers from one state of the store, which no later write changes."""

    def __init__(self, store: Store, schema: Schema, stem: Stem) -> None:
        self._store = store
        self._schema = schema
        self._stem = stem
        self._passages = Passages(store, schema)
        self._by_handle = {store.handles[key]: record for key, record in sorted(store.records.items())}
        live = {handle: record for handle, record in sorted(self._by_handle.items()) if is_live(record)}
        self._documents = {handle: read(schema, record) for handle, record in live.items()}

    @property
    def generation(self) -> int:
        return self._store.generation

    @property
    def updated(self) -> float:
        return self._store.updated

    def select(
        self, scope: Scope, filter: Clause | None = None, folds: tuple[str, ...] = (), within: Selection | None = None
    ) -> Selection:
        there = _handles(within) if within is not None else self._by_handle.keys()
        inside = {handle for handle, record in self._by_handle.items() if handle in there and self._in_scope(record, scope)}
        folded = {h for h in self._documents if h in there and self._by_handle[h].kind in folds and self._parent(h) in inside}
        chosen = inside | folded
        if filter is not None:
            chosen = {handle for handle in chosen if self._satisfies(self._documents.get(handle, EMPTY), filter)}
        return _Chosen(frozenset(chosen))

    def reached(self, reach: Reach) -> Selection:
        return _Chosen(frozenset(handle for handle, record in self._by_handle.items() if self._is_reached(record, reach)))

    def _is_reached(self, record: Record, reach: Reach) -> bool:
        return (
            (not reach.kinds or record.kind in reach.kinds)
            and (not reach.spaces or record.space in reach.spaces)
            and (not reach.under or any(self._is_below(record.key, root) for root in reach.under))
        )

    def concerning(self, boosts: tuple[Boost, ...]) -> tuple[Boost, ...]:
        return boosts  # to tell would cost as much as to ask each

    def may_link(self, kinds: tuple[str, ...]) -> bool:
        del kinds  # to look costs as much as to follow them
        return True

    def may_hold(self, kinds: tuple[str, ...]) -> bool:
        del kinds  # the same
        return True

    def linked(self, within: Selection) -> dict[str, int]:
        seen = {self._by_handle[handle].key for handle in _handles(within)}
        edges = self._store.edges.values()
        return dict(sorted(Counter(edge.kind for edge in edges if edge.source in seen and edge.target in seen).items()))

    def holds(self, within: Selection, handle: int) -> bool:
        return handle in _handles(within)

    def among(self, within: Selection, handles: Handles) -> Handles:
        return [int(handle) for handle in handles if int(handle) in _handles(within)]

    def match(self, query: Query, plan: ListPlan, within: Selection) -> Ranking:
        if plan.lane is Lane.SUBSTRING:
            terms = [(1.0, True, self._containing(literal), frozenset[int]()) for literal in query.literals]
        else:
            terms = [(t.weight, t.required, self._occurrences(t, plan), self._exact(t, plan)) for t in query.terms]
        return self._rank(terms, plan, _handles(within))

    def near(self, query: Query, plan: ListPlan, handles: Handles) -> Scores:
        """Neighbouring query words that stand next to each other among the query's words of a text, and not far apart."""
        words = [term for term in query.terms if term.required and not term.is_phrase]
        terms = [term for term in words if len(self._occurrences(term, plan)) <= COMMON]
        worths = [self._worth(term, plan) for term in terms]
        return [self._nearness(terms, worths, self._documents[int(handle)]) for handle in handles]

    @property
    def embedding(self) -> Embedding:
        return self._passages.embedding

    def nearest(self, vector: Vectors, within: Selection, limit: int, floor: float) -> Ranking:
        best = {handle: found.cosine for handle in _handles(within) if (found := self._closest(vector, handle)) is not None}
        admitted = [handle for handle in self.order(best) if best[handle] >= floor]
        handles = sorted(sorted(admitted, key=lambda handle: -best[handle])[:limit])
        return Ranking(handles, [best[handle] for handle in handles], [0.0] * len(handles))

    def similarity(self, vector: Vectors, handles: Handles) -> Scores:
        closest = [self._closest(vector, int(handle)) for handle in handles]
        return [found.cosine if found is not None else 0.0 for found in closest]

    def passages(self, vector: Vectors, handles: Handles) -> list[Passage | None]:
        closest = [self._closest(vector, int(handle)) for handle in handles]
        return [found.passage if found is not None else None for found in closest]

    def meanings(self, handles: Handles) -> list[Vectors | None]:
        return [self._passages.meaning(self._by_handle[int(handle)]) for handle in handles]

    def unembedded(self, limit: int) -> list[tuple[bytes, str]]:
        return list(self._passages.waiting([record for _, record in sorted(self._by_handle.items())]).items())[:limit]

    def _closest(self, vector: Vectors, handle: int) -> Found | None:
        """A record's best passage; of equals the first."""
        profile = self._store.profile
        asked = question(vector, profile.dimension) if profile is not None else None
        found = self._passages.compared(asked, self._by_handle[handle]) if asked is not None else []
        return max(found, key=lambda item: item.cosine) if found else None

    def counts(self, handles: Handles, name: str) -> dict[str, int]:
        return dict(Counter(value for handle in handles for value in values_of(self._by_handle[int(handle)], name)))

    def fetch(self, handles: Handles) -> list[Record]:
        return [self._by_handle[int(handle)] for handle in handles]

    def find(self, keys: Iterable[str]) -> dict[str, Record]:
        return {key: self._store.records[key] for key in keys if key in self._store.records}

    def resolve(self, prefix: str, limit: int = 2) -> list[str]:
        return [key for key in sorted(self._store.records) if key.startswith(prefix)][:limit]

    def handles(self, keys: Sequence[str]) -> list[int | None]:
        return [self._store.handles.get(key) for key in keys]

    def parents(self, handles: Handles, kinds: tuple[str, ...]) -> Handles:
        return [self._answering(int(handle), kinds) for handle in handles]

    def containers(self, handles: Handles, kinds: tuple[str, ...]) -> Handles:
        return [self._container(int(handle), kinds) for handle in handles]

    def _container(self, handle: int, kinds: tuple[str, ...]) -> int:
        here: int | None = handle
        while here is not None and here in self._by_handle:
            if here in self._documents and self._by_handle[here].kind in kinds:
                return here
            here = self._parent(here)
        return 0

    def names(self, handles: Handles) -> list[tuple[str, str]]:
        return [(self._by_handle[int(handle)].key, self._by_handle[int(handle)].title) for handle in handles]

    def entitled(self, titles: Sequence[str]) -> list[tuple[int, str]]:
        wanted = {_ascii_lower(title) for title in titles}
        named = [(handle, self._by_handle[handle]) for handle in self._documents]
        found = [(handle, record) for handle, record in named if _ascii_lower(record.title) in wanted]
        return [(handle, record.title) for handle, record in sorted(found, key=lambda item: item[1].key)]

    def recent(self, within: Selection, handles: Handles | None = None) -> Ranking:
        found = sorted(_handles(within)) if handles is None else self.among(within, handles)
        return Ranking(found, [float(self._by_handle[handle].updated) for handle in found], [1.0] * len(found))

    def order(self, handles: Handles) -> Handles:
        return sorted((int(handle) for handle in handles), key=lambda handle: self._by_handle[handle].key)

    def edges(self, keys: Sequence[str], direction: Direction, kinds: tuple[str, ...] = ()) -> list[Edge]:
        def is_wanted(edge: Edge) -> bool:
            outgoing = direction is not Direction.INCOMING and edge.source in keys
            incoming = direction is not Direction.OUTGOING and edge.target in keys
            return (outgoing or incoming) and (not kinds or edge.kind in kinds)

        stored = [*self._store.edges.values(), *self._held()]
        both_ends = {edge for edge in stored if self._exists(edge.source) and self._exists(edge.target)}
        return sorted(filter(is_wanted, both_ends))

    def _held(self) -> Iterator[Edge]:
        """The edges that parents have to their children without anyone writing them."""
        for record in self._store.records.values():
            kind = self._schema.kinds[record.kind]
            if record.parent is not None and kind.parent_edge:
                yield Edge(record.parent, record.key, kind.parent_edge)

    def forms(self, terms: Sequence[Term]) -> dict[Term, frozenset[str]]:
        return {term: self._forms(term) for term in terms}

    def misspelt(self, query: Query, plan: ListPlan) -> dict[str, list[str]]:
        absent = [term.words[0] for term in query.terms if term.may_be_misspelt and not self._occurrences(term, plan)]
        known = self.vocabulary()
        found = {word: spelt_like(word, known) for word in absent if not any(word in other for other in known)}
        return {word: others for word, others in found.items() if others}

    def mark(self, name: str) -> str | None:
        return self._store.marks.get(name)

    def marks(self, beginning: str) -> dict[str, str]:
        return {name: content for name, content in sorted(self._store.marks.items()) if name.startswith(beginning)}

    def stamps(self, space: str) -> dict[str, Stamp]:
        return {path: source.stamp for (of, path), source in sorted(self._store.sources.items()) if of == space}

    def sources(self, space: str, paths: Sequence[str]) -> list[Source]:
        return [self._store.sources[space, path] for path in sorted(set(paths)) if (space, path) in self._store.sources]

    def unsettled(self, space: str, limit: int) -> list[Source]:
        waiting = [source for (of, _), source in sorted(self._store.sources.items()) if of == space and not source.settled]
        return waiting[:limit]

    def definers(self, space: str, names: Sequence[str], limit: int) -> dict[str, tuple[str, ...]]:
        sources = [source for (of, _), source in sorted(self._store.sources.items()) if of == space]
        found = {name: [s.path for s in sources if any(d.name == name for d in s.defines)][:limit] for name in names}
        return {name: tuple(paths) for name, paths in found.items() if paths}

    def scan(self) -> Iterator[Record | Edge]:
        for _, record in sorted(self._store.records.items()):
            yield record
        for _, edge in sorted(self._store.edges.items()):
            yield edge

    def vocabulary(self) -> frozenset[str]:
        """Every word that can be found."""
        return frozenset(word for document in self._documents.values() for word in document.words((*COLUMNS, *NAMES)))

    def _in_scope(self, record: Record, scope: Scope) -> bool:
        return (
            (record.deleted if scope.deleted else is_live(record))
            and (not scope.kinds or record.kind in scope.kinds)
            and (not scope.spaces or record.space in scope.spaces)
            and (scope.ancestor is None or self._is_below(record.key, scope.ancestor) or scope.has_in_folder(record.key))
            and (scope.keys is None or record.key in scope.keys)
            and (scope.parents is None or record.parent in scope.parents)
            and (not scope.tags or any(tag in scope.tags for tag in record.tags))
            and all(record.facets.get(name) in values for name, values in scope.facets.items())
        )

    def _is_below(self, key: str | None, ancestor: str) -> bool:
        while key is not None and key != ancestor:
            record = self._store.records.get(key)
            key = record.parent if record is not None else None
        return key == ancestor

    def _parent(self, handle: int) -> int | None:
        return self._store.handles.get(self._by_handle[handle].parent or "")

    def _answering(self, handle: int, kinds: tuple[str, ...]) -> int:
        parent = self._parent(handle)
        return parent if self._by_handle[handle].kind in kinds and parent in self._documents else handle

    def _exists(self, key: str) -> bool:
        record = self._store.records.get(key)
        return record is not None and not record.deleted

    def _satisfies(self, document: Document, clause: Clause) -> bool:
        match clause:
            case Must(clauses):
                return all(self._satisfies(document, part) for part in clauses)
            case Either(clauses):
                return any(self._satisfies(document, part) for part in clauses)
            case Not(part):
                return not self._satisfies(document, part)
            case _ if clause.is_phrase:
                return stands_in(clause, document, clause.columns or PLAIN_COLUMNS)
            case _:
                return any(map(self._test(clause), document.words(clause.columns or COLUMNS)))

    def _test(self, term: Term, *, stemmed: bool = True) -> Callable[[str], bool]:
        """Whether a word counts as a term of one word."""
        wanted = term.words[0]
        if term.prefix:
            return lambda word: word.startswith(wanted)
        if len(wanted) == 1 and is_paired(wanted):
            # Where words are pairs of characters, one character stands inside them.
            return lambda word: wanted in word
        if term.exact or not stemmed:
            return lambda word: word == wanted
        stem = self._stem(wanted)
        return lambda word: self._stem(word) == stem

    def _forms(self, term: Term) -> frozenset[str]:
        last = term.words[-1]
        going_on = {word for word in self.vocabulary() if word.startswith(last)} if term.prefix else {last}
        if term.is_phrase:
            return frozenset(going_on.union(term.words[:-1]))
        return frozenset(going_on.union(filter(self._test(term), self.vocabulary())))

    def _occurrences(self, term: Term, plan: ListPlan) -> _Frequencies:
        """A phrase counts once; a word as often as it occurs, by the weights of the columns it occurs in."""
        names = plan.lane is Lane.NAMES
        plain: Sequence[str] = NAMES[:1] if names else term.columns or PLAIN_COLUMNS
        if term.is_phrase:
            return {h: 1.0 for h, document in self._documents.items() if stands_in(term, document, plain)}
        every: dict[str, float] = dict(zip(COLUMNS, plan.column_weights, strict=True))
        weights = dict.fromkeys(NAMES, 1.0) if names else {name: every[name] for name in term.columns or COLUMNS}
        test = self._test(term, stemmed=plan.lane is not Lane.WORDS)
        return {
            handle: sum(weight * sum(map(test, document.columns[column])) for column, weight in weights.items())
            for handle, document in self._documents.items()
            if any(map(test, document.words(weights)))
        }

    def _worth(self, term: Term, plan: ListPlan) -> float:
        return term.weight * _idf(len(self._documents), len(self._occurrences(term, plan)))

    def _nearness(self, terms: list[Term], worths: list[float], document: Document) -> float:
        tests = [self._test(term) for term in terms]
        held: set[tuple[str, int]] = set()
        for column in COLUMNS:
            words = document.columns[column]
            places = [(at, number) for at, word in enumerate(words) for number, test in enumerate(tests) if test(word)]
            for (here, one), (there, other) in pairwise(places):
                if abs(other - one) == 1 and there - here <= CLOSE:
                    held.add(("close", min(one, other)))
                if other - one == 1 and there - here <= IN_ORDER:
                    held.add(("ordered", one))
        return sum(min(worths[pair], worths[pair + 1]) for _, pair in held)

    def _containing(self, literal: str) -> _Frequencies:
        """A string inside a word counts once for each word that contains it; any other, as often as it is read."""
        wanted = fold(literal)
        by_word = demand(literal).certain
        found: _Frequencies = {}
        for handle, document in self._documents.items():
            if any(wanted in fold(text) for text in document.texts):
                words = sum(wanted in word for word in document.words(PLAIN_COLUMNS))
                found[handle] = float(words if by_word else sum(count_in(wanted, text) for text in document.texts))
        return found

    def _exact(self, term: Term, plan: ListPlan) -> frozenset[int]:
        """The records that hold the very form of a word whose other forms count as well."""
        word = term.words[0]
        stemmed = plan.lane is not Lane.WORDS and not (term.exact or term.prefix or term.is_phrase or term.columns)
        if not plan.exact or not stemmed or (len(word) == 1 and is_paired(word)):
            return frozenset()
        columns = NAMES if plan.lane is Lane.NAMES else COLUMNS
        return frozenset(handle for handle, document in self._documents.items() if word in document.words(columns))

    def _rank(
        self, terms: Sequence[tuple[float, bool, _Frequencies, frozenset[int]]], plan: ListPlan, within: frozenset[int]
    ) -> Ranking:
        """BM25: each term's worth, by how often a record holds it and how long the record is."""
        counted = NAMES[:1] if plan.lane is Lane.NAMES else _COUNTED
        lengths = {handle: len(document.words(counted)) for handle, document in self._documents.items()}
        mean = sum(lengths.values()) / len(lengths) if any(lengths.values()) else 1.0
        scores: dict[int, float] = {}
        held: dict[int, float] = {}
        worths: list[float] = []
        for weight, required, frequencies, exact in terms:
            worth = weight * _idf(len(lengths), len(frequencies))
            worths += [worth] if required else []
            for handle, frequency in frequencies.items():
                norm = plan.k1 * (1 - plan.b + plan.b * lengths[handle] / mean)
                saturated = frequency * (plan.k1 + 1) / (frequency + norm) + plan.exact * (handle in exact)
                scores[handle] = scores.get(handle, 0.0) + worth * saturated
                # What is not required scores where something else is found.
                if required:
                    held[handle] = held.get(handle, 0.0) + worth
        whole = sum(worths)
        bound = plan.least * sum(sorted(worths)[-HEAVIEST:])
        handles = sorted(handle for handle in held.keys() & within if held[handle] >= bound)
        shares = [held[handle] / whole for handle in handles]
        coverage = [1.0 if share > 1 - 1e-9 else share for share in shares]
        return Ranking(handles, [scores[handle] for handle in handles], coverage)


def _handles(within: Selection) -> frozenset[int]:
    assert isinstance(within, _Chosen)
    return within.handles


def _idf(records: int, holders: int) -> float:
    return math.log(1 + (records - holders + 0.5) / (holders + 0.5))


def _ascii_lower(text: str) -> str:
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)
