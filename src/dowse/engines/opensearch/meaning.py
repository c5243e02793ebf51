"""What is closest in meaning? What the cluster's graph finds, compared exactly."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.engines.opensearch.documents import load_values
from dowse.engines.opensearch.driver import Json
from dowse.engines.opensearch.scoping import terms_query
from dowse.engines.opensearch.snapshots import MOST, PAGE, Reader
from dowse.engines.passaging import digest_of, passages_of
from dowse.engines.quantising import Values, cosines, question, restored, scales_of
from dowse.model.passage import Passage, Vectors
from dowse.model.ranking import Handles, Ranking
from dowse.model.record import Record
from dowse.model.schema import Schema

# Passages asked for each record that is wanted: records have several, and a graph finds nearly the nearest.
_CANDIDATES = 3
_FEWEST = 100

Cosines = NDArray[np.float64]


class _Row(NamedTuple):
    """A passage of a record as its vector."""

    record: int
    number: int
    values: Values


def counts(reader: Reader) -> tuple[int, int]:
    """How many passages have their vector, and how many wait."""
    if reader.moment.passages is None:
        return 0, 0
    bodies = [{"query": {"term": {"waiting": waiting}}, "size": 0, "track_total_hits": True} for waiting in (False, True)]
    done, waiting = (answer["hits"]["total"]["value"] for answer in reader.search_all(bodies, passages=True))
    return done, waiting


def nearest(
    reader: Reader,
    dimension: int | None,
    vector: Vectors,
    within: Json,
    limit: int,
    floor: float,
    held: int,
    order: Callable[[Handles], Handles],
) -> Ranking:
    """The records whose best passage is closest; equals by key. ``held``: how many passages have a vector."""
    asked = question(vector, dimension) if dimension is not None else None
    if asked is None or reader.moment.passages is None or not limit:
        return Ranking(np.empty(0, np.int64), np.empty(0), np.empty(0))
    many = max(_FEWEST, _CANDIDATES * limit)
    # A graph that is asked for as many as there are looks at each: so far, what it finds is exact.
    reach = MOST if held <= MOST else 0
    reader.partial = False
    while True:
        rows = _candidates(reader, asked.values.tolist(), within, many, reach)
        best = _best(rows, _compare(asked, rows))
        if len(best) >= limit or len(rows) < many or many >= MOST:
            break
        many = min(MOST, many * 4)
    lacking = reader.missed()
    admitted = [handle for handle, (cosine, _) in best.items() if cosine >= floor]
    # Keys tell equals apart; who is among the first needs none of them while all are.
    keyed = [int(handle) for handle in order(admitted)] if len(admitted) > limit and _has_equals(best, admitted) else admitted
    handles = sorted(sorted(keyed, key=lambda handle: -best[handle][0])[:limit])
    scores = np.array([best[handle][0] for handle in handles], np.float64)
    return Ranking(np.array(handles, np.int64), scores, np.zeros(len(handles)), bool(lacking), lacking)


def _has_equals(best: Mapping[int, tuple[float, int]], handles: Sequence[int]) -> bool:
    return len({best[handle][0] for handle in handles}) < len(handles)


def similarity(reader: Reader, dimension: int | None, vector: Vectors, handles: Sequence[int]) -> Cosines:
    """For each record the cosine of its best passage; 0 where it has none."""
    best = _best_of(reader, dimension, vector, handles)
    return np.array([best[handle][0] if handle in best else 0.0 for handle in handles], np.float64)


def closest(reader: Reader, dimension: int | None, vector: Vectors, handles: Sequence[int]) -> dict[int, int]:
    """Of each record that has any the number of its closest passage; of equals the first."""
    return {handle: number for handle, (_, number) in _best_of(reader, dimension, vector, handles).items()}


def passages(
    schema: Schema, handles: Sequence[int], numbers: Mapping[int, int], records: Mapping[int, Record]
) -> list[Passage | None]:
    found: list[Passage | None] = []
    for handle in handles:
        record = records.get(handle)
        cut = passages_of(schema.kinds[record.kind], record) if record is not None else ()
        number = numbers.get(handle, len(cut))
        found.append(cut[number] if number < len(cut) else None)
    return found


def meanings(reader: Reader, dimension: int | None, handles: Sequence[int]) -> list[Vectors | None]:
    """For each record the vectors of its passages in order; None if it has none that says anything."""
    if dimension is None:
        return [None] * len(handles)
    rows: dict[int, list[Values]] = {}
    for row in _rows(reader, handles):
        rows.setdefault(row.record, []).append(row.values)
    found: list[Vectors | None] = []
    for handle in handles:
        values = np.array(rows.get(handle, []), np.int8)
        found.append(restored(values, scales_of(values)) if len(values) else None)
    return found


def waiting(reader: Reader, limit: int) -> dict[bytes, tuple[int, int]]:
    """Passages that wait, by the digest of their text: whose each is, and which of its passages. No text twice."""
    found: dict[bytes, tuple[int, int]] = {}
    if reader.moment.passages is None:
        return found
    page = min(PAGE, 2 * limit + 10)
    fields = ["digest", "record", "number"]
    for hit in reader.every({"term": {"waiting": True}}, ["record", "number"], passages=True, page=page, _source=fields):
        if len(found) >= limit:
            break
        place = hit["_source"]
        found.setdefault(bytes.fromhex(place["digest"]), (place["record"], place["number"]))
    return found


def texts(schema: Schema, waiting: Mapping[bytes, tuple[int, int]], records: Mapping[int, Record]) -> list[tuple[bytes, str]]:
    """What is said in them."""
    cut = {handle: passages_of(schema.kinds[record.kind], record) for handle, record in records.items()}
    found = []
    for digest, (handle, number) in waiting.items():
        passages = cut.get(handle, ())
        # A passage that was cut otherwise has no text any more; making the index again drops it.
        if number < len(passages) and digest_of(passages[number].text) == digest:
            found.append((digest, passages[number].text))
    return found


def _candidates(reader: Reader, vector: Sequence[float], within: Json, many: int, reach: int) -> list[_Row]:
    """The filter is part of the search: those it admits are found however rare they are."""
    knn = {"knn": {"vector": {"vector": list(vector), "k": max(many, reach), "filter": within}}}
    body = {"query": knn, "size": many, "track_total_hits": False, "_source": ["record", "number", "stored"]}
    return [_row(hit["_source"]) for hit in reader.search(body, passages=True)["hits"]["hits"]]


def _best_of(reader: Reader, dimension: int | None, vector: Vectors, handles: Sequence[int]) -> dict[int, tuple[float, int]]:
    asked = question(vector, dimension) if dimension is not None else None
    rows = _rows(reader, handles) if asked is not None else []
    return _best(rows, _compare(asked, rows))


def _rows(reader: Reader, handles: Sequence[int]) -> list[_Row]:
    """The passages of some records that say anything, in order."""
    if reader.moment.passages is None or not handles:
        return []
    query = {"bool": {"filter": [terms_query("record", sorted(set(handles))), {"exists": {"field": "vector"}}]}}
    found = reader.every(query, ["record", "number"], passages=True, _source=["record", "number", "stored"])
    return [_row(hit["_source"]) for hit in found]


def _row(document: Json) -> _Row:
    return _Row(document["record"], document["number"], load_values(document["stored"]))


def _compare(asked: "object", rows: Sequence[_Row]) -> Cosines:
    if not rows:
        return np.empty(0)
    values = np.array([row.values for row in rows], np.int8)
    return cosines(asked, values, scales_of(values))  # type: ignore[arg-type]


def _best(rows: Sequence[_Row], found: Cosines) -> dict[int, tuple[float, int]]:
    """For each record its best cosine and the first passage that has it."""
    best: dict[int, tuple[float, int]] = {}
    for row, cosine in sorted(zip(rows, found.tolist(), strict=True), key=lambda item: (item[0].record, item[0].number)):
        if row.record not in best or cosine > best[row.record][0]:
            best[row.record] = cosine, row.number
    return best
