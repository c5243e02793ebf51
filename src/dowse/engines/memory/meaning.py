"""What do the passages of the memory engine mean? A vector a text, kept by digest, and a look at each of them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.engines.embedding import Meaning, quantised
from dowse.engines.memory.store import Store
from dowse.engines.passaging import digest_of, passages_of
from dowse.engines.quantising import Question, Values, cosines, restored, scales_of
from dowse.model.change import Change, KeepVectors, Put, UseModel
from dowse.model.passage import Embedding, Passage
from dowse.model.record import Record
from dowse.model.schema import Schema


class Found(NamedTuple):
    """A passage of a record, and how close it is."""

    passage: Passage
    cosine: float


def remember(store: Store, schema: Schema, changes: Iterable[Change]) -> bool:
    """What a batch means for vectors, once its records are in; returns whether another model is used or a text got its vector.

    Wherever they stand in the batch, the model comes first and the vectors come last.
    """
    listed = list(changes)
    before = store.profile
    for change in listed:
        if isinstance(change, UseModel):
            store.profile = change.profile
    profile = store.profile
    if profile is None or before is None or (profile.fingerprint, profile.dimension) != (before.fingerprint, before.dimension):
        store.vectors = {}
    if profile is None:
        return before is not None
    held = {digest for record in store.records.values() for digest in _digests(schema, record)}
    missing = held - store.vectors.keys()
    came: dict[bytes, Values] = {}
    for change in listed:
        meaning = change.prepared if isinstance(change, Put) else None
        if isinstance(change, KeepVectors) and change.fingerprint == profile.fingerprint:
            meaning = quantised(change, profile)
        if isinstance(meaning, Meaning) and meaning.values is not None and meaning.fingerprint == profile.fingerprint:
            came.update(zip(meaning.digests, meaning.values, strict=True))
    store.vectors = {digest: row for digest, row in {**came, **store.vectors}.items() if digest in held}
    return profile != before or bool(missing & came.keys())


class Passages:
    """The passages of one state of the store."""

    def __init__(self, store: Store, schema: Schema) -> None:
        self._store = store
        self._schema = schema

    @property
    def embedding(self) -> Embedding:
        if self._store.profile is None:
            return Embedding()
        digests = [digest for record in self._store.records.values() for digest in _digests(self._schema, record)]
        done = sum(digest in self._store.vectors for digest in digests)
        return Embedding(self._store.profile, done, len(digests) - done)

    def compared(self, asked: Question, record: Record) -> list[Found]:
        """The passages of a record that say anything, in order."""
        said = self._saying(record)
        return [Found(passage, float(cosines(asked, row[None], scales_of(row[None]))[0])) for passage, row in said]

    def meaning(self, record: Record) -> NDArray[np.float32] | None:
        values = [row for _, row in self._saying(record)]
        return restored(np.array(values), scales_of(np.array(values))) if values else None

    def waiting(self, records: Sequence[Record]) -> dict[bytes, str]:
        """The texts that have no vector yet, by digest."""
        texts = [passage.text for record in records for passage in self._of(record)]
        return {digest_of(text): text for text in texts if digest_of(text) not in self._store.vectors}

    def _saying(self, record: Record) -> list[tuple[Passage, Values]]:
        found = [(passage, self._store.vectors.get(digest_of(passage.text))) for passage in self._of(record)]
        return [(passage, row) for passage, row in found if row is not None and row.any()]

    def _of(self, record: Record) -> tuple[Passage, ...]:
        return passages_of(self._schema.kinds[record.kind], record) if self._store.profile is not None else ()


def _digests(schema: Schema, record: Record) -> list[bytes]:
    return [digest_of(passage.text) for passage in passages_of(schema.kinds[record.kind], record)]
