"""What of records' meaning can be made beforehand, in any process? Their passages, and with a swift model their vectors."""

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dowse.engines.passaging import digest_of, passages_of
from dowse.engines.quantising import Values, quantise
from dowse.errors import EmbeddingFailed
from dowse.model.passage import Profile
from dowse.model.record import Record
from dowse.model.schema import Schema
from dowse.ports import Embedder

if TYPE_CHECKING:
    from dowse.model.change import KeepVectors


class Meaning(NamedTuple):
    """The digests of a record's passages in order, and if a model made their vectors, which, and the rows of numbers."""

    digests: tuple[bytes, ...]
    fingerprint: str = ""
    values: Values | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # They go from process to process by the thousand; what NumPy does for an array by itself takes three times as long.
        if self.values is None:
            return Meaning, (self.digests, self.fingerprint)
        return _restored, (self.digests, self.fingerprint, self.values.tobytes(), self.values.shape[1])


def _restored(digests: tuple[bytes, ...], fingerprint: str, values: bytes, dimension: int) -> Meaning:
    return Meaning(digests, fingerprint, np.frombuffer(values, np.int8).reshape(len(digests), dimension))


def cut(schema: Schema, record: Record) -> Meaning:
    return Meaning(tuple(digest_of(passage.text) for passage in passages_of(schema.kinds[record.kind], record)))


def embed(schema: Schema, records: Sequence[Record], embedder: Embedder) -> list[Meaning]:
    """The meaning of each with its vectors. A slow model or one that fails leaves them to be made later."""
    if not embedder.profile.swift:
        return [cut(schema, record) for record in records]
    texts = [[passage.text for passage in passages_of(schema.kinds[record.kind], record)] for record in records]
    meanings = [Meaning(tuple(map(digest_of, found))) for found in texts]
    # What several records say is embedded once.
    places: dict[str, int] = {}
    for text in chain.from_iterable(texts):
        places.setdefault(text, len(places))
    if not places:
        return meanings
    try:
        values = quantise(embedder.embed(list(places)), embedder.profile.dimension)
    except EmbeddingFailed:
        return meanings
    fingerprint = embedder.profile.fingerprint
    return [
        Meaning(meaning.digests, fingerprint, values[[places[text] for text in found]]) if found else meaning
        for meaning, found in zip(meanings, texts, strict=True)
    ]


def quantised(kept: "KeepVectors", profile: Profile) -> Meaning:
    """Vectors that were made later, as they are kept."""
    values = quantise(kept.vectors, profile.dimension)
    if len(values) != len(kept.digests):
        raise EmbeddingFailed(f"The model {profile.name} gave {len(values)} vectors for {len(kept.digests)} texts.")
    return Meaning(kept.digests, kept.fingerprint, values)
