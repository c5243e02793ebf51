"""How does a record lie in the truth tables? Rows to records and back."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dowse.engines.sqlite.driver import Connection
from dowse.engines.sqlite.packing import Packed, pack, unpack
from dowse.engines.sqlite.telling import dump as dump
from dowse.model.record import Edge, Record
from dowse.text.folding import fold

RECORD_COLUMNS = "id, key, kind, space, parent, title, fields, facets, updated, deleted, version"
_KEY, _TITLE, _FIELDS, _FACETS = (RECORD_COLUMNS.split(", ").index(name) for name in ("key", "title", "fields", "facets"))
_TAGS = "(select json_group_array(name) from (select name from tag where tag.record = record.id order by name))"
_SELECT = f"select {RECORD_COLUMNS}, {_TAGS} from record"

Stored = tuple[int, Record]


def to_record(row: Sequence[Any]) -> Stored:
    identity, key, kind, space, parent, title, fields, facets, updated, deleted, version, tags = row
    texts, about = unpack(key, fields, facets)
    record = Record(
        key=key,
        kind=kind,
        title=title,
        fields=json.loads(texts) if texts != "{}" else {},
        space=space,
        parent=parent,
        tags=tuple(json.loads(tags)) if tags != "[]" else (),
        facets=json.loads(about) if about != "{}" else {},
        updated=updated,
        deleted=bool(deleted),
        version=version,
    )
    return identity, record


def to_row(identity: int, record: Record, packed: Packed | None = None) -> tuple[Any, ...]:
    fields, facets = packed or pack(record.key, record.fields, record.facets)
    return (
        identity,
        record.key,
        record.kind,
        record.space,
        record.parent,
        record.title,
        fields,
        facets,
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


def holding(connection: Connection, identities: Sequence[int], literal: str) -> Iterator[Stored]:
    """Those of some records that may hold a folded string in a text, by their numbers: all that do, and seldom another.

    Told by a look at what is kept. Only quotes, backslashes and controls are kept in another way than they read, and folding goes
    character by character: whatever holds none of those stands there as it stands in the text.
    """
    as_kept = not any(character in '"\\' or character < " " for character in literal)
    for row in connection.execute(f"{_SELECT} where id in (select value from json_each(?)) order by id", (dump(list(identities)),)):
        title, tags = row[_TITLE], row[-1]
        fields, facets = unpack(row[_KEY], row[_FIELDS], row[_FACETS])
        # Tags read as one text, with blanks between.
        if not as_kept or tags != "[]" or literal in fold(fields) or literal in fold(title):
            yield to_record((*row[:_FIELDS], fields, facets, *row[_FACETS + 1 :]))


def with_tag(connection: Connection, name: str) -> dict[str, Stored]:
    rows = connection.execute(f"{_SELECT} where id in (select record from tag where name = ?)", (name,))
    return {record.key: (identity, record) for identity, record in map(to_record, rows)}


def every(connection: Connection) -> Iterator[Stored]:
    return map(to_record, connection.execute(f"{_SELECT} order by key"))


def every_edge(connection: Connection) -> Iterator[Edge]:
    return map(to_edge, connection.execute("select source, kind, target, facets from edge order by source, kind, target"))
