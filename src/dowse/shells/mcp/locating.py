"""Which records does an agent mean? By key, or by a place in a file as tools and compilers write it."""

import re
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


def locate(workspace: "Workspace", name: str) -> list[Record]:
    """The record with this key, or those that stand at this place of a file, in its order."""
    try:
        return [workspace.get(name)]
    except AmbiguousId:
        raise
    except NotFound as error:
        found = _at_place(workspace, name)
        if not found:
            raise NotFound(
                f"No record has the id {name!r}, and no indexed file that path. Ids and paths stand in the hits of a search."
            ) from error
        return found


def locate_one(workspace: "Workspace", name: str) -> Record:
    return locate(workspace, name)[0]


def parts(workspace: "Workspace", record: Record) -> tuple[list[Record], int]:
    """What hangs directly below a record, in the order of the file, and how many there are in all."""
    listing = workspace.list(parent=record.key, limit=_PARTS)
    return sorted(listing.records, key=lambda item: (_lines(item), item.key)), listing.total


def _at_place(workspace: "Workspace", name: str) -> list[Record]:
    matched = _PLACE.fullmatch(name)
    if matched is None:
        return []
    file = _file(workspace, matched["path"])
    if file is None:
        return []
    line = matched["line"] or matched["mark"]
    if line is None:
        return [file]
    start = int(line)
    end = int(matched["end"] or matched["mark_end"] or start)
    return _between(workspace, file, start, max(start, end)) or [file]


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
    start, end = record.facets.get("line"), record.facets.get("lineEnd")
    first = start if isinstance(start, int) else 0
    return first, end if isinstance(end, int) else first


def _file(workspace: "Workspace", path: str) -> Record | None:
    """The record of the file at a path: of a project, or anywhere on the disk if that is inside one."""
    for project in workspace.projects():
        place = Path(path)
        if place.is_absolute():
            if not place.is_relative_to(project.root):
                continue
            place = place.relative_to(project.root)
        try:
            return workspace.get(f"{project.space}:{place.as_posix()}")
        except NotFound:
            continue
    return None
