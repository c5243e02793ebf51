"""What does a request ask for? Values from its query string or its JSON body, by the declaration of the operation."""

import json
import re
from collections.abc import Collection
from typing import Any
from urllib.parse import parse_qsl

from dowse.app.operations import Operation, OperationParameter, Type
from dowse.errors import InvalidRequest
from dowse.shells.describing import UNSENDABLE

# ``facets.role`` as people type it, ``facets[role]`` as OpenAPI's deepObject writes it.
_MEMBER = re.compile(r"(\w+)(?:\.(.+)|\[(.+)\])")
# More than any operation takes; parsing more would be work for nothing.
_MOST_FIELDS = 1000
# Half of a character that \u escapes can write and UTF-8 cannot.
_SURROGATE = re.compile(rb"\\u[dD][89abAB]|\\u[dD][c-fC-F]")
_JSON_TYPES: dict[Type, tuple[str, tuple[type, ...]]] = {
    Type.STRING: ("a text", (str,)),
    Type.FOLDER: ("the path of a folder", (str,)),
    Type.ID: ("an id", (str,)),
    Type.INTEGER: ("a whole number", (int,)),
    Type.NUMBER: ("a number", (int, float)),
    Type.BOOLEAN: ("true or false", (bool,)),
    Type.STRINGS: ("a list of texts", (list,)),
    Type.OBJECT: ("an object", (dict,)),
}


def from_query(operation: Operation, query: bytes, leave_out: Collection[str] = ()) -> dict[str, Any]:
    """The values of a query string. Lists repeat their name; members of objects stand as ``facets.role=work``."""
    found: dict[str, Any] = {}
    for name, text in _pairs(query):
        member = _MEMBER.fullmatch(name) if operation.parameter(name) is None else None
        holder = operation.parameter(member[1]) if member is not None else None
        if member is not None and holder is not None and holder.type is Type.OBJECT:
            _add_member(found.setdefault(holder.name, {}), member[2] or member[3], text)
            continue
        parameter = _taken(operation, name, leave_out)
        if parameter.type is Type.STRINGS:
            found.setdefault(name, []).append(text)
        elif parameter.type is Type.OBJECT:
            raise InvalidRequest(f"{name} is an object: give its members one by one, as in {name}.NAME=VALUE.")
        elif name in found:
            raise InvalidRequest(f"{name} is given twice; it takes one value.")
        else:
            found[name] = text
    return found


def from_json(operation: Operation, body: bytes) -> dict[str, Any]:
    """The values of a JSON object; no body stands for an empty one. A number in quotes is a text here, never a number."""
    if not body:
        return {}
    try:
        # Strictly: left to itself it would take halves of characters for text.
        values = json.loads(body.decode("utf-8-sig"), parse_constant=_no_number)
        if _SURROGATE.search(body):
            json.dumps(values, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise InvalidRequest(f"The body is no valid JSON: {_without_place(error)}.") from error
    if not isinstance(values, dict):
        raise InvalidRequest("The body must be a JSON object with the parameters by name.")
    for name, value in values.items():
        _check(_taken(operation, name), value)
    return values


def _pairs(query: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query.decode(), keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise InvalidRequest("The query string is no valid UTF-8, or has too many fields.") from error


def _taken(operation: Operation, name: str, leave_out: Collection[str] = ()) -> OperationParameter:
    parameter = operation.parameter(name)
    if parameter is None:
        operation.check({name: None})  # refuses it, with what may have been meant
    if parameter is None or parameter.type in (*UNSENDABLE, Type.INPUT) or name in leave_out:
        raise InvalidRequest(f"{operation.name} does not take {name!r} in a request like this.")
    return parameter


def _add_member(members: dict[str, Any], name: str, text: str) -> None:
    """A name given twice has both values, as on a command line."""
    if name in members:
        before = members[name]
        members[name] = [*(before if isinstance(before, list) else [before]), text]
    else:
        members[name] = text


def _check(parameter: OperationParameter, value: Any) -> None:
    expected, types = _JSON_TYPES[parameter.type]
    fits = isinstance(value, types) and (bool in types or not isinstance(value, bool))
    if fits and parameter.type is Type.STRINGS:
        fits = all(isinstance(item, str) for item in value)
    if not fits:
        raise InvalidRequest(f"{parameter.name} must be {expected}, not {json.dumps(value)[:80]}.")


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number that JSON knows")


def _without_place(error: Exception) -> str:
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error).rstrip(".")
