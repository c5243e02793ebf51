"""How do answers other than a page of hits look as JSON? As their nouns say, in camelCase."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from dowse.model.page import Listing
from dowse.model.record import Record
from dowse.model.schema import Kind
from dowse.model.surface import Surface
from dowse.present.shape import record_json


def answer_json(value: Any) -> Any:
    """Any answer as JSON values.

    >>> from dowse.model.record import Edge
    >>> answer_json(Edge("a", "b", "blocks"))
    {'source': 'a', 'target': 'b', 'kind': 'blocks', 'facets': {}}
    """
    match value:
        case Record():
            return record_json(value)
        case Surface():
            return _surface(value)
        case Kind():
            return _kind(value)
        case Listing():
            return {**_fields(value), "nextOffset": value.next_offset}
        case Mapping():
            return {str(name): answer_json(item) for name, item in value.items()}
        case list() | tuple():
            return [answer_json(item) for item in value]
        case _ if dataclasses.is_dataclass(value):
            return _fields(value)
    return value


def _fields(value: Any) -> dict[str, Any]:
    return {camel(field.name): answer_json(getattr(value, field.name)) for field in dataclasses.fields(value)}


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _surface(surface: Surface) -> dict[str, Any]:
    return {
        "name": surface.name,
        "about": surface.about,
        "kinds": list(surface.kinds),
        "modes": [mode.value for mode in surface.lists],
        "mode": surface.mode.value,
        surface.limit_name: surface.limit,
        "parameters": [
            {
                "name": parameter.name,
                "type": parameter.type,
                "about": parameter.about,
                "choices": list(parameter.choices),
                "required": parameter.required,
            }
            for parameter in surface.parameters
        ],
    }


def _kind(kind: Kind) -> dict[str, Any]:
    return {
        "name": kind.name,
        "about": kind.about,
        "fields": [field.name for field in kind.fields],
        "facets": list(kind.facets),
        "choices": {name: list(values) for name, values in kind.choices.items()},
        "parents": list(kind.parents),
        "parentRequired": kind.parent_required,
    }
