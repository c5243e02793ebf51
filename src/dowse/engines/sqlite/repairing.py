"""What can be saved of a damaged file? Every row that can still be read, in a new file; the old one is kept as it is."""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from dowse.engines.sqlite import keeping, lanes, rows
from dowse.engines.sqlite.backing_up import SIDES, aside, free_name, publish
from dowse.engines.sqlite.documents import make_document
from dowse.engines.sqlite.driver import Connection, connect, connect_plainly, translated, writing
from dowse.engines.sqlite.examining import UNREADABLE
from dowse.engines.sqlite.migrating import migrate
from dowse.engines.sqlite.scraping import Row, Trouble, by_index, by_number, by_order, header_made_sound
from dowse.errors import Busy, NotAWorkspace
from dowse.model.schema import Schema
from dowse.ports import Finding

try:
    import fcntl
except ImportError:  # Windows lets nobody replace a file that is open, which says the same.
    fcntl = None  # type: ignore[assignment]

# Where SQLite's own locks lie: whoever has a workspace open holds some of these bytes.
_LOCKS, _LOCKS_LENGTH = 0x40000000, 512
# Names of what was lost that are told.
_TOLD = 20
_RECORD = rows.RECORD_COLUMNS
_SOURCE = "id, space, path, size, modified, digest, reader, settled, content, links"


@dataclass(slots=True)
class _Saved:
    """What was read, and what is known to be lost."""

    records: dict[int, Row] = field(default_factory=dict)
    tags: set[Row] = field(default_factory=set)
    edges: dict[tuple[str, str, str], str] = field(default_factory=dict)
    marks: dict[str, object] = field(default_factory=dict)
    sources: dict[int, Row] = field(default_factory=dict)
    names: set[Row] = field(default_factory=set)
    known_keys: set[str] = field(default_factory=set)
    bare_edges: int = 0
    """Edges of which only the ends are known, not the facets."""
    whole_records: bool = True
    """Whether that is every record there is."""
    whole: bool = True
    """Whether every table was read from its beginning to its end."""


