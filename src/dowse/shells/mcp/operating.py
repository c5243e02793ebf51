"""How does an operation become a tool? From its declaration; what only a process can hand over is provided or left out."""

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dowse.app.answering import answer
from dowse.app.operations import OPERATIONS, Group, Operation, Type
from dowse.app.operations.operation import to_type
from dowse.app.permissions import Capability
from dowse.errors import InvalidRequest
from dowse.model.page import Branch, Listing, Neighbour, Page
from dowse.model.run import Freshness
from dowse.present.schemas import Json, Schemas
from dowse.shells.describing import answer_schema, parameters_schema
from dowse.shells.mcp.brief_schemas import as_object_schema
from dowse.shells.mcp.limiting import require_fit, within
from dowse.shells.mcp.texts import hits_text, page_notes, visible
from dowse.shells.mcp.tool import LIST, Answer, Call, Tool, as_object, whole

_WRITING = (Capability.WRITE, Capability.ADMIN)
# What takes something away that a caller may have wanted to keep.
_DESTROYS = frozenset({"delete", "unlink", "forget", "rename_tag", "library_remove", "put", "update"})
# Done again it makes something new, or fails.
_ONCE = frozenset({"put", "remember", "rename_tag"})
# It tells of files, and not of the index alone.
_LOOKS_AT_FILES = "projects"
# Read again on every look, so that what changed on disk a moment ago is there.
_FRESH = frozenset({"search", "search_files", "similar", "related", "context", "get", "list", "tree", "backlinks", "neighbours"})
_NEXT = "nextOffset"
_OFFSET = whole("entries to skip, for what an earlier answer left out")


def operation_tool(name: str) -> Tool:
    """The tool of the same name as an operation."""
    operation = OPERATIONS[name]
    return Tool(
        name,
        operation.summary.split(":")[0].split(".")[0],
        operation.summary,
        operation.capability,
        _takes(operation),
        operation_gives(operation),
        lambda call: perform(operation, call, call.arguments),
        writes=operation.capability in _WRITING,
        destroys=name in _DESTROYS,
        repeatable=name not in _ONCE,
        fresh=name in _FRESH,
        here=operation.group not in (Group.FIND, Group.READ) or name == _LOOKS_AT_FILES,
    )


def operation_gives(operation: Operation) -> Json:
    schemas = Schemas()
    schema = answer_schema(operation, schemas)
    if schema.get("type") == "array":
        schema = {"type": "object", "properties": {LIST: schema, _NEXT: {"type": ["integer", "null"]}}, "required": [LIST]}
    return as_object_schema(schema, schemas.definitions)


def performed(operation: Operation, call: Call, arguments: Mapping[str, Any]) -> tuple[Any, Json]:
    """What an operation gives for some arguments, as it is and as JSON."""
    values = operation.check({**arguments, **reports(operation, call)})
    result = operation.run(call.workspace, values)
    return result, as_object(answer(operation, values, result, call.workspace, call.freshness))


def reports(operation: Operation, call: Call) -> dict[str, Any]:
    return {item.name: call.report for item in operation.parameters if item.type is Type.REPORT}


def without_texts(data: Any) -> Any:
    """The answer without the texts of its records, which ``get`` gives: what matters here is which they are."""
    if isinstance(data, list):
        return [without_texts(item) for item in data]
    if not isinstance(data, dict):
        return data
    is_record = {"key", "kind", "fields", "facets"} <= data.keys()
    shown = {name: without_texts(value) for name, value in data.items()}
    return {**shown, "fields": {name: text for name, text in data["fields"].items() if name == "path"}} if is_record else shown


def plain(result: Any) -> str:
    """What a terminal would show, without colours."""
    from dowse.present.tables import render
    from dowse.present.terminal import console, emit

    out = io.StringIO()
    emit(console(out), render(result))
    return "\n".join(map(visible, out.getvalue().rstrip().split("\n")))


def page_answer(
    page: Page, data: Json, query: str | None, following: Iterable[str] = (), fresh: Sequence[Freshness] = ()
) -> Answer:
    """A page of hits in any shape, as text with what to know of it and how to go on."""
    parts = [hits_text(page, query), page_notes(page, fresh), following]
    return Answer(data, "\n\n".join(filter(None, ("\n".join(part) for part in parts))), page.degraded)


def _takes(operation: Operation) -> Json:
    schema = parameters_schema(operation)
    if _gives_list(operation) and "offset" not in schema["properties"]:
        schema["properties"]["offset"] = _OFFSET
    return schema


def _gives_list(operation: Operation) -> bool:
    return operation.surface is None and answer_schema(operation, Schemas()).get("type") == "array"


def perform(operation: Operation, call: Call, asked: Mapping[str, Any]) -> Answer:
    """What an operation answers, as much of it as fits."""
    if _gives_list(operation):
        return _list(operation, call, asked)
    if operation.parameter("limit"):
        return _limited(operation, call, asked)
    result, data = performed(operation, call, asked)
    data = without_texts(data) if isinstance(result, Branch) else data
    advice = "Ask for less: narrow it with its parameters, or let the server answer at greater length with --tokens."
    return require_fit(Answer(data, plain(result)), call.tokens, advice)


def _limited(operation: Operation, call: Call, asked: Mapping[str, Any]) -> Answer:
    """As many hits or records as fit; the rest from an offset on, where the operation has one."""

    def ask(limit: int | None) -> Answer:
        result, data = performed(operation, call, {**asked, **({"limit": limit} if limit is not None else {})})
        after = result.next_offset if isinstance(result, Page | Listing) and operation.parameter("offset") else None
        rest = [f"For the rest: {call.again(offset=after)}"] if after is not None else []
        if isinstance(result, Page):
            return page_answer(result, data, asked.get("query"), rest)
        return Answer(data, "\n\n".join([plain(result), *rest]))

    def shown(answer: Answer) -> int:
        return len(next((value for value in answer.data.values() if isinstance(value, list)), []))

    return require_fit(within(call.tokens, shown, ask), call.tokens, "Narrow what is asked for.")


def _list(operation: Operation, call: Call, asked: Mapping[str, Any]) -> Answer:
    """As many entries as fit, from the offset on."""
    offset = to_type("offset", Type.INTEGER, asked.get("offset") or 0)
    if offset < 0:
        raise InvalidRequest(f"offset is {offset}; it must be 0 or more.")
    result, data = performed(operation, call, {name: value for name, value in asked.items() if name != "offset"})
    found = list(result)
    entries = without_texts(data[LIST]) if any(isinstance(item, Neighbour) for item in found) else data[LIST]

    def ask(count: int | None) -> Answer:
        end = len(found) if count is None else offset + count
        after = end if end < len(found) else None
        rest = f"\n\nFor the rest: {call.again(offset=after)}" if after is not None else ""
        text = plain(tuple(found[offset:end])) if found[offset:end] else "There are none."
        return Answer({LIST: entries[offset:end], _NEXT: after}, text + rest)

    return require_fit(within(call.tokens, lambda answer: len(answer.data[LIST]), ask), call.tokens, "Ask about something smaller.")
