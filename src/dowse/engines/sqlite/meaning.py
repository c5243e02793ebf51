"""What is closest in meaning? Those few that the sketches cannot tell from the closest, compared exactly."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dowse.engines.quantising import NOWHERE, Question, cosines, distances
from dowse.engines.sqlite.driver import Connection
from dowse.engines.sqlite.postings import distinct, run_starts
from dowse.engines.sqlite.scoping import Mask
from dowse.engines.sqlite.vectors import SEGMENT, Slots, Vectors
from dowse.model.declaring import dataclass
from dowse.model.ranking import Ranking

# Passages that are compared exactly: so many that the places in front are sure (see ``quantising.SKETCH_BITS``), and more if many
# records are asked for. Where there are no more than that, there is no choice to be made at all.
SHORTLIST = 4096
_FOR_EACH = 16

Ids = NDArray[np.int64]
Cosines = NDArray[np.float64]


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
        levels = np.zeros(NOWHERE + 1, np.int64)
        far_off = [
            distances(asked, segment.sketches, mask, levels) for segment, mask in zip(self.vectors.segments, inside, strict=True)
        ]
        far = int(np.searchsorted(np.cumsum(levels), most))
        return _joined([np.flatnonzero(each <= far) + number * SEGMENT for number, each in enumerate(far_off)])


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
