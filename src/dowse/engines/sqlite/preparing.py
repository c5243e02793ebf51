"""What of a write can be done beforehand, also in another process? Everything that needs the record alone."""

from dataclasses import replace
from typing import NamedTuple

from dowse.engines.embedding import Meaning, embed
from dowse.engines.sqlite import rows
from dowse.engines.sqlite.lanes import Document, make_document
from dowse.model.record import Record
from dowse.model.schema import Schema
from dowse.ports import Embedder


class Prepared(NamedTuple):
    """A record as its row and its lanes hold it, and with a model its passages and their vectors."""

    fields: str
    document: Document
    meaning: Meaning | None = None


def prepare(schema: Schema, embedder: Embedder | None, record: Record) -> Prepared:
    meaning = embed(schema, record, embedder) if embedder is not None else None
    tags = tuple(sorted(set(record.tags)))
    # As it will be stored: words of tags count as often and in the order in which they stand there.
    stored = record if tags == record.tags else replace(record, tags=tags)
    return Prepared(rows.dump(record.fields), make_document(schema, stored), meaning)
