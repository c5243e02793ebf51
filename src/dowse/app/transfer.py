"""How do many records get in and out? JSON lines, in batches, each committed with the place it reached."""

import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from dowse.app.recording import edge_to_json, to_edge, to_json, to_record
from dowse.domains.preparing import prepare, relinks
from dowse.errors import Conflict, DowseError, InvalidRecord, NotFound
from dowse.model.change import Change, Delete, Link, Mark, Put, Unlink
from dowse.model.declaring import dataclass
from dowse.model.record import Record
from dowse.model.schema import Schema
from dowse.ports import Engine, View

# Records per commit: enough that a commit's cost is spread thin, few enough that a killed import loses a second of work.
BATCH = 2000


@dataclass(frozen=True, slots=True)
class Progress:
    """Where an import stands."""

    bytes_done: int
    bytes_total: int
    lines: int
    records: int
    edges: int
    skipped: int
    resumed_at: int = 0


Report = Callable[[Progress], None]


def import_file(
    engine: Engine,
    schema: Schema,
    path: Path,
    *,
    now: Callable[[], float],
    report: Report | None = None,
    skip_bad: bool = False,
    restart: bool = False,
) -> Progress:
    """Reads a file of JSON lines. A killed import of the same file goes on where it stopped."""
    if not path.is_file():
        raise NotFound(f"There is no file {path}.")
    mark = _mark_name(path)
    start, lines_before = (0, 0) if restart else _resume(engine, mark)
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(start)
        progress = Progress(start, size, lines_before, 0, 0, 0, start)
        for batch in _batches(file, start, lines_before):
            read, skipped = _read(batch, schema, path.name, now(), skip_bad)
            records, edges, refused = _apply(engine, read, mark, path.name, skip_bad)
            progress = Progress(
                batch[-1].end,
                size,
                batch[-1].number,
                progress.records + records,
                progress.edges + edges,
                progress.skipped + skipped + refused,
                start,
            )
            if report is not None:
                report(progress)
    engine.apply([Mark(mark, None)])
    return progress


def export(view: View, out: IO[str]) -> tuple[int, int]:
    """Everything as JSON lines that ``import_file`` reads back; returns how many records and edges."""
    records = edges = 0
    implied: set[tuple[str, str, str]] = set()
    for item in view.scan():
        if isinstance(item, Record):
            _write(out, to_json(item))
            implied |= {(edge.source, edge.kind, edge.target) for relink in relinks(item) for edge in relink.edges}
            records += 1
        else:
            _write(out, edge_to_json(item))
            implied.discard((item.source, item.kind, item.target))
            edges += 1
    # Edges that a text would make when it is read back, and that someone took away.
    for source, kind, target in sorted(implied):
        _write(out, {"type": "unlink", "source": source, "target": target, "kind": kind})
    return records, edges


def _write(out: IO[str], data: dict[str, Any]) -> None:
    out.write(json.dumps(data, ensure_ascii=False) + "\n")


@dataclass(frozen=True, slots=True)
class _Line:
    text: bytes
    number: int
    end: int


_Read = tuple[_Line, list[Change]]


def _batches(file: io.BufferedReader, start: int, number: int) -> Iterator[list[_Line]]:
    batch: list[_Line] = []
    end = start
    for text in file:
        end += len(text)
        number += 1
        batch.append(_Line(text, number, end))
        if len(batch) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _read(lines: Iterable[_Line], schema: Schema, name: str, now: float, skip_bad: bool) -> tuple[list[_Read], int]:
    read: list[_Read] = []
    skipped = 0
    for line in lines:
        changes: list[Change] = []
        try:
            if line.text.strip():
                changes = to_changes(_parse(line.text), schema, now)
        except DowseError as error:
            if not skip_bad:
                raise InvalidRecord(f"{name}, line {line.number}: {error}") from error
            skipped += 1
        read.append((line, changes))
    return read, skipped


def _apply(engine: Engine, read: Sequence[_Read], mark: str, name: str, skip_bad: bool) -> tuple[int, int, int]:
    """How many records, edges and refused lines. A line that contradicts what is stored is told from the others by halving."""
    last = read[-1][0]
    place = Mark(mark, json.dumps([last.end, last.number]))
    try:
        applied = engine.apply([*(change for _, changes in read for change in changes), place])
    except (Conflict, NotFound) as error:
        if len(read) > 1:
            middle = len(read) // 2
            halves = [_apply(engine, half, mark, name, skip_bad) for half in (read[:middle], read[middle:])]
            return halves[0][0] + halves[1][0], halves[0][1] + halves[1][1], halves[0][2] + halves[1][2]
        if not skip_bad:
            raise InvalidRecord(f"{name}, line {last.number}: {error}") from error
        engine.apply([place])
        return 0, 0, 1
    return applied.records, applied.edges, 0


def to_changes(data: dict[str, Any], schema: Schema, now: float) -> list[Change]:
    """One line: a record, or with ``"type"`` an edge, a deletion or an unlinking."""
    match data.get("type"):
        case "edge":
            return [Link(to_edge(data, schema))]
        case "delete":
            return [Delete(str(data.get("key", "")), purge=data.get("purge") is True)]
        case "unlink":
            edge = to_edge(data, schema)
            return [Unlink(edge.source, edge.target, edge.kind)]
        case _:
            # Any other type is the record's own facet: a snippet is of type code or info.
            own = {name: value for name, value in data.items() if (name, value) != ("type", "record")}
            record = prepare(to_record(own, schema, now=now))
            return [Put(record), *relinks(record)]


def _parse(text: bytes) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except RecursionError as error:
        raise InvalidRecord("nested too deeply.") from error
    except ValueError as error:
        raise InvalidRecord(f"not valid JSON ({error}).") from error
    if not isinstance(data, dict):
        raise InvalidRecord(f"a line must be an object, not {type(data).__name__}.")
    return data


def _mark_name(path: Path) -> str:
    """Identifies the file by its content's beginning, size and time: another file never resumes this one's import."""
    stat = path.stat()
    with path.open("rb") as file:
        head = hashlib.sha256(file.read(1 << 16)).hexdigest()[:16]
    return f"import:{head}:{stat.st_size}:{stat.st_mtime_ns}"


def _resume(engine: Engine, mark: str) -> tuple[int, int]:
    with engine.view() as view:
        stored = view.mark(mark)
    if stored is None:
        return 0, 0
    offset, lines = json.loads(stored)
    return int(offset), int(lines)
