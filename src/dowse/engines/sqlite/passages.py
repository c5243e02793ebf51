"""What do the passages of some records mean, and which still wait for their vector?"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.engines.passaging import digest_of, passages_of
from dowse.engines.quantising import Question, restored
from dowse.engines.sqlite import rows
from dowse.engines.sqlite.driver import Connection
from dowse.engines.sqlite.meaning import Cosines, Ids, Nearby
from dowse.engines.sqlite.vectors import Slots
from dowse.model.passage import Passage
from dowse.model.schema import Schema


class _Places(NamedTuple):
    """Where the vectors of some records are, in ascending order; whose each is, and of which of its passages."""

    slots: Slots
    records: Ids
    numbers: Ids


def similarity(nearby: Nearby, asked: Question, handles: Ids) -> Cosines:
    """For each record the cosine of its best passage; 0 where it has none."""
    places = _places(nearby, handles)
    best = np.full(len(handles), -np.inf)
    order = np.argsort(handles, kind="stable")
    at = order[np.searchsorted(handles, places.records, sorter=order)]
    np.maximum.at(best, at, nearby.compare(asked, places.slots))
    return np.where(np.isneginf(best), 0.0, best)


def closest(nearby: Nearby, schema: Schema, asked: Question, handles: Ids) -> list[Passage | None]:
    """For each record its passage that is closest; of equals the first."""
    places = _places(nearby, handles)
    order = np.lexsort((places.numbers, -nearby.compare(asked, places.slots), places.records))[::-1]
    numbers = dict(zip(places.records[order].tolist(), places.numbers[order].tolist(), strict=True))
    stored = rows.by_id(nearby.connection, sorted(numbers))
    cut = {identity: passages_of(schema.kinds[record.kind], record) for identity, record in stored.items()}
    return [cut[handle][numbers[handle]] if handle in numbers else None for handle in handles.tolist()]


def meanings(nearby: Nearby, handles: Ids) -> list[NDArray[np.float32] | None]:
    """For each record the vectors of its passages in order; None if it has none that says anything."""
    places = _places(nearby, handles)
    order = np.lexsort((places.numbers, places.records))
    whole = restored(*nearby.vectors.rows(nearby.connection, places.slots))[order]
    starts, ends = (np.searchsorted(places.records[order], handles, side).tolist() for side in ("left", "right"))
    return [whole[start:end] if end > start else None for start, end in zip(starts, ends, strict=True)]


def unembedded(connection: Connection, schema: Schema, limit: int) -> list[tuple[bytes, str]]:
    """Texts that wait, each under its digest, by record; no text twice."""
    wanted: dict[bytes, tuple[int, int]] = {}
    waiting = connection.execute("select record, number, digest from passage where waiting order by record, number")
    for record, number, digest in waiting:
        if len(wanted) >= limit:
            break
        wanted.setdefault(digest, (record, number))
    stored = rows.by_id(connection, sorted({record for record, _ in wanted.values()}))
    texts = {
        (identity, number): passage.text
        for identity, record in stored.items()
        for number, passage in enumerate(passages_of(schema.kinds[record.kind], record))
    }
    found = [(digest, texts.get(place, "")) for digest, place in wanted.items()]
    # A passage that was cut otherwise has no text any more; making the index again drops it.
    return [(digest, text) for digest, text in found if digest_of(text) == digest]


def _places(nearby: Nearby, handles: Ids) -> _Places:
    found = nearby.connection.execute(
        "select passage.id, passage.record, number from json_each(?) wanted"
        " cross join passage on passage.record = wanted.value where not waiting order by passage.id",
        (rows.dump(sorted(set(handles.tolist()))),),
    )
    listed = np.array(list(found), np.int64).reshape(-1, 3)
    said = nearby.owners(listed[:, 0]) > 0
    return _Places(listed[said, 0], listed[said, 1], listed[said, 2])
