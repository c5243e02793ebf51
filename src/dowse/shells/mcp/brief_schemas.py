"""How is said in few words what a tool gives? Every agent pays for every tool's schema in every session."""

from collections.abc import Mapping
from typing import Any

from dowse.present.schemas import Json
from dowse.shells.mcp.tool import LIST

# Nouns within nouns that are told; what is deeper inside is an object, and seen when it comes.
_DEPTH = 2


def as_object_schema(schema: Json, definitions: Mapping[str, Json]) -> Json:
    """The schema of what ``as_object`` makes: nouns stand where they are used, and only the outermost says what is always there."""
    if "anyOf" in schema:
        return {"type": "object", "anyOf": [as_object_schema(item, definitions) for item in schema["anyOf"]]}
    whole = _told(schema, definitions, 0)
    if whole.get("type") == "array":
        return {"type": "object", "properties": {LIST: whole}, "required": [LIST]}
    required = _required(schema, definitions)
    return {"type": "object", **whole, **({"required": required} if required else {})}


def _told(schema: Any, definitions: Mapping[str, Json], depth: int) -> Any:
    if isinstance(schema, list):
        return [_told(item, definitions, depth) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        if depth >= _DEPTH:
            return {"type": "object"}
        return _told(definitions[schema["$ref"].rpartition("/")[2]], definitions, depth + 1)
    if "anyOf" in schema and all(item.keys() == {"type"} for item in schema["anyOf"]):
        return {"type": [item["type"] for item in schema["anyOf"]]}
    return {
        # Names of properties are not words of the schema.
        name: {key: _told(item, definitions, depth) for key, item in value.items()}
        if name == "properties"
        else _told(value, definitions, depth)
        for name, value in schema.items()
        if name != "required"
    }


def _required(schema: Json, definitions: Mapping[str, Json]) -> list[str]:
    if "$ref" in schema:
        return _required(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    return list(schema.get("required", ()))
