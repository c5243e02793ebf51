"""How does a workspace get from one engine to another? Everything that nothing else can make again, in batches, then compared.

What is copied: records (deleted ones too), edges, files with what was made of them, marks, and the vectors of the model in use.
Search indexes are made by the engine that takes them. Versions of records begin anew: they count the writes of one store.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, replace
from itertools import islice

from dowse.app.guarded_view import PROJECT
from dowse.engines.passaging import digest_of, passages_of
from dowse.errors import Conflict, StorageError
from dowse.model.change import Change, KeepVectors, Link, Mark, Put, PutSource, UseModel
from dowse.model.declaring import dataclass
from dowse.model.record import Edge, Record
from dowse.model.schema import Schema
from dowse.model.source import Source
from dowse.ports import Engine, View

# A commit's cost is spread thin, and what is in memory at once stays small.
_RECORDS_AT_ONCE = 1000
_CHARACTERS_AT_ONCE = 4_000_000
_EDGES_AT_ONCE = 5000
_FILES_AT_ONCE = 500
# Where in the target the copy notes how far it is.
_NOTE = "migrating"


@dataclass(frozen=True, slots=True)
class Migrating:
    """How far a copy is: of everything there is to copy, and then once more while both are compared."""

    stage: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Migrated:
    """What a copy did. ``digest`` is of everything but versions, and the same on both sides."""

    source: str
    target: str
    records: int
    edges: int
    files: int
    vectors: int
    resumed: bool
    digest: str


Report = Callable[[Migrating], None]


@dataclass(frozen=True, slots=True)
class _Note:
    """What was copied already, of which state of which workspace."""

    source: str
    generation: int
    record: str = ""
    edge: tuple[str, str, str] = ("", "", "")


def migrate(source: Engine, target: Engine, schema: Schema, report: Report | None = None) -> Migrated:
    """Copies a workspace into an empty one. A copy that was interrupted goes on where it stopped."""
    tell = report or (lambda _: None)
    status, there = source.status(), target.status()
    with source.view() as view, target.view() as other:
        note = _resumed(other, status.location, view.generation)
        if note is None and (there.records or there.deleted or there.edges):
            raise Conflict(f"{there.location} holds {sum(there.records.values())} records already. Name one that is empty.")
    total = sum(status.records.values()) + status.deleted + sum(status.edges.values())
    with source.view() as view:
        begun = note or _Note(status.location, view.generation)
        vectors = _copy(view, target, schema, begun, lambda done: tell(Migrating("copying", done, total)))
        ours = _contents(view, lambda done: tell(Migrating("comparing", done, 2 * total)))
    target.apply([Mark(_NOTE, None)])
    with target.view() as view:
        theirs = _contents(view, lambda done: tell(Migrating("comparing", total + done, 2 * total)))
    if ours != theirs:
        raise StorageError(
            f"{there.location} does not hold what {status.location} holds: {theirs} instead of {ours}. Someone wrote one of them"
            " meanwhile; copy again into an empty workspace."
        )
    tell(Migrating("done", total, total))
    return Migrated(status.location, there.location, ours.records, ours.edges, ours.files, vectors, note is not None, ours.digest)


@dataclass(frozen=True, slots=True)
class _Contents:
    records: int
    edges: int
    files: int
    digest: str


def _copy(view: View, target: Engine, schema: Schema, note: _Note, report: Callable[[int], None]) -> int:
    profile = view.embedding.profile
    target.apply([UseModel(profile)] if profile is not None else [])
    done = vectors = 0
    everything = view.scan()
    spaces: set[str] = set()
    first: Edge | None = None
    for some in _batches(everything):
        if isinstance(some[0], Edge):
            first = some[0]
            break
        records = [item for item in some if isinstance(item, Record)]
        spaces.update(record.space for record in records)
        done += len(records)
        if records[-1].key > note.record:
            note = replace(note, record=records[-1].key)
            kept = list(_vectors(view, schema, records)) if profile is not None else []
            vectors += sum(len(change.digests) for change in kept)
            target.apply([*map(Put, records), *kept, _mark(note)])
        report(done)
    edges = (item for item in (*([first] if first is not None else []), *everything) if isinstance(item, Edge))
    while linked := list(islice(edges, _EDGES_AT_ONCE)):
        last = linked[-1]
        done += len(linked)
        if (last.source, last.kind, last.target) > note.edge:
            note = replace(note, edge=(last.source, last.kind, last.target))
            target.apply([*map(Link, linked), _mark(note)])
        report(done)
    _copy_files(view, target, spaces)
    return vectors


def _copy_files(view: View, target: Engine, spaces: Iterable[str]) -> None:
    """Files as they are, settled or not, and what else is remembered."""
    for space in sorted({*spaces, *_projects(view)}):
        files = iter(_files(view, space))
        while some := list(islice(files, _FILES_AT_ONCE)):
            # Unsettled first: each that comes would unsettle those that are there.
            target.apply([PutSource(replace(item, settled=False)) for item in some])
        files = iter(_files(view, space))
        while some := list(islice(files, _FILES_AT_ONCE)):
            target.apply([PutSource(item) for item in some if item.settled])
    target.apply([Mark(name, content) for name, content in view.marks("").items() if name != _NOTE])


def _vectors(view: View, schema: Schema, records: list[Record]) -> Iterator[KeepVectors]:
    """The vectors of some records, where all of a record's passages have one; the others are made by the target's own model."""
    profile = view.embedding.profile
    assert profile is not None
    handles = [handle for handle in view.handles([record.key for record in records]) if handle is not None]
    for record, rows in zip(view.fetch(handles), view.meanings(handles), strict=True):
        digests = tuple(digest_of(passage.text) for passage in passages_of(schema.kinds[record.kind], record))
        if rows is not None and len(rows) == len(digests):
            yield KeepVectors(profile.fingerprint, digests, rows)


def _contents(view: View, report: Callable[[int], None]) -> _Contents:
    """What a workspace holds, counted and digested in an order that does not depend on the engine."""
    digest = hashlib.blake2b(digest_size=16)
    records = edges = files = 0
    spaces: set[str] = set()
    for number, item in enumerate(view.scan(), 1):
        if isinstance(item, Record):
            records += 1
            spaces.add(item.space)
            whole = asdict(replace(item, version=0))
        else:
            edges += 1
            whole = asdict(item)
        digest.update(_canonical(whole))
        if not number % _EDGES_AT_ONCE:
            report(number)
    report(records + edges)
    for space in sorted({*spaces, *_projects(view)}):
        for file in _files(view, space):
            files += 1
            digest.update(_canonical(asdict(file)))
    marks = {name: content for name, content in view.marks("").items() if name != _NOTE}
    digest.update(_canonical(marks))
    return _Contents(records, edges, files, digest.hexdigest())


def _files(view: View, space: str) -> Iterator[Source]:
    paths = sorted(view.stamps(space))
    for start in range(0, len(paths), _FILES_AT_ONCE):
        yield from view.sources(space, paths[start : start + _FILES_AT_ONCE])


def _projects(view: View) -> set[str]:
    """Spaces that may have files without a record."""
    return {name.removeprefix(PROJECT) for name in view.marks(PROJECT)}


def _batches(items: Iterator[Record | Edge]) -> Iterator[list[Record | Edge]]:
    """Records in commits of a bounded size; then the first edge alone, so that whoever iterates goes on with the rest."""
    batch: list[Record | Edge] = []
    size = 0
    for item in items:
        if isinstance(item, Edge):
            if batch:
                yield batch
            yield [item]
            return
        batch.append(item)
        size += len(item.title) + sum(map(len, item.fields.values()))
        if len(batch) >= _RECORDS_AT_ONCE or size >= _CHARACTERS_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _resumed(view: View, source: str, generation: int) -> _Note | None:
    """Where an earlier copy of the same workspace stopped. If that was changed since, everything is compared from the beginning."""
    told = view.mark(_NOTE)
    if told is None:
        return None
    noted = json.loads(told)
    note = _Note(noted["source"], noted["generation"], noted["record"], tuple(noted["edge"]))
    if note.source != source:
        raise Conflict(f"A copy of {note.source} was begun here. Go on with that, or name an empty workspace.")
    return note if note.generation == generation else _Note(source, generation)


def _mark(note: _Note) -> Change:
    return Mark(_NOTE, json.dumps(asdict(note)))


def _canonical(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
