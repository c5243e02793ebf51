"""Work items, notes and dependencies as a task server offers them: one tool each, with an ``operation``."""

from collections.abc import Callable, Mapping
from typing import Any

from dowse.app.operations import OPERATIONS
from dowse.app.permissions import Capability
from dowse.domains.everything import SURFACES
from dowse.domains.work import EDGES, ROLES, note_key
from dowse.errors import InvalidRequest
from dowse.present.schemas import Json
from dowse.shells.mcp.operating import operation_gives, perform
from dowse.shells.mcp.reading import get_tool, read
from dowse.shells.mcp.surface_tools import search_on, surface_gives, surface_parameters
from dowse.shells.mcp.tool import Answer, Call, Tool, check_names, choice, takes, text, whole
from dowse.text.suggesting import did_you_mean

_ITEM = text("the item's id, or its beginning (four characters or more)")
_ITEMS = """\
Work items. operation="search": by words, best first, within scope (ancestorId, itemId, tags, role); "list": by scope alone, \
latest first; "get": one item by itemId, with what is below it.
Example: query_items(operation="search", query="retry budget", scope={"role": "work"})"""
_NOTES = """\
Notes on work items. operation="search": by their text, within scope (ancestorId, itemId); "list": of one item, or in one role; \
"get": one note by itemId and noteKey.
Example: query_notes(operation="search", query="why five attempts")"""
_DEPENDENCIES = """\
Dependencies between work items. operation="backlinks": who points at an item, for what breaks if it changes; "get": its \
dependencies by direction. Each comes with the item at the other end.
Example: query_dependencies(operation="backlinks", itemId="task-17")"""

Operation = tuple[frozenset[str], frozenset[str], Callable[[Call, dict[str, Any]], Answer]]


def item_tools() -> tuple[Tool, ...]:
    surface = SURFACES["items"]
    own = surface_parameters(surface)
    searched = frozenset({"query", *own})
    operations: dict[str, Operation] = {
        "search": (searched, frozenset({"query"}), lambda call, given: search_on(call, surface, given)),
        "list": (searched - {"query", "matchMode", "explain"}, frozenset(), lambda call, given: search_on(call, surface, given)),
        "get": (frozenset({"itemId"}), frozenset({"itemId"}), lambda call, given: _get(call, given["itemId"])),
    }
    parameters = {"query": text("words to look for, as they are"), **own, "itemId": _ITEM}
    gives = _either(surface_gives(surface), get_tool().gives)
    return _tool("query_items", "Work items", _ITEMS, parameters, operations, gives), _dependencies()


def note_tools() -> tuple[Tool, ...]:
    surface = SURFACES["notes"]
    own = surface_parameters(surface)
    operations: dict[str, Operation] = {
        "search": (
            frozenset({"query", *own}),
            frozenset({"query"}),
            lambda call, given: search_on(call, surface, given),
        ),
        "list": (frozenset({"itemId", "role", "limit", "offset"}), frozenset(), _list_notes),
        "get": (
            frozenset({"itemId", "noteKey"}),
            frozenset({"itemId", "noteKey"}),
            lambda call, given: _get(call, note_key(call.workspace.resolve(given["itemId"]), given["noteKey"])),
        ),
    }
    parameters = {
        "query": text("words to look for, as they are"),
        **own,
        "itemId": _ITEM,
        "noteKey": text("the note's key on its item"),
        "role": choice("only notes in this role", *ROLES),
    }
    gives = _either(surface_gives(surface), operation_gives(OPERATIONS["list"]), get_tool().gives)
    return (_tool("query_notes", "Notes on work items", _NOTES, parameters, operations, gives),)


def _dependencies() -> Tool:
    kinds = [edge.name for edge in EDGES]
    both = frozenset({"itemId", "type", "offset"})
    operations: dict[str, Operation] = {
        "backlinks": (both, frozenset({"itemId"}), lambda call, given: _along(call, {**given, "direction": "incoming"})),
        "get": (both | {"direction"}, frozenset({"itemId"}), _along),
    }
    parameters = {
        "itemId": _ITEM,
        "direction": choice("which way the dependencies point, with get", "incoming", "outgoing", "all"),
        "type": choice("only dependencies of this type", *kinds),
        "offset": whole("entries to skip"),
    }
    gives = operation_gives(OPERATIONS["neighbours"])
    return _tool("query_dependencies", "Dependencies", _DEPENDENCIES, parameters, operations, gives)


def _tool(
    name: str, title: str, description: str, parameters: Mapping[str, Json], operations: Mapping[str, Operation], gives: Json
) -> Tool:
    def perform(call: Call) -> Answer:
        given = dict(call.arguments)
        wanted = given.pop("operation")
        if wanted not in operations:
            raise InvalidRequest(f"{name} has no operation {wanted!r}. {did_you_mean(str(wanted), operations)}")
        known, required, run = operations[wanted]
        allowed = {key: schema for key, schema in parameters.items() if key in known}
        check_names(f'{name}(operation="{wanted}")', takes(allowed, sorted(required)), given)
        return run(call, given)

    schema = takes({"operation": choice("what to do", *operations), **parameters}, ["operation"])
    return Tool(name, title, description, Capability.READ, schema, gives, perform, fresh=True)


def _get(call: Call, key: str) -> Answer:
    return read(call, [key])


def _list_notes(call: Call, given: dict[str, Any]) -> Answer:
    wanted: dict[str, Any] = {name: given[name] for name in ("limit", "offset") if given.get(name) is not None}
    wanted |= {"parent": given["itemId"]} if given.get("itemId") else {}
    wanted |= {"facets": {"role": given["role"]}} if given.get("role") else {}
    return perform(OPERATIONS["list"], call, {"kinds": ["note"], **wanted})


def _along(call: Call, given: dict[str, Any]) -> Answer:
    asked = {"key": given["itemId"], "direction": given.get("direction") or "all"}
    asked |= {"kinds": [given["type"]] if given.get("type") else [edge.name for edge in EDGES], "offset": given.get("offset") or 0}
    return perform(OPERATIONS["neighbours"], call, asked)


def _either(*schemas: Json) -> Json:
    """What one of several operations gives."""
    return {"type": "object", "anyOf": list(schemas)}
