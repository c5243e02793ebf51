"""What must every engine answer? The promises of the port kept plainly: dictionaries, and a look at every text.

This is the oracle of the contract tests. Nothing here is fast, so that everything can be seen to be right.
"""

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache

from dowse.engines.lineage import refuse_cycle
from dowse.errors import Conflict, NotFound, StorageError
from dowse.model.change import Applied, Change, Delete, Link, Mark, Put, Relink, RenameTag, Restore, Unlink
from dowse.model.ranking import HEAVIEST, Handles, Ranking
from dowse.model.record import Edge, Record
from dowse.model.request import Lane, ListPlan, Scope
from dowse.model.schema import COLUMNS, PLAIN_COLUMNS, Column, Schema
from dowse.model.terms import Clause, Either, Must, Not, Query, Term
from dowse.ports import Direction, Finding, Selection, Status
from dowse.text.containing import count_in, demand
from dowse.text.folding import fold, is_word_character
from dowse.text.words import analyse, is_paired

# The columns whose words make a record long: those that rank.
_COUNTED = (Column.TITLE, Column.BODY, Column.TAGS, Column.ALTERNATES)
# The columns of the names lane: words as they stand, and what was derived from them.
_NAMES = ("name", "name_alternates")

Stem = Callable[[str], str]
# What one term gives each record that holds it: how often it occurs, by the weight of the columns.
_Frequencies = dict[int, float]


class MemoryEngine:
    """Records for as long as the process lives. ``stem`` gives the stem of a word: engines that share it rank alike."""

    def __init__(self, schema: Schema, stem: Stem, clock: Callable[[], float] = time.time) -> None:
        self._schema = schema
        self._stem = cache(stem)
        self._clock = clock
        self._lock = threading.Lock()
        self._store: _Store | None = _Store()

    def apply(self, changes: Iterable[Change]) -> Applied:
        listed = list(changes)
        with self._lock:
            before = self._open_store()
            after = before.copy()
            for change in listed:
                after.fold_in(change)
            records, edges = after.differences(before)
            if records or edges:
                after.generation += 1
                after.updated = max(after.updated, self._clock())
            self._store = after
            return Applied(after.generation, records, edges)

    @contextmanager
    def view(self) -> Iterator["MemoryView"]:
        yield MemoryView(self._open_store(), self._schema, self._stem)

    def reindex(self) -> int:
        """Nothing is derived here, so nothing is made again; returns how many records can be found."""
        with self._lock:
            store = self._store = self._open_store().copy()
            store.generation += 1
            return sum(map(_is_live, store.records.values()))

    def status(self) -> Status:
        store = self._open_store()
        records = list(store.records.values())
        return Status(
            generation=store.generation,
            updated=store.updated,
            records=_counts(record.kind for record in records if not record.deleted),
            deleted=sum(record.deleted for record in records),
            edges=_counts(edge.kind for edge in store.edges.values()),
            spaces=len({record.space for record in records}),
            words=len(MemoryView(store, self._schema, self._stem).vocabulary()),
            bytes=0,
            location="memory",
        )

    def examine(self) -> tuple[Finding, ...]:
        self._open_store()
        return (Finding("index", True, "every answer is read from the records themselves"),)

    def close(self) -> None:
        self._store = None

    def _open_store(self) -> "_Store":
        if self._store is None:
            raise StorageError("The workspace in memory is closed.")
        return self._store


