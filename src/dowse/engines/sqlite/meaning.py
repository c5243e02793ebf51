"""What is closest in meaning? Those few that the sketches cannot tell from the closest, compared exactly."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dowse.engines.quantising import SKETCH_BITS, Question, cosines
from dowse.engines.sqlite.driver import Connection
from dowse.engines.sqlite.postings import distinct, run_starts
from dowse.engines.sqlite.scoping import Mask
from dowse.engines.sqlite.vectors import SEGMENT, Segment, Slots, Vectors
from dowse.model.declaring import dataclass
from dowse.model.ranking import Ranking

# Passages that are compared exactly: so many that the places in front are sure (see ``quantising.SKETCH_BITS``), and more if many
# records are asked for. Where there are no more than that, there is no choice to be made at all.
SHORTLIST = 4096
_FOR_EACH = 16
# Where fewer than one in so many may answer, their sketches are picked out first.
_SPARSE = 8
# No sketch is as far away as this.
_NOWHERE = SKETCH_BITS + 1
# Counting how many are how far takes a fifth of the time; one in so many tells where to look for as many as are wanted, with room
# for chance. If that turns out too near, everyone is counted: it decides how long the answer takes, never which it is.
_SAMPLED, _ROOM = 16, 2
_EVERY_PLACE = np.arange(SEGMENT)

Ids = NDArray[np.int64]
Cosines = NDArray[np.float64]
Distances = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Nearby:
    """Compares one snapshot's vectors with a question. ``shortlist``: how many are compared exactly at least."""

    connection: Connection
    vectors: Vectors
    shortlist: int = SHORTLIST

    def nearest(self, asked: Question, within: Mask, limit: int, floor: float, by_key: Callable[[Ids], Ids]) -> Ranking:
        """The records whose best passage is closest. ``by_key`` puts records in the order that decides between equals."""
        slots = self._candidates(asked, within, max(self.shortlist, limit * _FOR_EACH))
        records, scores = _best(self.owners(slots), self.compare(asked, slots))
        kept = scores >= floor
        records, scores = _first(records[kept], scores[kept], limit, by_key)
        return Ranking(records, scores, np.zeros(len(records)))

    def compare(self, asked: Question, slots: Slots) -> Cosines:
        """How close the passages at these places are, given in ascending order."""
        return cosines(asked, *self.vectors.rows(self.connection, slots))

    def owners(self, slots: Slots) -> Ids:
        owners = np.zeros(len(slots), np.int64)
        segments = slots // SEGMENT
        for number in distinct(np.sort(segments)).tolist():
            here = segments == number
            owners[here] = self.vectors.segments[number].owners[slots[here] % SEGMENT]
        return owners

    def _candidates(self, asked: Question, within: Mask, most: int) -> Slots:
        """The places that may hold one of the closest, in ascending order. Of those that are equally far, all or none."""
        inside = [within.take(segment.owners) for segment in self.vectors.segments]
        if sum(int(np.count_nonzero(mask)) for mask in inside) <= most:
            return _joined([np.flatnonzero(mask) + number * SEGMENT for number, mask in enumerate(inside)])
        looked = [_look(segment, mask, asked) for segment, mask in zip(self.vectors.segments, inside, strict=True)]
        all_distances = [distances for _, distances in looked]
        guess = _holding([distances[::_SAMPLED] for distances in all_distances], _ROOM * most // _SAMPLED)
        near = [np.flatnonzero(distances <= guess) for distances in all_distances]
        if sum(map(len, near)) < most:
            near = [np.flatnonzero(distances < _NOWHERE) for distances in all_distances]
        close = [distances[at] for distances, at in zip(all_distances, near, strict=True)]
        far = _holding(close, most)
        return _joined(
            [
                places[at[distances <= far]] + number * SEGMENT
                for number, ((places, _), at, distances) in enumerate(zip(looked, near, close, strict=True))
            ]
        )


def _holding(distances: Sequence[Distances], most: int) -> int:
    """The least distance within which there are so many."""
    levels = sum(np.bincount(some, minlength=_NOWHERE + 1) for some in distances)
    return int(np.searchsorted(np.cumsum(levels), most))


def _look(segment: Segment, mask: Mask, asked: Question) -> tuple[Slots, Distances]:
    """Places of a segment, among them all of the mask, and how far each is; ``_NOWHERE`` outside the mask."""
    if np.count_nonzero(mask) * _SPARSE < SEGMENT:
        places = np.flatnonzero(mask)
        return places, _distances(segment.sketches.take(places, axis=1), asked)
    distances = _distances(segment.sketches, asked)
    np.putmask(distances, ~mask, _NOWHERE)
    return _EVERY_PLACE, distances


def _distances(sketches: NDArray[np.uint64], asked: Question) -> Distances:
    """In how many bits each sketch differs from the question's."""
    differing = np.empty(sketches.shape[1], np.uint64)
    distances = np.zeros(sketches.shape[1], np.uint16)
    for word, wanted in zip(sketches, asked.sketch, strict=True):
        distances += _ones(np.bitwise_xor(word, wanted, out=differing))
    return distances


def _counted(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """How many bits of each word are set, by looking up those of its bytes: for NumPy 1, which cannot count."""
    of_bytes = np.array([number.bit_count() for number in range(256)], np.uint8)
    counts: NDArray[np.uint8] = of_bytes[words.view(np.uint8)].reshape(len(words), 8).sum(axis=1, dtype=np.uint8)
    return counts


_ones: Callable[[NDArray[np.uint64]], NDArray[np.uint8]] = getattr(np, "bitwise_count", _counted)


def _best(owners: Ids, scores: Cosines) -> tuple[Ids, Cosines]:
    """For each record, ascending, its best score."""
    order = np.argsort(owners, kind="stable")
    owners = owners[order]
    starts = run_starts(owners)
    return owners[starts], np.maximum.reduceat(scores[order], starts) if len(starts) else scores


def _first(records: Ids, scores: Cosines, limit: int, by_key: Callable[[Ids], Ids]) -> tuple[Ids, Cosines]:
    """The best ``limit``, still ascending by record."""
    if len(records) <= limit:
        return records, scores
    last = np.partition(scores, len(scores) - limit)[len(scores) - limit] if limit else np.inf
    above = records[scores > last]
    equal = by_key(records[scores == last])[: limit - len(above)]
    kept = np.searchsorted(records, np.sort(np.concatenate([above, equal])))
    return records[kept], scores[kept]


def _joined(found: list[Slots]) -> Slots:
    return np.concatenate(found) if found else np.empty(0, np.int64)
