"""Reading: records, what hangs below them and what points at them."""

from typing import TYPE_CHECKING

from dowse.app.operations.operation import Group, OperationParameter, Type, Values, operation
from dowse.app.operations.parameters import EDGES, FILTERS, KEY, KINDS
from dowse.app.permissions import Capability

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace
    from dowse.model.page import Branch, Listing, Neighbour
    from dowse.model.record import Record
    from dowse.model.schema import Kind
    from dowse.model.surface import Surface

_DIRECTIONS = ("outgoing", "incoming", "all")


@operation(Group.READ, Capability.READ, KEY, examples=({"key": "task-17"},))
def get(workspace: "Workspace", values: Values) -> "Record":
    """Show one record."""
    return workspace.get(values["key"])


@operation(
    Group.READ,
    Capability.READ,
    OperationParameter("kinds", Type.STRINGS, "only this kind", choices=KINDS, one="kind", default=()),
    *FILTERS,
    OperationParameter("parent", Type.ID, "only the records directly below this one"),
    OperationParameter("deleted", Type.BOOLEAN, "the deleted ones instead", default=False),
    OperationParameter("limit", Type.INTEGER, "records per page, 1 to 1000", default=50),
    OperationParameter("offset", Type.INTEGER, "records to skip", default=0),
    examples=({"kinds": ("item",), "facets": {"role": "work"}},),
    name="list",
)
def listing(workspace: "Workspace", values: Values) -> "Listing":
    """List records by filter alone, latest first."""
    return workspace.list(**values)


@operation(
    Group.READ,
    Capability.READ,
    KEY,
    OperationParameter("depth", Type.INTEGER, "how many levels; default: all"),
    examples=({"key": "task-10", "depth": 2},),
)
def tree(workspace: "Workspace", values: Values) -> "Branch":
    """Show a record and what hangs below it."""
    return workspace.tree(values["key"], depth=values["depth"])


@operation(
    Group.READ,
    Capability.READ,
    KEY,
    OperationParameter("kind", about="only this kind of edge", choices=EDGES),
    examples=({"key": "retry-policy"},),
)
def backlinks(workspace: "Workspace", values: Values) -> "tuple[Neighbour, ...]":
    """Show who points at a record."""
    return workspace.backlinks(values["key"], kind=values["kind"])


@operation(
    Group.READ,
    Capability.READ,
    KEY,
    OperationParameter("direction", about="which way along the edges", default="all", choices=_DIRECTIONS),
    OperationParameter("kinds", Type.STRINGS, "only this kind of edge", choices=EDGES, one="kind", default=()),
    OperationParameter("depth", Type.INTEGER, "how many hops", default=1),
    examples=({"key": "task-17", "direction": "outgoing", "kinds": ("blocks",)},),
)
def neighbours(workspace: "Workspace", values: Values) -> "tuple[Neighbour, ...]":
    """Show the records along the edges of one."""
    return workspace.neighbours(values["key"], direction=values["direction"], kinds=values["kinds"], depth=values["depth"])


@operation(Group.READ, None)
def surfaces(workspace: "Workspace", _: Values) -> "tuple[Surface, ...]":
    """List the surfaces with their parameters."""
    return tuple(workspace.surfaces.values())


@operation(Group.READ, None)
def kinds(workspace: "Workspace", _: Values) -> "tuple[Kind, ...]":
    """List the kinds of records with their fields and facets."""
    return tuple(workspace.schema.kinds.values())


READ = (get, listing, tree, backlinks, neighbours, surfaces, kinds)
