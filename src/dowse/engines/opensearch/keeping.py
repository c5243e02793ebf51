"""How are passages and their vectors kept? A document a passage, under its record's number, with what scopes ask of the record."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from dowse.engines.embedding import Meaning, cut
from dowse.engines.opensearch.documents import dump_values, handle_of, load_values, passage_id
from dowse.engines.opensearch.driver import Cluster, Json, Operation
from dowse.engines.opensearch.placing import Placed
from dowse.engines.opensearch.scanning import count, scan
from dowse.engines.opensearch.scoping import all_of, terms_query
from dowse.engines.quantising import Values
from dowse.model.passage import Profile
from dowse.model.schema import Schema

Known = dict[bytes, Values]
WAITING: Json = {"term": {"waiting": True}}


class _Kept(NamedTuple):
    """A passage as it is stored."""

    identity: str
    document: Json

    @property
    def digest(self) -> bytes:
        return bytes.fromhex(self.document["digest"])

    @property
    def values(self) -> Values | None:
        return load_values(self.document["stored"]) if not self.document["waiting"] else None


class Keeper:
    """Works out what a batch means for the passages of an index."""

    def __init__(self, cluster: Cluster, index: str, profile: Profile, schema: Schema) -> None:
        self._cluster = cluster
        self._index = index
        self._profile = profile
        self._schema = schema

    def operations(
        self, placed: Sequence[Placed], gone: Sequence[str], made: Mapping[str, Meaning], known: Known
    ) -> tuple[list[Operation], int]:
        """What to write, and how many passages that waited get their vector.

        ``placed``: records whose document changes; ``gone``: purged ones; ``made``: what was made of some beforehand; ``known``:
        vectors that came along.
        """
        stored = self._stored([handle_of(item.record.key) for item in placed] + list(map(handle_of, gone)))
        wanted = {item.record.key: self._digests(item, made) for item in placed}
        held = {kept.digest: values for items in stored.values() for kept in items if (values := kept.values) is not None}
        missing = {digest for digests in wanted.values() for digest in digests} - known.keys() - held.keys()
        vectors = {**self._elsewhere(missing), **held, **{d: row for d, row in known.items() if d not in held}}
        operations: dict[str, Operation] = {}
        came = 0
        for item in placed:
            before = stored.get(handle_of(item.record.key), [])
            had = {kept.digest for kept in before if kept.document["waiting"]}
            came += sum(digest in had and digest in known for digest in wanted[item.record.key])
            for operation in self._of(item, wanted[item.record.key], vectors, before):
                operations[operation.identity] = operation
        for key in gone:
            operations.update(
                {kept.identity: Operation(self._index, kept.identity, None) for kept in stored.get(handle_of(key), [])}
            )
        for kept in self._waiting_for(known, operations):
            came += 1
            document = self._filled({**kept.document, "waiting": False}, known[kept.digest])
            operations[kept.identity] = Operation(self._index, kept.identity, document)
        return list(operations.values()), came

    def all_waiting(self, placed: Iterable[Placed], known: Known) -> Iterator[Operation]:
        """The passages of records in a new index."""
        for item in placed:
            yield from self._of(item, self._digests(item, {}), known, [])

    def vectors_of(self, placed: Sequence[Placed]) -> Known:
        """The vectors that the index has of the texts of some records."""
        return self._elsewhere({digest for item in placed for digest in self._digests(item, {})})

    def _digests(self, item: Placed, made: Mapping[str, Meaning]) -> tuple[bytes, ...]:
        return (made.get(item.record.key) or cut(self._schema, item.record)).digests

    def _of(self, item: Placed, digests: Sequence[bytes], vectors: Known, before: Sequence[_Kept]) -> Iterator[Operation]:
        handle = handle_of(item.record.key)
        for number, digest in enumerate(digests):
            values = vectors.get(digest)
            place = {"record": handle, "number": number, "digest": digest.hex(), "waiting": values is None}
            document = self._filled({"c": "record", **item.known, **place, "stored": ""}, values)
            yield Operation(self._index, passage_id(handle, number), document)
        for kept in before:
            if kept.document["number"] >= len(digests):
                yield Operation(self._index, kept.identity, None)

    def _filled(self, document: Json, values: Values | None) -> Json:
        if values is None:
            return document
        filled: dict[str, Any] = {**document, "stored": dump_values(values)}
        # Whole numbers point where the vector points; one of zeros points nowhere and is never close to anything.
        return {**filled, "vector": values.tolist()} if values.any() else filled

    def _stored(self, handles: Sequence[int]) -> dict[int, list[_Kept]]:
        found: dict[int, list[_Kept]] = {}
        if handles:
            hits = scan(self._cluster, self._index, terms_query("record", sorted(set(handles))), ["record", "number"])
            for hit in hits:
                found.setdefault(hit["_source"]["record"], []).append(_Kept(hit["_id"], hit["_source"]))
        return found

    def _elsewhere(self, digests: set[bytes]) -> Known:
        """The vectors of texts that some passage has already."""
        if not digests:
            return {}
        query = all_of([terms_query("digest", sorted(digest.hex() for digest in digests)), {"term": {"waiting": False}}])
        hits = scan(self._cluster, self._index, query, ["record", "number"], ["digest", "stored"])
        return {bytes.fromhex(hit["_source"]["digest"]): load_values(hit["_source"]["stored"]) for hit in hits}

    def _waiting_for(self, known: Known, written: Mapping[str, Operation]) -> Iterator[_Kept]:
        """Passages of other records that wait for what came along."""
        if not known or not count(self._cluster, self._index, WAITING):
            return
        query = all_of([terms_query("digest", sorted(digest.hex() for digest in known)), WAITING])
        for hit in scan(self._cluster, self._index, query, ["record", "number"]):
            if hit["_id"] not in written:
                yield _Kept(hit["_id"], hit["_source"])


def known_of(meanings: Iterable[Meaning], profile: Profile) -> Known:
    """The vectors that came along, of the model in use."""
    known: Known = {}
    for meaning in meanings:
        if meaning.values is not None and meaning.fingerprint == profile.fingerprint:
            known.update(zip(meaning.digests, np.asarray(meaning.values, np.int8), strict=True))
    return known
