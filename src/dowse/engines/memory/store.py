"""What does the memory engine hold, and how does a change reach it?"""

from dataclasses import dataclass, field, replace

from dowse.engines.lineage import refuse_cycle
from dowse.engines.quantising import Values
from dowse.engines.sourcing import changed_names
from dowse.errors import Conflict, NotFound
from dowse.model.change import (
    Change,
    Delete,
    DropSource,
    KeepVectors,
    Link,
    Mark,
    Put,
    PutSource,
    Relink,
    Rename,
    RenameTag,
    Restamp,
    Restore,
    Settle,
    Unlink,
    UseModel,
)
from dowse.model.passage import Profile
from dowse.model.record import Edge, Record
from dowse.model.source import Source, names_wanted


@dataclass(slots=True)
class Store:
    """Everything an engine holds. A batch is folded into a copy that takes the place of the original or is dropped."""

    records: dict[str, Record] = field(default_factory=dict)
    handles: dict[str, int] = field(default_factory=dict)
    edges: dict[tuple[str, str, str], Edge] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    sources: dict[tuple[str, str], Source] = field(default_factory=dict)
    profile: Profile | None = None
    vectors: dict[bytes, Values] = field(default_factory=dict)
    """As numbers are kept, by the digest of the text."""
    next_handle: int = 1
    generation: int = 0
    updated: float = 0.0

    def copy(self) -> "Store":
        return replace(
            self,
            records={**self.records},
            handles={**self.handles},
            edges={**self.edges},
            marks={**self.marks},
            sources={**self.sources},
        )

    def differences(self, before: "Store") -> tuple[int, int]:
        """How many records and edges are not as they were."""
        keys = self.records.keys() | before.records.keys()
        links = self.edges.keys() | before.edges.keys()
        return sum(self._at(key) != before._at(key) for key in keys), sum(
            _facets(self.edges.get(link)) != _facets(before.edges.get(link)) for link in links
        )

    def fold_in(self, change: Change) -> None:
        match change:
            case Put(record, expected, _):
                self._put(record, expected)
            case Delete(key, purge):
                stored = self._present(key)
                if purge:
                    self._purge(key)
                elif not stored.deleted:
                    self.records[key] = replace(stored, deleted=True, version=stored.version + 1)
            case Restore(key):
                stored = self._present(key)
                if stored.deleted:
                    self.records[key] = replace(stored, deleted=False, version=stored.version + 1)
            case Rename(keys):
                self._rename(dict(keys))
            case Link(edge):
                self.edges[edge.source, edge.kind, edge.target] = edge
            case Unlink(source, target, kind):
                self.edges.pop((source, kind, target), None)
            case Relink(source, kind, edges):
                self._forget_edges(source, kind)
                self.edges.update({(edge.source, edge.kind, edge.target): edge for edge in edges})
            case RenameTag(old, new):
                self._rename_tag(old, new)
            case Mark(name, None):
                self.marks.pop(name, None)
            case Mark(name, str(content)):
                self.marks[name] = content
            case PutSource(source):
                self._put_source(source.space, source.path, source)
            case Restamp(space, path, stamp):
                if (space, path) in self.sources:
                    self.sources[space, path] = replace(self.sources[space, path], stamp=stamp)
            case Settle(space, path, links):
                if (space, path) in self.sources:
                    self.sources[space, path] = replace(self.sources[space, path], links=links, settled=True)
            case DropSource(space, path):
                self._put_source(space, path, None)
            case UseModel() | KeepVectors():
                pass  # The model of a batch comes first and its vectors come last: see ``meaning.remember``.

    def _put(self, record: Record, expected: int | None) -> None:
        stored = self.records.get(record.key)
        version = stored.version if stored is not None else 0
        if expected is not None and expected != version:
            raise Conflict(
                f"{record.key!r} is at version {version}, not {expected}: someone else wrote it in between."
                " Read it again, then write."
            )
        refuse_cycle(record.key, record.parent, self._parent_of)
        new = replace(record, tags=tuple(sorted(set(record.tags))), version=version)
        # Writing what is there already is no change, whatever its time.
        if stored is None or new != replace(stored, updated=new.updated):
            self.records[record.key] = replace(new, version=version + 1)
        if stored is None:
            self.handles[record.key] = self.next_handle
            self.next_handle += 1

    def _at(self, key: str) -> tuple[int | None, Record | None]:
        return self.handles.get(key), self.records.get(key)

    def _present(self, key: str) -> Record:
        if key not in self.records:
            raise NotFound(f"No record has the id {key!r}.")
        return self.records[key]

    def _parent_of(self, key: str) -> str | None:
        return self.records[key].parent if key in self.records else None

    def _purge(self, key: str) -> None:
        """A purged record takes its own edges along. Edges that point at it stay: they live again if it returns."""
        del self.records[key], self.handles[key]
        self._forget_edges(key)

    def _rename(self, names: dict[str, str]) -> None:
        moved = {old: self._present(old) for old in names}
        handles = {old: self.handles.pop(old) for old in names}
        for old in names:
            del self.records[old]
        for old, new in names.items():
            if new in self.records:
                raise Conflict(f"{old!r} cannot become {new!r}: there is a record with that id.")
            self.records[new] = replace(moved[old], key=new, version=moved[old].version + 1)
            self.handles[new] = handles[old]
        for key, record in self.records.items():
            if record.parent in names:
                self.records[key] = replace(record, parent=names[record.parent], version=record.version + 1)
        for new in names.values():
            refuse_cycle(new, self.records[new].parent, self._parent_of)
        edges = [edge.renamed(names) for edge in self.edges.values()]
        self.edges = {(edge.source, edge.kind, edge.target): edge for edge in edges}

    def _put_source(self, space: str, path: str, source: Source | None) -> None:
        old = self.sources.pop((space, path), None)
        changed = changed_names(old, source)
        for place, other in self.sources.items():
            if other.space == space and other.settled and changed & names_wanted(other):
                self.sources[place] = replace(other, settled=False)
        if source is not None:
            self.sources[space, path] = source

    def _forget_edges(self, source: str, kind: str | None = None) -> None:
        gone = [link for link in self.edges if link[0] == source and kind in (None, link[1])]
        for link in gone:
            del self.edges[link]

    def _rename_tag(self, old: str, new: str) -> None:
        for key, record in self.records.items():
            if old in record.tags and old != new:
                tags = tuple(sorted({new if tag == old else tag for tag in record.tags}))
                self.records[key] = replace(record, tags=tags, version=record.version + 1)


def is_live(record: Record) -> bool:
    return not record.deleted and not record.is_placeholder


def _facets(edge: Edge | None) -> dict[str, object] | None:
    return None if edge is None else dict(edge.facets)
