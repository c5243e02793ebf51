"""What someone gets who has a task: the passages to work from, cited, and what else there was."""

from dowse.model.declaring import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """One passage. ``lines`` are those of the file it stands in, both included; ``score`` is None for what was reached by links.

    ``text`` may leave out lines, and says where; ``language`` is what it is written in, as fences name it.
    """

    number: int
    key: str
    kind: str
    title: str
    path: str
    lines: tuple[int, int] | None
    language: str
    text: str
    why: tuple[str, ...]
    score: float | None
    tokens: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A record that is not among the pieces, and why in words. ``tokens``: what it would take whole."""

    key: str
    title: str
    why: str
    tokens: int


@dataclass(frozen=True, slots=True)
class EvidencePack:
    """The passages for a task, best first, and behind them what they link to. ``tokens``: the budget; ``used``: of it, as text."""

    task: str
    tokens: int
    used: int
    pieces: tuple[Piece, ...]
    left_out: tuple[LeftOut, ...]
    degraded: tuple[str, ...] = ()
    generation: int = 0
    updated: float = 0.0
