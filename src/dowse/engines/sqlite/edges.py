"""Who links to whom, in one snapshot? Edges that were written, and those that parents have to their children."""

from collections import Counter
from collections.abc import Iterator, Sequence

from dowse.engines.sqlite import rows
from dowse.engines.sqlite.columns import Columns
from dowse.engines.sqlite.driver import Connection, value
from dowse.engines.sqlite.postings import PostingsCache
from dowse.engines.sqlite.scoping import Mask, of_kinds
from dowse.model.record import Edge
from dowse.model.schema import Schema
from dowse.ports import Direction


class Edges:
    """Both kinds of edges as one snapshot sees them."""

    def __init__(self, connection: Connection, schema: Schema, columns: Columns, cache: PostingsCache, generation: int) -> None:
        self._connection = connection
        self._schema = schema
        self._columns = columns
        self._cache = cache
        self._generation = generation

    def may_be(self, kinds: tuple[str, ...]) -> bool:
        """Whether there may be any of these kinds."""
        return self._are_written or bool(self._held_kinds(kinds))

    def at(self, keys: Sequence[str], direction: Direction, kinds: tuple[str, ...]) -> list[Edge]:
        """Those of some records; of all kinds where none are named."""
        found: set[Edge] = set()
        written, held = self._are_written, self._held_kinds(kinds)
        if direction is not Direction.INCOMING:
            found.update(self._written("source", keys, kinds) if written else ())
            found.update(self._held("parent", keys, held) if held else ())
        if direction is not Direction.OUTGOING:
            found.update(self._written("target", keys, kinds) if written else ())
            found.update(self._held("key", keys, held) if held else ())
        return sorted(found)

    def counts(self, mask: Mask) -> dict[str, int]:
        """How many of each kind were written between records of a mask."""
        found = self._connection.execute(
            """
            select edge.kind, start.id, finish.id from edge
            join record start on start.key = edge.source
            join record finish on finish.key = edge.target
            """
        )
        return dict(sorted(Counter(kind for kind, source, target in found if mask[source] and mask[target]).items()))

    @property
    def _are_written(self) -> bool:
        """Whether anyone wrote an edge at all: in many workspaces nobody did, and every search asks."""
        state = (self._generation,)
        known = self._cache.get(("edges",), state)
        if known is None:
            known = bool(value(self._connection, "select exists (select 1 from edge)"))
            self._cache.put(("edges",), state, known, 100)
        return bool(known)

    def _written(self, end: str, keys: Sequence[str], kinds: tuple[str, ...]) -> Iterator[Edge]:
        found = self._connection.execute(
            edges_at_sql(end, bool(kinds)), (rows.dump(list(keys)), *((rows.dump(kinds),) if kinds else ()))
        )
        return map(rows.to_edge, found)

    def _held_kinds(self, kinds: tuple[str, ...]) -> dict[str, str]:
        """Kinds of records that their parents hold by an edge of one of these kinds, and which; only those there are."""

        def look() -> dict[str, str]:
            held = {kind.name: kind.parent_edge for kind in self._schema.kinds.values() if kind.parent_edge}
            return {
                name: edge
                for name, edge in held.items()
                if (not kinds or edge in kinds) and of_kinds(self._connection, self._columns, (name,)).size
            }

        return self._columns.once(("held", kinds), look) if self._columns.has_room else look()

    def _held(self, end: str, keys: Sequence[str], wanted: dict[str, str]) -> Iterator[Edge]:
        """The edges that parents have to their children without anyone writing them."""
        found = self._connection.execute(
            f"""
            select record.parent, record.key, record.kind from json_each(?) wanted cross join record on record.{end} = wanted.value
            where not record.deleted and record.kind in (select value from json_each(?))
              and exists (select 1 from record above where above.key = record.parent and not above.deleted)
            """,
            (rows.dump(list(keys)), rows.dump(sorted(wanted))),
        )
        for parent, key, kind in found:
            yield Edge(parent, key, wanted[kind])


def edges_at_sql(end: str, by_kind: bool) -> str:
    """Edges whose source or target is one of some keys and whose both ends are live; served by the index on that end."""
    kinds = " and edge.kind in (select value from json_each(?))" if by_kind else ""
    return f"""
        select edge.source, edge.kind, edge.target, edge.facets from json_each(?) wanted
        cross join edge on edge.{end} = wanted.value
        where exists (select 1 from record where key = edge.source and not deleted)
          and exists (select 1 from record where key = edge.target and not deleted){kinds}
    """
