"""Evidence: what to read before starting a task."""

from typing import TYPE_CHECKING

from dowse.app.operations.operation import Group, OperationParameter, Type, Values, operation
from dowse.app.operations.parameters import KINDS
from dowse.app.permissions import Capability

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace
    from dowse.model.evidence import EvidencePack


@operation(
    Group.FIND,
    Capability.READ,
    OperationParameter("task", about="what is to be done or known, in a sentence or as a whole issue", required=True),
    OperationParameter("tokens", Type.INTEGER, "how much text at most, in tokens, 200 to 200000", default=6000),
    OperationParameter("kinds", Type.STRINGS, "only this kind", choices=KINDS, one="kind", default=()),
    OperationParameter("spaces", Type.STRINGS, "only this space: a project or a library version", one="space", default=()),
    OperationParameter("under", Type.ID, "only this record or folder and everything below it"),
    examples=({"task": "cap the retries of the courier"}, {"task": "why are retries capped", "tokens": 2000, "kinds": ("page",)}),
)
def context(workspace: "Workspace", values: Values) -> "EvidencePack":
    """Gather the passages to start a task from, cited and within a token budget, and say what was left out."""
    return workspace.context(**values)


CONTEXT = (context,)
