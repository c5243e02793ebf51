"""Notes: something is written down for later."""

from typing import TYPE_CHECKING

from dowse.app.operations.operation import Group, OperationParameter, Type, Values, operation
from dowse.app.permissions import Capability
from dowse.domains.noting import ABOUT

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace
    from dowse.model.record import Record


@operation(
    Group.WRITE,
    Capability.WRITE,
    OperationParameter("text", about="what to remember, as Markdown", required=True),
    OperationParameter("title", about="its title; default: the first line of the text"),
    OperationParameter("kind", about="what it is", default="page", choices=tuple(ABOUT)),
    OperationParameter("about", Type.STRINGS, "the id of a record that it is about", default=()),
    OperationParameter("tags", Type.STRINGS, "a tag; replaces all it has", one="tag", default=()),
    OperationParameter("space", about="the space it lives in; default: its parent's"),
    OperationParameter("parent", Type.ID, "the id of the record it hangs below; a note needs one"),
    examples=(
        {"text": "Retries are capped at five, so that a dead gauge is noticed.", "about": ("retry-policy",)},
        {"text": "Cap the retries\n\nFive are enough.", "kind": "item", "tags": ("network",)},
    ),
    makes=True,
)
def remember(workspace: "Workspace", values: Values) -> "Record":
    """Write down a page, a task, a note or knowledge, with links; the same title again changes it."""
    return workspace.remember(values["text"], **{name: value for name, value in values.items() if name != "text"})


REMEMBER = (remember,)
