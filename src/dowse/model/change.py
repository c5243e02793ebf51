"""What can be written: the changes an engine applies, all or none."""

from dataclasses import dataclass

from dowse.model.record import Edge, Record


@dataclass(frozen=True, slots=True)
class Put:
    """Add the record, or replace the one with its key. With ``expected`` only over that stored version (0: not there yet)."""

    record: Record
    expected: int | None = None


@dataclass(frozen=True, slots=True)
class Delete:
    """Take a record out of every answer. Soft by default: ``Restore`` brings it back; ``purge`` removes it for good."""

    key: str
    purge: bool = False


@dataclass(frozen=True, slots=True)
class Restore:
    key: str


@dataclass(frozen=True, slots=True)
class Link:
    edge: Edge


@dataclass(frozen=True, slots=True)
class Unlink:
    source: str
    target: str
    kind: str


@dataclass(frozen=True, slots=True)
class RenameTag:
    """On every record that has it, deleted ones included."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Relink:
    """These are all the edges of this kind that leave the source; others go."""

    source: str
    kind: str
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """Remember a value under a name, in the same commit as the rest; None forgets it. How long work knows where it stopped."""

    name: str
    value: str | None


Change = Put | Delete | Restore | Link | Unlink | Relink | RenameTag | Mark


@dataclass(frozen=True, slots=True)
class Applied:
    """What a batch of changes did. ``generation`` rises with every commit that changed anything."""

    generation: int
    records: int
    edges: int
