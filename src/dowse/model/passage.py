"""What has a meaning as numbers: the stretches a record is cut into, and the model that gives them their vectors."""

from enum import StrEnum
from typing import Any, TypeAlias

from dowse.model.declaring import dataclass

# Rows of numbers, one a text, each of length one. Embedders hand over NumPy arrays; nouns need nothing but the standard library.
Vectors: TypeAlias = Any


class Pooling(StrEnum):
    """How the vectors of a text's pieces become one."""

    SUM = "sum"
    MEAN = "mean"
    FIRST = "first"
    GIVEN = "given"
    """The model hands over one vector already."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What must be known of a model to use its vectors, stored beside them.

    ``fingerprint`` differs whenever the same text could get another vector: vectors of two fingerprints are never compared.
    ``floor`` is the cosine below which similarity means nothing for this model.
    """

    name: str
    dimension: int
    floor: float
    fingerprint: str
    pooling: Pooling = Pooling.MEAN
    query_prefix: str = ""
    passage_prefix: str = ""
    longest: int = 512
    """Pieces of a text that are read; what stands behind them does not count."""
    unrelated: float = 0.0
    """The cosine that texts without anything in common have: what a cosine counts for is how far it lies above."""
    strength: float = 1.0
    """How much more it knows than the model in the package: by that factor its cosines count more beside words."""
    swift: bool = False
    """Fast enough to embed while a record is written; else a worker catches up."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of one field of a record, short enough to mean one thing. ``text``: what is embedded, with the title."""

    field: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Embedding:
    """How far the vectors of a store are: whose they are, how many passages have one, how many wait.

    ``specification``: what was asked for as the model. ``failure``: why those that wait get none for now, if that is so.
    """

    profile: Profile | None = None
    done: int = 0
    waiting: int = 0
    specification: str = ""
    failure: str = ""
