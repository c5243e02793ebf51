"""Who is linked to whom? Edges that were written, and those that parents have to their children."""

from collections.abc import Iterator, Mapping, Sequence

from dowse.engines.opensearch.documents import DELETED, handle_of, load_edge
from dowse.engines.opensearch.driver import Json
from dowse.engines.opensearch.known import Known, columns
from dowse.engines.opensearch.scoping import EVERY_RECORD, Attributes, all_of, any_of, terms_query
from dowse.engines.opensearch.snapshots import Reader, paged
from dowse.model.record import Edge
from dowse.model.schema import Schema
from dowse.ports import Direction

_ORDER = ("source", "edge", "target")
_HELD = columns("parent", "kind")
_ENDS = {Direction.OUTGOING: ("source",), Direction.INCOMING: ("target",), Direction.ALL: ("source", "target")}


def edges(
    reader: Reader, known: Known, schema: Schema, keys: Sequence[str], direction: Direction, kinds: tuple[str, ...]
) -> list[Edge]:
    """Edges at some records whose both ends are live."""
    if not keys:
        return []
    ends = any_of([terms_query(end, keys) for end in _ENDS[direction]])
    narrowed = all_of([ends, {"terms": {"edge": list(kinds)}}]) if kinds else ends
    wanted = {name: edge for name, edge in _parental(schema).items() if not kinds or edge in kinds}
    below = _held(keys, direction, wanted) if wanted else None
    bodies = [paged(narrowed, _ORDER), *([paged(below, ["key"], **_HELD)] if below is not None else [])]
    first, *more = reader.first_pages(bodies)
    found = {load_edge(hit["_source"]) for hit in reader.every(narrowed, _ORDER, first=first)}
    if below is not None:
        for hit in reader.every(below, ["key"], first=more[0], **_HELD):
            found.add(Edge(hit["fields"]["parent"][0], hit["sort"][0], wanted[hit["fields"]["kind"][0]]))
    there = known.of({handle_of(end) for edge in found for end in (edge.source, edge.target)})
    return sorted(edge for edge in found if _exists(there, edge.source) and _exists(there, edge.target))


def every(reader: Reader) -> Iterator[Edge]:
    return (load_edge(hit["_source"]) for hit in reader.every({"term": {"c": "edge"}}, _ORDER))


def _parental(schema: Schema) -> dict[str, str]:
    """The kinds to which parents have an edge without anyone writing it, and what it is called."""
    return {kind.name: kind.parent_edge for kind in schema.kinds.values() if kind.parent_edge}


def _held(keys: Sequence[str], direction: Direction, wanted: Mapping[str, str]) -> Json:
    """Finds the children of such edges."""
    at = []
    if direction is not Direction.INCOMING:
        at.append(terms_query("parent", keys))
    if direction is not Direction.OUTGOING:
        at.append(terms_query("handle", sorted(map(handle_of, keys))))
    return all_of([EVERY_RECORD, {"terms": {"kind": sorted(wanted)}}, {"exists": {"field": "parent"}}, any_of(at)])


def _exists(known: dict[int, Attributes], key: str) -> bool:
    item = known.get(handle_of(key))
    return item is not None and item.key == key and item.state != DELETED
