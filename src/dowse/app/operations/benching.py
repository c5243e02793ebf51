"""Benching: how well is found what someone knows to be the answer?"""

from typing import TYPE_CHECKING

from dowse.app.operations.operation import Group, OperationParameter, Type, Values, operation
from dowse.app.permissions import Capability
from dowse.domains.everything import SURFACES
from dowse.errors import InvalidRequest

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace
    from dowse.model.benching import BenchReport

# As in dowse.app.inventing, whose module need not be loaded to list the operations.
_SOURCES = ("docstrings", "headings", "tasks")


@operation(
    Group.CARE,
    Capability.READ,
    OperationParameter("file", Type.INPUT, 'a question a line: {"query": "…", "expected": ["an id or a path"]}, or with tabs'),
    OperationParameter("lists", Type.BOOLEAN, "also ask each list alone, and say what the whole is worth beside it", default=False),
    OperationParameter("surface", about="what to ask", default="everything", choices=tuple(SURFACES)),
    OperationParameter("worst", Type.INTEGER, "how many of the badly answered questions to show", default=10),
    OperationParameter("out", Type.OUTPUT, "write questions made from the workspace into this file instead", one="make"),
    OperationParameter(
        "sources", Type.STRINGS, "what to make them from, also several with commas", choices=_SOURCES, one="from", default=()
    ),
    OperationParameter("limit", Type.INTEGER, "how many to make from each", default=100),
    examples=(
        {"out": "questions.jsonl", "sources": ("docstrings",), "limit": 200},
        {"file": "questions.jsonl", "lists": True},
    ),
)
def bench(workspace: "Workspace", values: Values) -> "BenchReport | dict[str, int]":
    """Measure how well questions with known answers are answered here."""
    if (values["file"] is None) == (values["out"] is None):
        raise InvalidRequest("bench needs a file of questions to ask, or a file to write new ones into; not both.")
    if values["file"] is not None:
        return workspace.bench(values["file"], surface=values["surface"], lists=values["lists"], worst=values["worst"])
    from dowse.app.questions import write_questions

    named = [name for item in values["sources"] for name in item.split(",") if name]
    made = workspace.make_questions(named or _SOURCES, limit=values["limit"])
    return {"questions": write_questions(made, values["out"])}


BENCHING = (bench,)
