"""What does an operation answer, as JSON? The same in every shell."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dowse.app.operations.operation import Operation, Values
from dowse.app.permissions import Capability
from dowse.model.page import Page
from dowse.model.run import Freshness
from dowse.present.answers import answer_json
from dowse.present.shape import shape

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace


def answer(
    operation: Operation,
    values: Values,
    result: Any,
    workspace: "Workspace",
    freshness: "Callable[[Workspace], tuple[Freshness, ...]] | None" = None,
) -> Any:
    """The result as JSON values: a page in the shape of its surface, with how fresh the projects are; a text as an object.

    ``freshness``: who tells how fresh they are, where it would take too long to look at every answer.
    """
    if operation.surface is None:
        shaped = answer_json(result)
        return {"text": shaped} if isinstance(shaped, str) else shaped
    whole = shape(result, workspace.surface(operation.surface(values)))
    if isinstance(result, Page) and isinstance(whole, dict) and Capability.READ in workspace.principal.capabilities:
        known = freshness(workspace) if freshness is not None else workspace.freshness()
        whole |= {"freshness": answer_json(known)} if known else {}
    return whole
