"""Which documents does a batch write? Those of its records, and of others that carry along what is above them."""

from collections.abc import Iterator
from dataclasses import dataclass

from dowse.engines.opensearch.batching import Batch
from dowse.engines.opensearch.documents import LIVE, attributes, load_record, record_document, record_id, scoped, state_of
from dowse.engines.opensearch.driver import Json, Operation
from dowse.engines.opensearch.lanes import Lanes, Stemmer, make_lanes
from dowse.engines.opensearch.scanning import scan
from dowse.engines.opensearch.scoping import any_of, terms_query
from dowse.model.record import Record
from dowse.model.schema import Schema

_SCOPED = ("handle", "kind", "space", "tags", "facet", "state", "parent")
# Higher than any tree that people make; a bound for damaged ones.
_DEEPEST = 1000


@dataclass(frozen=True, slots=True)
class Placed:
    """A record as it will be: what is known of it besides its texts, and the words of those that can be found."""

    record: Record
    known: Json
    lanes: Lanes | None


class Placing:
    """Works out the documents of a batch once all its changes are folded in."""

    def __init__(self, batch: Batch, schema: Schema, stemmer: Stemmer) -> None:
        self._batch = batch
        self._schema = schema
        self._stemmer = stemmer
        self.changed = batch.changed()

    def placed(self) -> Iterator[Placed]:
        """Every record whose document changes, touched ones first."""
        own = [held[1] for key in self.changed if (held := self._batch.after[key]) is not None]
        others = self._others()
        everyone = [*own, *others]
        self._batch.learn(record.parent for record in everyone if record.parent is not None)
        for record in everyone:
            known = attributes(record, self._line(record), None)
            above = self._above(record)
            yield Placed(record, known | ({"p": above} if above is not None else {}), self._lanes(record))

    def gone(self) -> list[str]:
        return [key for key in self.changed if self._batch.after[key] is None and key in self._batch.before]

    def _others(self) -> list[Record]:
        """Records that are not touched and stand below ones that moved, came or went, or have a parent that is filed otherwise."""
        moved, refiled = [], []
        for key in self.changed:
            held, before = self._batch.after[key], self._batch.before.get(key)
            after = held[1] if held is not None else None
            if before is None or after is None or before.parent != after.parent:
                moved.append(key)
            if before is None or after is None or scoped(before) != scoped(after):
                refiled.append(key)
        if not moved and not refiled:
            return []
        query = any_of([terms_query("ancestors", moved), terms_query("parent", refiled)])
        touched = set(self.changed)
        hits = scan(self._batch.cluster, self._batch.truth, query, ["key"], ["key", "stored", "ancestors"])
        found = []
        for hit in hits:
            document = hit["_source"]
            if document["key"] not in touched:
                self._batch.place(document["ancestors"])
                found.append(load_record(document["stored"]))
        return found

    def _line(self, record: Record) -> list[str]:
        line = [record.key]
        parent = record.parent
        while parent is not None and parent not in line and len(line) < _DEEPEST:
            line.append(parent)
            parent = self._batch.parent_of(parent)
        return line

    def _above(self, record: Record) -> Json | None:
        if record.parent is None:
            return None
        held = self._batch.now(record.parent)
        if held is not None or record.parent in self._batch.after:
            return scoped(held[1]) if held is not None else None
        known = self._batch.known.get(record.parent)
        return {name: known[name] for name in _SCOPED if name in known} if known is not None else None

    def _lanes(self, record: Record) -> Lanes | None:
        if state_of(record) != LIVE:
            return None
        prepared = self._batch.prepared_for(record)
        return prepared.lanes if prepared is not None else make_lanes(self._schema, record, self._stemmer)


def operations(truth: str, placed: list[Placed], gone: list[str]) -> list[Operation]:
    written = [
        Operation(truth, record_id(item.record.key), record_document(item.known, item.record, item.lanes)) for item in placed
    ]
    return [*written, *(Operation(truth, record_id(key), None) for key in gone)]
