"""What of a record's meaning can be made beforehand, in any process? Its passages, and with a swift model their vectors."""

from typing import NamedTuple

from dowse.engines.passaging import digest_of, passages_of
from dowse.engines.quantising import Values, quantise
from dowse.errors import EmbeddingFailed
from dowse.model.change import KeepVectors
from dowse.model.passage import Profile
from dowse.model.record import Record
from dowse.model.schema import Schema
from dowse.ports import Embedder


class Meaning(NamedTuple):
    """The digests of a record's passages in order, and if a model made their vectors, which, and the rows of numbers."""

    digests: tuple[bytes, ...]
    fingerprint: str = ""
    values: Values | None = None


def cut(schema: Schema, record: Record) -> Meaning:
    return Meaning(tuple(digest_of(passage.text) for passage in passages_of(schema.kinds[record.kind], record)))


def embed(schema: Schema, record: Record, embedder: Embedder) -> Meaning:
    """The meaning with its vectors. A slow model or one that fails leaves them to be made later."""
    if not embedder.profile.swift:
        return cut(schema, record)
    passages = passages_of(schema.kinds[record.kind], record)
    digests = tuple(digest_of(passage.text) for passage in passages)
    if not passages:
        return Meaning(digests)
    try:
        vectors = embedder.embed([passage.text for passage in passages])
        return Meaning(digests, embedder.profile.fingerprint, quantise(vectors, embedder.profile.dimension))
    except EmbeddingFailed:
        return Meaning(digests)


def quantised(kept: KeepVectors, profile: Profile) -> Meaning:
    """Vectors that were made later, as they are kept."""
    values = quantise(kept.vectors, profile.dimension)
    if len(values) != len(kept.digests):
        raise EmbeddingFailed(f"The model {profile.name} gave {len(values)} vectors for {len(kept.digests)} texts.")
    return Meaning(kept.digests, kept.fingerprint, values)
