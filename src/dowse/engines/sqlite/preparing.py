"""What of a write can be done beforehand, also in another process? Everything that needs the record alone."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from dowse.engines.embedding import Meaning, embed
from dowse.engines.sqlite.checking import begun
from dowse.engines.sqlite.documents import Document, make_document
from dowse.engines.sqlite.packing import Packed, pack
from dowse.model.record import Record
from dowse.model.schema import Schema
from dowse.ports import Embedder


class Prepared(NamedTuple):
    """A record as its row and its lanes hold it, and with a model its passages and their vectors.

    ``check``: what the sum over the record begins with (see ``checking``).
    """

    packed: Packed
    document: Document
    check: int
    meaning: Meaning | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # They go from process to process by the thousand: each in one piece, not in three.
        return _restored, (*self.packed, *self.document, self.check, self.meaning)


def _restored(
    fields: str | bytes, facets: str, columns: tuple[str, ...], name: str, alternates: str, check: int, meaning: Meaning | None
) -> Prepared:
    # As their own constructors do it, which are written in Python.
    made: Prepared = _new(Prepared, (_new(Packed, (fields, facets)), _new(Document, (columns, name, alternates)), check, meaning))
    return made


_new: Any = tuple.__new__


def prepare(schema: Schema, embedder: Embedder | None, records: Sequence[Record]) -> list[Prepared]:
    meanings = embed(schema, records, embedder) if embedder is not None else [None] * len(records)
    return [_prepared(schema, record, meaning) for record, meaning in zip(records, meanings, strict=True)]


def _prepared(schema: Schema, record: Record, meaning: Meaning | None) -> Prepared:
    tags = tuple(sorted(set(record.tags)))
    # As it will be stored: words of tags count as often and in the order in which they stand there.
    stored = record if tags == record.tags else replace(record, tags=tags)
    packed = pack(record.key, record.fields, record.facets)
    return Prepared(packed, make_document(schema, stored), begun(stored), meaning)
