"""Is a record still the one that was written? A sum over everything it holds, the same wherever it was read from."""

import zlib

from dowse.engines.sqlite.telling import summed
from dowse.model.record import Record


def check_of(record: Record) -> int:
    return ended(begun(record), record)


def begun(record: Record) -> int:
    """The sum over what is known of a record before it is written."""
    texts = (record.key, record.kind, record.title, record.space, record.parent or "", *record.tags)
    return summed(texts, record.fields, record.facets, float(record.updated))


def ended(begun: int, record: Record) -> int:
    """The whole sum, with what only the store knows."""
    return zlib.crc32(f", {record.deleted}, {record.version})".encode(), begun)
