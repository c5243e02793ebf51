"""What does a batch of changes come to? The records, edges, files and marks it touches: as they were, and as they will be."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from dowse.engines.embedding import Meaning
from dowse.engines.lineage import refuse_cycle
from dowse.engines.opensearch.documents import edge_id, load_edge, load_record, record_id
from dowse.engines.opensearch.driver import Cluster, Json
from dowse.engines.opensearch.preparing import Prepared
from dowse.engines.opensearch.scanning import scan
from dowse.engines.opensearch.scoping import any_of, terms_query
from dowse.engines.opensearch.sources import Sources
from dowse.errors import Conflict, NotFound, StorageError
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
from dowse.model.record import Edge, Record

_ATTRIBUTES = ("key", "handle", "kind", "space", "tags", "facet", "state", "parent", "ancestors")
EdgeName = tuple[str, str, str]
# A record and which one of those under its key it is: one purged and written anew is another.
Held = tuple[int, Record]


@dataclass(slots=True)
class Batch:
    """The changes so far. What is stored is read before the first of them, as far as it can be told what they need."""

    cluster: Cluster
    truth: str
    before: dict[str, Record] = field(default_factory=dict)
    after: dict[str, Held | None] = field(default_factory=dict)
    edges_before: dict[EdgeName, Edge] = field(default_factory=dict)
    edges: dict[EdgeName, Edge | None] = field(default_factory=dict)
    marks: dict[str, str | None] = field(default_factory=dict)
    prepared: dict[str, tuple[Record, Prepared]] = field(default_factory=dict)
    above: dict[str, str | None] = field(default_factory=dict)
    """For records that are not touched, the keys of their parents."""
    known: dict[str, Json] = field(default_factory=dict)
    """For records that are not touched, their attributes."""
    sources: Sources = field(init=False)
    model: UseModel | None = None
    meanings: list[Meaning] = field(default_factory=list)
    kept: list[KeepVectors] = field(default_factory=list)
    _next: int = 1

    def __post_init__(self) -> None:
        self.sources = Sources(self.cluster, self.truth)

    def fold_in(self, changes: Sequence[Change]) -> None:
        self._load(changes)
        for change in changes:
            self._fold_in(change)
        self.sources.unsettle()

    def now(self, key: str) -> Held | None:
        if key in self.after:
            return self.after[key]
        return (0, self.before[key]) if key in self.before else None

    def parent_of(self, key: str) -> str | None:
        held = self.now(key)
        if held is not None or key in self.after:
            return held[1].parent if held is not None else None
        if key not in self.above:
            self.learn([key])
        return self.above.get(key)

    def learn(self, keys: Iterable[str]) -> None:
        """Reads the attributes of records that are not touched, and what is above them."""
        wanted = sorted({key for key in keys if key not in self.known and key not in self.before})
        if not wanted:
            return
        found = self.cluster.get_all(self.truth, [record_id(key) for key in wanted], _ATTRIBUTES)
        for key in wanted:
            self.above.setdefault(key, None)
        for document in found.values():
            self.known[document["key"]] = document
            self.place(document["ancestors"])

    def place(self, line: Sequence[str]) -> None:
        """Remembers who is above whom, from a record's line."""
        for key, parent in pairwise([*line, None]):
            if key is not None:
                self.above[key] = parent

    def changed(self) -> list[str]:
        """The keys whose record is not as it was."""
        return sorted(key for key, held in self.after.items() if held != ((0, self.before[key]) if key in self.before else None))

    def changed_edges(self) -> dict[EdgeName, Edge | None]:
        return {name: edge for name, edge in sorted(self.edges.items()) if _facets(edge) != _facets(self.edges_before.get(name))}

    def prepared_for(self, record: Record) -> Prepared | None:
        """What was prepared, if it is still this record: a later change of the batch may have made another of it."""
        made_of, prepared = self.prepared.get(record.key, (None, None))
        if made_of is None or (made_of.fields, made_of.title, made_of.facets) != (record.fields, record.title, record.facets):
            return None
        return prepared if made_of.kind == record.kind and set(made_of.tags) == set(record.tags) else None

    def _load(self, changes: Sequence[Change]) -> None:
        keys, parents, leaving, ends = set[str](), set[str](), set[str](), set[str]()
        edges = set[EdgeName]()
        for change in changes:
            match change:
                case Put(record):
                    keys.add(record.key)
                    parents.update([record.parent] if record.parent is not None else [])
                case Delete(key, purge):
                    keys.add(key)
                    leaving.update([key] if purge else [])
                case Restore(key):
                    keys.add(key)
                case Rename(pairs):
                    keys.update(key for pair in pairs for key in pair)
                    ends.update(old for old, _ in pairs)
                case Link(edge):
                    edges.add((edge.source, edge.kind, edge.target))
                case Unlink(source, target, kind):
                    edges.add((source, kind, target))
                case Relink(source, _, linked):
                    leaving.add(source)
                    edges.update((edge.source, edge.kind, edge.target) for edge in linked)
                case _:
                    pass
        self._load_records(keys)
        self.learn((parents | {r.parent for r in self.before.values() if r.parent is not None}) - keys)
        self._load_edges(edges, leaving, ends)
        self.sources.load(changes)

    def _load_records(self, keys: Iterable[str]) -> None:
        wanted = sorted(set(keys) - self.before.keys())
        found = self.cluster.get_all(self.truth, [record_id(key) for key in wanted], ("stored", "ancestors")) if wanted else {}
        for key in wanted:
            document = found.get(record_id(key))
            if document is None:
                continue
            record = load_record(document["stored"])
            if record.key != key:
                raise StorageError(f"{key!r} and {record.key!r} share a number. Give one of them another id.")
            self.before[key] = record
            self.place(document["ancestors"])

    def _load_edges(self, names: set[EdgeName], leaving: set[str], ends: set[str]) -> None:
        if names:
            found = self.cluster.get_all(self.truth, sorted(edge_id(*name) for name in names))
            self._remember_edges(map(load_edge, found.values()))
        queries = [terms_query("source", sorted(leaving | ends))] if leaving | ends else []
        queries += [terms_query("target", sorted(ends))] if ends else []
        if queries:
            hits = scan(self.cluster, self.truth, any_of(queries), ["source", "edge", "target"])
            self._remember_edges(load_edge(hit["_source"]) for hit in hits)

    def _remember_edges(self, edges: Iterable[Edge]) -> None:
        self.edges_before.update({(edge.source, edge.kind, edge.target): edge for edge in edges})

    def _fold_in(self, change: Change) -> None:
        match change:
            case Put(record, expected, prepared):
                self._put(record, expected)
                if isinstance(prepared, Prepared):
                    self.prepared[record.key] = record, prepared
                    self.meanings += [prepared.meaning] if prepared.meaning is not None else []
            case Delete(key, purge):
                serial, stored = self._present(key)
                if purge:
                    self.after[key] = None
                    self._forget_edges(key)
                elif not stored.deleted:
                    self.after[key] = serial, replace(stored, deleted=True, version=stored.version + 1)
            case Restore(key):
                serial, stored = self._present(key)
                if stored.deleted:
                    self.after[key] = serial, replace(stored, deleted=False, version=stored.version + 1)
            case Rename(keys):
                self._rename(dict(keys))
            case Link(edge):
                self.edges[edge.source, edge.kind, edge.target] = edge
            case Unlink(source, target, kind):
                self.edges[source, kind, target] = None
            case Relink(source, kind, edges):
                self._forget_edges(source, kind)
                self.edges.update({(edge.source, edge.kind, edge.target): edge for edge in edges})
            case RenameTag(old, new):
                self._rename_tag(old, new)
            case Mark(name, content):
                self.marks[name] = content
            case PutSource() | Restamp() | Settle() | DropSource():
                self.sources.fold_in(change)
            case UseModel():
                self.model = change
            case KeepVectors():
                self.kept.append(change)

    def _put(self, record: Record, expected: int | None) -> None:
        held = self.now(record.key)
        version = held[1].version if held is not None else 0
        if expected is not None and expected != version:
            raise Conflict(
                f"{record.key!r} is at version {version}, not {expected}: someone else wrote it in between."
                " Read it again, then write."
            )
        refuse_cycle(record.key, record.parent, self.parent_of)
        new = replace(record, tags=tuple(sorted(set(record.tags))), version=version)
        if held is None:
            self.after[record.key] = self._serial(), replace(new, version=1)
        # Writing what is there already is no change, whatever its time.
        elif new != replace(held[1], updated=new.updated):
            self.after[record.key] = held[0], replace(new, version=version + 1)

    def _serial(self) -> int:
        self._next += 1
        return self._next

    def _present(self, key: str) -> Held:
        held = self.now(key)
        if held is None:
            raise NotFound(f"No record has the id {key!r}.")
        return held

    def _rename(self, names: dict[str, str]) -> None:
        moved = {old: self._present(old) for old in names}
        self.after.update(dict.fromkeys(names))
        for old, new in names.items():
            if self.now(new) is not None:
                raise Conflict(f"{old!r} cannot become {new!r}: there is a record with that id.")
            self.after[new] = self._serial(), replace(moved[old][1], key=new, version=moved[old][1].version + 1)
            if old in self.prepared:
                self.prepared.pop(old)
        children = scan(self.cluster, self.truth, terms_query("parent", sorted(names)), ["key"], ["key"])
        self._load_records([hit["_source"]["key"] for hit in children])
        for key in sorted(self.before.keys() | self.after.keys()):
            held = self.now(key)
            if held is not None and held[1].parent in names:
                parent = names[held[1].parent]
                self.after[key] = held[0], replace(held[1], parent=parent, version=held[1].version + 1)
        for new in names.values():
            refuse_cycle(new, self.parent_of(new), self.parent_of)
        for name, edge in {**self.edges_before, **self.edges}.items():
            current = self.edges.get(name, edge)
            renamed = current.renamed(names) if current is not None else None
            if renamed is not None and renamed != current:
                self.edges[name] = None
                self.edges[renamed.source, renamed.kind, renamed.target] = renamed

    def _forget_edges(self, key: str, only: str | None = None) -> None:
        """A purged record takes its own edges along. Edges that point at it stay: they live again if it returns."""
        for source, kind, target in [*self.edges_before, *self.edges]:
            if source == key and only in (None, kind):
                self.edges[source, kind, target] = None

    def _rename_tag(self, old: str, new: str) -> None:
        if old == new:
            return
        tagged = scan(self.cluster, self.truth, {"term": {"tags": old}}, ["key"], ["key"])
        self._load_records([hit["_source"]["key"] for hit in tagged])
        for key in sorted(self.before.keys() | self.after.keys()):
            held = self.now(key)
            if held is not None and old in held[1].tags:
                tags = tuple(sorted({new if tag == old else tag for tag in held[1].tags}))
                self.after[key] = held[0], replace(held[1], tags=tags, version=held[1].version + 1)


def _facets(edge: Edge | None) -> dict[str, object] | None:
    return None if edge is None else dict(edge.facets)
