"""What a caller gets: a page of hits that says how it came about."""

from collections.abc import Mapping
from dataclasses import field

from dowse.model.declaring import dataclass
from dowse.model.ranking import ListScore, Signal
from dowse.model.record import Edge, Record


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A window of a field's text. ``marks`` are places in ``text``; ``start`` and ``end`` are places in the field.

    Plain data: what marks look like, and whether text is escaped, is decided where it is shown.
    """

    field: str
    text: str
    marks: tuple[tuple[int, int], ...] = ()
    start: int = 0
    end: int = 0
    cut_before: bool = False
    cut_after: bool = False

    def byte_range(self, source: str) -> tuple[int, int]:
        """Where the window stands in the UTF-8 bytes of the field it was cut from."""
        before = len(source[: self.start].encode())
        return before, before + len(source[self.start : self.end].encode())


@dataclass(frozen=True, slots=True)
class Step:
    """One hop of the way from a hit to a neighbour."""

    edge: Edge
    forward: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """One record of the page.

    ``lists`` and ``signals`` are filled when an explanation was asked for. ``via`` is empty for a match and names the way for a
    neighbour found along the graph.
    """

    record: Record
    score: float
    rank: int
    excerpt: Excerpt
    matched_in: tuple[str, ...] = ()
    lists: tuple[ListScore, ...] = ()
    signals: tuple[Signal, ...] = ()
    via: tuple[Step, ...] = ()
    parent: Record | None = None
    """The record it brings along, where the surface asks for one."""
    part: Record | None = None
    """The record that matched, where its parent answers for it."""
    copies: tuple[str, ...] = ()
    """Records that say the same, or stand within it, and are not shown."""


@dataclass(frozen=True, slots=True)
class Page:
    """Hits, and how they came about. ``relaxed``: too few records had every word, so records with most of them fill up.

    ``lists`` ran; ``degraded`` says in words what could not; ``generation`` is the commit that was searched, ``updated`` the
    time of it.
    """

    hits: tuple[Hit, ...]
    total: int
    offset: int
    limit: int
    relaxed: bool = False
    truncated: bool = False
    intent: str = ""
    lists: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    corrected: Mapping[str, str] = field(default_factory=dict)
    """Words that stand nowhere, each with the word that was looked for instead."""
    passing: bool = False
    """What is degraded may be well again at the next question, without anyone writing: a server that was down comes back."""
    generation: int = 0
    updated: float = 0.0
    counts: Mapping[str, Mapping[str, int]] | None = None
    """How many of all hits, not of this page alone, have which kind, space, tag or value of a facet; the most frequent first."""

    @property
    def next_offset(self) -> int | None:
        end = self.offset + self.limit
        return end if end < self.total else None


@dataclass(frozen=True, slots=True)
class Listing:
    """Records by filter alone, without a query."""

    records: tuple[Record, ...]
    total: int
    offset: int
    limit: int

    @property
    def next_offset(self) -> int | None:
        end = self.offset + len(self.records)
        return end if self.records and end < self.total else None


@dataclass(frozen=True, slots=True)
class Branch:
    """A record with what hangs below it."""

    record: Record
    children: tuple["Branch", ...] = ()


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A record at the other end of an edge. ``forward``: the edge points at it."""

    edge: Edge
    forward: bool
    record: Record
    distance: int = 1


@dataclass(frozen=True, slots=True)
class Relation:
    """A record that has to do with another. ``why``: every reason, the surest first; ``score``: the cosine, where it is alike."""

    record: Record
    why: tuple[str, ...]
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """What has to do with a record. ``degraded`` says in words what could not be looked for."""

    key: str
    relations: tuple[Relation, ...]
    degraded: tuple[str, ...] = ()
