"""What does one reader see? A snapshot of the file, with everything a search asks of it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from dowse.engines.quantising import Question, question
from dowse.engines.sqlite import keeping, passages, rows, sources
from dowse.engines.sqlite.columns import Columns
from dowse.engines.sqlite.counting import counts
from dowse.engines.sqlite.driver import Garbled, translated, value
from dowse.engines.sqlite.edges import Edges
from dowse.engines.sqlite.lending import Lender
from dowse.engines.sqlite.matching import Matcher
from dowse.engines.sqlite.meaning import SHORTLIST, Nearby
from dowse.engines.sqlite.postings import PostingsCache
from dowse.engines.sqlite.reading import Reader, Snapshot
from dowse.engines.sqlite.scoping import MaskSelection, everything, of_kinds, of_labels, reach_mask, scope_mask, with_facet
from dowse.engines.sqlite.vectors import VectorCache
from dowse.model.passage import Embedding, Passage, Vectors
from dowse.model.ranking import Handles, Ranking, Scores
from dowse.model.reach import Reach
from dowse.model.record import Edge, Record
from dowse.model.request import ANYWHERE, Boost, ListPlan, Scope
from dowse.model.schema import Schema
from dowse.model.source import Source, Stamp
from dowse.model.terms import Clause, Query, Term
from dowse.ports import Direction, Selection

# Nobody nests records deeper; a bound against records that hold each other.
_DEEPEST = 32
# More records of one name than anyone could mean.
_MOST_ENTITLED = 1000
# Names that were asked for are kept until the next commit, with who is called so: most words are nobody's name.
_MOST_TITLES, _FEW_ENTITLED = 4096, 8
# Up to this many records are put in order by asking for their keys; more, by the order of all keys.
_FEW = 2000
# Records that the stages of a search ask for one after another; who reads many reads each once.
_REREAD = 100

# As many as a search looks at, and more: to make them takes as long as all the rest of telling who changed lately.
_ONES = np.ones(1024)
_ONES.setflags(write=False)
# More than all surfaces declare; users may ask for kinds of their own.
_MOST_NOTES = 64
# More than readers wait for the next question.
_MOST_MATCHERS = 8

_Told = TypeVar("_Told")
_Declared = TypeVar("_Declared")


class _Needed(Generic[_Told]):
    """What a view makes when it is first asked for it, and then has."""

    def __init__(self, make: Callable[[Any], _Told]) -> None:
        self._make = make
        self._name = make.__name__

    def __get__(self, view: object, owner: type) -> _Told:
        made: _Told = self._make(view)
        view.__dict__[self._name] = made
        return made


class SqliteView:
    """Reads within one transaction. Columns are read on first need: fetching a record by key touches none of them."""

    def __init__(
        self,
        reader: Reader,
        schema: Schema,
        snapshot: Snapshot,
        cache: PostingsCache,
        lender: Lender,
        vectors: VectorCache,
        shortlist: int = SHORTLIST,
    ) -> None:
        self.reader = reader
        self.generation = snapshot.generation
        self._connection = reader.connection
        self._schema = schema
        self._snapshot = snapshot
        self._cache = cache
        self._lender = lender
        self._vectors = vectors
        self._shortlist = shortlist
        self._fetched: dict[int, Record] = {}

    def end(self) -> None:
        """Gives back what was lent to it; nothing is asked of it any more."""
        lent = self.__dict__.pop("_columns", None)
        if lent is not None:
            self._lender.take_back(lent)

    @property
    def updated(self) -> float:
        return float(self._snapshot.noted["updated"])

    def select(
        self, scope: Scope, filter: Clause | None = None, folds: tuple[str, ...] = (), within: Selection | None = None
    ) -> Selection:
        if filter is None and within is None:
            if scope is ANYWHERE:
                return everything(self._columns)
            # Searches ask for the same few scopes all the time.
            often = self._columns.notes.get((id(scope), "")) if not folds else None
            if often is not None and often[0] is scope:
                known: MaskSelection = often[1]
                return known
            selection = self._selected_often(scope, folds)
            if selection is not None and not folds and (scope.kinds or scope.facets) and self._columns.has_room:
                self._once(scope, lambda: selection)
            if selection is not None:
                return selection
        bounds = cast(MaskSelection, within).mask if within is not None else None
        mask = scope_mask(self._connection, self._columns, scope, folds, bounds)
        if filter is not None:
            mask &= self._matcher.holders(filter)
        return MaskSelection(mask)

    def _selected_often(self, scope: Scope, folds: tuple[str, ...]) -> MaskSelection | None:
        """What every search asks for: everything, some kinds, one facet. Made once for all searches of a generation."""
        narrowed = scope.spaces or scope.ancestor is not None or scope.keys is not None or scope.parents is not None
        if narrowed or scope.tags or scope.deleted or len(scope.facets) > 1 or (scope.kinds and scope.facets):
            return None
        if not scope.kinds and not scope.facets:
            return everything(self._columns)
        if folds:
            return None
        for name, values in scope.facets.items():
            return with_facet(self._connection, self._columns, name, values)
        return of_kinds(self._connection, self._columns, scope.kinds)

    def reached(self, reach: Reach) -> Selection:
        return MaskSelection(reach_mask(self._connection, self._columns, reach))

    def concerning(self, boosts: tuple[Boost, ...]) -> tuple[Boost, ...]:
        return self._once(boosts, lambda: tuple([boost for boost in boosts if self._concerns(boost)]))

    def _concerns(self, boost: Boost) -> bool:
        having = self.select(Scope(facets={boost.facet: boost.values})).size if boost.facet else 1
        return bool(having) and (not boost.kinds or bool(of_kinds(self._connection, self._columns, boost.kinds).size))

    def may_link(self, kinds: tuple[str, ...]) -> bool:
        return self._once(kinds, lambda: self._edges.may_be(kinds), "linked")

    def may_hold(self, kinds: tuple[str, ...]) -> bool:
        return self._once(kinds, lambda: bool(of_kinds(self._connection, self._columns, kinds).size), "held")

    def linked(self, within: Selection) -> dict[str, int]:
        return self._edges.counts(cast(MaskSelection, within).mask)

    def holds(self, within: Selection, handle: int) -> bool:
        return bool(cast(MaskSelection, within).mask[handle])

    def among(self, within: Selection, handles: Handles) -> Handles:
        chosen: Any = within
        wanted = np.asarray(handles, np.int64)
        return wanted[chosen.mask[wanted]]

    def match(self, query: Query, plan: ListPlan, within: Selection) -> Ranking:
        selection: Any = within
        try:
            return self._matcher.match(query, plan, None if selection.everything else selection.mask)
        except Exception:
            # Only here, for every search would wait for what few of them need.
            with translated(f"the {plan.lane.value} index"):
                raise

    def near(self, query: Query, plan: ListPlan, handles: Handles) -> Scores:
        return self._matcher.near(query, plan, np.asarray(handles, np.int64))

    @_Needed
    def embedding(self) -> Embedding:
        return keeping.to_embedding(self._snapshot.noted)

    def nearest(self, vector: Vectors, within: Selection, limit: int, floor: float) -> Ranking:
        asked = self._question(vector)
        if asked is None:
            return Ranking(np.empty(0, np.int64), np.empty(0), np.empty(0))
        return self._nearby.nearest(asked, cast(MaskSelection, within).mask, limit, floor, self.order)

    def similarity(self, vector: Vectors, handles: Handles) -> Scores:
        asked, wanted = self._question(vector), np.asarray(handles, np.int64)
        return passages.similarity(self._nearby, asked, wanted) if asked is not None else np.zeros(len(wanted))

    def passages(self, vector: Vectors, handles: Handles) -> list[Passage | None]:
        asked, wanted = self._question(vector), np.asarray(handles, np.int64)
        return passages.closest(self._nearby, self._schema, asked, wanted) if asked is not None else [None] * len(wanted)

    def meanings(self, handles: Handles) -> list[Vectors | None]:
        wanted = np.asarray(handles, np.int64)
        return passages.meanings(self._nearby, wanted) if self.embedding.profile is not None else [None] * len(wanted)

    def unembedded(self, limit: int) -> list[tuple[bytes, str]]:
        return passages.unembedded(self._connection, self._schema, limit)

    def fetch(self, handles: Handles) -> list[Record]:
        wanted = [int(handle) for handle in handles]
        found = {handle: self._fetched[handle] for handle in wanted if handle in self._fetched}
        if len(found) < len(wanted):
            found |= rows.by_id(self._connection, [handle for handle in wanted if handle not in found])
        if len(found) <= _REREAD:
            self._fetched |= found
        return _each(found, wanted)

    def find(self, keys: Iterable[str]) -> dict[str, Record]:
        return {key: record for key, (_, record) in rows.by_key(self._connection, keys).items()}

    def resolve(self, prefix: str, limit: int = 2) -> list[str]:
        found = self._connection.execute(
            "select key from record where key >= ? and key < ? order by key limit ?", (prefix, prefix + "\U0010ffff", limit)
        )
        return [key for (key,) in found]

    def handles(self, keys: Sequence[str]) -> list[int | None]:
        found = dict(
            self._connection.execute(
                "select key, id from record where key in (select value from json_each(?))", (rows.dump(list(keys)),)
            )
        )
        return [found.get(key) for key in keys]

    def order(self, handles: Handles) -> Handles:
        wanted = np.asarray(handles, np.int64)
        if len(wanted) > _FEW:
            places = self._columns.once("key_places", self._key_places)
            return wanted[np.argsort(places[wanted], kind="stable")]
        listed = wanted.tolist()
        keys = dict(zip(listed, self.names(listed), strict=True))
        return np.array(sorted(listed, key=keys.__getitem__), np.int64)

    def _key_places(self) -> NDArray[np.int64]:
        """For every record its place in the order of all keys."""
        ordered = np.fromiter(
            (identity for (identity,) in self._connection.execute("select id from record order by key")), np.int64
        )
        places = np.zeros(self._columns.size, np.int64)
        places[ordered] = np.arange(len(ordered))
        return places

    def parents(self, handles: Handles, kinds: tuple[str, ...]) -> Handles:
        wanted = np.asarray(handles, np.int64)
        if not kinds or not len(wanted):
            return handles
        folded = of_labels(self._connection, self._columns, kinds)[self._columns.of("kind", wanted)]
        parents = self._columns.of("parent", wanted).astype(np.int64)
        # A parent that is gone cannot answer for its child.
        folded &= self._columns.of("live", parents)
        return np.where(folded, parents, wanted)

    def containers(self, handles: Handles, kinds: tuple[str, ...]) -> Handles:
        here = np.asarray(handles, np.int64)
        found = np.zeros(len(here), np.int64)
        containing = of_kinds(self._connection, self._columns, kinds)
        if not containing.size:
            return found
        holding = containing.mask
        parent = self._columns.column("parent")
        for _ in range(_DEEPEST):
            reached = holding[here]
            np.copyto(found, here, where=reached)
            here = np.where(reached, 0, parent[here]).astype(np.int64)
            if not here.any():
                break
        return found

    def names(self, handles: Handles) -> list[tuple[str, str]]:
        wanted = handles if isinstance(handles, list) else [int(handle) for handle in handles]
        known = self._columns.named(wanted)
        missing = [handle for handle in wanted if handle not in known]
        if not missing:
            return [known[handle] for handle in wanted]
        rows_found = self._connection.execute(
            "select id, key, title from record where id in (select value from json_each(?))", (rows.dump(missing),)
        )
        found = {identity: (key, title) for identity, key, title in rows_found}
        self._columns.learn(found)
        return _each(found | known, wanted)

    def entitled(self, titles: Sequence[str]) -> list[tuple[int, str]]:
        # Most queries name one thing or none, and a list of one is read faster as what it is.
        named = "= ?" if len(titles) == 1 else "in (select value from json_each(?))"
        entitled = self._columns.entitled.get(tuple(titles))
        if entitled is not None:
            return entitled
        found = self._connection.execute(
            f"select id, title from record where title collate nocase {named} order by key limit ?",
            (titles[0] if len(titles) == 1 else rows.dump(list(titles)), _MOST_ENTITLED),
        )
        every = list(found)
        live = self._columns.of("live", np.array([identity for identity, _ in every], np.int64))
        entitled = [item for item, there in zip(every, live.tolist(), strict=True) if there]
        if len(entitled) <= _FEW_ENTITLED:
            if len(self._columns.entitled) >= _MOST_TITLES:
                self._columns.entitled.clear()
            self._columns.entitled[tuple(titles)] = entitled
        return entitled

    def recent(self, within: Selection, handles: Handles | None = None) -> Ranking:
        found = np.flatnonzero(cast(MaskSelection, within).mask) if handles is None else self.among(within, handles)
        whole = _ONES[: len(found)] if len(found) <= len(_ONES) else np.ones(len(found))
        return Ranking(found, self._columns.of("updated", found), whole)

    def counts(self, handles: Handles, name: str) -> dict[str, int]:
        return counts(self._connection, self._columns, np.asarray(handles, np.int64), name)

    def edges(self, keys: Sequence[str], direction: Direction, kinds: tuple[str, ...] = ()) -> list[Edge]:
        return self._edges.at(keys, direction, kinds)

    def forms(self, terms: Sequence[Term]) -> dict[Term, frozenset[str]]:
        return {term: self._matcher.forms(term) for term in terms}

    def misspelt(self, query: Query, plan: ListPlan) -> dict[str, list[str]]:
        return self._matcher.misspelt(query, plan)

    def mark(self, name: str) -> str | None:
        content: str | None = value(self._connection, "select value from meta where name = ?", (f"mark:{name}",))
        return content

    def marks(self, beginning: str) -> dict[str, str]:
        found = self._connection.execute(
            "select substr(name, 6), value from meta where name >= ? and name < ? order by name",
            (f"mark:{beginning}", f"mark:{beginning}\U0010ffff"),
        )
        return dict(found)

    def stamps(self, space: str) -> dict[str, Stamp]:
        return sources.stamps(self._connection, space)

    def sources(self, space: str, paths: Sequence[str]) -> list[Source]:
        return list(sources.by_path(self._connection, space, paths))

    def unsettled(self, space: str, limit: int) -> list[Source]:
        return list(sources.unsettled(self._connection, space, limit))

    def definers(self, space: str, names: Sequence[str], limit: int) -> dict[str, tuple[str, ...]]:
        return sources.definers(self._connection, space, names, limit)

    def scan(self) -> Iterator[Record | Edge]:
        for _, record in rows.every(self._connection):
            yield record
        yield from rows.every_edge(self._connection)

    def _once(self, declared: _Declared, make: Callable[[], _Told], about: str = "") -> _Told:
        """What follows from a declaration until the next commit: by which one it is, for to compare what it says takes longer."""
        notes = self._columns.notes
        known = notes.get((id(declared), about))
        if known is None or known[0] is not declared:
            if len(notes) >= _MOST_NOTES:
                notes.clear()
            # The declaration stays with it, so that no other can come to its place in memory.
            known = notes[id(declared), about] = (declared, make())
        told: _Told = known[1]
        return told

    @_Needed
    def _columns(self) -> Columns:
        return self._lender.lend(self._connection, self._snapshot.lanes, self.generation)

    @_Needed
    def _edges(self) -> Edges:
        return Edges(self._connection, self._schema, self._columns, self._cache, self.generation)

    @_Needed
    def _matcher(self) -> Matcher:
        """As long as nothing changes, the one that the reader had before."""
        columns, reader, snapshot = self._columns, self.reader, self._snapshot
        known = columns.matchers.get(reader)
        if known is None or known[0] is not snapshot:
            if len(columns.matchers) >= _MOST_MATCHERS:
                columns.matchers.clear()
            matcher = Matcher(self._connection, self._schema, snapshot.lanes, columns, self._cache, snapshot.flushed)
            known = columns.matchers[reader] = (snapshot, matcher)
        kept: Matcher = known[1]
        return kept

    @_Needed
    def _nearby(self) -> Nearby:
        profile = self.embedding.profile
        assert profile is not None, "asked only where there is a model"
        return Nearby(self._connection, self._vectors.at(self._connection, self.generation, profile.dimension), self._shortlist)

    def _question(self, vector: Vectors) -> Question | None:
        """What to compare with; None if there is nothing to compare, or the vector says nothing."""
        profile = self.embedding.profile
        return question(vector, profile.dimension) if profile is not None else None


def _each(found: Mapping[int, _Told], wanted: Iterable[int]) -> list[_Told]:
    """What is told of each. In one snapshot whoever is indexed has a row, so where one has none, bytes have changed."""
    try:
        return [found[handle] for handle in wanted]
    except KeyError as error:
        raise Garbled(f"the index names a record that is not there, number {error}") from error
