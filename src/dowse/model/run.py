"""How far is an indexing run, and what did it do?"""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from dowse.model.declaring import dataclass


class Stage(StrEnum):
    LOOKING = "looking"
    READING = "reading"
    LINKING = "linking"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """How far a run is. ``bytes_total`` counts what must be read; ``path`` is what was read last."""

    stage: Stage
    files: int = 0
    files_total: int = 0
    bytes: int = 0
    bytes_total: int = 0
    records: int = 0
    path: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """What a user should know of a file."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run found and did. ``records`` and ``edges`` count what changed, ``skipped`` what was left out by reason."""

    space: str
    root: str
    files: int = 0
    unchanged: int = 0
    added: int = 0
    changed: int = 0
    moved: int = 0
    gone: int = 0
    bytes: int = 0
    records: int = 0
    edges: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    left_out: tuple[Message, ...] = ()
    problems: tuple[Message, ...] = ()
    seconds: float = 0.0
    dry_run: bool = False

    @property
    def has_changes(self) -> bool:
        return bool(self.added or self.changed or self.moved or self.gone)


@dataclass(frozen=True, slots=True)
class Freshness:
    """When a project was indexed, and how many of its files and folders look different now.

    ``changed`` None: there are too many to look at each. ``missing``: the project's folder is not there.
    """

    space: str
    root: str
    indexed: float
    changed: int | None = 0
    missing: bool = False
