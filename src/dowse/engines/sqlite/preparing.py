"""What of a write can be done beforehand, also in another process? Everything that needs the record alone."""

from typing import NamedTuple

from dowse.engines.sqlite import rows
from dowse.engines.sqlite.lanes import Document, make_document
from dowse.model.record import Record
from dowse.model.schema import Schema


class Prepared(NamedTuple):
    """A record as its row and its lanes hold it."""

    fields: str
    document: Document


def prepare(schema: Schema, record: Record) -> Prepared:
    return Prepared(rows.dump(record.fields), make_document(schema, record))
