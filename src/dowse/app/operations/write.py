"""Writing: records, edges and tags."""

from typing import TYPE_CHECKING

from dowse.app.operations.operation import Group, OperationParameter, Type, Values, operation
from dowse.app.operations.parameters import EDGES, KEY, KINDS
from dowse.app.permissions import Capability

if TYPE_CHECKING:
    from dowse.app.transfer import Progress
    from dowse.app.workspace import Workspace
    from dowse.model.record import Edge, Record

_TITLE = OperationParameter("title", about="its title")
_SPACE = OperationParameter("space", about="the space it lives in")
_PARENT = OperationParameter("parent", Type.ID, "the id of the record it hangs below")
_SET = OperationParameter("set", Type.OBJECT, "a field or facet of the record", default={})
_SOURCE = OperationParameter("source", Type.ID, "where the edge starts", required=True)
_TARGET = OperationParameter("target", Type.ID, "where it ends", required=True)
_EDGE = OperationParameter("kind", about="the kind of edge", required=True, choices=EDGES)


@operation(
    Group.WRITE,
    Capability.WRITE,
    OperationParameter("kind", about="what it is", required=True, choices=KINDS),
    OperationParameter("key", Type.ID, "its id; default: made from the title, or a new one"),
    _TITLE,
    _SPACE,
    _PARENT,
    OperationParameter("tags", Type.STRINGS, "a tag", one="tag"),
    _SET,
    OperationParameter("expected", Type.INTEGER, "only over this stored version; 0: only if it is new"),
    examples=(
        {"kind": "item", "key": "task-40", "title": "Cap the retries", "set": {"role": "queue"}},
        {"kind": "page", "title": "On call", "set": {"content": "See [[Retry policy]]."}},
    ),
    makes=True,
)
def put(workspace: "Workspace", values: Values) -> "Record":
    """Add a record, or replace the one with its key."""
    own = {name: values[name] for name in ("kind", "key", "title", "space", "parent", "tags")}
    named = {name: value for name, value in own.items() if value is not None}
    return workspace.put({**values["set"], **named}, expected=values["expected"])


@operation(
    Group.WRITE,
    Capability.WRITE,
    KEY,
    _TITLE,
    _SPACE,
    _PARENT,
    OperationParameter("tags", Type.STRINGS, "a tag; replaces all it has", one="tag"),
    _SET,
    examples=({"key": "task-17", "set": {"role": "review"}},),
)
def update(workspace: "Workspace", values: Values) -> "Record":
    """Change parts of a record and leave the rest."""
    own = {name: values[name] for name in ("title", "space", "parent", "tags") if values[name] is not None}
    return workspace.update(values["key"], **{**values["set"], **own})


@operation(
    Group.WRITE,
    Capability.WRITE,
    KEY,
    OperationParameter("purge", Type.BOOLEAN, "for good: nothing brings it back", default=False),
    OperationParameter("recursive", Type.BOOLEAN, "everything below it too", default=False),
    examples=({"key": "task-30"}, {"key": "task-10", "recursive": True}),
)
def delete(workspace: "Workspace", values: Values) -> dict[str, int]:
    """Take a record out of every answer; restore brings it back."""
    return {"deleted": workspace.delete(values["key"], purge=values["purge"], recursive=values["recursive"])}


@operation(Group.WRITE, Capability.WRITE, KEY, examples=({"key": "task-30"},))
def restore(workspace: "Workspace", values: Values) -> "Record":
    """Bring a deleted record back."""
    return workspace.restore(values["key"])


@operation(
    Group.WRITE,
    Capability.WRITE,
    _SOURCE,
    _TARGET,
    _EDGE,
    OperationParameter("facets", Type.OBJECT, "a facet of the edge", one="facet", default={}),
    examples=({"source": "task-17", "target": "task-18", "kind": "blocks"},),
)
def link(workspace: "Workspace", values: Values) -> "Edge":
    """Add an edge between two records."""
    return workspace.link(values["source"], values["target"], values["kind"], **values["facets"])


@operation(
    Group.WRITE,
    Capability.WRITE,
    _SOURCE,
    _TARGET,
    _EDGE,
    examples=({"source": "task-17", "target": "task-18", "kind": "blocks"},),
)
def unlink(workspace: "Workspace", values: Values) -> dict[str, bool]:
    """Take an edge away."""
    return {"removed": workspace.unlink(values["source"], values["target"], values["kind"])}


@operation(
    Group.WRITE,
    Capability.WRITE,
    KEY,
    OperationParameter("add", Type.STRINGS, "a tag to add", default=()),
    OperationParameter("remove", Type.STRINGS, "a tag to take away", default=()),
    examples=({"key": "task-17", "add": ("urgent",), "remove": ("someday",)},),
)
def tag(workspace: "Workspace", values: Values) -> "Record":
    """Add and remove tags of a record."""
    return workspace.tag(values["key"], add=values["add"], remove=values["remove"])


@operation(
    Group.WRITE,
    Capability.WRITE,
    OperationParameter("old", about="the tag as it is", required=True),
    OperationParameter("new", about="the tag as it shall be", required=True),
    examples=({"old": "net", "new": "network"},),
)
def rename_tag(workspace: "Workspace", values: Values) -> dict[str, int]:
    """Rename a tag on every record that has it."""
    return {"renamed": workspace.rename_tag(values["old"], values["new"])}


@operation(
    Group.WRITE,
    Capability.WRITE,
    OperationParameter("path", Type.INPUT, "a file of JSON lines", required=True),
    OperationParameter("skip_bad", Type.BOOLEAN, "leave out lines that do not fit, and count them", default=False),
    OperationParameter("restart", Type.BOOLEAN, "from the first line, also after a stop half-way", default=False),
    OperationParameter("report", Type.REPORT),
    examples=({"path": "docs/sample.jsonl"}, {"path": "docs/sample.jsonl", "skip_bad": True, "restart": True}),
    name="import",
    makes=True,
)
def import_lines(workspace: "Workspace", values: Values) -> "Progress":
    """Read records and edges from JSON lines; the same file again goes on where it stopped."""
    report = {"report": values["report"]} if values["report"] is not None else {}
    return workspace.import_file(values["path"], skip_bad=values["skip_bad"], restart=values["restart"], **report)


WRITE = (put, update, delete, restore, link, unlink, tag, rename_tag, import_lines)
