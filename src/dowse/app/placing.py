"""Which records stand at a place of a file, written as tools and compilers write it?"""

import re
from collections.abc import Sequence
from pathlib import Path

from dowse.app.freshness import KnownProject
from dowse.model.record import Record
from dowse.model.request import Scope
from dowse.model.schema import Schema
from dowse.ports import View
from dowse.search.listing import MOST_LISTED, browse

# path:12, path:12-40, path:12:5 (a column, which nobody needs here), path#L12-L40
_PLACE = re.compile(r"(?P<path>.+?)(?::(?P<line>\d+)(?:-(?P<end>\d+)|:\d+)?|#L(?P<mark>\d+)(?:-L?(?P<mark_end>\d+))?)?")

Lines = tuple[int, int]


def at_place(view: View, schema: Schema, projects: Sequence[KnownProject], name: str) -> tuple[list[Record], Lines | None]:
    """The records there, in the order of the file, and the lines that were named; without a line, the file itself.

    Of a single line what stands around it is meant; of several just those.
    """
    matched = _PLACE.fullmatch(name)
    files = _files(view, projects, matched["path"]) if matched is not None else []
    if matched is None or not files:
        return [], None
    line, end = matched["line"] or matched["mark"], matched["end"] or matched["mark_end"]
    if line is None:
        return files, None
    lines = (int(line), max(int(line), int(end or line)))
    found = [record for file in files for record in _between(view, schema, file, *lines) or [file]]
    return found, lines if end else None


def folders(view: View, projects: Sequence[KnownProject], name: str) -> list[str]:
    """What the keys of everything in a folder begin with, for each project that has it; a folder may be named with its project."""
    inside = [item.rstrip("/") + "/" for item in (name, *_keys(projects, name))]
    return [beginning for beginning in inside if ":" in beginning and view.resolve(beginning, 1)]


def _files(view: View, projects: Sequence[KnownProject], path: str) -> list[Record]:
    """The records of the file at a path: one in every project that has it, or, of an absolute one, in the project around it."""
    keys = _keys(projects, path)
    found = view.find(keys)
    return [found[key] for key in keys if key in found and not found[key].deleted]


def _keys(projects: Sequence[KnownProject], path: str) -> list[str]:
    keys = []
    for project in projects:
        place = Path(path)
        if place.is_absolute():
            if not place.is_relative_to(project.root):
                continue
            place = place.relative_to(project.root)
        keys.append(f"{project.space}:{place.as_posix()}")
    return keys


def _between(view: View, schema: Schema, record: Record, start: int, end: int) -> list[Record]:
    """The smallest records that hold some lines: one that holds all of them is looked into."""
    parts = browse(view, Scope(parents=(record.key,)), schema, MOST_LISTED, 0).records
    over = sorted((part for part in parts if _overlaps(part, start, end)), key=lambda item: (item.lines or (0, 0), item.key))
    if len(over) == 1 and (over[0].lines or (0, 0))[0] <= start:
        return _between(view, schema, over[0], start, end) or over
    return over


def _overlaps(record: Record, start: int, end: int) -> bool:
    first, last = record.lines or (0, 0)
    return 0 < first <= end and start <= last
