"""What a caller asks: as typed (a request) and as resolved (a plan)."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from dowse.model.declaring import dataclass
from dowse.model.record import Facet
from dowse.model.schema import Column
from dowse.model.terms import Query


class Lane(StrEnum):
    """One way to find."""

    STEMS = "stems"
    WORDS = "words"
    NAMES = "names"
    SUBSTRING = "substring"
    PREFIX = "prefix"
    VECTORS = "vectors"


class Mode(StrEnum):
    """Which lanes answer."""

    AUTO = "auto"
    TEXT = "text"
    SUBSTRING = "substring"
    KEYWORD = "keyword"
    VECTOR = "vector"
    HYBRID = "hybrid"


class Intent(StrEnum):
    """What the query looks like; it sets the weights of the lists."""

    KEYWORD = "keyword"
    SEMANTIC = "semantic"


class Fusion(StrEnum):
    SCORE = "score"
    RRF = "rrf"


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look. Empty means everywhere; every part narrows. ``facets`` maps a facet to its accepted values.

    ``ancestor``: a record and all below it; or, ending in a slash, a folder: all whose keys begin so.
    """

    kinds: tuple[str, ...] = ()
    spaces: tuple[str, ...] = ()
    ancestor: str | None = None
    keys: tuple[str, ...] | None = None
    parents: tuple[str, ...] | None = None
    tags: tuple[str, ...] = ()
    facets: Mapping[str, tuple[Facet, ...]] = field(default_factory=dict)
    deleted: bool = False

    @property
    def folder(self) -> str | None:
        return self.ancestor if self.ancestor is not None and self.ancestor.endswith("/") else None

    def has_in_folder(self, key: str) -> bool:
        return self.folder is not None and key.startswith(self.folder)


@dataclass(frozen=True, slots=True)
class Expansion:
    """How far to walk from the best hits. ``decay`` set: it holds for every edge; else each edge kind's own, else ``default``."""

    seeds: int = 5
    depth: int = 1
    decay: float | None = None
    default: float = 0.8


@dataclass(frozen=True, slots=True)
class Boost:
    """A declared reason to move a hit: a factor on its score, or something to add to it, where the best match by words has 1.

    ``when`` names a test that ``search.weigh`` knows; ``facet`` and ``values`` narrow it to records that have one of them,
    ``kinds`` to some kinds where the test asks for that.
    ``unless``: words that switch it off when the query holds one of them.
    """

    name: str
    when: str
    factor: float = 1.0
    add: float = 0.0
    facet: str = ""
    values: tuple[Facet, ...] = ()
    kinds: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gathering:
    """Hits of one file speak for each other, and all but the best stand back.

    ``kinds``: what a file is. The second best hit adds ``share`` of its worth to every hit of the file, the third ``share`` of
    ``share`` of its own, and so on up to ``members`` hits. Each further hit of a file keeps ``repeat`` of what the one before kept.
    ``texts``: the files that are read and not only opened, where this is otherwise.
    """

    kinds: tuple[str, ...]
    share: float
    members: int
    repeat: float
    texts: "Texts | None" = None


@dataclass(frozen=True, slots=True)
class Texts:
    """Files whose pieces each say what no other does, so that several of one are wanted.

    Where nothing else answers, no piece stands back, and each comes up to the best one of its text by ``pull`` of the way; the more
    else does, the more is it as in other files. ``kinds``: what such a file is; besides, hits count as pieces of a text that have
    one of these ``values`` of a ``facet``. ``share``: as in other files.
    """

    kinds: tuple[str, ...]
    share: float
    pull: float
    facet: str = ""
    values: tuple[Facet, ...] = ()


@dataclass(frozen=True, slots=True)
class Nesting:
    """Kinds that stand within the text of a record above them, and the kinds whose text that is."""

    inner: tuple[str, ...]
    outer: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spreading:
    """One hop along the links of the ``seeds`` best hits, as a list of its own.

    A neighbour gets ``weight`` of the worth of the hit that links it; of every further hit that does, half as much as of the one
    before. A hit with many links shares: what each of n gets is divided by n to the power of ``fan``.
    """

    weight: float
    seeds: int
    fan: float


