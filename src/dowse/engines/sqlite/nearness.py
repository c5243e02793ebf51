"""Do the words of the query stand close together? Neighbours in the query that are neighbours in the text."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite.postings import RECORD_SHIFT
from dowse.model.ranking import CLOSE, IN_ORDER

Ids = NDArray[np.int64]


def nearness(records: Ids, words: Sequence[tuple[Ids, float]]) -> NDArray[np.float64]:
    """What closeness is worth in each record (given ascending). ``words``: of each query word its occurrences and its worth.

    A pair of neighbouring query words counts once if it stands within ``CLOSE`` words anywhere, and once more if it stands in the
    order of the query within ``IN_ORDER``; each time with the worth of the lesser word.
    """
    worth = np.zeros(len(records))
    for (first, first_worth), (second, second_worth) in pairwise(words):
        if not len(first) or not len(second):
            continue
        after = np.searchsorted(second, first, side="right")
        ahead = _gap(second, after, first)
        behind = _gap(second, after - 1, first)
        close = (ahead <= CLOSE) | (-behind <= CLOSE)
        least = min(first_worth, second_worth)
        worth += least * _holds(records, first[close])
        worth += least * _holds(records, first[ahead <= IN_ORDER])
    return worth


def _gap(places: Ids, at: Ids, origins: Ids) -> Ids:
    """How far the chosen places lie from the origins; far, where there is none or it stands in another column or record."""
    inside = (at >= 0) & (at < len(places))
    chosen = places[np.clip(at, 0, len(places) - 1)]
    return np.where(inside, chosen - origins, np.where(at < 0, -_FAR, _FAR))


# Another column or record lies at least this far away in the packed numbering, by far more than any distance that counts.
_FAR = np.int64(1) << 40


def _holds(records: Ids, occurrences: Ids) -> NDArray[np.bool_]:
    held = np.zeros(len(records), np.bool_)
    held[np.searchsorted(records, occurrences >> RECORD_SHIFT)] = True
    return held
