"""Care: is the workspace well, and how does everything get out of it?"""

from typing import TYPE_CHECKING

from dowse.app.operations.operation import Group, OperationParameter, Type, Values, operation
from dowse.app.permissions import Capability

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace
    from dowse.ports import Finding, Status


@operation(Group.CARE, Capability.READ)
def status(workspace: "Workspace", _: Values) -> "Status":
    """Show what the workspace holds and how fresh it is."""
    return workspace.status()


@operation(Group.CARE, Capability.READ)
def doctor(workspace: "Workspace", _: Values) -> "tuple[Finding, ...]":
    """Check the workspace's health."""
    return workspace.doctor()


@operation(Group.CARE, Capability.ADMIN)
def reindex(workspace: "Workspace", _: Values) -> dict[str, int]:
    """Make every search index again from the records."""
    return {"indexed": workspace.reindex()}


@operation(
    Group.CARE,
    Capability.READ,
    OperationParameter("out", Type.OUTPUT, "where the lines go", required=True),
    examples=({"out": "backup.jsonl"},),
)
def export(workspace: "Workspace", values: Values) -> dict[str, int]:
    """Write everything as JSON lines that import reads back."""
    records, edges = workspace.export(values["out"])
    return {"records": records, "edges": edges}


CARE = (status, doctor, reindex, export)
