"""How are records read whole? With line numbers, several at once, and a huge one page by page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dowse.app.lining import first_line
from dowse.app.permissions import Capability
from dowse.app.placing import Lines
from dowse.errors import InvalidRequest
from dowse.model.record import Record
from dowse.present.evidence import inert
from dowse.present.schemas import Json, Schemas
from dowse.present.shape import record_json
from dowse.shells.mcp.brief_schemas import as_object_schema
from dowse.shells.mcp.limiting import cost
from dowse.shells.mcp.locating import locate, outline
from dowse.shells.mcp.texts import facets, heading, numbered, place
from dowse.shells.mcp.tool import Answer, Call, Tool, Values, takes, whole, written
from dowse.text.tokens import CHARACTERS_PER_TOKEN

_MOST_KEYS = 50
# The name under which the parts of a record stand beside its own texts.
_CONTAINS = "contains"
# Texts that are stretches of the file; the others were taken out of it, or are about it.
_FROM_FILE = ("body", "content")
# Each time a page turns out too long it gets so much shorter.
_SHORTER = 0.8
# Of a signature in an outline.
_LONGEST_ROW = 140
# Fields that the heading tells already.
_TOLD = frozenset({"path", "breadcrumb", "exports", "imports"})
_PART: Json = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("key", "kind", "title")}
    | {name: {"type": ["integer", "null"]} for name in ("line", "lineEnd")},
    "required": ["key", "kind", "title"],
}

DESCRIPTION = """\
Read records whole, with line numbers: the definition, section, task or page behind a hit. Give ids from search, or places in \
files: "src/app.py:42" (the definition at that line), "src/app.py:10-80", "src/app.py" (the outline: what it holds, with lines \
and ids). Cheaper than reading the file. Long records come in pages; the answer ends with the call for the next one.
Example: get(keys=["src/app.py:42", "task-17"])"""


@dataclass(frozen=True, slots=True)
class _Text:
    """A text of a record. ``first``: the line of the file on which it begins, where that is known."""

    name: str
    text: str
    first: int | None = None


@dataclass(frozen=True, slots=True)
class _Readable:
    """``name``: what to call it by to go on reading it."""

    record: Record
    name: str
    texts: tuple[_Text, ...]
    parts: tuple[Record, ...]
    """One for every line of the text that tells them."""

    @property
    def length(self) -> int:
        return sum(len(item.text) for item in self.texts)


def get_tool() -> Tool:
    schemas = Schemas()
    record = schemas.of(Record)
    schemas.definitions["Record"]["properties"][_CONTAINS] = {"type": "array", "items": _PART}
    gives = {
        "type": "object",
        "properties": {
            "records": {"type": "array", "items": record},
            "next": {
                "type": ["object", "null"],
                "properties": {"keys": {"type": "array", "items": {"type": "string"}}, "offset": {"type": "integer"}},
            },
        },
        "required": ["records", "next"],
    }
    keys = {
        "type": ["array", "string"],
        "items": {"type": "string"},
        "description": f"ids, or path, path:line, path:line-line; {_MOST_KEYS} at most",
    }
    return Tool(
        "get",
        "Read records",
        DESCRIPTION,
        Capability.READ,
        takes({"keys": keys, "offset": whole("characters of the first record to skip, as an earlier answer says")}, ["keys"]),
        as_object_schema(gives, schemas.definitions),
        get,
        fresh=True,
    )


def get(call: Call) -> Answer:
    keys, offset = _asked(call.arguments)
    return read(call, keys, offset)


def read(call: Call, keys: Sequence[str], offset: int = 0) -> Answer:
    """The records with these keys or at these places, as many and as much as there is room for."""
    found: dict[str, _Readable] = {}
    for key in keys:
        records, lines = locate(call.workspace, key)
        for record in records:
            found.setdefault(record.key, _readable(call, record, key, lines if len(records) == 1 else None))
    readable = list(found.values())
    for count in range(len(readable), 0, -1):
        answer = _answer(readable[:count], readable[count:], offset, None)
        if cost(answer) <= call.tokens:
            return answer
    return _first_page(readable, offset, call.tokens)


def _asked(arguments: Values) -> tuple[list[str], int]:
    keys: Any = arguments["keys"]
    keys = [keys] if isinstance(keys, str) else keys
    if not isinstance(keys, list) or not keys or not all(isinstance(key, str) for key in keys):
        raise InvalidRequest('keys must be a list of texts, such as ["src/app.py:42"].')
    if len(keys) > _MOST_KEYS:
        raise InvalidRequest(f"keys names {len(keys)} records; at most {_MOST_KEYS} can be read at once.")
    offset = arguments.get("offset") or 0
    if isinstance(offset, bool) or not isinstance(offset, int) or offset < 0:
        raise InvalidRequest(f"offset must be a whole number, 0 or more, not {offset!r}.")
    return keys, offset


def _first_page(readable: Sequence[_Readable], offset: int, tokens: int) -> Answer:
    """As much of the first record as fits, never nothing."""
    room = tokens * CHARACTERS_PER_TOKEN
    while True:
        answer = _answer(readable[:1], readable[1:], offset, max(1, room))
        if cost(answer) <= tokens or room <= 1:
            return answer
        room = int(room * _SHORTER)


def _answer(shown: Sequence[_Readable], left: Sequence[_Readable], offset: int, room: int | None) -> Answer:
    data: list[Json] = []
    lines: list[str] = []
    after: int | None = None
    for number, item in enumerate(shown):
        start = offset if number == 0 else 0
        end = item.length if room is None else min(item.length, start + room)
        pieces, end = _cut(item, start, end)
        data.append(_data(item, pieces))
        lines += [*([""] if lines else []), *_lines(item, pieces, start)]
        after = end if end < item.length else None
    rest = [item.name for item in left]
    going_on = [shown[-1].name, *rest] if after is not None else rest
    following = {"keys": going_on, **({"offset": after} if after is not None else {})} if going_on else None
    if following is not None:
        last = shown[-1]
        cut = f"{last.length - after:,} more characters of {inert(last.name)}" if after is not None else ""
        others = f"{len(rest)} more records" if rest else ""
        lines += ["", f"Left: {' and '.join(filter(None, (cut, others)))}. Go on with {written('get', following)}"]
    return Answer({"records": data, "next": following}, "\n".join(lines))


def _readable(call: Call, record: Record, name: str, lines: Lines | None) -> _Readable:
    below, total = outline(call.workspace, record)
    kind = call.workspace.schema.kinds[record.kind]
    texts = [
        _Text(name, text, first_line(record, kind, text, has_parts=bool(below)) if name in _FROM_FILE else None)
        for name, text in record.fields.items()
        if text
    ]
    cut = [_between(text, lines) for text in texts if lines is not None and text.first is not None]
    if any(text.text for text in cut):
        return _Readable(record, name, tuple(text for text in cut if text.text), ())
    if below:
        rows = "".join(f"{'  ' * depth}{_row(part, record)}\n" for depth, part in below)
        texts.append(_Text(_CONTAINS, rows))
    if total > len(below):
        texts.append(_Text("more", f"{total - len(below):,} further parts; a search with under={record.key!r} finds them."))
    return _Readable(record, record.key, tuple(texts), tuple(part for _, part in below))


def _between(text: _Text, lines: Lines) -> _Text:
    """Just these lines of it."""
    assert text.first is not None
    start = max(lines[0], text.first)
    rows = text.text.split("\n")[start - text.first : max(0, lines[1] - text.first + 1)]
    return _Text(text.name, "\n".join(rows), start)


def _row(part: Record, whole: Record) -> str:
    """A line of an outline: by its place what is in a file, which is enough to ask for it, else by its key."""
    start, end = part.facets.get("line"), part.facets.get("lineEnd")
    # The text of a class has the signatures of what is in it already.
    signature = part.text("signature") if whole.kind != "symbol" else ""
    said = inert(signature or part.title or part.key, _LONGEST_ROW)
    if not isinstance(start, int):
        return f"{heading(part)} key: {inert(part.key)}"
    lines = f"{start}-{end}" if isinstance(end, int) and end != start else str(start)
    return f"{lines} {said} ({part.facets.get('symbolKind') or part.kind})"


def _cut(item: _Readable, start: int, end: int) -> tuple[list[tuple[_Text, int, int]], int]:
    """The stretches of its texts between two places, and where that really ends: at the end of a line if there is one."""
    pieces: list[tuple[_Text, int, int]] = []
    at = 0
    for text in item.texts:
        first, last = max(start - at, 0), min(end - at, len(text.text))
        if last < len(text.text) and last > first:
            broken = text.text.rfind("\n", first, last)
            last = broken + 1 if broken >= first else last
        if first < last:
            pieces.append((text, first, last))
        at += len(text.text)
    shown = sum(last - first for _, first, last in pieces)
    return pieces, start + shown


def _data(item: _Readable, pieces: Sequence[tuple[_Text, int, int]]) -> Json:
    cut = {text.name: text.text[first:last] for text, first, last in pieces}
    below = next(((text.text, first, last) for text, first, last in pieces if text.name == _CONTAINS), None)
    told: Json = {}
    if below is not None:
        rows, first, last = below
        shown = item.parts[rows.count("\n", 0, first) : rows.count("\n", 0, last)]
        told = {_CONTAINS: [_part(part) for part in shown]}
    return {**record_json(item.record), "fields": {name: cut[name] for name in item.record.fields if name in cut}, **told}


def _part(record: Record) -> Json:
    lines = {name: record.facets.get(name) for name in ("line", "lineEnd") if isinstance(record.facets.get(name), int)}
    return {"key": record.key, "kind": record.kind, "title": record.title, **lines}


def _lines(item: _Readable, pieces: Sequence[tuple[_Text, int, int]], start: int) -> Iterator[str]:
    yield f"## {heading(item.record)}"
    yield f"key: {inert(item.record.key)}" + (f", from character {start:,} of {item.length:,}" if start else "")
    known = facets(item.record)
    if known and not start:
        yield known
    for text, first, last in pieces:
        shown = text.text[first:last]
        if text.name in _TOLD:
            continue
        if text.name == _CONTAINS:
            yield "contains (read one as path:line):" if place(item.record) else "contains:"
            yield from (f"- {row}" for row in shown.removesuffix("\n").split("\n"))
            continue
        yield f"{inert(text.name)}:"
        above = text.text.count("\n", 0, first)
        yield from numbered(shown.removesuffix("\n"), text.first + above if text.first is not None else None)
