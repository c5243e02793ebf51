"""Finding: the searches, and what explains them."""

from typing import TYPE_CHECKING, Any

from dowse.app.operations.operation import Group, OperationParameter, Type, Values, operation, to_type
from dowse.app.operations.parameters import FILTERS, KEY, KINDS, QUERY
from dowse.app.permissions import Capability
from dowse.app.requesting import unknown_parameter
from dowse.domains.everything import SURFACES
from dowse.domains.graphs import FILE_SURFACES
from dowse.errors import InvalidRequest
from dowse.model.request import Mode
from dowse.model.surface import Parameter, Surface

if TYPE_CHECKING:
    from dowse.app.libraries import LibraryMatch
    from dowse.app.workspace import Workspace
    from dowse.model.page import Page
    from dowse.model.ranking import Explanation


# What the common names set, so that one name works on every surface whatever the surface calls it.
_INTO = {
    "kinds": ("scope.kinds", "scope.facets.kind"),
    "spaces": ("scope.spaces",),
    "under": ("scope.ancestor",),
    "tags": ("scope.tags",),
    "mode": ("mode",),
    "limit": ("limit",),
    "offset": ("offset",),
    "min_score": ("min_score",),
    "explain": ("explain",),
    "rescore": ("rescore",),
    "count": ("count",),
}

# What searches take beside the parameters of a surface: none of these is one of its own.
_TAKEN = frozenset({"self", "query", "key", "surface", "graph"})

_SURFACE = OperationParameter(
    "surface", about="whose names, defaults and shape to use", default="everything", choices=tuple(SURFACES)
)
_SCOPE = (
    OperationParameter(
        "kinds",
        Type.STRINGS,
        "only this kind; on the surface architecture, the kind of node",
        choices=KINDS,
        one="kind",
        default=(),
    ),
    *FILTERS,
)
_MODE = OperationParameter("mode", about="which lists answer", choices=tuple(Mode))
_LIMIT = OperationParameter("limit", Type.INTEGER, "hits per page, 1 to 100; default: as the surface says")
_OFFSET = OperationParameter("offset", Type.INTEGER, "hits to skip")
_LEAST = OperationParameter("min_score", Type.NUMBER, "leave out hits with a lower score, of 1")
_OWN = OperationParameter("parameters", Type.OBJECT, "a parameter under the surface's own name", one="param", default={})
_EXPLAIN = OperationParameter("explain", Type.BOOLEAN, "say why each hit stands where it stands", default=False)
_RESCORE = OperationParameter("rescore", about="a second, slower model that scores the best hits anew, such as onnx:NAME")
_GRAPH = OperationParameter("graph", about="which files", default="files", choices=tuple(FILE_SURFACES))


def on_surface(surface: Surface, values: Values) -> dict[str, Any]:
    """The common names as this surface calls them, and over them the surface's own ``parameters``."""
    given: dict[str, Any] = {}
    for name, places in _INTO.items():
        value = values.get(name)
        if value is None or value is False or value == ():
            continue
        parameter = _parameter(surface, name, *places)
        given[parameter.name] = _fitting(parameter, value)
    given |= _facets(surface, values.get("facets") or {})
    own = {parameter.name: parameter for parameter in surface.parameters}
    for name, value in (values.get("parameters") or {}).items():
        if name in _TAKEN:
            raise unknown_parameter(surface, name)
        given[name] = to_type(name, own[name].type, value) if name in own else value
    return given


@operation(
    Group.FIND,
    Capability.SEARCH_USE,
    QUERY,
    *_SCOPE,
    _MODE,
    _LIMIT,
    _OFFSET,
    _SURFACE,
    _OWN,
    _EXPLAIN,
    _RESCORE,
    OperationParameter("count", Type.STRINGS, "count all hits by this: kind, space, tag, or a facet", default=()),
    OperationParameter("fresh", Type.BOOLEAN, "first read the files of the projects that changed", default=False),
    examples=(
        {"query": "how are retries capped"},
        {"query": "retry", "kinds": ("item",), "limit": 5, "explain": True},
        {"query": "courier", "surface": "architecture", "kinds": ("service",)},
    ),
    surface=lambda values: str(values["surface"]),
)
def search(workspace: "Workspace", values: Values) -> "Page":
    """Find anything: every kind at once, in one ranking."""
    if values["fresh"]:
        workspace.refresh()
    surface = workspace.surface(values["surface"])
    return workspace.search(values["query"], surface=surface.name, **on_surface(surface, values))


