"""What does a file hold? Its parts by line, where the record of the file says little itself."""

from dowse.app.quoting import Quote
from dowse.model.record import Record
from dowse.model.request import Scope
from dowse.model.schema import Kind, Schema
from dowse.ports import View

# A file with more parts is no outline any more; and nobody should wait for the records of all of them.
_MOST_PARTS = 400
_LONGEST_ROW = 110
# A document of one heading with everything below it is no outline.
_FEW = 3
_GAP = "…"


def is_outlined(kind: Kind, schema: Schema) -> bool:
    """Whether a record of this kind stands for a whole: it has parts, and no line that it begins at."""
    return "line" not in kind.facets and any(kind.name in other.parents and other.parent_edge for other in schema.kinds.values())


def outline(view: View, record: Record, schema: Schema, room: int) -> Quote:
    """What the file says of itself, then its parts: lines and what they are called, the parts of parts where there is room."""
    handles = view.recent(view.select(Scope(ancestor=record.key))).handles[:_MOST_PARTS]
    parts = [part for part in view.fetch(handles) if schema.kinds[part.kind].parent_edge and _is_named(part)]
    parts.sort(key=lambda part: (int(part.facets.get("line") or 0), -int(part.facets.get("lineEnd") or 0), part.key))
    about = [text] if (text := record.text("doc")) else []
    every = [_row(part) for part in parts]
    upper = [_row(part) for part in parts if part.parent == record.key]
    rows = next((rows for rows in (every, upper) if _size([*about, *rows]) <= room), None)
    whole = rows is not None
    rows = rows if rows is not None else _fitting(upper if len(upper) >= _FEW else every, room - _size(about))
    return Quote("\n".join([*about, *rows]) or record.title, None, "", whole=whole)


def _is_named(part: Record) -> bool:
    """What lies between definitions has no name."""
    return part.kind != "symbol" or bool(part.text("signature"))


def _row(part: Record) -> str:
    start, end = part.facets.get("line", ""), part.facets.get("lineEnd", "")
    lines = f"{start}" if start == end else f"{start}-{end}"
    name = " ".join((part.text("signature") or part.title).split())
    return f"{lines}  {name[:_LONGEST_ROW]}{_GAP if len(name) > _LONGEST_ROW else ''}"


def _size(rows: list[str]) -> int:
    return sum(len(row) + 1 for row in rows)


def _fitting(rows: list[str], room: int) -> list[str]:
    kept: list[str] = []
    room -= len(_GAP) + 1
    for row in rows:
        room -= len(row) + 1
        if room < 0:
            return [*kept, _GAP]
        kept.append(row)
    return kept
