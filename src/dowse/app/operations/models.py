"""Models: which one gives records their vectors, what it made of them, and what is close to what."""

from typing import TYPE_CHECKING

from dowse.app.operations.operation import Group, OperationParameter, Type, Values, operation
from dowse.app.operations.parameters import KEY, KINDS
from dowse.app.permissions import Capability

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace
    from dowse.model.modelling import Embedded, ModelChoice, ModelEntry
    from dowse.model.page import Page, Related

_REPORT = OperationParameter("report", Type.REPORT)


@operation(
    Group.FIND,
    Capability.SEARCH_USE,
    KEY,
    OperationParameter("kinds", Type.STRINGS, "only this kind", choices=KINDS, one="kind", default=()),
    OperationParameter("limit", Type.INTEGER, "hits, 1 to 100", default=10),
    examples=({"key": "task-17"}, {"key": "retry-policy", "kinds": ("item",), "limit": 3}),
    surface=lambda _: "everything",
)
def similar(workspace: "Workspace", values: Values) -> "Page":
    """Find the records closest in meaning to one."""
    return workspace.similar(values["key"], limit=values["limit"], kinds=values["kinds"])


@operation(
    Group.FIND,
    Capability.READ,
    KEY,
    OperationParameter("limit", Type.INTEGER, "records of each reason", default=10),
    examples=({"key": "task-17"},),
)
def related(workspace: "Workspace", values: Values) -> "Related":
    """Show what has to do with a record, each with why: links, what stands beside it, what is like it."""
    return workspace.related(values["key"], limit=values["limit"])


@operation(Group.CARE, Capability.WRITE, _REPORT)
def embed(workspace: "Workspace", values: Values) -> "Embedded":
    """Make the vectors that are missing; stopped half-way, it goes on there the next time."""
    return workspace.embed(report=values["report"])


@operation(Group.CARE, Capability.READ, anywhere=True)
def model_list(workspace: "Workspace", _: Values) -> "tuple[ModelEntry, ...]":
    """List the models: the one in use, those that are here, and those that can be had."""
    return workspace.models()


@operation(
    Group.CARE,
    Capability.ADMIN,
    OperationParameter("name", about="a known model, as the list of models names it", required=True),
    _REPORT,
    examples=({"name": "snowflake-arctic-embed-m-v2.0"},),
    anywhere=True,
)
def model_add(workspace: "Workspace", values: Values) -> "ModelEntry":
    """Download a known model; stopped half-way, it goes on there the next time."""
    return workspace.add_model(values["name"], report=values["report"])


@operation(
    Group.CARE,
    Capability.ADMIN,
    OperationParameter(
        "model",
        about="static (comes with dowse), none (words alone), a known name, onnx:PATH of a folder with model.onnx and"
        " tokenizer.json, onnx:package:NAME, or the address of an endpoint, http://host:port/v1#model; beside any other"
        " model the static one answers too",
        required=True,
    ),
    _REPORT,
    examples=({"model": "static"}, {"model": "none"}),
)
def model_use(workspace: "Workspace", values: Values) -> "ModelChoice":
    """Use a model in this workspace from now on, if it can be used."""
    return workspace.use_model(values["model"], report=values["report"])


RESEMBLING = (similar, related)
MODELS = (embed, model_list, model_add, model_use)
