"""What kinds of things there are: declarations that the engines and the search are handed."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from dowse.model.declaring import dataclass


class Column(StrEnum):
    """Where a field's words stand in the text lane. Each can be weighted by a surface and named in a query."""

    TITLE = "title"
    BODY = "body"
    TAGS = "tags"
    ALTERNATES = "alternates"
    """Made by the engine: the other ways to type the identifiers of the title and the body."""
    TAIL = "tail"
    """Found, but without weight in the ranking: what lies past a field's ``ranked`` length."""
    TAIL_ALTERNATES = "tail_alternates"


COLUMNS: tuple[Column, ...] = tuple(Column)
# The columns that hold a text's words as they stand; the others hold what was derived from them.
PLAIN_COLUMNS = (Column.TITLE, Column.BODY, Column.TAGS, Column.TAIL)


@dataclass(frozen=True, slots=True)
class Field:
    """One text of a kind. ``named`` puts it into the names lane as well; ``ranked`` limits how many characters rank."""

    name: str
    column: Column = Column.BODY
    named: bool = False
    ranked: int | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of record. ``parents`` are the kinds its parent may have.

    ``facets`` can be filtered by, except those in ``shown``, which are only told, like the line something stands at.
    ``parent_edge``: the edge its parent has to it, without anyone writing it. ``open_facets``: facets of any other name are
    welcome too, as in the front matter of a document.
    """

    name: str
    fields: tuple[Field, ...]
    about: str = ""
    facets: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    parents: tuple[str, ...] = ()
    parent_required: bool = False
    parent_edge: str = ""
    open_facets: bool = False

    @property
    def filters(self) -> tuple[str, ...]:
        return tuple(facet for facet in self.facets if facet not in self.shown)


@dataclass(frozen=True, slots=True)
class EdgeKind:
    """A kind of edge. ``decay`` is what is left of a score after one hop; ``incoming`` false: never followed backwards.

    ``carries``: how much a link of this kind says about what its two ends have to do with each other, for the graph list. Links
    that people make say much; what code calls and imports, next to nothing about a question (docs/ranking.md).
    """

    name: str
    decay: float | None = None
    incoming: bool = True
    carries: float = 1.0
    about: str = ""


@dataclass(frozen=True, slots=True)
class Schema:
    kinds: Mapping[str, Kind]
    edges: Mapping[str, EdgeKind]