@dataclass(slots=True)
class _Store:
    """Everything an engine holds. A batch is folded into a copy that takes the place of the original or is dropped."""

    records: dict[str, Record] = field(default_factory=dict)
    handles: dict[str, int] = field(default_factory=dict)
    edges: dict[tuple[str, str, str], Edge] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    next_handle: int = 1
    generation: int = 0
    updated: float = 0.0

    def copy(self) -> "_Store":
        return replace(self, records={**self.records}, handles={**self.handles}, edges={**self.edges}, marks={**self.marks})

    def differences(self, before: "_Store") -> tuple[int, int]:
        """How many records and edges are not as they were."""
        keys = self.records.keys() | before.records.keys()
        links = self.edges.keys() | before.edges.keys()
        return sum(self._at(key) != before._at(key) for key in keys), sum(
            _facets(self.edges.get(link)) != _facets(before.edges.get(link)) for link in links
        )

    def fold_in(self, change: Change) -> None:
        match change:
            case Put(record, expected):
                self._put(record, expected)
            case Delete(key, purge):
                stored = self._present(key)
                if purge:
                    self._purge(key)
                elif not stored.deleted:
                    self.records[key] = replace(stored, deleted=True, version=stored.version + 1)
            case Restore(key):
                stored = self._present(key)
                if stored.deleted:
                    self.records[key] = replace(stored, deleted=False, version=stored.version + 1)
            case Link(edge):
                self.edges[edge.source, edge.kind, edge.target] = edge
            case Unlink(source, target, kind):
                self.edges.pop((source, kind, target), None)
            case Relink(source, kind, edges):
                self._forget_edges(source, kind)
                self.edges.update({(edge.source, edge.kind, edge.target): edge for edge in edges})
            case RenameTag(old, new):
                self._rename_tag(old, new)
            case Mark(name, None):
                self.marks.pop(name, None)
            case Mark(name, str(content)):
                self.marks[name] = content

    def _put(self, record: Record, expected: int | None) -> None:
        stored = self.records.get(record.key)
        version = stored.version if stored is not None else 0
        if expected is not None and expected != version:
            raise Conflict(
                f"{record.key!r} is at version {version}, not {expected}: someone else wrote it in between."
                " Read it again, then write."
            )
        refuse_cycle(record.key, record.parent, self._parent_of)
        new = replace(record, tags=tuple(sorted(set(record.tags))), version=version)
        # Writing what is there already is no change, whatever its time.
        if stored is None or new != replace(stored, updated=new.updated):
            self.records[record.key] = replace(new, version=version + 1)
        if stored is None:
            self.handles[record.key] = self.next_handle
            self.next_handle += 1

    def _at(self, key: str) -> tuple[int | None, Record | None]:
        return self.handles.get(key), self.records.get(key)

    def _present(self, key: str) -> Record:
        if key not in self.records:
            raise NotFound(f"No record has the id {key!r}.")
        return self.records[key]

    def _parent_of(self, key: str) -> str | None:
        return self.records[key].parent if key in self.records else None

    def _purge(self, key: str) -> None:
        """A purged record takes its own edges along. Edges that point at it stay: they live again if it returns."""
        del self.records[key], self.handles[key]
        self._forget_edges(key)

    def _forget_edges(self, source: str, kind: str | None = None) -> None:
        gone = [link for link in self.edges if link[0] == source and kind in (None, link[1])]
        for link in gone:
            del self.edges[link]

    def _rename_tag(self, old: str, new: str) -> None:
        for key, record in self.records.items():
            if old in record.tags and old != new:
                tags = tuple(sorted({new if tag == old else tag for tag in record.tags}))
                self.records[key] = replace(record, tags=tags, version=record.version + 1)


@dataclass(frozen=True, slots=True)
class _Document:
    """A record as a search reads it: its words by column (the two of the names lane too), and the texts themselves."""

    columns: Mapping[str, list[str]]
    texts: tuple[str, ...]

    def words(self, columns: Iterable[str]) -> list[str]:
        return [word for column in columns for word in self.columns[column]]


@dataclass(frozen=True, slots=True)
class _Chosen:
    handles: frozenset[int]

    @property
    def size(self) -> int:
        return len(self.handles)