@operation(
    Group.FIND,
    Capability.SEARCH_USE,
    QUERY,
    _GRAPH,
    _MODE,
    _LIMIT,
    _LEAST,
    examples=({"query": "courier.py", "graph": "code"},),
    surface=lambda values: FILE_SURFACES[values["graph"]],
)
def search_files(workspace: "Workspace", values: Values) -> "Page":
    """Find files by path and by what they declare."""
    name = FILE_SURFACES.get(values["graph"])
    given = on_surface(workspace.surface(name), values) if name is not None else {}
    return workspace.search_files(values["query"], graph=values["graph"], **given)


@operation(
    Group.FIND,
    Capability.SEARCH_USE,
    QUERY,
    _MODE,
    _LIMIT,
    _LEAST,
    examples=({"query": "cut a release"},),
    surface=lambda _: "skills_recall",
)
def recall(workspace: "Workspace", values: Values) -> "Page":
    """Find skills for the task at hand, with a lower bar than search."""
    return workspace.recall(values["query"], **on_surface(workspace.surface("skills_recall"), values))


@operation(
    Group.FIND,
    Capability.SEARCH_USE,
    KEY,
    QUERY,
    *_SCOPE,
    _MODE,
    _SURFACE,
    _OWN,
    examples=({"key": "task-17", "query": "retry budget"},),
)
def why_not(workspace: "Workspace", values: Values) -> "Explanation":
    """Say why a record is absent from an answer, or where it stands in it."""
    surface = workspace.surface(values["surface"])
    return workspace.why_not(values["key"], values["query"], surface=surface.name, **on_surface(surface, values))


@operation(
    Group.FIND,
    Capability.SEARCH_USE,
    OperationParameter("name", about="what the library is called", required=True),
    OperationParameter("query", about="what you want to do with it"),
    OperationParameter("limit", Type.INTEGER, "libraries, 1 to 100", default=10),
    examples=({"name": "tidekit", "query": "subscribe to a gauge"},),
)
def resolve_library(workspace: "Workspace", values: Values) -> "tuple[LibraryMatch, ...]":
    """Find the libraries a name may mean, the surest first."""
    return workspace.resolve_library(values["name"], values["query"], limit=values["limit"])


@operation(
    Group.FIND,
    Capability.SEARCH_USE,
    OperationParameter("library", Type.ID, "its id, /owner/name", required=True),
    QUERY,
    OperationParameter("version", about="a version tag; default: the library's default version"),
    OperationParameter("tokens", Type.INTEGER, "how much text, in tokens", default=5000),
    examples=({"library": "/saltmarsh/tidekit", "query": "subscribe to a gauge", "version": "v1"},),
)
def query_docs(workspace: "Workspace", values: Values) -> str:
    """Read what a library's documentation says, within a token budget."""
    return workspace.query_docs(values["library"], values["query"], version=values["version"], tokens=values["tokens"])


FIND = (search, search_files, recall, why_not, resolve_library, query_docs)


def _facets(surface: Surface, facets: Values) -> dict[str, Any]:
    if any(parameter.into == "scope.facets" for parameter in surface.parameters):
        return {"facets": facets} if facets else {}
    return {_parameter(surface, name, f"scope.facets.{name}").name: value for name, value in facets.items()}


def _parameter(surface: Surface, name: str, *places: str) -> Parameter:
    for place in places:
        for parameter in surface.parameters:
            if parameter.into == place:
                return parameter
    own = ", ".join(parameter.name for parameter in surface.parameters)
    raise InvalidRequest(f"The surface {surface.name} cannot be asked for {name}; its parameters are {own}.")


def _fitting(parameter: Parameter, value: Any) -> Any:
    if parameter.type == "string" and isinstance(value, tuple):
        if len(value) > 1:
            raise InvalidRequest(f"{parameter.name} takes one value, not {len(value)}: {', '.join(value)}.")
        return value[0]
    return value
