"""How does what a caller hands over become a record? Checked against its kind, with a message that says what is wrong."""

import sys
from collections.abc import Callable, Mapping
from typing import Any

from dowse.errors import InvalidRecord
from dowse.model.record import LONGEST_KEY, Edge, Record
from dowse.model.schema import Kind, Schema
from dowse.text.suggesting import did_you_mean, is_encodable

_OWN = ("key", "kind", "title", "fields", "space", "parent", "tags", "facets", "updated", "deleted", "version")

NewKey = Callable[[], str]


def new_key() -> str:
    import uuid  # loads much that reading never needs

    return str(uuid.uuid4())


def to_record(data: Mapping[str, Any], schema: Schema, *, now: float, key: NewKey = new_key) -> Record:
    """A record from JSON: fields and facets may stand at the top level beside the record's own names.

    >>> from dowse.domains.everything import SCHEMA
    >>> to_record({"kind": "item", "key": "a", "title": "Fix it", "summary": "soon", "role": "work"}, SCHEMA, now=0.0).facets
    {'role': 'work'}
    """
    kind = _kind(data, schema)
    fields = dict(_mapping(data, "fields"))
    facets = dict(_mapping(data, "facets"))
    declared = {field.name for field in kind.fields} - {"title", "tags"}
    for name, value in data.items():
        if name in _OWN:
            continue
        if name in declared:
            fields[name] = value
        elif name in kind.facets:
            facets[name] = value
        else:
            raise InvalidRecord(f"A {kind.name} has no {name!r}. {did_you_mean(name, [*declared, *kind.facets, *_OWN])}")
    record = Record(
        key=_text(data, "key") or key(),
        kind=kind.name,
        title=_text(data, "title"),
        fields={name: value for name, value in fields.items() if value not in (None, "")},
        space=_text(data, "space"),
        parent=_text(data, "parent") or None,
        tags=to_tags(data.get("tags")),
        facets={name: value for name, value in facets.items() if value is not None},
        updated=_moment(data["updated"]) if isinstance(data.get("updated"), int | float) else now,
        deleted=data.get("deleted") is True,
    )
    check(record, schema)
    return record


def to_edge(data: Mapping[str, Any], schema: Schema) -> Edge:
    """An edge from JSON: source, target, kind and anything else as facets."""
    for name in ("source", "target", "kind"):
        if not isinstance(data.get(name), str) or not data[name]:
            raise InvalidRecord(f"An edge needs a {name}; this one has {data.get(name)!r}.")
    known = {"source", "target", "kind", "facets", "type"}
    facets = {**_mapping(data, "facets"), **{name: value for name, value in data.items() if name not in known}}
    edge = Edge(data["source"], data["target"], data["kind"], facets)
    check_edge(edge, schema)
    return edge


def to_json(record: Record) -> dict[str, Any]:
    """The record as import reads it."""
    data: dict[str, Any] = {"key": record.key, "kind": record.kind}
    optional = {
        "title": record.title,
        "space": record.space,
        "parent": record.parent,
        "tags": list(record.tags),
        "fields": dict(record.fields),
        "facets": dict(record.facets),
        "deleted": record.deleted,
    }
    # Also the beginning of time is a time: without one, reading it back would make it now.
    return data | {name: value for name, value in optional.items() if value} | {"updated": record.updated}


def edge_to_json(edge: Edge) -> dict[str, Any]:
    data: dict[str, Any] = {"type": "edge", "source": edge.source, "target": edge.target, "kind": edge.kind}
    return data | ({"facets": dict(edge.facets)} if edge.facets else {})


