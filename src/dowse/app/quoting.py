"""What of a record is quoted when there is so much room? All of it, or its head and the lines around what matched."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dowse.app.lining import first_line
from dowse.model.declaring import dataclass
from dowse.model.page import Excerpt
from dowse.model.record import Record
from dowse.model.schema import Column, Kind
from dowse.text.sentences import sentence_ends

# Of a quote that is cut, what its signature and documentation may take: what it is, before how it does it.
_HEAD_SHARE = 0.5
# A line that is longer is a paragraph, and can be cut between its sentences.
_LONG_ROW = 240
# Below what matched is more of what it does; above, what leads to it.
_DOWN, _UP = 2, 1
_GAP = "…"
_BLANK_LINES = re.compile(r"\n{3,}")
_COMMENTS = {
    **dict.fromkeys(("python", "bash", "ruby", "elixir", "toml", "yaml", "makefile", "ini", "perl", "r"), "#"),
    **dict.fromkeys(("sql", "lua", "haskell"), "--"),
}
_MARKDOWN = "markdown"
_FENCES = ("```", "~~~")
# As much of the row that opens a fence as says the language.
_OPENING = 30
# Keeps every cut above nothing, also where the room is smaller than the mark for a gap.
_LEAST = 40


@dataclass(frozen=True, slots=True)
class Quote:
    """What is shown of a record. ``lines``: where that stands in its file. ``rows``: the line of the first row, where every row of
    ``text`` is a line of the file, one after the other."""

    text: str
    lines: tuple[int, int] | None
    language: str
    whole: bool
    rows: int | None = None

    def after(self, line: int) -> "Quote":
        """Without the rows up to a line, for what has shown those already."""
        assert self.rows is not None
        assert self.lines is not None
        kept = self.text.split("\n")[line - self.rows + 1 :]
        return replace(self, text="\n".join(kept), lines=(line + 1, self.lines[1]), rows=line + 1, whole=False)


@dataclass(frozen=True, slots=True)
class _Unit:
    """A row, or a sentence of a long one. ``row``: which row of the text."""

    text: str
    row: int
    ends_row: bool


def main_field(kind: Kind) -> str:
    """Where the text of a kind goes: declarations name first what a record is called, then what is said of it, then its text."""
    return _texts(kind)[-1]


def quote(record: Record, kind: Kind, focus: Excerpt | None, room: int, *, has_parts: bool = False) -> Quote:
    """The record in at most ``room`` characters. ``has_parts``: of what stands inside it, its text has only the names."""
    *heads, main = _texts(kind)
    head = _head(record, heads)
    body = record.text(main)
    text = "\n".join(filter(None, (head, body))) or record.title
    language = str(record.facets.get("language") or "") if "signature" in heads or main == "doc" else _prose(record)
    first = first_line(record, kind, body, has_parts=has_parts) if body else None
    if len(text) <= room:
        own = record.lines
        # Where documentation was taken out of a text, blank lines stay behind.
        text = _BLANK_LINES.sub("\n\n", text) if head else text
        is_file_text = first is not None and not head and own is not None and own[0] == first
        return Quote(text, own, language, whole=True, rows=first if is_file_text else None)
    return _cut(record, head, body, focus if focus is not None and focus.field == main else None, room, first, language)


def _texts(kind: Kind) -> list[str]:
    """The fields with text of their own: names and paths are told by the citation."""
    return [field.name for field in kind.fields if field.column is Column.BODY and not field.named] or ["title"]


def _prose(record: Record) -> str:
    if record.facets.get("type") == "code":
        return str(record.facets.get("language") or "")
    return _MARKDOWN


def _head(record: Record, names: Sequence[str]) -> str:
    """What stands before the text: a signature as it is, documentation as a comment below it."""
    if "signature" not in names:
        return "\n".join(text for name in names if (text := record.text(name)))
    mark = _COMMENTS.get(str(record.facets.get("language") or ""), "//")
    doc = [f"{mark} {row}".rstrip() for row in record.text("doc").split("\n")] if record.text("doc") else []
    return "\n".join([*filter(None, [record.text("signature")]), *doc])


def _cut(record: Record, head: str, body: str, focus: Excerpt | None, room: int, first: int | None, language: str) -> Quote:
    units = list(_units(body))
    head_room = int(room * _HEAD_SHARE) if body else room
    shown_head = _beginning(head, max(head_room, room - len(body) - _LEAST))
    own = record.lines
    left = room - len(shown_head) - 1 if shown_head else room
    # The marks for two gaps, with their lines, and a fence that is closed.
    left -= 2 * _LEAST
    start, end = _window(units, focus, max(left, _LEAST))
    text = _text(units, start, end, max(left, _LEAST))
    if not text:
        return Quote(shown_head, own, language, whole=False)
    from_row, to_row = units[start].row, units[end - 1].row
    last_row = units[-1].row
    before = [_gap(first, 0, from_row - 1)] if start > 0 else []
    after = [_gap(first, to_row + 1, last_row)] if end < len(units) else []
    closed = _closed(units, start, end, text) if language == _MARKDOWN else [text]
    shown = "\n".join([*filter(None, [shown_head]), *before, *closed, *after])
    lines = _shown_lines(own, first, bool(shown_head) or start == 0, from_row, to_row, last_row)
    return Quote(shown, lines, language, whole=False)


def _shown_lines(
    own: tuple[int, int] | None, first: int | None, from_start: bool, from_row: int, to_row: int, last_row: int
) -> tuple[int, int] | None:
    if own is None or first is None:
        return own
    start = own[0] if from_start else first + from_row
    return start, own[1] if to_row == last_row else first + to_row


def _gap(first: int | None, start: int, end: int) -> str:
    """Says which lines are missing, where that is known."""
    if first is None or end < start:
        return _GAP
    return f"{_GAP} line {first + start}" if start == end else f"{_GAP} lines {first + start}-{first + end}"


def _units(text: str) -> Iterator[_Unit]:
    for number, row in enumerate(text.split("\n") if text else []):
        ends = [*sentence_ends(row), len(row)] if len(row) > _LONG_ROW else [len(row)]
        start = 0
        for end in ends:
            yield _Unit(row[start:end], number, end == len(row))
            start = end


def _window(units: Sequence[_Unit], focus: Excerpt | None, room: int) -> tuple[int, int]:
    """The units around the focus that fit, at least one; without a focus from the beginning."""
    if not units:
        return 0, 0
    start = end = 0
    if focus is not None:
        start, end = _around(units, focus.start, focus.end)
    end = max(end, start + 1)
    used = sum(len(unit.text) + unit.ends_row for unit in units[start:end])
    while used > room and end > start + 1:
        end -= 1
        used -= len(units[end].text) + units[end].ends_row
    return _grown(units, start, end, room - used)


def _grown(units: Sequence[_Unit], start: int, end: int, room: int) -> tuple[int, int]:
    can_grow = True
    while can_grow:
        can_grow = False
        for down, times in ((True, _DOWN), (False, _UP)):
            for _ in range(times):
                at = end if down else start - 1
                if not 0 <= at < len(units) or (cost := len(units[at].text) + 1) > room:
                    break
                room -= cost
                start, end, can_grow = (start, end + 1, True) if down else (start - 1, end, True)
    return _trimmed(units, start, end)


def _trimmed(units: Sequence[_Unit], start: int, end: int) -> tuple[int, int]:
    while end - start > 1 and not units[end - 1].text.strip():
        end -= 1
    while end - start > 1 and start > 0 and not units[start].text.strip():
        start += 1
    return start, end


def _around(units: Sequence[_Unit], start: int, end: int) -> tuple[int, int]:
    """The units that hold a stretch of the text."""
    at = 0
    held: list[int] = []
    for number, unit in enumerate(units):
        after = at + len(unit.text) + unit.ends_row
        if at < end and after > start:
            held.append(number)
        at = after
    return (held[0], held[-1] + 1) if held else (0, 0)


def _text(units: Sequence[_Unit], start: int, end: int, room: int) -> str:
    """The window as it stands in the text; a single unit that is too long ends at a word."""
    text = "".join(unit.text + ("\n" if unit.ends_row else "") for unit in units[start:end]).rstrip("\n")
    if len(text) <= room:
        return text
    cut = text.rfind(" ", 0, room)
    return text[: cut if cut > 0 else room] + _GAP


def _closed(units: Sequence[_Unit], start: int, end: int, text: str) -> list[str]:
    """The window with the fences closed that it cuts through."""
    before, within = _open_fence(units[:start], ""), _open_fence(units[start:end], _open_fence(units[:start], ""))
    return [*([before[:_OPENING]] if before else []), text, *([_marks(within)] if within else [])]


def _open_fence(units: Sequence[_Unit], opened: str) -> str:
    """The row that opened the fence which is open after these units; empty if none is."""
    for unit in units:
        row = unit.text.strip()
        if opened and row.startswith(_marks(opened)) and not row.strip(row[0]):
            opened = ""
        elif not opened and row.startswith(_FENCES):
            opened = row
    return opened


def _marks(row: str) -> str:
    return row[: len(row) - len(row.lstrip(row[0]))]


def _beginning(text: str, room: int) -> str:
    """The first rows that fit."""
    if len(text) <= room:
        return text
    units = list(_units(text))
    start, end = _window(units, None, max(room - 2, 1))
    return _text(units, start, end, max(room - 2, 1)) + f"\n{_GAP}"
