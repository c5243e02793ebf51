"""What can be found: a record, and an edge between two of them."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from dowse.model.declaring import dataclass

Facet = str | int | float | bool
# In characters. Paths and names in them are shorter; a key is for people to read and type.
LONGEST_KEY = 1024


@dataclass(frozen=True, slots=True)
class Record:
    """Anything that can be found. ``key`` is its identity in the workspace; ``fields`` holds its searchable text by name.

    ``version`` counts the writes to the record; a put that names a version succeeds only if it is still the stored one.
    """

    key: str
    kind: str
    title: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    space: str = ""
    parent: str | None = None
    tags: tuple[str, ...] = ()
    facets: Mapping[str, Facet] = field(default_factory=dict)
    updated: float = 0.0
    deleted: bool = False
    version: int = 0

    def __reduce__(self) -> tuple[type["Record"], tuple[Any, ...]]:
        # Records go from process to process by the thousand; what a slotted dataclass does by itself takes three times as long.
        return Record, (
            self.key,
            self.kind,
            self.title,
            self.fields,
            self.space,
            self.parent,
            self.tags,
            self.facets,
            self.updated,
            self.deleted,
            self.version,
        )

    @property
    def is_placeholder(self) -> bool:
        """Stands for something that lives elsewhere; it carries edges and never answers a search."""
        return self.key.startswith("@") or self.facets.get("placeholder") is True

    @property
    def path(self) -> str:
        """The file it comes from, as its project names it; empty where it comes from none."""
        return self.fields.get("path") or str(self.facets.get("path") or "")

    @property
    def lines(self) -> tuple[int, int] | None:
        """The first and last line of it in that file; None where it is not known to stand on any."""
        start, end = self.facets.get("line"), self.facets.get("lineEnd")
        if not isinstance(start, int) or start < 1:
            return None
        return (start, end) if isinstance(end, int) and end >= start else (start, start)

    def text(self, name: str) -> str:
        """The text of a field; tags and title are fields too."""
        if name == "title":
            return self.title
        if name == "tags":
            return " ".join(self.tags)
        return self.fields.get(name, "")


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """A typed link. Either end may name a record that does not exist yet; it counts once both do."""

    source: str
    target: str
    kind: str
    facets: Mapping[str, Facet] = field(default_factory=dict, compare=False)

    def renamed(self, names: Mapping[str, str]) -> "Edge":
        """The edge once the records at its ends are called as the names say."""
        return Edge(names.get(self.source, self.source), names.get(self.target, self.target), self.kind, self.facets)
