"""What is known of some records besides their texts? Asked of the cluster once, for many at a time."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dowse.engines.opensearch.documents import handle_of
from dowse.engines.opensearch.driver import Json
from dowse.engines.opensearch.scoping import EVERY_RECORD, MOST_TERMS, Attributes, all_of, terms_query
from dowse.engines.opensearch.snapshots import MOST, Reader

# Everything that is kept in columns, so that no text is read for it.
COLUMNS = ("handle", "key", "kind", "space", "parent", "state", "updated", "tags", "facet", "ancestors", "title")
# Records kept in mind by one view; who asks for more asks again.
_MOST_KEPT = 50_000


class Known:
    """The attributes of records at one moment."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._by_handle: dict[int, Attributes | None] = {}

    def of(self, handles: Iterable[int]) -> dict[int, Attributes]:
        """Of each of some records that exists."""
        wanted = list(dict.fromkeys(handles))
        missing = [handle for handle in wanted if handle not in self._by_handle]
        if missing:
            if len(self._by_handle) > _MOST_KEPT:
                self._by_handle.clear()
                missing = wanted
            self._by_handle.update(dict.fromkeys(missing))
            for start in range(0, len(missing), MOST):
                self._read(missing[start : start + MOST])
        return {handle: item for handle in wanted if (item := self._by_handle[handle]) is not None}

    def keys(self, handles: Sequence[int]) -> dict[int, str]:
        """The keys alone, for many."""
        found = {handle: item.key for handle in handles if (item := self._by_handle.get(handle)) is not None}
        missing = [handle for handle in handles if handle not in found]
        for start in range(0, len(missing), MOST_TERMS):
            query = all_of([EVERY_RECORD, terms_query("handle", missing[start : start + MOST_TERMS])])
            for hit in self._reader.every(query, ["handle"], **columns("key")):
                found[hit["sort"][0]] = hit["fields"]["key"][0]
        return found

    def _read(self, handles: Sequence[int]) -> None:
        query = all_of([EVERY_RECORD, terms_query("handle", list(handles))])
        body = {"query": query, "size": len(handles), "track_total_hits": False, **columns(*COLUMNS)}
        for hit in self._reader.complete(body)["hits"]["hits"]:
            self.remember(hit)

    def remember(self, hit: Json) -> int:
        """Keeps what a hit tells that came with all columns; returns its number."""
        item = to_attributes(hit["fields"])
        self._by_handle[item.handle] = item
        return item.handle

    def learn(self, document: Json) -> None:
        """Keeps what a whole document tells."""
        self._by_handle[document["handle"]] = _of_document(document)


def container(known: Mapping[int, Attributes], handle: int, kinds: tuple[str, ...]) -> int:
    """The nearest live record of some kinds, itself or above it; 0 where there is none."""
    seen: set[int] = set()
    here: int | None = handle
    while here is not None and here in known and here not in seen:
        seen.add(here)
        item = known[here]
        if item.is_live and item.kind in kinds:
            return here
        here = handle_of(item.parent) if item.parent is not None else None
    return 0


def columns(*names: str) -> Json:
    """What a search must say to answer with columns and no texts."""
    return {"docvalue_fields": list(names), "_source": False, "stored_fields": "_none_"}


def _of_document(document: Json) -> Attributes:
    return Attributes(
        document["handle"],
        document["key"],
        document["kind"],
        document["space"],
        document.get("parent"),
        document["state"],
        float(document["updated"]),
        tuple(sorted(document["tags"])),
        frozenset(document["facet"]),
        frozenset(document["ancestors"]),
        document["title"],
    )


def to_attributes(fields: dict[str, list[Any]]) -> Attributes:
    parent = fields.get("parent")
    title = fields.get("title")
    return Attributes(
        fields["handle"][0],
        fields["key"][0],
        fields["kind"][0],
        fields["space"][0],
        parent[0] if parent else None,
        fields["state"][0],
        float(fields["updated"][0]),
        tuple(fields.get("tags", ())),
        frozenset(fields.get("facet", ())),
        frozenset(fields["ancestors"]),
        title[0] if title else None,
    )
