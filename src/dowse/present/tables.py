"""How do records, trees and reports look to someone at a terminal?"""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from dowse.model.benching import BenchReport
from dowse.model.evidence import EvidencePack
from dowse.model.library import LibraryEntry, LibrarySummary
from dowse.model.modelling import Embedded, ModelChoice, ModelEntry
from dowse.model.page import Branch, Listing, Neighbour, Related
from dowse.model.ranking import Explanation
from dowse.model.record import Edge, Record
from dowse.model.run import Freshness, Summary
from dowse.model.schema import Kind
from dowse.model.surface import Surface
from dowse.model.token import NewToken, Token
from dowse.ports import Backup, Finding, Status
from dowse.present.benching import bench_report
from dowse.present.evidence import evidence_text
from dowse.present.hits import reasons
from dowse.present.indexing import summary
from dowse.present.models import embedded_line, model_choice, model_entry, model_table, related_table, state_line
from dowse.present.shelves import library_summary
from dowse.present.styled import CLEAN, DIM, KIND, TITLE, line
from dowse.present.terminal import coloured
from dowse.present.token_tables import new_token, revoked_token, token_table


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
        case Summary():
            return summary(value)
        case BenchReport():
            return bench_report(value)
        case EvidencePack():
            return Text(evidence_text(value).translate(CLEAN))
        case Related():
            return related_table(value)
        case Embedded():
            return Text(embedded_line(value))
        case ModelChoice():
            return model_choice(value)
        case ModelEntry():
            return model_entry(value)
        case LibrarySummary():
            return library_summary(value)
        case str():
            return Text(value.translate(CLEAN))
        case Mapping():
            return Text(", ".join(f"{name}: {item}" for name, item in value.items()))
        case NewToken():
            return new_token(value)
        case Token():
            return revoked_token(value)
        case [Token(), *_]:
            return token_table(value)
        case [Neighbour(), *_]:
            return _neighbours(value)
        case [ModelEntry(), *_]:
            return model_table(value)
        case [LibraryEntry(), *_]:
            return _libraries(value)
        case [LibrarySummary(), *_]:
            return Group(*(library_summary(item) for item in value))
        case [Freshness(), *_]:
            return _projects(value)
        case [Finding(), *_]:
            return _findings(value)
        case Backup():
            return _backup(value)
        case [Surface(), *_]:
            return _surfaces(value)
        case [Kind(), *_]:
            return _kinds(value)
    return Text(str(value))


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style=DIM, show_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _records(records: Sequence[Record]) -> Table:
    table = _table("ID", "KIND", "TITLE", "SPACE", "TAGS", "UPDATED")
    for record in records:
        tags, when = Text(line(", ".join(record.tags))), _when(record.updated)
        table.add_row(line(record.key), Text(record.kind, KIND), Text(line(record.title)), line(record.space), tags, when)
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
            table.add_row(Text(name, DIM), Text(line(value)))
    texts = [Text.assemble("\n", (f"{name}\n", DIM), text.translate(CLEAN)) for name, text in record.fields.items()]
    return Group(Text(line(record.title or record.key), TITLE), table, *texts)


def _tree(branch: Branch) -> Tree:
    def label(record: Record) -> Text:
        role = f"  {record.facets['role']}" if "role" in record.facets else ""
        title = line(record.title or str(record.facets.get("noteKey", record.key)))
        return Text.assemble((title, TITLE), ("  " + record.kind, KIND), (f"  {line(record.key)}{role}", DIM))

    def grow(tree: Tree, below: Branch) -> Tree:
        for child in below.children:
            grow(tree.add(label(child.record)), child)
        return tree

    return grow(Tree(label(branch.record), guide_style=DIM), branch)


def _neighbours(neighbours: Sequence[Neighbour]) -> Table:
    table = _table("EDGE", "ID", "KIND", "TITLE", "HOPS")
    for item in neighbours:
        arrow = f"{item.edge.kind} →" if item.forward else f"← {item.edge.kind}"
        record = item.record
        table.add_row(arrow, line(record.key), Text(record.kind, KIND), Text(line(record.title)), str(item.distance))
    return table


def _explanation(explanation: Explanation) -> Group:
    state = ("found", "green") if explanation.found else ("not found", "red")
    first = Text.assemble((line(explanation.key), TITLE), "  ", state, f"  {line(explanation.reason)}")
    return Group(first, *(Padding(coloured(item), (0, 0, 0, 4)) for item in reasons(explanation.lists, explanation.signals)))


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
        "model": state_line(status.embedding),
        "last change": f"{_when(status.updated) or 'never'}, generation {status.generation}",
    }
    for name, value in rows.items():
        table.add_row(Text(name, DIM), Text(line(value), overflow="fold"))
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


def _backup(backup: Backup) -> Text:
    told = f"{backup.path} holds {backup.records:,} records and {backup.edges:,} edges ({backup.bytes:,} bytes), {backup.digest}"
    kept = f"\nWhat was there before is kept at {backup.kept}" if backup.kept else ""
    return Text(line(told) + kept)


def _projects(projects: Sequence[Freshness]) -> Table:
    table = _table("SPACE", "FOLDER", "INDEXED", "CHANGED SINCE")
    for item in projects:
        changed = "too many files to look at" if item.changed is None else str(item.changed)
        changed = "its folder is missing" if item.missing else changed
        table.add_row(line(item.space), Text(line(item.root)), _when(item.indexed), changed)
    return table


def _libraries(libraries: Sequence[LibraryEntry]) -> Table:
    table = _table("ID", "TITLE", "VERSIONS", "SNIPPETS", "STATE", "TRUST", "SOURCE", "UPDATED")
    for item in libraries:
        versions = ", ".join(f"{tag} (default)" if tag == item.default_version else tag for tag in item.versions) or "current"
        state = f"{item.state}: {item.error}" if item.error else item.state
        size, trust, when = f"{item.snippets:,}", f"{item.trust:.1f}", _when(item.updated)
        texts = (item.library, item.title, versions, size, state, trust, item.origin or item.source)
        table.add_row(*(Text(line(text)) for text in texts), when)
    return table


def _surfaces(surfaces: Sequence[Surface]) -> Group:
    parts: list[RenderableType] = []
    for surface in surfaces:
        parts.append(Text.assemble((surface.name, TITLE), f"  {surface.about}"))
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
            table.add_row(Text(item.name, KIND), Text(item.type, DIM), Text(about))
        parts.append(Padding(table, (0, 0, 0, 4), expand=False))
    return Group(*parts)


def _kinds(kinds: Sequence[Kind]) -> Table:
    table = _table("KIND", "WHAT IT IS", "FIELDS", "FACETS", "BELOW")
    for kind in kinds:
        fields, facets = ", ".join(field.name for field in kind.fields), ", ".join(kind.facets)
        table.add_row(Text(kind.name, KIND), kind.about, fields, facets, ", ".join(kind.parents))
    return table


def _when(seconds: float) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds)) if seconds else ""
    except (OverflowError, OSError, ValueError):
        return f"{seconds:g}"  # seconds that no calendar knows, as of a program that counted finer ones
