"""Which records does an agent mean? By key, or by a place in a file as tools and compilers write it."""

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.errors import AmbiguousId, NotFound
from dowse.model.record import Record

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

# path:12, path:12-40, path:12:5 (a column, which nobody needs here), path#L12-L40
_PLACE = re.compile(r"(?P<path>.+?)(?::(?P<line>\d+)(?:-(?P<end>\d+)|:\d+)?|#L(?P<mark>\d+)(?:-L?(?P<mark_end>\d+))?)?")
# Parts of one record that are looked at; a file with more definitions is a generated one.
_PARTS = 1000
# Of what is no part of a file so many are named: a library has thousands of snippets, and nobody reads them in a row.
_IN_FILES, _FEW = ("codefile", "symbol"), 200
# A document often has a single heading on top; what is in it stands below that.
_NESTED = ("document", "section")


Lines = tuple[int, int]


def locate(workspace: "Workspace", name: str) -> tuple[list[Record], Lines | None]:
    """The record with this key, or those that stand at this place of a file, in its order; and the lines that were named."""
    try:
        return [workspace.get(name)], None
    except AmbiguousId:
        raise
    except NotFound as error:
        found, lines = _at_place(workspace, name)
        if not found:
            raise NotFound(
                f"No record has the id {name!r}, and no indexed file that path. Ids and paths stand in the hits of a search."
            ) from error
        return found, lines


def locate_one(workspace: "Workspace", name: str) -> Record:
    return locate(workspace, name)[0][0]


def parts(workspace: "Workspace", record: Record) -> tuple[list[Record], int]:
    """What hangs directly below a record, in the order of the file, and how many there are in all."""
    listing = workspace.list(parent=record.key, limit=_PARTS)
    return sorted(listing.records, key=lambda item: (_lines(item), item.key)), listing.total


def outline(workspace: "Workspace", record: Record) -> tuple[list[tuple[int, Record]], int]:
    """The parts of a record, each with how deep it lies, and how many there are; of a document the sections within sections too."""
    below, total = parts(workspace, record)
    if record.kind not in _NESTED:
        shown = below if record.kind in _IN_FILES else below[:_FEW]
        return [(0, part) for part in shown], total
    found: list[tuple[int, Record]] = []
    for part in below:
        inner, more = outline(workspace, part) if part.kind in _NESTED else ([], 0)
        found += [(0, part), *((depth + 1, item) for depth, item in inner)]
        total += more
    return found[:_PARTS], total


def _at_place(workspace: "Workspace", name: str) -> tuple[list[Record], Lines | None]:
    matched = _PLACE.fullmatch(name)
    if matched is None:
        return [], None
    files = _files(workspace, matched["path"])
    line, end = matched["line"] or matched["mark"], matched["end"] or matched["mark_end"]
    if line is None:
        return files, None
    lines = (int(line), max(int(line), int(end or line)))
    found = [record for file in files for record in _between(workspace, file, *lines) or [file]]
    # A single line means what stands around it; several mean just those.
    return found, lines if end else None


def _between(workspace: "Workspace", record: Record, start: int, end: int) -> list[Record]:
    """The smallest records that hold some lines: one that holds all of them is looked into."""
    over = [part for part in parts(workspace, record)[0] if _overlaps(part, start, end)]
    if len(over) == 1 and _lines(over[0])[0] <= start:
        return _between(workspace, over[0], start, end) or over
    return over


def _overlaps(record: Record, start: int, end: int) -> bool:
    first, last = _lines(record)
    return 0 < first <= end and start <= last


def _lines(record: Record) -> tuple[int, int]:
    return record.lines or (0, 0)


def _files(workspace: "Workspace", path: str) -> list[Record]:
    """The records of the file at a path: one in every project that has it, or, of an absolute one, in the project around it."""
    found: list[Record] = []
    for project in workspace.projects():
        place = Path(path)
        if place.is_absolute():
            if not place.is_relative_to(project.root):
                continue
            place = place.relative_to(project.root)
        with suppress(NotFound):
            found.append(workspace.get(f"{project.space}:{place.as_posix()}"))
    return found