ANYWHERE = Scope()
"""Every record. One for all who name no scope, so that it is known when it is asked for again."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search as asked for. ``None`` means: as the surface says."""

    query: str | None = None
    scope: Scope = ANYWHERE
    mode: Mode | None = None
    limit: int | None = None
    offset: int = 0
    min_score: float | None = None
    expansion: Expansion | None = None
    explain: bool = False
    rescore: str | None = None
    """A second model, that scores the best hits anew."""
    count: tuple[str, ...] = ()
    """What to count all hits by: kind, space, tag, or a facet."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What the columns of the text lane count for, in the order of ``COLUMNS``.

    Alternates count less than words as they stand: .25 to .5 is a plateau on the judged sets, 1 loses (docs/ranking.md).
    """

    title: float = 1.0
    body: float = 1.0
    tags: float = 1.0
    alternates: float = 0.4

    def in_order(self) -> tuple[float, ...]:
        named = {Column.TITLE: self.title, Column.BODY: self.body, Column.TAGS: self.tags, Column.ALTERNATES: self.alternates}
        return tuple(named.get(column, 0.0) for column in Column)


DEFAULT_WEIGHTS = Weights().in_order()


@dataclass(frozen=True, slots=True)
class Front:
    """What will be looked at of a list: its best ``wanted`` records, its best as many of those that hold everything, and where
    there are ``enough`` of these, everyone as good as the last that would do. All that equal the last of them are among them.

    The records ``also`` (handles, ascending) count with their ``gains``, which other lists give them; one whose gain is infinite
    counts as it is and is among them wherever it stands.
    """

    wanted: int
    enough: int
    also: Any = ()
    gains: Any = ()


@dataclass(frozen=True, slots=True)
class ListPlan:
    """One list to retrieve: a lane, its share of the fused score, and how it ranks.

    ``exact``: what it adds to a word's saturation that the record holds the very form that was typed. ``tier``: a record found
    only here stands below one found in a list of a lower tier. ``fills``: this list runs only when the others find too few complete
    records. ``bonus``: it adds to records that other lists find, and finds none. ``tokens``: only for queries of up to so many
    tokens. ``least``: records that hold less than this share of the weight of the query's heaviest terms are left out. ``by_kind``:
    by what factor it counts more or less when all hits are of that kind, and by what other one where the query names something (by
    meaning, fused by score). ``echo``: what closeness to the best hits counts for, beside closeness to the query. ``prose``: a text
    that is too long to name something is asked by meaning, whatever dates and capitals stand in it. ``front``: the engine may list
    these alone and say how many more there are.
    """

    name: str
    lane: Lane
    weight: float = 1.0
    column_weights: tuple[float, ...] = DEFAULT_WEIGHTS
    k1: float = 1.2
    b: float = 0.75
    exact: float = 0.0
    tier: int = 0
    fills: bool = False
    bonus: bool = False
    tokens: int | None = None
    least: float = 0.0
    by_kind: tuple[tuple[str, float, float], ...] = ()
    echo: float = 0.0
    prose: bool = False
    front: Front | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A search as resolved: nothing left to decide."""

    query: Query
    scope: Scope
    intent: Intent
    mode: Mode
    lists: tuple[ListPlan, ...]
    fusion: Fusion
    limit: int
    offset: int
    min_score: float
    expansion: Expansion | None
    fold_kinds: tuple[str, ...] = ()
    nearness: float = 0.0
    boosts: tuple[Boost, ...] = ()
    gathering: Gathering | None = None
    spreading: Spreading | None = None
    nesting: Nesting | None = None
    normalise: bool = False
    degraded: tuple[str, ...] = ()
    explain: bool = False
    count: tuple[str, ...] = ()
