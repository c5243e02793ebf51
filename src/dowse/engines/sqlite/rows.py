"""How does a record lie in the truth tables? Rows to records and back."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from dowse.engines.sqlite.driver import Connection
from dowse.model.record import Edge, Record

RECORD_COLUMNS = "id, key, kind, space, parent, title, fields, facets, updated, deleted, version"
_TAGS = "(select json_group_array(name) from (select name from tag where tag.record = record.id order by name))"
_SELECT = f"select {RECORD_COLUMNS}, {_TAGS} from record"

Stored = tuple[int, Record]

# Made once: ``json.dumps`` with options makes a new one for every call.
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


def to_record(row: Sequence[Any]) -> Stored:
    identity, key, kind, space, parent, title, fields, facets, updated, deleted, version, tags = row
    record = Record(
        key=key,
        kind=kind,
        title=title,
        fields=json.loads(fields) if fields != "{}" else {},
        space=space,
        parent=parent,
        tags=tuple(json.loads(tags)) if tags != "[]" else (),
        facets=json.loads(facets) if facets != "{}" else {},
        updated=updated,
        deleted=bool(deleted),
        version=version,
    )
    return identity, record


class _Row(Protocol):
    @property
    def fields(self) -> str: ...


def to_row(identity: int, record: Record, prepared: _Row | None = None) -> tuple[Any, ...]:
    return (
        identity,
        record.key,
        record.kind,
        record.space,
        record.parent,
        record.title,
        dump(record.fields) if prepared is None else prepared.fields,
        dump(record.facets),
        record.updated,
        int(record.deleted),
        record.version,
    )


def to_edge(row: Sequence[Any]) -> Edge:
    source, kind, target, facets = row
    return Edge(source, target, kind, json.loads(facets) if facets != "{}" else {})


def by_key(connection: Connection, keys: Iterable[str]) -> dict[str, Stored]:
    """Records by key, deleted ones included."""
    rows = connection.execute(f"{_SELECT} where key in (select value from json_each(?))", (dump(list(keys)),))
    return {record.key: (identity, record) for identity, record in map(to_record, rows)}


def by_id(connection: Connection, identities: Sequence[int]) -> dict[int, Record]:
    rows = connection.execute(f"{_SELECT} where id in (select value from json_each(?))", (dump(list(identities)),))
    return dict(map(to_record, rows))


def with_tag(connection: Connection, name: str) -> dict[str, Stored]:
    rows = connection.execute(f"{_SELECT} where id in (select record from tag where name = ?)", (name,))
    return {record.key: (identity, record) for identity, record in map(to_record, rows)}


def every(connection: Connection) -> Iterator[Stored]:
    return map(to_record, connection.execute(f"{_SELECT} order by key"))


def every_edge(connection: Connection) -> Iterator[Edge]:
    return map(to_edge, connection.execute("select source, kind, target, facets from edge order by source, kind, target"))


def dump(value: Any) -> str:
    return _ENCODER.encode(dict(value) if hasattr(value, "items") else value)
