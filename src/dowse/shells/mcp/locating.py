"""Which records does an agent mean? By key, or by a place in a file as tools and compilers write it."""

from typing import TYPE_CHECKING

from dowse.app.placing import Lines
from dowse.errors import AmbiguousId
from dowse.model.record import Record

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

# Parts of one record that are looked at; a file with more definitions is a generated one.
_PARTS = 1000
# Of what is no part of a file so many are named: a library has thousands of snippets, and nobody reads them in a row.
_IN_FILES, _FEW = ("codefile", "symbol"), 200
# A document often has a single heading on top; what is in it stands below that.
_NESTED = ("document", "section")


def locate(workspace: "Workspace", name: str) -> tuple[list[Record], Lines | None]:
    """The record with this key, or those that stand at this place of a file, in its order; and the lines that were named."""
    try:
        record = workspace.get(name)
    except AmbiguousId:
        # Lines of several records are no single one.
        found, lines = workspace.at_place(name)
        if not found:
            raise
        return found, lines
    return ([record], None) if record.key.startswith(name) else workspace.at_place(name)


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


def _lines(record: Record) -> tuple[int, int]:
    return record.lines or (0, 0)
