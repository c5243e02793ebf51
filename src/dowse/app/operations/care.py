"""Care: is the workspace well, and how does everything get out of it?"""

from typing import TYPE_CHECKING

from dowse.app.operations.operation import Group, OperationParameter, Type, Values, operation
from dowse.app.permissions import Capability

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace
    from dowse.ports import Backup, Finding, Status


@operation(Group.CARE, Capability.READ)
def status(workspace: "Workspace", _: Values) -> "Status":
    """Show what the workspace holds and how fresh it is."""
    return workspace.status()


@operation(
    Group.CARE,
    Capability.READ,
    OperationParameter(
        "repair", Type.BOOLEAN, "make again what is derived, and save what can be read; nothing is thrown away", default=False
    ),
    examples=({}, {"repair": True}),
    unopened=True,
)
def doctor(workspace: "Workspace", values: Values) -> "tuple[Finding, ...]":
    """Check the workspace's health."""
    return workspace.repair() if values["repair"] else workspace.doctor()


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


@operation(
    Group.CARE,
    Capability.ADMIN,
    OperationParameter("path", about="the file to write; there must be none of that name", required=True),
    OperationParameter("report", Type.REPORT),
    examples=({"path": "monday.dowse"},),
)
def backup(workspace: "Workspace", values: Values) -> "Backup":
    """Copy the workspace to a file while it is in use, and prove the copy."""
    return workspace.backup(values["path"], report=values["report"])


@operation(
    Group.CARE,
    Capability.ADMIN,
    OperationParameter("path", about="the file that backup wrote", required=True),
    OperationParameter("force", Type.BOOLEAN, "also where the workspace holds something, which is kept beside", default=False),
    OperationParameter("report", Type.REPORT),
    examples=({"path": "monday.dowse", "force": True},),
    unopened=True,
)
def restore_backup(workspace: "Workspace", values: Values) -> "Backup":
    """Make the workspace what a backup holds."""
    return workspace.restore_backup(values["path"], force=values["force"], report=values["report"])


CARE = (status, doctor, reindex, export, backup, restore_backup)
