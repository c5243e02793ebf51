"""What can be written: the changes an engine applies, all or none."""

from dataclasses import field

from dowse.model.declaring import dataclass
from dowse.model.passage import Profile, Vectors
from dowse.model.record import Edge, Record
from dowse.model.source import Source, Stamp


@dataclass(frozen=True, slots=True)
class Put:
    """Add the record, or replace the one with its key. With ``expected`` only over that stored version (0: not there yet).

    ``prepared`` is what the engine's own preparer made of the record, so that the engine has less to do.
    """

    record: Record
    expected: int | None = None
    prepared: object = field(default=None, compare=False, repr=False)


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


@dataclass(frozen=True, slots=True)
class Rename:
    """The same records under other keys, old and new: edges at them and records below them follow."""

    keys: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PutSource:
    """Remember a file and what was made of it. Files that refer to a name whose meaning changes are no longer settled."""

    source: Source


@dataclass(frozen=True, slots=True)
class Restamp:
    """A file looks different and holds what it held. Nothing else about it changes."""

    space: str
    path: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Settle:
    """The references of a file mean these edges, as far as is known now; it is no error if the file is gone."""

    space: str
    path: str
    links: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class DropSource:
    """Forget a file. Its records go by changes of their own."""

    space: str
    path: str


@dataclass(frozen=True, slots=True)
class UseModel:
    """Vectors are this model's from now on. Those of another fingerprint go, and every passage waits for a new one.

    None: no passages and no vectors are kept.
    """

    profile: Profile | None


@dataclass(frozen=True, slots=True)
class KeepVectors:
    """The vectors of some texts, by digest. Ignored if the store holds another model's by now; a text nobody has is no error."""

    fingerprint: str
    digests: tuple[bytes, ...]
    vectors: Vectors = field(compare=False, repr=False)


Change = (
    Put
    | Delete
    | Restore
    | Rename
    | Link
    | Unlink
    | Relink
    | RenameTag
    | Mark
    | PutSource
    | Restamp
    | Settle
    | DropSource
    | UseModel
    | KeepVectors
)


@dataclass(frozen=True, slots=True)
class Applied:
    """What a batch of changes did. ``generation`` rises with every commit that changed anything."""

    generation: int
    records: int
    edges: int
