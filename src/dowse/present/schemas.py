"""What does an answer look like, as JSON Schema? The same tables and nouns that make the JSON, read as types."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from dowse.model.page import Listing
from dowse.model.record import Record
from dowse.model.run import Freshness
from dowse.model.schema import Kind
from dowse.model.surface import Surface
from dowse.present.answers import camel

Json = dict[str, Any]

_TEXT: Json = {"type": "string"}
_WHOLE: Json = {"type": "integer"}
_NUMBER: Json = {"type": "number"}
_TRUTH: Json = {"type": "boolean"}
_TEXTS: Json = {"type": "array", "items": _TEXT}
_OBJECT: Json = {"type": "object"}
_FACET: Json = {"type": ["string", "number", "boolean", "null"]}
_PLAIN: dict[Any, Json] = {
    str: _TEXT,
    int: _WHOLE,
    float: _NUMBER,
    bool: _TRUTH,
    type(None): {"type": "null"},
    Path: _TEXT,
}


class Schemas:
    """Schemas of answers. Nouns are defined once, under ``definitions``, and referred to from ``place``."""

    def __init__(self, place: str = "#/$defs/") -> None:
        self._place = place
        self.definitions: dict[str, Json] = {}

    def of(self, kind: Any) -> Json:
        """The schema of what ``answer_json`` makes of a value of this type."""
        if kind in _PLAIN:
            return _PLAIN[kind]
        origin, inner = typing.get_origin(kind), typing.get_args(kind)
        if origin in (typing.Union, types.UnionType):
            return {"anyOf": [self.of(item) for item in inner]}
        if origin in (tuple, list):
            return {"type": "array", "items": self.of(inner[0])}
        if origin is not None and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(inner[1])}
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            return {"type": "string", "enum": [item.value for item in kind]}
        if dataclasses.is_dataclass(kind) and isinstance(kind, type):
            return self._noun(kind)
        return {}

    def page(self, surface: Surface) -> Json:
        """The schema of a page in the shape of a surface."""
        named = f"{''.join(word.capitalize() for word in surface.name.split('_'))}Hit"
        if named not in self.definitions:
            self.definitions[named] = self._hit(surface)
        hits: Json = {"type": "array", "items": {"$ref": f"{self._place}{named}"}}
        if surface.shape.bare:
            return hits
        properties = {name: hits if source == "hits" else _PAGE[source] for name, source in surface.shape.envelope}
        required = [name for name, source in surface.shape.envelope if source not in _SOMETIMES]
        fresh = self.of(tuple[Freshness, ...])
        return {"type": "object", "properties": {**properties, "freshness": fresh}, "required": required}

    def _hit(self, surface: Surface) -> Json:
        properties = {name: self._value(source) for name, source in surface.shape.hit}
        required = [name for name, source in surface.shape.hit if source not in _SOMETIMES]
        return {"type": "object", "properties": properties, "required": required}

    def _value(self, source: str) -> Json:
        if source == "record":
            return self.of(Record)
        if source.startswith("facet:"):
            return _FACET
        return _TEXT if source.startswith("field:") else _HIT[source]

    def _noun(self, kind: type) -> Json:
        if kind.__name__ not in self.definitions:
            self.definitions[kind.__name__] = {}  # so that a noun that holds its like is described once
            self.definitions[kind.__name__] = _SHAPED[kind](self) if kind in _SHAPED else self._fields(kind)
        return {"$ref": f"{self._place}{kind.__name__}"}

    def _fields(self, kind: type) -> Json:
        hints = typing.get_type_hints(kind)
        properties = {camel(field.name): self.of(hints[field.name]) for field in dataclasses.fields(kind)}
        return {"type": "object", "properties": properties, "required": list(properties)}

    def _listing(self) -> Json:
        whole = self._fields(Listing)
        return {**whole, "properties": {**whole["properties"], "nextOffset": {"type": ["integer", "null"]}}}


def _surface(_: Schemas) -> Json:
    """What a surface tells of itself. How many hits it gives stands under the name it has for that."""
    parameter = _exactly(name=_TEXT, type=_TEXT, about=_TEXT, choices=_TEXTS, required=_TRUTH)
    parameters: Json = {"type": "array", "items": parameter}
    named = _exactly(name=_TEXT, about=_TEXT, kinds=_TEXTS, modes=_TEXTS, mode=_TEXT, parameters=parameters)
    return {**named, "additionalProperties": _WHOLE}


def _kind(_: Schemas) -> Json:
    """What a kind tells of itself."""
    choices: Json = {"type": "object", "additionalProperties": _TEXTS}
    return _exactly(name=_TEXT, about=_TEXT, fields=_TEXTS, facets=_TEXTS, choices=choices, parents=_TEXTS, parentRequired=_TRUTH)


def _exactly(**properties: Json) -> Json:
    return {"type": "object", "properties": properties, "required": list(properties)}


_SHAPED: dict[type, Any] = {Surface: _surface, Kind: _kind, Listing: Schemas._listing}
# What a hit or page has only where it was asked for, or where there is any.
_SOMETIMES = frozenset({"explain", "raw_ranks", "via", "path", "line", "line_end", "counts"})
_HIT: dict[str, Json] = {
    "rank": _WHOLE,
    "key": _TEXT,
    "ref": _FACET,
    "kind": _TEXT,
    "space": _TEXT,
    "title": _TEXT,
    "parent_title": _TEXT,
    "parent": {"type": ["string", "null"]},
    "tags": _TEXTS,
    "path": _TEXT,
    "line": _WHOLE,
    "line_end": _WHOLE,
    "field": _TEXT,
    "snippet": _TEXT,
    "score": _NUMBER,
    "negative_score": _NUMBER,
    "matched_in": _TEXTS,
    "library": _OBJECT,
    "raw_ranks": _OBJECT,
    "explain": _OBJECT,
    "via": {"type": "array", "items": _OBJECT},
}
_PAGE: dict[str, Json] = {
    "total": _WHOLE,
    "offset": _WHOLE,
    "next_offset": {"type": ["integer", "null"]},
    "truncated": _TRUTH,
    "relaxed": _TRUTH,
    "intent": _TEXT,
    "lists": _TEXTS,
    "degraded": _TEXTS,
    "ignored": _TEXTS,
    "corrected": {"type": "object", "additionalProperties": _TEXT},
    "generation": _WHOLE,
    "updated": _NUMBER,
    "counts": {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": _WHOLE}},
}
