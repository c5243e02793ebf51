"""What can be done with a workspace? Each operation is declared once; shells are made from the declarations."""

from dowse.app.operations.benching import BENCHING
from dowse.app.operations.care import CARE
from dowse.app.operations.context import CONTEXT
from dowse.app.operations.find import FIND
from dowse.app.operations.libraries import LIBRARIES
from dowse.app.operations.models import MODELS, RESEMBLING
from dowse.app.operations.operation import Group, Operation, OperationParameter, Type, Values
from dowse.app.operations.projects import PROJECTS
from dowse.app.operations.read import READ
from dowse.app.operations.remember import REMEMBER
from dowse.app.operations.tokens import TOKENS
from dowse.app.operations.write import WRITE

__all__ = ["OPERATIONS", "Group", "Operation", "OperationParameter", "Type", "Values"]

OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        *FIND,
        *CONTEXT,
        *RESEMBLING,
        *READ,
        *WRITE,
        *REMEMBER,
        *PROJECTS,
        *LIBRARIES,
        *CARE,
        *MODELS,
        *BENCHING,
        *TOKENS,
    )
}
