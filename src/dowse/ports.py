"""What the search needs from outside: an engine that stores and finds, an embedder that makes vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from dowse.model.declaring import dataclass
from dowse.model.passage import Embedding, Passage, Profile, Vectors
from dowse.model.ranking import Handles, Ranking, Scores
from dowse.model.reach import Reach
from dowse.model.record import Edge, Record
from dowse.model.request import Boost, ListPlan, Scope
from dowse.model.terms import Clause, Query, Term

if TYPE_CHECKING:
    # Most processes only ask: what can be written is loaded by who writes.
    from dowse.model.change import Applied, Change
    from dowse.model.source import Source, Stamp


class Direction(StrEnum):
    OUTGOING = "outgoing"
    INCOMING = "incoming"
    ALL = "all"


class Selection(Protocol):
    """Records that may answer; what it is inside is the engine's business."""

    @property
    def size(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a health check looked at."""

    name: str
    ok: bool
    detail: str
    repair: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    """What a store holds and how fresh it is."""

    generation: int
    updated: float
    records: Mapping[str, int]
    deleted: int
    edges: Mapping[str, int]
    spaces: int
    words: int
    bytes: int
    location: str
    embedding: Embedding = field(default_factory=Embedding)


@dataclass(frozen=True, slots=True)
class Backup:
    """What a copy of a workspace holds. ``digest`` is of everything that is no index; two that hold the same have the same.

    ``kept``: where the workspace that it took the place of is kept.
    """

    path: str
    records: int
    edges: int
    bytes: int
    generation: int
    digest: str
    kept: str = ""


@dataclass(frozen=True, slots=True)
class Copying:
    """How far a copy is."""

    bytes_done: int
    bytes_total: int


class View(Protocol):
    """One consistent snapshot to read from. Handles are good for as long as the view is open."""

    @property
    def generation(self) -> int: ...
    @property
    def updated(self) -> float: ...
    def select(
        self, scope: Scope, filter: Clause | None = None, folds: tuple[str, ...] = (), within: Selection | None = None
    ) -> Selection:
        """The records a search may answer with: live, in scope, and admitted by the filter.

        A record of a kind in ``folds`` is in scope when its parent is. ``within``: as if there were no others but these.
        """
        ...

    def reached(self, reach: Reach) -> Selection:
        """Every record that someone with this reach sees, whatever its state: deleted ones and placeholders too."""
        ...

    def concerning(self, boosts: tuple[Boost, ...]) -> tuple[Boost, ...]:
        """Of some declared reasons those that may hold for anyone here: not one for a facet or for kinds that no record has."""
        ...

    def may_link(self, kinds: tuple[str, ...]) -> bool:
        """Whether there may be edges of these kinds. Only False is certain; whoever follows links need not begin then."""
        ...

    def may_hold(self, kinds: tuple[str, ...]) -> bool:
        """Whether there may be records of these kinds. As with ``may_link``, only False is certain."""
        ...

    def linked(self, within: Selection) -> dict[str, int]:
        """How many edges of each kind there are, by name, whose both ends are among some records."""
        ...

    def holds(self, within: Selection, handle: int) -> bool: ...
    def among(self, within: Selection, handles: Handles) -> Handles:
        """Those of some records that are in the selection, in the same order."""
        ...

    def match(self, query: Query, plan: ListPlan, within: Selection) -> Ranking:
        """One list: the records of a lane that hold any of the query, each with its score."""
        ...

    def near(self, query: Query, plan: ListPlan, handles: Handles) -> Scores:
        """For each of some records (ascending) what it is worth that the query's words stand close together there."""
        ...

    @property
    def embedding(self) -> Embedding:
        """Whose vectors there are, and how many passages still wait for theirs."""
        ...

    def nearest(self, vector: Vectors, within: Selection, limit: int, floor: float) -> Ranking:
        """The records whose best passage is closest in meaning: at most ``limit``, none below ``floor``. Scores are cosines."""
        ...

    def similarity(self, vector: Vectors, handles: Handles) -> Scores:
        """For each of some records (ascending) the cosine of its best passage; 0 where it has none."""
        ...

    def passages(self, vector: Vectors, handles: Handles) -> list[Passage | None]:
        """For each of some records its passage that is closest in meaning."""
        ...

    def meanings(self, handles: Handles) -> list[Vectors | None]:
        """For each of some records the vectors of its passages, a row each; None while it has none."""
        ...

    def unembedded(self, limit: int) -> list[tuple[bytes, str]]:
        """Texts that wait for a vector, each with the digest it is kept under; no text twice."""
        ...

    def fetch(self, handles: Handles) -> list[Record]: ...
    def find(self, keys: Iterable[str]) -> dict[str, Record]:
        """Records by key, deleted ones included."""
        ...

    def resolve(self, prefix: str, limit: int = 2) -> list[str]:
        """Keys that start with the prefix."""
        ...

    def handles(self, keys: Sequence[str]) -> list[int | None]: ...
    def parents(self, handles: Handles, kinds: tuple[str, ...]) -> Handles:
        """For each handle its parent's, if it is of one of these kinds and has one; else itself."""
        ...

    def containers(self, handles: Handles, kinds: tuple[str, ...]) -> Handles:
        """For each handle the nearest record of one of these kinds, itself or above it; 0 where there is none."""
        ...

    def names(self, handles: Handles) -> list[tuple[str, str]]:
        """For each handle its key and its title, without reading its texts."""
        ...

    def entitled(self, titles: Sequence[str]) -> list[tuple[int, str]]:
        """The live records with one of these titles, whatever the case of ASCII letters; each with its title as it stands."""
        ...

    def recent(self, within: Selection, handles: Handles | None = None) -> Ranking:
        """Everything selected, or what of some records (ascending) is selected, scored by the time of its last change."""
        ...

    def counts(self, handles: Handles, name: str) -> dict[str, int]:
        """How many of some records have each kind, space, tag, or value of a facet; truth values as true and false."""
        ...

    def order(self, handles: Handles) -> Handles:
        """These handles in the order of their keys."""
        ...

    def edges(self, keys: Sequence[str], direction: Direction, kinds: tuple[str, ...] = ()) -> list[Edge]:
        """Edges at these records whose both ends are live."""
        ...

    def forms(self, terms: Sequence[Term]) -> dict[Term, frozenset[str]]:
        """For each term the words that count as it: what an excerpt marks."""
        ...

    def misspelt(self, query: Query, plan: ListPlan) -> dict[str, list[str]]:
        """Of a query's words those that stand nowhere, not even within another, each with the words spelt like it, in order.

        Some of these may stand nowhere any more.
        """
        ...

    def mark(self, name: str) -> str | None:
        """What was remembered under a name."""
        ...

    def marks(self, beginning: str) -> dict[str, str]:
        """Everything remembered under names that begin so."""
        ...

    def stamps(self, space: str) -> dict[str, Stamp]:
        """How the files of a space looked when they were read, by path."""
        ...

    def sources(self, space: str, paths: Sequence[str]) -> list[Source]:
        """The files at these paths, as far as they are known."""
        ...

    def unsettled(self, space: str, limit: int) -> list[Source]:
        """Files whose references may mean something else than their links say, by path."""
        ...

    def definers(self, space: str, names: Sequence[str], limit: int) -> dict[str, tuple[str, ...]]:
        """For each name the paths of the files that define it, in order, ``limit`` at most."""
        ...

    def scan(self) -> Iterator[Record | Edge]:
        """Everything, in a stable order: records before edges."""
        ...


Preparer = Callable[[Sequence[Record]], Sequence[object]]
"""Gives for each record what can be made of it beforehand; many at once cost less than one by one."""

Opening = Callable[[], "Engine"]
"""Opens an engine once more; can be handed to another process."""


class Engine(Protocol):
    """Where records live. The same records and the same query give the same admitted set on every engine."""

    def preparer(self, embedder: Embedder | None = None) -> Preparer | None:
        """Does part of the work of putting records, in any process; None if there is nothing to be done beforehand."""
        ...

    def opening(self) -> Opening | None:
        """How another process reads what is committed here; None where only this one can."""
        ...

    def apply(self, changes: Iterable[Change]) -> Applied: ...
    def view(self) -> AbstractContextManager[View]: ...
    def reindex(self) -> int: ...
    def status(self) -> Status: ...
    def examine(self) -> tuple[Finding, ...]: ...
    def close(self) -> None: ...


class Embedder(Protocol):
    """Text to vectors, each of length one. Raises ``EmbeddingFailed`` when it cannot."""

    @property
    def profile(self) -> Profile: ...
    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """A row for each text. A row of zeros: the model knows nothing of what this text says.

        A query's row may be shorter than one: as much as it should count beside the words, for what the model knows of it.
        """
        ...

    def close(self) -> None: ...


@runtime_checkable
class Durable(Protocol):
    """An engine whose workspace is a file: it can be copied while it is used, replaced by a copy, and repaired."""

    def back_up(self, path: str, report: Callable[[Copying], None] | None = None) -> Backup:
        """Writes a copy of this moment that is proved to be whole before it has its name."""
        ...

    def take_over(self, path: str, report: Callable[[Copying], None] | None = None) -> Backup:
        """Becomes what a copy holds, at once for everyone; what there was is kept beside."""
        ...

    def repair(self) -> tuple[Finding, ...]:
        """Makes right what can be made right; says what was done, what was lost, and what every check finds afterwards."""
        ...
