"""How do a surface's own names become a request? Unknown names and values are refused, never ignored."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from dowse.errors import InvalidRequest, InvalidScope
from dowse.model.request import ANYWHERE, Expansion, Mode, Scope, SearchRequest
from dowse.model.surface import Parameter, Surface
from dowse.text.suggesting import did_you_mean, is_encodable

_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,15}")

ResolveId = Callable[[str], str]
LibrarySpace = Callable[[str, str | None], str]


def unknown_parameter(surface: Surface, name: str) -> InvalidRequest:
    known = [parameter.name for parameter in surface.parameters]
    return InvalidRequest(f"{surface.name} has no parameter {name!r}. {did_you_mean(name, known)}")


def to_request(
    query: str | None,
    surface: Surface,
    given: Mapping[str, Any],
    resolve: ResolveId,
    library_space: LibrarySpace,
    below: ResolveId | None = None,
) -> SearchRequest:
    """A request from a query and parameters under the surface's names. Scopes may be nested or dotted.

    ``resolve`` turns an id or an unambiguous beginning of one into a key; ``library_space`` names where a version's snippets are;
    ``below`` does for what holds other records what ``resolve`` does, and knows folders too.
    """
    values = _flatten(given)
    known = {parameter.name: parameter for parameter in surface.parameters}
    set_to: dict[str, Any] = {}
    for name, value in values.items():
        if name not in known:
            raise unknown_parameter(surface, name)
        if value is not None:
            into = known[name].into
            set_to[into] = _convert(known[name], value, below if below is not None and into == "scope.ancestor" else resolve)
    missing = [p.name for p in surface.parameters if p.required and values.get(p.name) is None]
    if missing:
        raise InvalidRequest(f"{surface.name} needs {', '.join(missing)}.")
    if "scope.library" in set_to:
        set_to["scope.spaces"] = (library_space(set_to["scope.library"], set_to.get("scope.version")),)
    return SearchRequest(
        query=_readable(query),
        scope=_scope(set_to),
        mode=Mode(set_to["mode"]) if "mode" in set_to else None,
        limit=set_to.get("limit"),
        offset=set_to.get("offset", 0),
        min_score=set_to.get("min_score"),
        expansion=_expansion(surface, set_to),
        explain=set_to.get("explain", False),
        rescore=set_to.get("rescore"),
        count=set_to.get("count", ()),
    )


def _readable(query: str | None) -> str | None:
    """Half of a character, as a command line or JSON may hold, is in no text that is stored, and in none that can be asked."""
    return query if query is None or is_encodable(query) else query.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _flatten(given: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in given.items():
        if name == "scope" and isinstance(value, Mapping):
            flat.update({f"scope.{inner}": item for inner, item in value.items()})
        elif name == "scope" and value is not None:
            raise InvalidScope(f"scope must be an object, not {value!r}.")
        else:
            flat[name] = value
    return flat


def _scope(set_to: Mapping[str, Any]) -> Scope:
    scope = ANYWHERE
    for into, value in set_to.items():
        if not into.startswith("scope."):
            continue
        name = into.removeprefix("scope.")
        if name == "facets":
            scope = replace(scope, facets={**scope.facets, **value})
        elif name.startswith("facets."):
            scope = replace(scope, facets={**scope.facets, name.removeprefix("facets."): (value,)})
        elif name == "keys":
            scope = replace(scope, keys=(value,))
        elif name == "parents":
            scope = replace(scope, parents=(value,))
        elif name in ("kinds", "spaces", "tags", "ancestor"):
            scope = replace(scope, **{name: value})
    return scope


def _expansion(surface: Surface, set_to: Mapping[str, Any]) -> Expansion | None:
    changes = {into.removeprefix("expansion."): value for into, value in set_to.items() if into.startswith("expansion.")}
    if not changes:
        return None
    for name, least in (("seeds", 1), ("depth", 0)):
        if name in changes and changes[name] < least:
            raise InvalidRequest(f"{_name_of(surface, f'expansion.{name}')} is {changes[name]}; it must be {least} or more.")
    if not 0 < changes.get("decay", 1) <= 1:
        raise InvalidRequest(f"{_name_of(surface, 'expansion.decay')} is {changes['decay']}; it must be above 0 and at most 1.")
    return replace(surface.expansion or Expansion(), **changes)


def _convert(parameter: Parameter, value: Any, resolve: ResolveId) -> Any:
    if parameter.choices and value not in parameter.choices:
        error = InvalidScope if parameter.into.startswith("scope.") else InvalidRequest
        raise error(f"{parameter.name} cannot be {value!r}; it is one of {', '.join(parameter.choices)}.")
    return _CONVERTERS[parameter.type](parameter, value, resolve)


def _string(parameter: Parameter, value: Any, _: ResolveId) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _wrong(parameter, "a text", value)
    return value


def _identifier(parameter: Parameter, value: Any, resolve: ResolveId) -> str:
    return resolve(_string(parameter, value, resolve))


def _integer(parameter: Parameter, value: Any, _: ResolveId) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(parameter, "a whole number", value)
    return value


def _number(parameter: Parameter, value: Any, _: ResolveId) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong(parameter, "a number", value)
    try:
        return float(value)
    except OverflowError:
        raise InvalidRequest(f"{parameter.name} is a number larger than any that can be meant.") from None


def _boolean(parameter: Parameter, value: Any, _: ResolveId) -> bool:
    if not isinstance(value, bool):
        raise _wrong(parameter, "true or false", value)
    return value


def _strings(parameter: Parameter, value: Any, _: ResolveId) -> tuple[str, ...]:
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list | tuple) or not items or not all(isinstance(item, str) and item for item in items):
        raise _wrong(parameter, "a list of texts", value)
    return tuple(items)


def _facets(parameter: Parameter, value: Any, _: ResolveId) -> dict[str, tuple[Any, ...]]:
    if not isinstance(value, Mapping):
        raise _wrong(parameter, "an object of facets and their values", value)
    return {name: accepted(item) for name, item in value.items()}


def accepted(given: Any) -> tuple[Any, ...]:
    """The values of a facet that someone asks for. Many can only send texts: one stands also for the value that it spells.

    >>> accepted("true"), accepted(["work", "12"]), accepted(3)
    (('true', True), ('work', '12', 12), (3,))
    """
    values = tuple(given) if isinstance(given, list | tuple) else (given,)
    return tuple(meant for value in values for meant in (value, *_spelled(value)))


def _spelled(value: Any) -> tuple[Any, ...]:
    if value in ("true", "false"):
        return (value == "true",)
    return (int(value),) if isinstance(value, str) and _WHOLE_NUMBER.fullmatch(value) else ()


_CONVERTERS: dict[str, Callable[[Parameter, Any, ResolveId], Any]] = {
    "string": _string,
    "id": _identifier,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "strings": _strings,
    "facets": _facets,
}


def _wrong(parameter: Parameter, expected: str, value: Any) -> InvalidRequest:
    error = InvalidScope if parameter.into.startswith("scope.") else InvalidRequest
    return error(f"{parameter.name} must be {expected}, not {value!r}.")


def _name_of(surface: Surface, into: str) -> str:
    return next(parameter.name for parameter in surface.parameters if parameter.into == into)
