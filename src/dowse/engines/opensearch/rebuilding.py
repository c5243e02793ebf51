"""How is an index made again? Aside, from the records, while readers go on with the old one."""

from collections.abc import Iterable, Iterator
from itertools import islice

from dowse.engines.opensearch import mapping
from dowse.engines.opensearch.committing import Ledger, Read, chunks, line_of
from dowse.engines.opensearch.documents import (
    LIVE,
    attributes,
    load_record,
    record_document,
    state_of,
)
from dowse.engines.opensearch.driver import Cluster, Json, Operation
from dowse.engines.opensearch.indices import create
from dowse.engines.opensearch.keeping import Keeper, Known
from dowse.engines.opensearch.lanes import Stemmer, make_lanes
from dowse.engines.opensearch.placing import Placed
from dowse.engines.opensearch.scanning import count, scan
from dowse.engines.opensearch.scoping import EVERY_RECORD
from dowse.engines.opensearch.vocabulary import Learnt, word_lines
from dowse.errors import StorageError
from dowse.model.passage import Profile
from dowse.model.schema import Schema

# Records in memory at once.
_AT_ONCE = 500
_ORDERS = {"record": ["key"], "edge": ["source", "edge", "target"], "source": ["space", "path"], "mark": ["name"]}
_PLACE = ("p", "ancestors", "stored")


class Rebuilder:
    """Fills new indices while a lease keeps other writers out."""

    def __init__(self, cluster: Cluster, ledger: Ledger, schema: Schema, stemmer: Stemmer, held: Read) -> None:
        self._cluster = cluster
        self._ledger = ledger
        self._schema = schema
        self._stemmer = stemmer
        self.held = held
        self._version = held.state.commit + 1
        self._learnt = Learnt()

    def truth(self, index: str, words: str) -> int:
        """Every document anew; returns how many records can be found."""
        state = self.held.state
        create(self._cluster, index, mapping.truth(mapping.shards_for(count(self._cluster, state.truth, EVERY_RECORD))))
        create(self._cluster, words, mapping.words())
        found = 0
        for chunk in _batched(self._everything(), _AT_ONCE):
            lines: list[str] = []
            new: dict[str, str] = {}
            for hit in chunk:
                document = hit["_source"]
                if document["c"] == "record":
                    placed = self._placed(document)
                    document = record_document(placed.known, placed.record, placed.lanes)
                    found += placed.lanes is not None
                    new |= placed.lanes.vocabulary() if placed.lanes is not None else {}
                lines.append(line_of(Operation(index, hit["_id"], document, self._version)))
            new = self._learnt.unknown(new)
            self._send([*word_lines(words, new), *lines])
            self._learnt.remember(new)
        self._cluster.refresh(index, words)
        return found

    def passages(self, index: str, profile: Profile, known: Known, without: Iterable[str] = (), *, before: bool = True) -> None:
        """The passages of every record but some; with vectors that came along, or that the passages in use have.

        ``before`` false: those are another model's.
        """
        state = self.held.state
        shards = mapping.shards_for(count(self._cluster, state.truth, EVERY_RECORD))
        create(self._cluster, index, mapping.passages(shards, profile.dimension))
        left_out = set(without)
        keeper = Keeper(self._cluster, index, profile, self._schema)
        used = state.passages if before else None
        old = Keeper(self._cluster, used, profile, self._schema) if used is not None else None
        for chunk in _batched(scan(self._cluster, state.truth, EVERY_RECORD, ["key"], _PLACE, size=_AT_ONCE), _AT_ONCE):
            placed = [item for hit in chunk if (item := self._placed(hit["_source"], found=False)).record.key not in left_out]
            kept = old.vectors_of(placed) if old is not None else {}
            operations = keeper.all_waiting(placed, {**kept, **known})
            self._send([line_of(operation._replace(version=self._version)) for operation in operations])
        self._cluster.refresh(index)

    def _everything(self) -> Iterator[Json]:
        """Every document, concern by concern in an order that tells them apart."""
        for concern, sort in _ORDERS.items():
            yield from scan(self._cluster, self.held.state.truth, {"term": {"c": concern}}, sort, size=_AT_ONCE)

    def _placed(self, document: Json, *, found: bool = True) -> Placed:
        record = load_record(document["stored"])
        known = attributes(record, document["ancestors"], None)
        if "p" in document:
            known["p"] = document["p"]
        live = found and state_of(record) == LIVE
        return Placed(record, known, make_lanes(self._schema, record, self._stemmer) if live else None)

    def _send(self, lines: list[str]) -> None:
        for chunk in chunks(lines):
            refused = [why for _, why in self._cluster.bulk(chunk) if why.get("status") != 409]
            if refused:
                raise StorageError(f"{self._cluster.address} refused a document: {refused[0].get('error', refused[0])}.")
        self.held = self._ledger.alive(self.held)


def _batched(hits: Iterator[Json], size: int) -> Iterator[list[Json]]:
    while chunk := list(islice(hits, size)):
        yield chunk
