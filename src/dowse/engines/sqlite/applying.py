"""How does a change reach the file? Truth first, then the lanes, in one transaction."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import itemgetter

from dowse.engines.embedding import Meaning, quantised
from dowse.engines.lineage import refuse_cycle
from dowse.engines.sqlite import lanes, numbering, rows, sources
from dowse.engines.sqlite.driver import Connection, generation_of, value, writing
from dowse.engines.sqlite.keeping import Keeper, known_of
from dowse.engines.sqlite.learning import Learned
from dowse.engines.sqlite.preparing import Prepared
from dowse.errors import Conflict, NotFound
from dowse.model.change import (
    Applied,
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
from dowse.model.schema import Schema


@dataclass(slots=True)
class _Batch:
    """The records a batch touches: as they were, and as they will be."""

    before: dict[str, rows.Stored]
    after: dict[str, rows.Stored | None]
    numbers: Iterator[int]
    edges: dict[tuple[str, str, str], Edge | None] = field(default_factory=dict)
    marks: dict[str, str | None] = field(default_factory=dict)
    prepared: dict[str, tuple[Record, Prepared]] = field(default_factory=dict)
    renamed: set[tuple[str, str]] = field(default_factory=set)
    """Names that mean something else now, by space; who refers to them is unsettled at the end."""
    names: list[sources.Name] = field(default_factory=list)
    model: UseModel | None = None
    meanings: list[Meaning] = field(default_factory=list)
    kept: list[KeepVectors] = field(default_factory=list)

    def now(self, key: str) -> rows.Stored | None:
        return self.after[key] if key in self.after else self.before.get(key)

    def prepared_for(self, record: Record) -> Prepared | None:
        """What was prepared, if it is still this record: a later change of the batch may have made another of it."""
        made_of, prepared = self.prepared.get(record.key, (None, None))
        if made_of is None or _said(made_of) != _said(record):
            return None
        return prepared if made_of.tags == record.tags or set(made_of.tags) == set(record.tags) else None

    def moved(self, key: str) -> bool:
        """Whether the record is new, gone, or another one under the same key."""
        before, after = self.before.get(key), self.after[key]
        return (before and before[0]) != (after and after[0])


def apply(connection: Connection, schema: Schema, changes: Iterable[Change], now: float, learned: Learned | None = None) -> Applied:
    """All of the changes or none. ``learned``: what the vocabulary has for certain, from one call to the next."""
    listed = list(changes)
    learned = learned or Learned()
    with writing(connection):
        batch = _load(connection, listed)
        for change in listed:
            _fold_in(connection, batch, change)
        _unsettle(connection, batch)
        generation = generation_of(connection)
        touched = {key for key, stored in batch.after.items() if stored != batch.before.get(key)}
        _write_marks(connection, batch)
        edges = _write_edges(connection, batch)
        keeper = Keeper(connection, schema, generation + 1)
        # The model comes first and the vectors come last, wherever in the batch they stand: then they are of use to its records.
        modelled = batch.model is not None and keeper.use(batch.model.profile)
        made = {
            stored[0]: prepared
            for key in touched
            if (stored := batch.after[key]) is not None and (prepared := batch.prepared_for(stored[1])) is not None
        }
        _write_records(connection, schema, batch, touched, made)
        written = _write_lanes(connection, schema, batch, touched, made, generation + 1, learned)
        embedded = _write_passages(keeper, batch, touched, made)
        if not (touched or edges or modelled or embedded):
            return Applied(generation, 0, 0)
        generation += 1
        keeper.finish()
        connection.execute("update meta set value = ? where name = 'generation'", (generation,))
        if touched or edges:
            connection.execute("update meta set value = max(value, ?) where name = 'updated'", (now,))
    if written is not None:
        learned.keep(written.number, generation)
    return Applied(generation, len(touched), edges)


def _load(connection: Connection, changes: list[Change]) -> _Batch:
    keys: set[str] = set()
    for change in changes:
        if isinstance(change, Put):
            keys.add(change.record.key)
        elif isinstance(change, Delete | Restore):
            keys.add(change.key)
        elif isinstance(change, Rename):
            keys.update(key for pair in change.keys for key in pair)
    before = rows.by_key(connection, sorted(keys)) if keys else {}
    return _Batch(before, {}, numbering.numbers(connection, sum(isinstance(change, Put) for change in changes)))


def _fold_in(connection: Connection, batch: _Batch, change: Change) -> None:
    match change:
        case Put(record, expected, prepared):
            _put(connection, batch, record, expected)
            if isinstance(prepared, Prepared):
                batch.prepared[record.key] = record, prepared
                batch.meanings += [prepared.meaning] if prepared.meaning is not None else []
        case Delete(key, purge):
            identity, stored = _present(batch, key)
            if purge:
                batch.after[key] = None
                _forget_edges(connection, batch, key)
            elif not stored.deleted:
                batch.after[key] = identity, replace(stored, deleted=True, version=stored.version + 1)
        case Restore(key):
            identity, stored = _present(batch, key)
            if stored.deleted:
                batch.after[key] = identity, replace(stored, deleted=False, version=stored.version + 1)
        case Rename(keys):
            _rename(connection, batch, dict(keys))
        case Link(edge):
            batch.edges[edge.source, edge.kind, edge.target] = edge
        case Unlink(source, target, kind):
            batch.edges[source, kind, target] = None
        case Relink(source, kind, edges):
            _forget_edges(connection, batch, source, kind)
            batch.edges.update({(edge.source, edge.kind, edge.target): edge for edge in edges})
        case RenameTag(old, new):
            _rename_tag(connection, batch, old, new)
        case Mark(name, content):
            batch.marks[name] = content
        case PutSource(source):
            if source.settled:
                _unsettle(connection, batch)
            batch.renamed |= sources.put(connection, source.space, source.path, source, batch.names)
            if source.settled:
                # Its own names unsettle the others, not itself: its links were made in their knowledge.
                _unsettle(connection, batch)
                sources.settle(connection, source.space, source.path, source.links)
        case Restamp(space, path, stamp):
            sources.restamp(connection, space, path, stamp)
        case Settle(space, path, links):
            _unsettle(connection, batch)
            sources.settle(connection, space, path, links)
        case DropSource(space, path):
            batch.renamed |= sources.put(connection, space, path, None, batch.names)
        case UseModel():
            batch.model = change
        case KeepVectors():
            batch.kept.append(change)


def _unsettle(connection: Connection, batch: _Batch) -> None:
    """Once for many files, but before anyone is settled: that must not be undone by what came earlier."""
    sources.enter(connection, batch.names)
    if batch.renamed:
        sources.unsettle(connection, batch.renamed)
        batch.renamed.clear()


def _put(connection: Connection, batch: _Batch, record: Record, expected: int | None) -> None:
    stored = batch.now(record.key)
    version = stored[1].version if stored is not None else 0
    if expected is not None and expected != version:
        raise Conflict(
            f"{record.key!r} is at version {version}, not {expected}: someone else wrote it in between. Read it again, then write."
        )
    if record.parent is not None:
        refuse_cycle(record.key, record.parent, lambda key: _parent_of(connection, batch, key))
    tags = tuple(sorted(set(record.tags)))
    if stored is None:
        batch.after[record.key] = next(batch.numbers), _versioned(record, tags, 1)
        return
    identity, old = stored
    new = _versioned(record, tags, version)
    # Writing what is there already is no change: importing a file twice costs a comparison.
    if new != replace(old, updated=new.updated):
        batch.after[record.key] = identity, _versioned(record, tags, version + 1)


def _versioned(record: Record, tags: tuple[str, ...], version: int) -> Record:
    """As ``replace`` would do it, in a tenth of the time: every record that is written passes here."""
    return Record(
        *(record.key, record.kind, record.title, record.fields, record.space, record.parent),
        *(tags, record.facets, record.updated, record.deleted, version),
    )


def _rename(connection: Connection, batch: _Batch, names: dict[str, str]) -> None:
    moved = {old: _present(batch, old) for old in names}
    batch.after.update(dict.fromkeys(names))
    for old, new in names.items():
        if batch.now(new) is not None:
            raise Conflict(f"{old!r} cannot become {new!r}: there is a record with that id.")
        identity, stored = moved[old]
        batch.after[new] = identity, replace(stored, key=new, version=stored.version + 1)
    wanted = (rows.dump(list(names)),)
    below = connection.execute("select key from record where parent in (select value from json_each(?))", wanted)
    for key, child in rows.by_key(connection, [key for (key,) in below]).items():
        batch.before.setdefault(key, child)
    for key in sorted(batch.before.keys() | batch.after.keys()):
        now = batch.now(key)
        if now is not None and now[1].parent in names:
            batch.after[key] = now[0], replace(now[1], parent=names[now[1].parent], version=now[1].version + 1)
    for new in names.values():
        refuse_cycle(new, _parent_of(connection, batch, new), lambda key: _parent_of(connection, batch, key))
    for end in ("source", "target"):
        touching = f"select source, kind, target, facets from edge where {end} in (select value from json_each(?))"
        for edge in map(rows.to_edge, connection.execute(touching, wanted)):
            batch.edges.setdefault((edge.source, edge.kind, edge.target), edge)
    for link, edge_now in list(batch.edges.items()):
        renamed = edge_now.renamed(names) if edge_now is not None else None
        if renamed is not None and renamed != edge_now:
            batch.edges[link] = None
            batch.edges[renamed.source, renamed.kind, renamed.target] = renamed


def _present(batch: _Batch, key: str) -> rows.Stored:
    stored = batch.now(key)
    if stored is None:
        raise NotFound(f"No record has the id {key!r}.")
    return stored


def _parent_of(connection: Connection, batch: _Batch, key: str) -> str | None:
    stored = batch.now(key)
    if stored is not None or key in batch.after:
        return stored[1].parent if stored is not None else None
    parent: str | None = value(connection, "select parent from record where key = ?", (key,))
    return parent


def _forget_edges(connection: Connection, batch: _Batch, key: str, only: str | None = None) -> None:
    """A purged record takes its own edges along. Edges that point at it stay: they live again if it returns."""
    stored = connection.execute("select source, kind, target from edge where source = ?", (key,))
    for source, kind, target in [*stored, *batch.edges]:
        if source == key and only in (None, kind):
            batch.edges[source, kind, target] = None


def _rename_tag(connection: Connection, batch: _Batch, old: str, new: str) -> None:
    if old == new:
        return
    for key, stored in rows.with_tag(connection, old).items():
        batch.before.setdefault(key, stored)
    for key in sorted(batch.before.keys() | batch.after.keys()):
        now = batch.now(key)
        if now is not None and old in now[1].tags:
            identity, record = now
            tags = tuple(sorted({new if tag == old else tag for tag in record.tags}))
            batch.after[key] = identity, replace(record, tags=tags, version=record.version + 1)


def _said(record: Record) -> tuple[object, ...]:
    """What is prepared of a record follows from this and its tags."""
    return record.fields, record.facets, record.title, record.kind, record.space, record.parent, record.updated


def _write_records(connection: Connection, schema: Schema, batch: _Batch, touched: set[str], made: Mapping[int, Prepared]) -> None:
    # In the order of their numbers: rows behind all others fill page after page, where any other order leaves them half empty.
    kept = sorted((stored for key in touched if (stored := batch.after[key]) is not None), key=itemgetter(0))
    # A record purged and written anew within the batch has another number, so its old row goes as well.
    gone = [(batch.before[key][0],) for key in sorted(touched) if key in batch.before and batch.moved(key)]
    replaced = [stored for key in sorted(touched) if (stored := batch.before.get(key)) is not None]
    connection.executemany("delete from tag where record = ?", [(identity,) for identity, _ in replaced])
    connection.executemany(
        "delete from facet where name = ? and value = ? and record = ?",
        [(name, facet, identity) for identity, record in replaced for name, facet in record.facets.items()],
    )
    connection.executemany("delete from record where id = ?", gone)
    new = [stored[0] for key in touched if (stored := batch.after[key]) is not None and batch.moved(key)]
    numbering.exchange(connection, [number for (number,) in gone], new)
    assignments = ", ".join(f"{name} = excluded.{name}" for name in rows.RECORD_COLUMNS.split(", ")[1:])
    connection.executemany(
        f"insert into record ({rows.RECORD_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        f" on conflict (id) do update set {assignments}",
        [rows.to_row(identity, record, prepared.packed if (prepared := made.get(identity)) else None) for identity, record in kept],
    )
    connection.executemany(
        "insert into tag (name, record) values (?, ?)", [(tag, identity) for identity, record in kept for tag in record.tags]
    )
    shown = {name: kind.shown for name, kind in schema.kinds.items()}
    facets = [
        (name, facet, identity)
        for identity, record in kept
        for name, facet in record.facets.items()
        if name not in shown[record.kind]
    ]
    # Equal ones side by side, as the table holds them: each goes behind the last of its like.
    facets.sort(key=lambda row: (row[0], str(row[1])))
    connection.executemany("insert into facet (name, value, record) values (?, ?, ?)", facets)


def _write_edges(connection: Connection, batch: _Batch) -> int:
    """Returns how many edges are not as they were: linking what is linked already is no change."""
    linked = [(edge.source, edge.kind, edge.target, rows.dump(edge.facets)) for edge in batch.edges.values() if edge is not None]
    unlinked = [identity for identity, edge in batch.edges.items() if edge is None]
    before = connection.total_changes()
    connection.executemany(
        "insert into edge (source, kind, target, facets) values (?, ?, ?, ?)"
        " on conflict do update set facets = excluded.facets where facets <> excluded.facets",
        linked,
    )
    connection.executemany("delete from edge where source = ? and kind = ? and target = ?", unlinked)
    return connection.total_changes() - before


def _write_marks(connection: Connection, batch: _Batch) -> None:
    for name, content in batch.marks.items():
        if content is None:
            connection.execute("delete from meta where name = ?", (f"mark:{name}",))
        else:
            connection.execute("insert or replace into meta values (?, ?)", (f"mark:{name}", content))


def _write_lanes(
    connection: Connection,
    schema: Schema,
    batch: _Batch,
    touched: set[str],
    made: Mapping[int, Prepared],
    generation: int,
    learned: Learned,
) -> lanes.Lanes | None:
    """Returns the lanes, if anything was written there."""
    current = lanes.current(connection)
    if current is None or not touched:
        return None
    before = {stored[0]: stored[1] for key in touched if (stored := batch.before.get(key)) is not None}
    after = {stored[0]: stored[1] for key in touched if (stored := batch.after[key]) is not None}
    # A record that is new, or gone, may be the parent of others, whose rows name it by number.
    moved = [key for key in touched if batch.moved(key)]
    for identity, child in _children(connection, moved, after.keys()):
        before.setdefault(identity, child)
        after[identity] = child
    wanted = sorted({record.parent for record in after.values() if record.parent is not None})
    parents = dict(
        connection.execute("select key, id from record where key in (select value from json_each(?))", (rows.dump(wanted),))
    )
    known = learned.begin(current.number, generation)
    lanes.LaneWriter(connection, current, schema, generation, known).replace(before, after, parents, made)
    return current


def _write_passages(keeper: Keeper, batch: _Batch, touched: set[str], made: Mapping[int, Prepared]) -> int:
    """Returns how many passages that had waited have a vector now."""
    profile = keeper.profile
    if profile is None:
        return 0
    before = {stored[0]: stored[1] for key in touched if (stored := batch.before.get(key)) is not None}
    after = {stored[0]: stored[1] for key in touched if (stored := batch.after[key]) is not None}
    changed = {identity: record for identity, record in after.items() if not _reads_alike(before.get(identity), record)}
    meanings = {
        identity: item.meaning for identity in changed if (item := made.get(identity)) is not None and item.meaning is not None
    }
    fitting = [kept for kept in batch.kept if kept.fingerprint == profile.fingerprint]
    known = known_of([*batch.meanings, *(quantised(kept, profile) for kept in fitting)], profile)
    keeper.replace(sorted(before.keys() - after.keys()), changed, meanings, known)
    return keeper.keep(known)


def _reads_alike(old: Record | None, new: Record) -> bool:
    """Whether two versions of a record say the same: who is deleted, restored or renamed keeps its passages."""
    return old is not None and (old.kind, old.title, old.fields, old.tags, old.facets, old.is_placeholder) == (
        new.kind,
        new.title,
        new.fields,
        new.tags,
        new.facets,
        new.is_placeholder,
    )


def _children(connection: Connection, keys: list[str], known: Collection[int]) -> Iterator[rows.Stored]:
    """The records below these that are not known; the record table is already written."""
    if not keys:
        return iter(())
    found = connection.execute(
        "select key, id from record where parent in (select value from json_each(?))", (rows.dump(sorted(keys)),)
    )
    return iter(rows.by_key(connection, [key for key, identity in found if identity not in known]).values())
