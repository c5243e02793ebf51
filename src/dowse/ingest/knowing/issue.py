"""What is an issue, whoever exported it?"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Note:
    key: str
    body: str
    author: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Issue:
    """``id`` is what others name it by, ``sign`` how it is written; ``links`` are pairs of an edge kind and another's id."""

    id: str
    sign: str
    title: str
    description: str = ""
    summary: str = ""
    tags: tuple[str, ...] = ()
    facets: Mapping[str, str | int] = field(default_factory=dict)
    links: tuple[tuple[str, str], ...] = ()
    parent: str = ""
    notes: tuple[Note, ...] = ()
