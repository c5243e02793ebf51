"""Where does a record stand? Its path and lines, the records above it, and the file an editor can open."""

from pathlib import Path, PurePosixPath
from typing import Any

from dowse.app.permissions import Capability
from dowse.app.workspace import Workspace
from dowse.errors import NotFound
from dowse.model.record import Record

# A chain of parents is followed so far; nobody reads a longer one.
_DEEPEST = 12


def line_of(record: Record) -> int | None:
    return record.lines[0] if record.lines is not None else None


def name_of(record: Record) -> str:
    """What people call it: its title, or the key of a note, or its own."""
    return record.title or str(record.facets.get("noteKey") or record.key)


def brief(record: Record) -> dict[str, Any]:
    """A record in one line."""
    return {
        "key": record.key,
        "kind": record.kind,
        "title": name_of(record),
        "path": record.path,
        "line": line_of(record),
        "space": record.space,
        "facets": {name: record.facets[name] for name in ("symbolKind", "role", "priority", "kind") if name in record.facets},
    }


def ancestors(workspace: Workspace, record: Record) -> list[Record]:
    """The records above one, from the top."""
    chain: list[Record] = []
    parent = record.parent
    while parent is not None and len(chain) < _DEEPEST:
        try:
            above = workspace.get(parent)
        except NotFound:
            break
        chain.insert(0, above)
        parent = above.parent
    return chain


def file_of(workspace: Workspace, record: Record) -> dict[str, Any] | None:
    """The file in its project, for whoever may know where the project lies. Nothing is read, so it need not be there."""
    path = record.path
    if not path or Capability.READ not in workspace.principal.capabilities:
        return None
    root = next((project.root for project in workspace.projects() if project.space == record.space), None)
    if root is None or not _stays_inside(path):
        return None
    return {"root": str(root), "project": Path(root).name, "path": path, "line": line_of(record) or 1}


def _stays_inside(path: str) -> bool:
    parts = PurePosixPath(path)
    return not parts.is_absolute() and ".." not in parts.parts