def check(record: Record, schema: Schema) -> None:
    """Raises unless the record fits its kind."""
    kind = schema.kinds.get(record.kind)
    if kind is None:
        raise InvalidRecord(f"There is no kind {record.kind!r}. {did_you_mean(record.kind, schema.kinds)}")
    if not record.key or len(record.key) > LONGEST_KEY:
        raise InvalidRecord(f"A key has 1 to {LONGEST_KEY} characters; {record.key[:40]!r} has {len(record.key)}.")
    declared = {field.name for field in kind.fields}
    for name, text in record.fields.items():
        if name not in declared:
            raise InvalidRecord(f"A {kind.name} has no field {name!r}. {did_you_mean(name, declared)}")
        if not isinstance(text, str):
            raise InvalidRecord(f"The field {name!r} of {record.key!r} must be text, not {type(text).__name__}.")
    _check_facets(record, kind)
    if kind.parent_required and record.parent is None:
        raise InvalidRecord(f"The {kind.name} {record.key!r} needs a parent: the key of a {' or '.join(kind.parents)}.")
    if record.parent is not None and not kind.parents:
        raise InvalidRecord(f"A {kind.name} has no parent; {record.key!r} names {record.parent!r}.")
    _check_encodable(record)


def check_edge(edge: Edge, schema: Schema) -> None:
    if edge.kind not in schema.edges:
        raise InvalidRecord(f"There is no edge kind {edge.kind!r}. {did_you_mean(edge.kind, schema.edges)}")
    if edge.source == edge.target:
        raise InvalidRecord(f"{edge.source!r} cannot have an edge to itself.")
    for text in (edge.source, edge.target, *(str(part) for item in edge.facets.items() for part in item)):
        if not is_encodable(text):
            raise InvalidRecord(f"An edge of {edge.source[:40]!a} holds characters that are no valid Unicode.")


def merge(old: Record, new: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a partial update asks for, on top of what is stored."""
    stored = to_json(old)
    fields = {**stored.pop("fields", {}), **_mapping(new, "fields")}
    facets = {**stored.pop("facets", {}), **_mapping(new, "facets")}
    stored.pop("updated", None)
    # Not side by side: a node has a facet "kind", which is not the kind of the record.
    return {**stored, **new, "fields": fields, "facets": facets}


def _check_facets(record: Record, kind: Kind) -> None:
    for name, value in record.facets.items():
        if name not in kind.facets and name != "placeholder" and not kind.open_facets:
            raise InvalidRecord(f"A {kind.name} has no facet {name!r}. {did_you_mean(name, kind.facets)}")
        if not isinstance(value, str | int | float | bool):
            raise InvalidRecord(f"The facet {name!r} of {record.key!r} must be a text, number or truth value.")
        choices = kind.choices.get(name)
        if choices and value not in choices:
            raise InvalidRecord(f"{name} cannot be {value!r}; it is one of {', '.join(choices)}.")


def _check_encodable(record: Record) -> None:
    facets = (str(part) for item in record.facets.items() for part in item)
    for text in (record.key, record.title, record.space, record.parent or "", *record.tags, *record.fields.values(), *facets):
        if not is_encodable(text):
            raise InvalidRecord(f"{record.key[:40]!a} holds characters that are no valid Unicode.")


def _kind(data: Mapping[str, Any], schema: Schema) -> Kind:
    name = data.get("kind")
    if not isinstance(name, str) or name not in schema.kinds:
        raise InvalidRecord(f"There is no kind {name!r}. {did_you_mean(str(name), schema.kinds)}")
    return schema.kinds[name]


def _mapping(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name) or {}
    if not isinstance(value, Mapping):
        raise InvalidRecord(f"{name!r} must be an object, not {type(value).__name__}.")
    return value


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidRecord(f"{name!r} must be text, not {type(value).__name__}.")
    return value


def _moment(value: float) -> float:
    """Seconds since 1970. JSON has whole numbers of any length, and some write what is no number at all."""
    if not abs(value) <= sys.float_info.max:
        raise InvalidRecord(f"'updated' must be seconds since 1970, not {str(value)[:40]}.")
    return float(value)


def to_tags(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str) or not all(isinstance(tag, str) and tag.strip() for tag in value):
        raise InvalidRecord(f"tags must be a list of texts, not {value!r}.")
    return tuple(sorted({tag.strip() for tag in value}))
