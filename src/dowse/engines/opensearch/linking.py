"""Who is linked to whom? Edges that were written, and those that parents have to their children."""

from collections.abc import Iterator, Sequence

from dowse.engines.opensearch.documents import DELETED, handle_of, load_edge
from dowse.engines.opensearch.known import Known, columns
from dowse.engines.opensearch.scoping import EVERY_RECORD, Attributes, all_of, any_of, terms_query
from dowse.engines.opensearch.snapshots import Reader
from dowse.model.record import Edge
from dowse.model.schema import Schema
from dowse.ports import Direction

_ORDER = ("source", "edge", "target")
_ENDS = {Direction.OUTGOING: ("source",), Direction.INCOMING: ("target",), Direction.ALL: ("source", "target")}


def edges(
    reader: Reader, known: Known, schema: Schema, keys: Sequence[str], direction: Direction, kinds: tuple[str, ...]
) -> list[Edge]:
    """Edges at some records whose both ends are live."""
    if not keys:
        return []
    ends = any_of([terms_query(end, keys) for end in _ENDS[direction]])
    narrowed = all_of([ends, {"terms": {"edge": list(kinds)}}]) if kinds else ends
    found = {load_edge(hit["_source"]) for hit in reader.every(narrowed, _ORDER)}
    found |= set(_held(reader, schema, keys, direction, kinds))
    there = known.of({handle_of(end) for edge in found for end in (edge.source, edge.target)})
    return sorted(edge for edge in found if _exists(there, edge.source) and _exists(there, edge.target))


def every(reader: Reader) -> Iterator[Edge]:
    return (load_edge(hit["_source"]) for hit in reader.every({"term": {"c": "edge"}}, _ORDER))


def _held(reader: Reader, schema: Schema, keys: Sequence[str], direction: Direction, kinds: tuple[str, ...]) -> Iterator[Edge]:
    """The edges that parents have to their children without anyone writing them."""
    held = {kind.name: kind.parent_edge for kind in schema.kinds.values() if kind.parent_edge}
    wanted = {name: edge for name, edge in held.items() if not kinds or edge in kinds}
    if not wanted:
        return
    at = []
    if direction is not Direction.INCOMING:
        at.append(terms_query("parent", keys))
    if direction is not Direction.OUTGOING:
        at.append(terms_query("handle", sorted(map(handle_of, keys))))
    query = all_of([EVERY_RECORD, {"terms": {"kind": sorted(wanted)}}, {"exists": {"field": "parent"}}, any_of(at)])
    for hit in reader.every(query, ["key"], **columns("parent", "kind")):
        yield Edge(hit["fields"]["parent"][0], hit["sort"][0], wanted[hit["fields"]["kind"][0]])


def _exists(known: dict[int, Attributes], key: str) -> bool:
    item = known.get(handle_of(key))
    return item is not None and item.key == key and item.state != DELETED
