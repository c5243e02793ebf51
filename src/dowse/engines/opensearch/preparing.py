"""What of a write can be done beforehand, also in another process? Everything that needs the record alone."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from dowse.engines.embedding import Meaning, embed
from dowse.engines.opensearch.lanes import Lanes, StemAll, Stemmer, make_lanes
from dowse.model.record import Record
from dowse.model.schema import Schema
from dowse.ports import Embedder


class Prepared(NamedTuple):
    """A record's lanes, and with a model its passages and their vectors."""

    lanes: Lanes
    meaning: Meaning | None = None


def prepare(schema: Schema, stem_all: StemAll, embedder: Embedder | None, records: Sequence[Record]) -> list[Prepared]:
    meanings = embed(schema, records, embedder) if embedder is not None else [None] * len(records)
    return [_prepared(schema, stem_all, record, meaning) for record, meaning in zip(records, meanings, strict=True)]


def _prepared(schema: Schema, stem_all: StemAll, record: Record, meaning: Meaning | None) -> Prepared:
    tags = tuple(sorted(set(record.tags)))
    # As it will be stored: words of tags count as often and in the order in which they stand there.
    stored = record if tags == record.tags else replace(record, tags=tags)
    return Prepared(make_lanes(schema, stored, _stemmer(stem_all)), meaning)


@lru_cache(maxsize=2)
def _stemmer(stem_all: StemAll) -> Stemmer:
    return Stemmer(stem_all)
