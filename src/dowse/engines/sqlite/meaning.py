"""What is closest in meaning? Those few that the sketches cannot tell from the closest, compared exactly."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dowse.engines.quantising import Question, candidates
from dowse.engines.sqlite.driver import Connection
from dowse.engines.sqlite.scoping import Mask
from dowse.engines.sqlite.tallying import distinct, run_starts
from dowse.engines.sqlite.vectors import SEGMENT, Slots, Vectors
from dowse.model.declaring import dataclass
from dowse.model.ranking import Ranking

# Passages that are compared exactly: so many that the places in front are sure (see ``quantising.SKETCH_BITS``), more if many
# records are asked for, and more of many passages, of which more are about as close.
SHORTLIST = 2048
_FOR_EACH = 16
_ONE_OF, _AT_MOST = 256, 8192

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
        outlines = self.vectors.outlines
        share = sum(len(owners) for owners, _ in outlines) // _ONE_OF
        slots = candidates(asked, outlines, within, max(self.shortlist, limit * _FOR_EACH, min(share, _AT_MOST)))
        records, scores = _best(*self.vectors.compare(self.connection, asked, slots))
        kept = scores >= floor
        records, scores = _first(records[kept], scores[kept], limit, by_key)
        return Ranking(records, scores, np.zeros(len(records)))

    def compare(self, asked: Question, slots: Slots) -> Cosines:
        """How close the passages at these places are, given in ascending order."""
        return self.vectors.compare(self.connection, asked, slots)[1]

    def owners(self, slots: Slots) -> Ids:
        owners = np.zeros(len(slots), np.int64)
        segments = slots // SEGMENT
        for number in distinct(np.sort(segments)).tolist():
            here = segments == number
            owners[here] = self.vectors.segments[number].owners[slots[here] % SEGMENT]
        return owners


def _best(owners: Ids, scores: Cosines) -> tuple[Ids, Cosines]:
    """For each record, ascending, its best score."""
    if (owners[1:] < owners[:-1]).any():
        order = np.argsort(owners, kind="stable")
        owners, scores = owners[order], scores[order]
    starts = run_starts(owners)
    return (owners, scores) if len(starts) == len(owners) else (owners[starts], np.maximum.reduceat(scores, starts))


def _first(records: Ids, scores: Cosines, limit: int, by_key: Callable[[Ids], Ids]) -> tuple[Ids, Cosines]:
    """The best ``limit``, still ascending by record."""
    if len(records) <= limit:
        return records, scores
    last = np.partition(scores, len(scores) - limit)[len(scores) - limit] if limit else np.inf
    above = records[scores > last]
    equal = by_key(records[scores == last])[: limit - len(above)]
    kept = np.searchsorted(records, np.sort(np.concatenate([above, equal])))
    return records[kept], scores[kept]
