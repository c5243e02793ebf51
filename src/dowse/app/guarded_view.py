"""What does someone see who sees only a part of the workspace? A view in which the rest does not exist.

Everything that reads gets its records, keys and edges from a view; so what is not in this one cannot get into any answer.
One thing of the whole is left: how common a word is everywhere. Scores are the same whoever asks, and what a word is worth tells
how rare it is in the workspace, never where it stands.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from dowse.model.passage import Embedding, Passage, Vectors
from dowse.model.ranking import Handles, Ranking, Scores
from dowse.model.reach import Reach
from dowse.model.record import Edge, Record
from dowse.model.request import Boost, ListPlan, Scope
from dowse.model.source import Source, Stamp
from dowse.model.terms import Clause, Query, Term
from dowse.ports import Direction, Selection, View

# What is remembered beside the records and may be read in part: which model is used, and the projects, each under its space.
MODEL = "model"
PROJECT = "project:"
# Keys looked at together while everything is read.
_AT_ONCE = 500
# Keys looked at first for the beginning of one; more when those are not seen.
_BEGINNINGS = 64


class GuardedView:
    """One snapshot as someone with a reach sees it."""

    def __init__(self, view: View, reach: Reach) -> None:
        self._view = view
        self._reach = reach
        self._seen_now: Selection | None = None

    @property
    def generation(self) -> int:
        return self._view.generation

    @property
    def updated(self) -> float:
        return self._view.updated

    @property
    def embedding(self) -> Embedding:
        """Whose vectors there are. How many passages have theirs, or wait, is a number of the whole workspace and is not told."""
        whole = self._view.embedding
        return replace(whole, done=min(whole.done, 1), waiting=0)

    def select(
        self, scope: Scope, filter: Clause | None = None, folds: tuple[str, ...] = (), within: Selection | None = None
    ) -> Selection:
        # Whoever narrows further has a selection of this view, which lies within what is seen.
        return self._view.select(self._existing(scope), filter, folds, within if within is not None else self._seen)

    def reached(self, reach: Reach) -> Selection:
        if reach != self._reach and not reach.is_everything:
            raise LookupError("a view is narrowed to a reach once")
        return self._seen

    def concerning(self, boosts: tuple[Boost, ...]) -> tuple[Boost, ...]:
        return self._view.concerning(boosts)

    def may_link(self, kinds: tuple[str, ...]) -> bool:
        return self._view.may_link(kinds)

    def may_hold(self, kinds: tuple[str, ...]) -> bool:
        return self._view.may_hold(kinds)

    def linked(self, within: Selection) -> dict[str, int]:
        return self._view.linked(within)

    def holds(self, within: Selection, handle: int) -> bool:
        return self._view.holds(within, handle)

    def among(self, within: Selection, handles: Handles) -> Handles:
        return self._view.among(within, handles)

    # Lists: what they find is within a selection, and so within what is seen

    def match(self, query: Query, plan: ListPlan, within: Selection) -> Ranking:
        return self._view.match(query, plan, within)

    def near(self, query: Query, plan: ListPlan, handles: Handles) -> Scores:
        return self._view.near(query, plan, handles)

    def nearest(self, vector: Vectors, within: Selection, limit: int, floor: float) -> Ranking:
        return self._view.nearest(vector, within, limit, floor)

    def similarity(self, vector: Vectors, handles: Handles) -> Scores:
        return self._view.similarity(vector, handles)

    def passages(self, vector: Vectors, handles: Handles) -> list[Passage | None]:
        return self._view.passages(vector, self._checked(handles))

    def meanings(self, handles: Handles) -> list[Vectors | None]:
        return self._view.meanings(handles)

    def unembedded(self, limit: int) -> list[tuple[bytes, str]]:
        # Vectors are made for all, by those who see all.
        del limit
        return []

    def recent(self, within: Selection, handles: Handles | None = None) -> Ranking:
        return self._view.recent(within, handles)

    def counts(self, handles: Handles, name: str) -> dict[str, int]:
        return self._view.counts(self._checked(handles), name)

    def order(self, handles: Handles) -> Handles:
        return self._view.order(handles)

    def forms(self, terms: Sequence[Term]) -> dict[Term, frozenset[str]]:
        # Only what stands in a text that is shown is marked in it.
        return self._view.forms(terms)

    def misspelt(self, query: Query, plan: ListPlan) -> dict[str, list[str]]:
        # Whoever takes a word for another looks whether a record that is seen holds it.
        return self._view.misspelt(query, plan)

    # Records

    def fetch(self, handles: Handles) -> list[Record]:
        return self._without_unseen_parents(self._view.fetch(self._checked(handles)))

    def find(self, keys: Iterable[str]) -> dict[str, Record]:
        found = self._view.find(self._seen_keys(list(keys)))
        return dict(zip(found, self._without_unseen_parents(list(found.values())), strict=True))

    def resolve(self, prefix: str, limit: int = 2) -> list[str]:
        asked = max(limit, _BEGINNINGS)
        while True:
            known = self._view.resolve(prefix, asked)
            seen = self._seen_keys(known)
            if len(seen) >= limit or len(known) < asked:
                return seen[:limit]
            asked *= 8

    def handles(self, keys: Sequence[str]) -> list[int | None]:
        found = self._view.handles(keys)
        seen = self._seen_of([handle for handle in found if handle is not None])
        return [handle if handle in seen else None for handle in found]

    def parents(self, handles: Handles, kinds: tuple[str, ...]) -> Handles:
        """A part whose parent is not seen answers for itself."""
        own, above = np.asarray(handles, np.int64), np.asarray(self._view.parents(handles, kinds), np.int64)
        others = np.unique(above[above != own])
        unseen = np.setdiff1d(others, np.asarray(self._view.among(self._seen, others), np.int64)) if len(others) else others
        return np.where(np.isin(above, unseen), own, above) if len(unseen) else above

    def containers(self, handles: Handles, kinds: tuple[str, ...]) -> Handles:
        found = np.asarray(self._view.containers(handles, kinds), np.int64)
        seen = list(self._seen_of(found[found != 0].tolist()))
        return np.where(np.isin(found, seen), found, 0)

    def names(self, handles: Handles) -> list[tuple[str, str]]:
        return self._view.names(self._checked(handles))

    def entitled(self, titles: Sequence[str]) -> list[tuple[int, str]]:
        found = self._view.entitled(titles)
        seen = self._seen_of([handle for handle, _ in found])
        return [(handle, title) for handle, title in found if handle in seen]

    def edges(self, keys: Sequence[str], direction: Direction, kinds: tuple[str, ...] = ()) -> list[Edge]:
        return list(self._between_seen(self._view.edges(self._seen_keys(keys), direction, kinds)))

    def scan(self) -> Iterator[Record | Edge]:
        everything = self._view.scan()
        while batch := list(islice(everything, _AT_ONCE)):
            records = [item for item in batch if isinstance(item, Record)]
            seen = set(self._seen_keys([record.key for record in records]))
            yield from self._without_unseen_parents([record for record in records if record.key in seen])
            # Records come before edges, in the view and in every batch of it.
            yield from self._between_seen([item for item in batch if isinstance(item, Edge)])

    # What is remembered, and files

    def mark(self, name: str) -> str | None:
        return self._view.mark(name) if self._may_know(name) else None

    def marks(self, beginning: str) -> dict[str, str]:
        return {name: content for name, content in self._view.marks(beginning).items() if self._may_know(name)}

    def stamps(self, space: str) -> dict[str, Stamp]:
        return self._view.stamps(space) if self._reach.covers(space) else {}

    def sources(self, space: str, paths: Sequence[str]) -> list[Source]:
        return self._view.sources(space, paths) if self._reach.covers(space) else []

    def unsettled(self, space: str, limit: int) -> list[Source]:
        return self._view.unsettled(space, limit) if self._reach.covers(space) else []

    def definers(self, space: str, names: Sequence[str], limit: int) -> dict[str, tuple[str, ...]]:
        return self._view.definers(space, names, limit) if self._reach.covers(space) else {}

    # What is seen

    def sees(self, keys: Sequence[str]) -> set[str]:
        """Those of some keys that are of records within the reach."""
        return set(self._seen_keys(keys))

    @property
    def _seen(self) -> Selection:
        if self._seen_now is None:
            self._seen_now = self._view.reached(self._reach)
        return self._seen_now

    def _seen_of(self, handles: Sequence[int]) -> set[int]:
        return {int(handle) for handle in self._view.among(self._seen, handles)} if len(handles) else set()

    def _seen_keys(self, keys: Sequence[str]) -> list[str]:
        return [key for key, handle in zip(keys, self.handles(keys), strict=True) if handle is not None]

    def _checked(self, handles: Handles) -> Handles:
        """The handles, which this view itself has given away; another one is a mistake in the program, and is not answered."""
        if len(handles) and len(self._view.among(self._seen, handles)) != len(handles):
            raise LookupError("a record was asked for that is not seen here")
        return handles

    def _existing(self, scope: Scope) -> Scope:
        """The scope, where records that are not seen are as ones that do not exist: nothing is below them."""
        # A folder is no record; what is in it and not seen stays unseen like everything else.
        if scope.ancestor is not None and scope.folder is None and not self._seen_keys([scope.ancestor]):
            return replace(scope, ancestor=None, keys=())
        return replace(scope, parents=tuple(self._seen_keys(scope.parents))) if scope.parents is not None else scope

    def _without_unseen_parents(self, records: list[Record]) -> list[Record]:
        seen = self.sees(sorted({record.parent for record in records if record.parent is not None}))
        return [record if record.parent is None or record.parent in seen else replace(record, parent=None) for record in records]

    def _between_seen(self, edges: Sequence[Edge]) -> Iterator[Edge]:
        seen = self.sees(sorted({end for edge in edges for end in (edge.source, edge.target)}))
        return (edge for edge in edges if edge.source in seen and edge.target in seen)

    def _may_know(self, name: str) -> bool:
        return name == MODEL or (name.startswith(PROJECT) and self._reach.covers(name.removeprefix(PROJECT)))
