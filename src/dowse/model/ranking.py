"""One lane's answer: which records, how strongly, and how much of the query each one holds."""

from collections.abc import Callable
from typing import Any, TypeAlias

from dowse.model.declaring import dataclass

# Arrays of whole numbers and of numbers. Engines hand over NumPy arrays; nouns need nothing but the standard library, so the type
# stays open here.
Handles: TypeAlias = Any
Scores: TypeAlias = Any

# The constant of reciprocal rank fusion: how little the first places differ from those behind them. Part of an explanation too.
RRF_K = 60
# How many of a query's heaviest terms are its heart. A share of all its terms would let long questions admit nothing.
HEAVIEST = 4
# A record that holds less than this share of the heart is no answer, even when there are no better ones: the largest share that
# costs nothing on the judged sets (docs/ranking.md).
LEAST_SHARE = 0.1
# Words within this distance are close; in the order of the query they must be closer (docs/ranking.md).
CLOSE = 8
IN_ORDER = 3
# Words in more records than this are left out of closeness: their places would be long to read. A bound on cost; not tuned.
COMMON = 2000


@dataclass(frozen=True, slots=True)
class Ranking:
    """Parallel arrays in ascending order of handle. A handle is an engine's number for a record, good for one view.

    ``coverage`` is the share of the query's weight that the record holds, 1.0 when it holds every required term.
    """

    handles: Handles
    scores: Scores
    coverage: Scores
    truncated: bool = False
    """More records may match than were looked at."""
    lacking: str = ""
    """Who could not be asked, so that records may be missing; for the reader of the page."""
    unlisted: "Unlisted | None" = None
    """Who was found and is not listed, where only the front was asked for."""
    whole: int | None = None
    """How many were found that hold everything, listed or not, where that is known without looking at each."""


@dataclass(frozen=True, slots=True)
class Unlisted:
    """The records behind the front of a list: how many, and how many of them hold everything.

    ``of`` lists some records, given in ascending order, as far as they were found, in front or behind; ``whole`` lists everyone.
    """

    count: int
    complete: int
    of: Callable[[Handles], Ranking]
    whole: Callable[[], Ranking]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one record stands where it stands, or does not stand at all."""

    key: str
    found: bool
    reason: str
    rank: int | None = None
    score: float | None = None
    lists: tuple["ListScore", ...] = ()
    signals: tuple["Signal", ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListScore:
    """What one list said of a hit: its place there, the raw score, and what that adds to the fused score."""

    name: str
    rank: int
    raw: float
    share: float


@dataclass(frozen=True, slots=True)
class Signal:
    """A declared reason that moved a hit: by what factor, or by how much."""

    name: str
    factor: float = 1.0
    added: float = 0.0
