"""Libraries: documentation that is in the workspace, and where it comes from."""

from typing import TYPE_CHECKING

from dowse.app.operations.operation import Group, OperationParameter, Type, Values, operation
from dowse.app.permissions import Capability

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace
    from dowse.model.library import LibraryEntry, LibrarySummary

_LIBRARY = OperationParameter("library", Type.ID, "its id, /owner/name", required=True)


@operation(
    Group.WRITE,
    Capability.WRITE,
    OperationParameter(
        "source",
        about="a folder, a git repository (path or address), an installed package, a wheel or source archive, or an llms.txt;"
        " git:, pypi:, npm: or file: before it says which is meant",
        required=True,
    ),
    OperationParameter("id", about="what it is called here, /owner/name; default: by its address or name"),
    OperationParameter("version", Type.STRINGS, "a tag of the repository; default: what is current there", default=()),
    OperationParameter("versions", Type.INTEGER, "so many of the repository's newest tags"),
    OperationParameter("stars", Type.INTEGER, "how many stars it has, which counts for its trust"),
    OperationParameter("keep_secrets", Type.BOOLEAN, "show what looks like a key or token as it is", default=False),
    OperationParameter("report", Type.REPORT),
    examples=({"source": "rich"}, {"source": "docs", "id": "/acme/rocket", "stars": 1200}),
    makes=True,
)
def library_add(workspace: "Workspace", values: Values) -> "LibrarySummary":
    """Add the documentation of a library from where it is."""
    given = {name: values[name] for name in ("version", "versions", "stars", "keep_secrets", "report")}
    return workspace.add_library(values["source"], key=values["id"], **given)


@operation(Group.READ, Capability.READ)
def library_list(workspace: "Workspace", _: Values) -> "tuple[LibraryEntry, ...]":
    """List the libraries, with their versions, state and trust."""
    return workspace.libraries()


@operation(
    Group.WRITE,
    Capability.WRITE,
    OperationParameter("library", Type.ID, "its id, /owner/name; default: every library that was added"),
    OperationParameter("report", Type.REPORT),
)
def library_update(workspace: "Workspace", values: Values) -> "tuple[LibrarySummary, ...]":
    """Read libraries again from where they are, and write what changed."""
    return workspace.update_library(values["library"], report=values["report"])


@operation(
    Group.WRITE,
    Capability.WRITE,
    _LIBRARY,
    OperationParameter("version", about="only this version"),
    examples=({"library": "/saltmarsh/tidekit"}, {"library": "/saltmarsh/tidekit", "version": "v1"}),
)
def library_remove(workspace: "Workspace", values: Values) -> dict[str, int]:
    """Take a library, or one version of it, out of the workspace."""
    return {"snippets": workspace.remove_library(values["library"], version=values["version"])}


LIBRARIES = (library_add, library_list, library_update, library_remove)
