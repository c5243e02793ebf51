"""Projects: folders whose files are in the workspace."""

from typing import TYPE_CHECKING

from dowse.app.operations.operation import Group, OperationParameter, Type, Values, operation
from dowse.app.permissions import Capability

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace
    from dowse.model.run import Freshness, Summary


@operation(
    Group.WRITE,
    Capability.WRITE,
    OperationParameter("folder", Type.FOLDER, "the project, or a folder inside one; default: the current folder"),
    OperationParameter("space", about="what the project is called here; default: the folder's name"),
    OperationParameter("excludes", Type.STRINGS, "files to leave out, as in .gitignore; remembered", one="exclude"),
    OperationParameter("hide_secrets", Type.BOOLEAN, "keep nothing that looks like a key or token; remembered"),
    OperationParameter("afresh", Type.BOOLEAN, "read every file, also those that look unchanged", default=False),
    OperationParameter("jobs", Type.INTEGER, "processes that read; default: as many as pay"),
    OperationParameter("dry_run", Type.BOOLEAN, "say what would be done, and do nothing", default=False),
    OperationParameter("report", Type.REPORT),
    examples=({}, {"folder": "docs", "dry_run": True}, {"excludes": ("*.csv", "old/")}),
    makes=True,
)
def index(workspace: "Workspace", values: Values) -> "Summary":
    """Make everything in a project findable, or bring it up to date."""
    given = {name: values[name] for name in ("space", "excludes", "hide_secrets", "afresh", "jobs", "dry_run", "report")}
    return workspace.index(values["folder"] or ".", **given)


@operation(Group.READ, Capability.READ)
def projects(workspace: "Workspace", _: Values) -> "tuple[Freshness, ...]":
    """List the projects, when each was indexed and how many files changed since."""
    return workspace.freshness()


@operation(
    Group.WRITE,
    Capability.WRITE,
    OperationParameter("space", about="what the project is called here", required=True),
    examples=({"space": "saltmarsh"},),
)
def forget(workspace: "Workspace", values: Values) -> dict[str, int]:
    """Take a project out of the workspace, with everything made of its files."""
    return {"files": workspace.forget(values["space"])}


PROJECTS = (index, projects, forget)
