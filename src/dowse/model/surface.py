"""What a surface is: names, defaults and shapes over the one search, as data."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from dowse.model.declaring import dataclass
from dowse.model.request import Boost, Expansion, Fusion, Gathering, ListPlan, Mode, Nesting, Spreading


class Grammar(StrEnum):
    """How much of the query text is syntax."""

    PLAIN = "plain"
    """Every token is a word, whatever it looks like."""
    BOOLEAN = "boolean"
    """Phrases, ``word*``, AND OR NOT and parentheses."""
    FULL = "full"
    """As boolean, and ``-word`` and ``field:word``."""


class Blank(StrEnum):
    """What a blank query means."""

    ERROR = "error"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Marks:
    """How an excerpt looks on this surface."""

    open: str = "<mark>"
    close: str = "</mark>"
    ellipsis: str = "…"
    words: int = 32
    escape: bool = True


@dataclass(frozen=True, slots=True)
class Parameter:
    """A name of the surface and what it sets: ``into`` is a dotted path into the request (``scope.facets.role``)."""

    name: str
    into: str
    type: str = "string"
    about: str = ""
    choices: tuple[str, ...] = ()
    required: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """JSON of this surface: names on the left, what they hold on the right (see ``present.shape``)."""

    hit: tuple[tuple[str, str], ...]
    envelope: tuple[tuple[str, str], ...] = ()
    bare: bool = False
    """The answer is the list of hits itself."""


@dataclass(frozen=True, slots=True)
class Surface:
    name: str
    about: str
    kinds: tuple[str, ...]
    lists: Mapping[Mode, tuple[ListPlan, ...]]
    shape: Shape
    mode: Mode = Mode.AUTO
    fusion: Fusion = Fusion.SCORE
    grammar: Grammar = Grammar.FULL
    blank: Blank = Blank.ERROR
    limit: int = 20
    limit_max: int = 100
    limit_name: str = "limit"
    lists_all: bool = False
    """No query at all lists everything in scope, ``list_limit`` at a time."""
    list_limit: int = 50
    companion: str = ""
    """Hits bring a record along: "parent", or "space" for the library that their space belongs to."""
    marks: Marks = field(default_factory=Marks)
    excerpt_fields: tuple[str, ...] = ()
    """Fields in order of preference; empty: the field where most of the query stands."""
    parameters: tuple[Parameter, ...] = ()
    min_score: float = 0.0
    normalise: bool = False
    """Scores are divided by the most the lists that ran could give."""
    expansion: Expansion | None = None
    corrects: tuple[Mode, ...] = ()
    """In which modes a word that stands nowhere is taken for the known one that is spelt like it."""
    lone_stop_words: bool = True
    """A query of nothing but stop words looks for them; else it finds nothing."""
    substring_needs_trigram: bool = False
    """Substring mode refuses a query whose tokens are all shorter than three characters."""
    fold_kinds: tuple[str, ...] = ()
    """Kinds that are answered by their parent."""
    nearness: float = 0.0
    """What it counts that neighbouring words of the query stand close together in the text."""
    boosts: tuple[Boost, ...] = ()
    gathering: Gathering | None = None
    spreading: Spreading | None = None
    nesting: Nesting | None = None
    """Of hits that say the same, copies or one within the other, only the best is shown."""
