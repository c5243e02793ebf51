"""How do answers look to someone at a terminal? Hits as a list, records as tables, branches as trees."""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from dowse.model.page import Branch, Excerpt, Hit, Listing, Neighbour, Page
from dowse.model.ranking import Explanation, ListScore, Signal
from dowse.model.record import Edge, Record
from dowse.model.schema import Kind
from dowse.model.surface import Surface
from dowse.ports import Finding, Status

# Where there is no terminal nothing is cut off: whoever reads the lines next sees all of them.
_UNCUT = 100_000
_DIM, _MARKED, _TITLE, _KIND = "dim", "bold yellow", "bold", "cyan"
# Around a match where marks cannot be seen as colour.
_PLAIN_MARKS = ("«", "»")
# Text comes from anywhere: what would steer the terminal is shown as a character instead.
_CONTROLS = dict.fromkeys((*range(32), *range(127, 160), *range(8234, 8239), *range(8294, 8298)), "�")
_CLEAN = _CONTROLS | {ord("\n"): "\n", ord("\t"): "\t"}
_CLEAN_LINE = _CONTROLS | {ord(character): " " for character in "\n\r\t"}


def console(stream: IO[str]) -> Console:
    """Colours and the width of the terminal where there is one; plain whole lines elsewhere."""
    plain = Console(file=stream, highlight=False, markup=False, emoji=False)
    return plain if plain.is_terminal else Console(file=stream, width=_UNCUT, highlight=False, markup=False, emoji=False)


def hits(page: Page, *, plain: bool) -> Iterator[RenderableType]:
    """The hits with their excerpts and, where asked for, why each stands where it stands."""
    for hit in page.hits:
        excerpt = _excerpt(hit.excerpt, plain)
        titled = hit.excerpt.text == hit.record.title
        yield _heading(hit, excerpt if titled else Text(line(hit.record.title or hit.record.key)))
        below = [excerpt] if excerpt.plain.strip() and not titled else []
        for text in (*below, *_way(hit), *_reasons(hit.lists, hit.signals)):
            yield Padding(text, (0, 0, 0, 4), expand=False)


def emit(out: Console, part: RenderableType) -> None:
    """Writes a part; where there is no terminal, without the blanks that fill up a table's lines."""
    if out.is_terminal:
        out.print(part)
        return
    with out.capture() as captured:
        out.print(part)
    out.file.write("".join(f"{row.rstrip()}\n" for row in captured.get().splitlines()))


def render(value: Any) -> RenderableType:
    """Anything but a page of hits."""
    match value:
        case Record():
            return _record(value)
        case Listing():
            return _records(value.records)
        case Branch():
            return _tree(value)
        case Edge():
            return Text(f"{line(value.source)} {value.kind} → {line(value.target)}")
        case Explanation():
            return _explanation(value)
        case Status():
            return _status(value)
        case str():
            return Text(value.translate(_CLEAN))
        case Mapping():
            return Text(", ".join(f"{name}: {item}" for name, item in value.items()))
        case [Neighbour(), *_]:
            return _neighbours(value)
        case [Finding(), *_]:
            return _findings(value)
        case [Surface(), *_]:
            return _surfaces(value)
        case [Kind(), *_]:
            return _kinds(value)
    return Text(str(value))


def line(text: str) -> str:
    """A text on one line that cannot steer the terminal.

    >>> line("a" + chr(27) + "[31m" + chr(10) + "b")
    'a�[31m b'
    """
    return text.translate(_CLEAN_LINE)


def _heading(hit: Hit, title: Text) -> Text:
    record = hit.record
    title.stylize_before(_TITLE)
    heading = Text.assemble((f"{hit.rank:>2}. ", _DIM), title, "  ", (record.kind, _KIND))
    places = (record.key, str(record.text("path") or record.facets.get("path", "")), record.space)
    for place in dict.fromkeys(places):
        if place and place != (record.title or record.key):
            heading.append(f"  {line(place)}", _DIM)
    return heading.append(f"  {hit.score:.4g}", _DIM)


def _excerpt(excerpt: Excerpt, plain: bool) -> Text:
    before, after = _PLAIN_MARKS if plain else ("", "")
    shown = Text("…" if excerpt.cut_before else "")
    at = 0
    for start, end in excerpt.marks:
        shown.append(_flowing(excerpt.text[at:start]))
        shown.append(before + _flowing(excerpt.text[start:end]) + after, _MARKED)
        at = end
    return shown.append(_flowing(excerpt.text[at:])).append("…" if excerpt.cut_after else "")


def _flowing(text: str) -> str:
    """The text without its line breaks and indents."""
    return line(re.sub(r"\s+", " ", text))


def _way(hit: Hit) -> Iterator[Text]:
    if hit.via:
        first = hit.via[0]
        way = [line(first.edge.source if first.forward else first.edge.target)]
        for step in hit.via:
            way += ["→", step.edge.kind, line(step.edge.target)] if step.forward else ["←", step.edge.kind, line(step.edge.source)]
        yield Text(f"reached from {' '.join(way)}", _DIM)