def rewrite(path: Path, schema: Schema) -> tuple[Finding, ...]:
    """Copies the file aside, saves what can be read of it into a new one, and puts that in its place.

    Refused while anyone has the workspace open.
    """
    with alone(path):
        kept = _keep(path)
        with aside(path) as part:
            saved = _read(kept, part, schema)
            if not saved.records and (saved.known_keys or not saved.marks or not saved.whole_records):
                for side in ("", "-wal"):
                    Path(f"{kept}{side}").unlink(missing_ok=True)
                raise NotAWorkspace(
                    f"Nothing can be read of {path} any more; it is left as it is. Use 'dowse restore-backup' with a backup."
                )
            _write(saved, part, schema)
            # Changes in the old log are saved already, and must not be applied to the new file.
            for side in SIDES:
                Path(f"{path}{side}").unlink(missing_ok=True)
            publish(part, path)
    return _told(saved, kept)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Refuses to go on while another process has the file open, and keeps others waiting meanwhile."""
    if fcntl is None or not path.exists():
        yield
        return
    handle = os.open(path, os.O_RDWR)
    try:
        try:
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, _LOCKS_LENGTH, _LOCKS)
        except OSError as error:
            raise Busy(f"Another process has {path} open. End it first (a server, a watcher), then try again.") from error
        yield
    finally:
        os.close(handle)


def _keep(path: Path) -> Path:
    """A copy of the file and its log, byte for byte."""
    kept = free_name(path, "damaged")
    shutil.copy2(path, kept)
    with suppress(FileNotFoundError):
        shutil.copy2(f"{path}-wal", f"{kept}-wal")
    return kept


def _read(kept: Path, part: Path, schema: Schema) -> _Saved:
    """Reads a copy of the copy if its header must be mended first; the copy itself is never written."""
    with header_made_sound(kept, part) as readable:
        try:
            with translated(str(kept)), closing(connect_plainly(str(readable), read_only=True)) as connection:
                # Lets a file be read that is shorter than it says, or whose list of tables has a fault.
                connection.pragma("writable_schema", True)
                return _saved(connection, schema)
        finally:
            Path(f"{readable}-shm").unlink(missing_ok=True)


def _saved(connection: Connection, schema: Schema) -> _Saved:
    saved = _Saved()

    def trouble() -> None:
        saved.whole = False

    for row in by_number(connection, "record", _RECORD, "key", trouble):
        if _is_record(row, schema):
            saved.records[row[0]] = row
        else:
            trouble()
    saved.whole_records = saved.whole
    saved.known_keys = {row[0] for row in by_index(connection, "select key from record", "key", trouble) if isinstance(row[0], str)}
    wanted = sorted(saved.records)
    saved.tags = {
        row
        for row in by_order(connection, "tag", "name, record", ("record", wanted), trouble)
        if isinstance(row[0], str) and row[1] in saved.records
    }
    _save_edges(connection, saved, trouble)
    saved.marks = {
        row[0]: row[1]
        for row in by_order(connection, "meta", "name, value", None, trouble)
        if isinstance(row[0], str) and (row[0].startswith("mark:") or row[0] in ("generation", "updated", "model"))
    }
    saved.sources = {row[0]: row for row in by_number(connection, "source", _SOURCE, "space, path", trouble) if _is_source(row)}
    saved.names = set(by_order(connection, "source_name", "hash, role, source", None, trouble))
    return saved


def _save_edges(connection: Connection, saved: _Saved, trouble: Trouble) -> None:
    keys = sorted({str(row[1]) for row in saved.records.values()})
    for source, kind, target, facets in by_order(connection, "edge", "source, kind, target, facets", ("source", keys), trouble):
        if all(isinstance(item, str) for item in (source, kind, target)) and _is_object(facets):
            saved.edges[source, kind, target] = facets
    for source, kind, target in by_index(connection, "select source, kind, target from edge", "target, kind", trouble):
        if all(isinstance(item, str) for item in (source, kind, target)) and (source, kind, target) not in saved.edges:
            saved.edges[source, kind, target] = "{}"
            saved.bare_edges += 1


def _is_record(row: Row, schema: Schema) -> bool:
    try:
        _, record = rows.to_record((*row, "[]"))
        row_again = rows.to_row(row[0], record)
        make_document(schema, record)
    except UNREADABLE:
        return False
    texts = (record.key, record.kind, record.space, record.title)
    return record.kind in schema.kinds and all(isinstance(text, str) for text in texts) and len(row_again) == len(row)


def _is_source(row: Row) -> bool:
    expected = (int, str, str, int, int, str, str, int, bytes, bytes)
    return all(isinstance(item, kind) for item, kind in zip(row, expected, strict=True))


def _is_object(text: object) -> bool:
    try:
        return isinstance(text, str) and isinstance(rows.to_edge(("", "", "", text)).facets, dict)
    except ValueError:
        return False


def _write(saved: _Saved, part: Path, schema: Schema) -> None:
    with closing(connect(str(part))) as connection, translated(str(part)):
        migrate(connection, str(part))
        with writing(connection):
            _write_truth(connection, saved)
            generation = _generation(saved) + 1
            _write_derived(connection, schema, generation)
            noted = {"generation": generation, "updated": saved.marks.get("updated")}
            connection.executemany(
                "insert or replace into meta values (?, ?)",
                [(name, item) for name, item in noted.items() if isinstance(item, int | float)],
            )
            if isinstance(saved.marks.get("model"), str):
                _write_passages(connection, schema, generation, str(saved.marks["model"]))
        connection.pragma("journal_mode", "delete")


def _write_truth(connection: Connection, saved: _Saved) -> None:
    connection.executemany(f"insert or ignore into record ({_RECORD}) values ({_places(11)})", _sorted(saved.records.values()))
    connection.executemany("insert or ignore into tag (name, record) values (?, ?)", sorted(saved.tags, key=repr))
    connection.executemany(
        "insert into edge (source, kind, target, facets) values (?, ?, ?, ?)",
        [(*ends, facets) for ends, facets in sorted(saved.edges.items())],
    )
    marks = [(name, item) for name, item in sorted(saved.marks.items()) if name.startswith("mark:")]
    connection.executemany("insert into meta values (?, ?)", marks)
    connection.executemany(f"insert or ignore into source ({_SOURCE}) values ({_places(10)})", _sorted(saved.sources.values()))
    connection.executemany(
        "insert or ignore into source_name (hash, role, source) values (?, ?, ?)",
        [row for row in sorted(saved.names, key=repr) if all(isinstance(item, int) for item in row) and row[2] in saved.sources],
    )


def _write_derived(connection: Connection, schema: Schema, generation: int) -> None:
    for identity, record in list(rows.every(connection)):
        connection.executemany(
            "insert into facet (name, value, record) values (?, ?, ?)",
            [(name, item, identity) for name, item in record.facets.items() if name not in schema.kinds[record.kind].shown],
        )
    lanes.rebuild(connection, schema, rows.every(connection), generation)


def _write_passages(connection: Connection, schema: Schema, generation: int, model: str) -> None:
    """Passages that wait for their vectors; whoever opens the workspace with this model makes them."""
    try:
        profile = keeping.to_profile(model)
    except UNREADABLE:
        return
    keeper = keeping.Keeper(connection, schema, generation)
    keeper.use(profile)
    keeper.finish()


def _generation(saved: _Saved) -> int:
    stored = saved.marks.get("generation")
    return stored if isinstance(stored, int) and stored >= 0 else 0


def _told(saved: _Saved, kept: Path) -> tuple[Finding, ...]:
    lost = sorted(saved.known_keys - {str(row[1]) for row in saved.records.values()})
    names = ", ".join(lost[:_TOLD]) + (f" and {len(lost) - _TOLD} more" if len(lost) > _TOLD else "")
    told = f"{len(saved.records)} records and {len(saved.edges)} edges were read"
    bare = f"; {saved.bare_edges} edges lost their facets" if saved.bare_edges else ""
    doubt = "" if saved.whole or lost else "; some pages could not be read, so more may be lost"
    return (
        Finding("kept", True, f"the file as it was is at {kept}"),
        Finding(
            "saved",
            not lost and saved.whole,
            f"{told}; lost: {names or 'none that is known of'}{bare}{doubt}",
            "import or index them",
        ),
    )


def _places(count: int) -> str:
    return ", ".join("?" * count)


def _sorted(found: Iterable[Row]) -> list[Row]:
    return sorted(found, key=lambda row: int(row[0]))
