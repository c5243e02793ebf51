"""Where records come from: a file as it was read, the names it defines and the names it refers to."""

from typing import NamedTuple

from dowse.model.declaring import dataclass
from dowse.model.record import Edge

# A large project has hundreds of thousands of names. As tuples they are made, compared and sent to another process in little time.


class Definition(NamedTuple):
    """A name that others may refer to, and the record it means. ``family``: the languages that share such names."""

    name: str
    key: str
    family: str = ""


# What the source of a reference begins with when it is a name itself, looked up like the others.
NAMED = "?"


class Reference(NamedTuple):
    """What a record refers to by name: the first of ``names`` that means one record becomes an edge.

    ``source`` is the record's key, or ``?`` and a name: who draws an edge need not be who describes its ends.
    A name is looked up among the definitions of the same ``family``; without one, among all.
    """

    source: str
    kind: str
    names: tuple[str, ...]
    family: str = ""


@dataclass(frozen=True, slots=True)
class Stamp:
    """How a file looked when it was read: enough to tell whether it must be read again."""

    size: int
    modified: int
    """In nanoseconds, as the file system says."""
    digest: str
    reader: str
    """Which code read it: another fingerprint means that it must be read again."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file of a space, what was made of it, and the edges its references became.

    ``settled`` is false while a reference may mean something else than ``links`` says.
    """

    space: str
    path: str
    stamp: Stamp
    keys: tuple[str, ...] = ()
    defines: tuple[Definition, ...] = ()
    refers: tuple[Reference, ...] = ()
    links: tuple[Edge, ...] = ()
    settled: bool = False


def names_wanted(source: Source) -> set[str]:
    """The names that a file's references may mean."""
    wanted = {name for reference in source.refers for name in reference.names}
    return wanted | {item.source.removeprefix(NAMED) for item in source.refers if item.source.startswith(NAMED)}