def _reasons(lists: Sequence[ListScore], signals: Sequence[Signal]) -> Iterator[Text]:
    for item in lists:
        yield Text(f"{item.name:<10} rank {item.rank:<5} raw {item.raw:<9.4f} share {item.share:.4f}", _DIM)
    for signal in signals:
        yield Text(f"{signal.name:<10} × {signal.factor:g}", _DIM)


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style=_DIM, show_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _records(records: Sequence[Record]) -> Table:
    table = _table("ID", "KIND", "TITLE", "SPACE", "TAGS", "UPDATED")
    for record in records:
        tags, when = Text(line(", ".join(record.tags))), _when(record.updated)
        table.add_row(line(record.key), Text(record.kind, _KIND), Text(line(record.title)), line(record.space), tags, when)
    return table


def _record(record: Record) -> Group:
    table = Table.grid(padding=(0, 2, 0, 0))
    rows = {
        "id": record.key,
        "kind": record.kind,
        "space": record.space,
        "parent": record.parent or "",
        "tags": ", ".join(record.tags),
    }
    rows |= {name: str(value) for name, value in sorted(record.facets.items())}
    rows |= {
        "updated": _when(record.updated),
        "version": str(record.version),
        "state": "deleted" if record.deleted else "",
    }
    for name, value in rows.items():
        if value:
            table.add_row(Text(name, _DIM), Text(line(value)))
    texts = [Text.assemble("\n", (f"{name}\n", _DIM), text.translate(_CLEAN)) for name, text in record.fields.items()]
    return Group(Text(line(record.title or record.key), _TITLE), table, *texts)


def _tree(branch: Branch) -> Tree:
    def label(record: Record) -> Text:
        role = f"  {record.facets['role']}" if "role" in record.facets else ""
        title = line(record.title or str(record.facets.get("noteKey", record.key)))
        return Text.assemble((title, _TITLE), ("  " + record.kind, _KIND), (f"  {line(record.key)}{role}", _DIM))

    def grow(tree: Tree, below: Branch) -> Tree:
        for child in below.children:
            grow(tree.add(label(child.record)), child)
        return tree

    return grow(Tree(label(branch.record), guide_style=_DIM), branch)


def _neighbours(neighbours: Sequence[Neighbour]) -> Table:
    table = _table("EDGE", "ID", "KIND", "TITLE", "HOPS")
    for item in neighbours:
        arrow = f"{item.edge.kind} →" if item.forward else f"← {item.edge.kind}"
        record = item.record
        table.add_row(arrow, line(record.key), Text(record.kind, _KIND), Text(line(record.title)), str(item.distance))
    return table


def _explanation(explanation: Explanation) -> Group:
    state = ("found", "green") if explanation.found else ("not found", "red")
    first = Text.assemble((line(explanation.key), _TITLE), "  ", state, f"  {line(explanation.reason)}")
    return Group(first, *(Padding(item, (0, 0, 0, 4)) for item in _reasons(explanation.lists, explanation.signals)))


def _status(status: Status) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    rows = {
        "workspace": status.location,
        "size": f"{status.bytes:,} bytes",
        "records": f"{sum(status.records.values()):,}" + _counts(status.records),
        "edges": f"{sum(status.edges.values()):,}" + _counts(status.edges),
        "deleted": f"{status.deleted:,}",
        "spaces": f"{status.spaces:,}",
        "words": f"{status.words:,}",
        "last change": f"{_when(status.updated) or 'never'}, generation {status.generation}",
    }
    for name, value in rows.items():
        table.add_row(Text(name, _DIM), Text(line(value), overflow="fold"))
    return table


def _counts(counts: Mapping[str, int]) -> str:
    return f" ({', '.join(f'{name} {count:,}' for name, count in sorted(counts.items()))})" if counts else ""


def _findings(findings: Sequence[Finding]) -> Table:
    table = _table("", "CHECK", "RESULT", "REPAIR")
    for item in findings:
        table.add_row(
            Text("ok", "green") if item.ok else Text("BAD", "bold red"),
            item.name,
            Text(line(item.detail)),
            "" if item.ok else item.repair,
        )
    return table


def _surfaces(surfaces: Sequence[Surface]) -> Group:
    parts: list[RenderableType] = []
    for surface in surfaces:
        parts.append(Text.assemble((surface.name, _TITLE), f"  {surface.about}"))
        table = Table.grid(padding=(0, 2, 0, 0))
        for item in surface.parameters:
            about = " ".join(
                filter(
                    None,
                    [
                        item.about,
                        f"({', '.join(item.choices)})" if item.choices else "",
                        "required" if item.required else "",
                    ],
                )
            )
            table.add_row(Text(item.name, _KIND), Text(item.type, _DIM), Text(about))
        parts.append(Padding(table, (0, 0, 0, 4), expand=False))
    return Group(*parts)


def _kinds(kinds: Sequence[Kind]) -> Table:
    table = _table("KIND", "WHAT IT IS", "FIELDS", "FACETS", "BELOW")
    for kind in kinds:
        fields, facets = ", ".join(field.name for field in kind.fields), ", ".join(kind.facets)
        table.add_row(Text(kind.name, _KIND), kind.about, fields, facets, ", ".join(kind.parents))
    return table


def _when(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds)) if seconds else ""
