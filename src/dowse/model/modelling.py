"""What is told of models: those that can be had, the one that was chosen, and what making vectors did."""

from dowse.model.declaring import dataclass


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model that could be used, and how it is asked for. ``where`` is empty for one that would have to be downloaded."""

    specification: str
    name: str
    where: str
    bytes: int
    licence: str
    used: bool = False

    @property
    def is_here(self) -> bool:
        return bool(self.where)


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The model a workspace was told to use. ``waiting`` passages are still without a vector of it.

    ``overruled``: another one that was named from outside, and is used as long as it is.
    """

    specification: str
    name: str = ""
    dimension: int = 0
    swift: bool = False
    done: int = 0
    waiting: int = 0
    overruled: str = ""


@dataclass(frozen=True, slots=True)
class Embedded:
    """What making vectors did: ``made`` texts were embedded in so many seconds; then so many passages had one or waited."""

    model: str
    made: int
    seconds: float
    done: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Download:
    """How far a download is: bytes that are here, and bytes there are; 0 where nobody tells."""

    name: str
    done: int
    total: int