class MemoryView:
    """Answers from one state of the store, which no later write changes."""

    def __init__(self, store: _Store, schema: Schema, stem: Stem) -> None:
        self._store = store
        self._stem = stem
        self._by_handle = {store.handles[key]: record for key, record in sorted(store.records.items())}
        live = {handle: record for handle, record in sorted(self._by_handle.items()) if _is_live(record)}
        self._documents = {handle: _read(schema, record) for handle, record in live.items()}

    @property
    def generation(self) -> int:
        return self._store.generation

    @property
    def updated(self) -> float:
        return self._store.updated

    def select(self, scope: Scope, filter: Clause | None = None, folds: tuple[str, ...] = ()) -> Selection:
        inside = {handle for handle, record in self._by_handle.items() if self._in_scope(record, scope)}
        folded = {h for h in self._documents if self._by_handle[h].kind in folds and self._parent(h) in inside}
        chosen = inside | folded
        if filter is not None:
            chosen = {handle for handle in chosen if self._satisfies(self._documents.get(handle, _EMPTY), filter)}
        return _Chosen(frozenset(chosen))

    def holds(self, within: Selection, handle: int) -> bool:
        return handle in _handles(within)

    def match(self, query: Query, plan: ListPlan, within: Selection) -> Ranking:
        if plan.lane is Lane.SUBSTRING:
            terms = [(1.0, True, self._containing(literal)) for literal in query.literals]
        else:
            terms = [(term.weight, term.required, self._occurrences(term, plan)) for term in query.terms]
        return self._rank(terms, plan, _handles(within))

    def nearest(self, vector: Sequence[float], within: Selection) -> Ranking:
        del vector, within
        return Ranking((), (), ())

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

    def recent(self, within: Selection) -> Ranking:
        handles = sorted(_handles(within))
        return Ranking(handles, [float(self._by_handle[handle].updated) for handle in handles], [1.0] * len(handles))

    def order(self, handles: Handles) -> Handles:
        return sorted((int(handle) for handle in handles), key=lambda handle: self._by_handle[handle].key)

    def edges(self, keys: Sequence[str], direction: Direction, kinds: tuple[str, ...] = ()) -> list[Edge]:
        def is_wanted(edge: Edge) -> bool:
            outgoing = direction is not Direction.INCOMING and edge.source in keys
            incoming = direction is not Direction.OUTGOING and edge.target in keys
            return (outgoing or incoming) and (not kinds or edge.kind in kinds)

        both_ends = [e for e in self._store.edges.values() if self._exists(e.source) and self._exists(e.target)]
        return sorted(filter(is_wanted, both_ends))

    def forms(self, terms: Sequence[Term]) -> dict[Term, frozenset[str]]:
        return {term: self._forms(term) for term in terms}

    def mark(self, name: str) -> str | None:
        return self._store.marks.get(name)

    def scan(self) -> Iterator[Record | Edge]:
        for _, record in sorted(self._store.records.items()):
            yield record
        for _, edge in sorted(self._store.edges.items()):
            yield edge

    def vocabulary(self) -> frozenset[str]:
        """Every word that can be found."""
        return frozenset(word for document in self._documents.values() for word in document.words((*COLUMNS, *_NAMES)))

    def _in_scope(self, record: Record, scope: Scope) -> bool:
        return (
            (record.deleted if scope.deleted else _is_live(record))
            and (not scope.kinds or record.kind in scope.kinds)
            and (not scope.spaces or record.space in scope.spaces)
            and (scope.ancestor is None or self._is_below(record.key, scope.ancestor))
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

    def _satisfies(self, document: _Document, clause: Clause) -> bool:
        match clause:
            case Must(clauses):
                return all(self._satisfies(document, part) for part in clauses)
            case Either(clauses):
                return any(self._satisfies(document, part) for part in clauses)
            case Not(part):
                return not self._satisfies(document, part)
            case _ if clause.is_phrase:
                return _stands_in(clause, document, clause.columns or PLAIN_COLUMNS)
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
        plain: Sequence[str] = _NAMES[:1] if names else term.columns or PLAIN_COLUMNS
        if term.is_phrase:
            return {h: 1.0 for h, document in self._documents.items() if _stands_in(term, document, plain)}
        every: dict[str, float] = dict(zip(COLUMNS, plan.column_weights, strict=True))
        weights = dict.fromkeys(_NAMES, 1.0) if names else {name: every[name] for name in term.columns or COLUMNS}
        test = self._test(term, stemmed=plan.lane is not Lane.WORDS)
        return {
            handle: sum(weight * sum(map(test, document.columns[column])) for column, weight in weights.items())
            for handle, document in self._documents.items()
            if any(map(test, document.words(weights)))
        }

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

    def _rank(self, terms: Sequence[tuple[float, bool, _Frequencies]], plan: ListPlan, within: frozenset[int]) -> Ranking:
        """BM25: each term's worth, by how often a record holds it and how long the record is."""
        counted = _NAMES[:1] if plan.lane is Lane.NAMES else _COUNTED
        lengths = {handle: len(document.words(counted)) for handle, document in self._documents.items()}
        mean = sum(lengths.values()) / len(lengths) if any(lengths.values()) else 1.0
        scores: dict[int, float] = {}
        held: dict[int, float] = {}
        worths: list[float] = []
        for weight, required, frequencies in terms:
            worth = weight * math.log(1 + (len(lengths) - len(frequencies) + 0.5) / (len(frequencies) + 0.5))
            worths += [worth] if required else []
            for handle, frequency in frequencies.items():
                norm = plan.k1 * (1 - plan.b + plan.b * lengths[handle] / mean)
                scores[handle] = scores.get(handle, 0.0) + worth * (frequency * (plan.k1 + 1) / (frequency + norm))
                # What is not required scores where something else is found.
                if required:
                    held[handle] = held.get(handle, 0.0) + worth
        whole = sum(worths)
        heaviest = sum(sorted(worths)[-HEAVIEST:]) / whole if whole else 1.0
        handles = sorted(held.keys() & within)
        shares = [held[handle] / whole for handle in handles]
        coverage = [1.0 if share > 1 - 1e-9 else share for share in shares]
        return Ranking(handles, [scores[handle] for handle in handles], coverage, heaviest)


def _read(schema: Schema, record: Record) -> _Document:
    """The words of a record, column by column."""
    columns: dict[str, list[str]] = {name: [] for name in (*COLUMNS, *_NAMES)}
    declared = schema.kinds[record.kind].fields
    for part in declared:
        text = record.text(part.name)
        end = len(text) if part.ranked is None else _word_end(text, part.ranked)
        ranked, tail = analyse(text[:end]), analyse(text[end:])
        columns[part.column] += ranked.plain.split()
        columns[Column.ALTERNATES] += ranked.alternates.split()
        columns[Column.TAIL] += tail.plain.split()
        columns[Column.TAIL_ALTERNATES] += tail.alternates.split()
        if part.named:
            for name, words in zip(_NAMES, ranked, strict=True):
                columns[name] += words.split()
    return _Document(columns, tuple(record.text(part.name) for part in declared))


_EMPTY = _Document({name: [] for name in (*COLUMNS, *_NAMES)}, ())


def _word_end(text: str, place: int) -> int:
    """The first place from here on that is not inside a word."""
    while place < len(text) and (is_word_character(text[place]) or text[place] == "_"):
        place += 1
    return place


def _stands_in(phrase: Term, document: _Document, columns: Iterable[str]) -> bool:
    """Whether the words of a phrase stand next to each other in a column; the last of an open one may go on."""
    *before, end = phrase.words
    for words in (document.columns[column] for column in columns):
        for at in range(len(words) - len(before)):
            last = words[at + len(before)]
            ends = last.startswith(end) if phrase.prefix else last == end
            if ends and words[at : at + len(before)] == before:
                return True
    return False


def _is_live(record: Record) -> bool:
    return not record.deleted and not record.is_placeholder


def _handles(within: Selection) -> frozenset[int]:
    assert isinstance(within, _Chosen)
    return within.handles


def _facets(edge: Edge | None) -> dict[str, object] | None:
    return None if edge is None else dict(edge.facets)


def _counts(names: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in sorted(names):
        found[name] = found.get(name, 0) + 1
    return found
