"""Tokens: who else may use the workspace, for what, with which part of it, and until when."""

from typing import TYPE_CHECKING

from dowse.app.operations.operation import Group, OperationParameter, Type, Values, operation
from dowse.app.operations.parameters import KINDS
from dowse.app.permissions import Capability

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace
    from dowse.model.token import NewToken, Token


@operation(
    Group.CARE,
    Capability.ADMIN,
    OperationParameter("name", about="whose it is, to tell it from the others", required=True),
    OperationParameter(
        "capabilities",
        Type.STRINGS,
        "what its holder may do; without any: SearchUse and Read",
        choices=tuple(Capability),
        one="capability",
        default=(),
    ),
    OperationParameter("spaces", Type.STRINGS, "they see only this space", one="space", default=()),
    OperationParameter("under", Type.STRINGS, "they see only this record and everything below it", default=()),
    OperationParameter("kinds", Type.STRINGS, "they see only this kind", choices=KINDS, one="kind", default=()),
    OperationParameter("days", Type.INTEGER, "how long it holds; without: until it is revoked"),
    examples=(
        {"name": "laptop"},
        {"name": "ci", "capabilities": ("SearchUse", "Read", "Write"), "spaces": ("saltmarsh",), "days": 90},
    ),
)
def token_add(workspace: "Workspace", values: Values) -> "NewToken":
    """Make a token for someone who is not at this machine; its secret is shown this once."""
    return workspace.add_token(**values)


@operation(Group.CARE, Capability.ADMIN)
def token_list(workspace: "Workspace", _: Values) -> "tuple[Token, ...]":
    """List the tokens: whose they are, what their holders may do, and until when."""
    return workspace.tokens()


@operation(
    Group.CARE,
    Capability.ADMIN,
    OperationParameter("id", about="its id or its name, as the list shows them", required=True),
    examples=({"id": "laptop"},),
)
def token_revoke(workspace: "Workspace", values: Values) -> "Token":
    """Make a token worthless at once."""
    return workspace.revoke_token(values["id"])


TOKENS = (token_add, token_list, token_revoke)
