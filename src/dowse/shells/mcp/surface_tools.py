"""How does a surface become a tool under its own names? From its declaration; there is no second search."""

from collections.abc import Iterator, Mapping
from typing import Any

from dowse.app.operations.operation import to_type
from dowse.app.permissions import Capability
from dowse.domains.everything import SURFACES
from dowse.model.page import Page
from dowse.model.surface import Parameter, Surface
from dowse.present.schemas import Json, Schemas
from dowse.present.shape import shape
from dowse.shells.mcp.brief_schemas import as_object_schema
from dowse.shells.mcp.limiting import require_fit, within
from dowse.shells.mcp.operating import page_answer
from dowse.shells.mcp.tool import Answer, Call, Tool, as_object, takes, text

_TYPES: dict[str, Json] = {
    "string": {"type": "string"},
    "id": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "strings": {"type": "array", "items": {"type": "string"}},
    "facets": {"type": "object"},
}


def surface_tool(name: str, surface_name: str, title: str, description: str) -> Tool:
    """A tool that searches on a surface, with the surface's parameters and shape."""
    surface = SURFACES[surface_name]
    return Tool(
        name,
        title,
        description,
        Capability.SEARCH_USE,
        takes({"query": text("what to look for"), **surface_parameters(surface)}, ["query"]),
        surface_gives(surface),
        lambda call: search_on(call, surface, call.arguments),
        fresh=True,
    )


def surface_parameters(surface: Surface) -> dict[str, Json]:
    """The schemas of a surface's parameters by name; dotted ones stand inside an object."""
    properties: dict[str, Json] = {}
    for parameter in surface.parameters:
        outer, _, inner = parameter.name.partition(".")
        if inner:
            around = properties.setdefault(outer, {"type": "object", "properties": {}, "additionalProperties": False})
            around["properties"][inner] = _schema(parameter, surface)
        else:
            properties[outer] = _schema(parameter, surface)
    return properties


def surface_gives(surface: Surface) -> Json:
    schemas = Schemas()
    return as_object_schema(schemas.page(surface), schemas.definitions)


def search_on(call: Call, surface: Surface, arguments: Mapping[str, Any]) -> Answer:
    """A page of the surface, as much of it as fits. ``arguments`` are those of the search, ``query`` among them."""
    given = {key: value for key, value in arguments.items() if value is not None}
    query = to_type("query", "string", given.pop("query")) if "query" in given else None
    limit_name = surface.limit_name

    def page(limit: int | None) -> Answer:
        asked = {**given, **({limit_name: limit} if limit is not None else {})}
        found = call.workspace.search(query, surface=surface.name, **_fitting(surface, asked))
        return page_answer(found, as_object(shape(found, surface)), query, _rest(call, surface, found, limit))

    return require_fit(within(call.tokens, _shown, page), call.tokens, f"Ask with a lower {limit_name}.")


def _rest(call: Call, surface: Surface, page: Page, cut: int | None) -> Iterator[str]:
    """How to get what is not on the page: the next one; where the surface has none, by asking for more."""
    if page.next_offset is None:
        return
    if any(parameter.into == "offset" for parameter in surface.parameters):
        yield f"More hits: {call.again(offset=page.next_offset)}"
    elif cut is not None:
        yield f"Only the first {cut} hits fit into this answer; narrow the query to see others."
    elif page.total > len(page.hits):
        yield f"More hits with a higher {surface.limit_name}: there are {page.total}."


def _shown(answer: Answer) -> int:
    return len(next(value for value in answer.data.values() if isinstance(value, list)))


def _fitting(surface: Surface, given: Mapping[str, Any]) -> dict[str, Any]:
    """The values as their types ask: agents write 5 as "5" now and then."""
    own = {parameter.name: parameter for parameter in surface.parameters}
    return {
        name: to_type(name, own[name].type, value) if name in own and own[name].type != "facets" else value
        for name, value in given.items()
    }


def _schema(parameter: Parameter, surface: Surface) -> Json:
    described = {**_TYPES[parameter.type]}
    if parameter.choices:
        described["enum"] = list(parameter.choices)
    if parameter.into == "limit":
        described["default"] = surface.limit
    return {**described, "description": parameter.about}
