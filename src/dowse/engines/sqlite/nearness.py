"""Do the words of the query stand close together? Neighbours in the query that are neighbours in the text."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite.postings import RECORD_SHIFT
from dowse.model.ranking import CLOSE, IN_ORDER

try:
    from dowse.engines.sqlite import _nearness as compiled
except ImportError:  # no compiler where dowse was installed
    compiled = None  # type: ignore[assignment]

Ids = NDArray[np.int64]


def nearness(records: Ids, words: Sequence[tuple[Ids, float]], size: int) -> NDArray[np.float64]:
    """What closeness is worth in each record (given ascending). ``words``: of each query word all its places and its worth.

    Of all occurrences in a text, each is compared with the next. Two neighbouring words of the query count once for the record if
    they so stand within ``CLOSE`` words, and once more if they stand in the order of the query within ``IN_ORDER``; each time with
    the worth of the lesser word.
    """
    if len(words) < 2:
        return np.zeros(len(records))
    if compiled is not None:
        return np.frombuffer(compiled.nearness(records, words, RECORD_SHIFT, CLOSE, IN_ORDER))
    return _nearness(records, words, size)


def _nearness(records: Ids, words: Sequence[tuple[Ids, float]], size: int) -> NDArray[np.float64]:
    places = np.concatenate([found for found, _ in words])
    numbers = np.repeat(np.arange(len(words)), [len(found) for found, _ in words])
    wanted = np.zeros(size, np.bool_)
    wanted[records] = True
    here = np.flatnonzero(wanted[places >> RECORD_SHIFT])
    order = here[np.argsort(places[here], kind="stable")]
    places, numbers = places[order], numbers[order]
    # Another column or record is farther away in the packed numbering than any distance that counts.
    gaps, steps = places[1:] - places[:-1], numbers[1:] - numbers[:-1]
    pairs = np.minimum(numbers[1:], numbers[:-1])
    at = np.searchsorted(records, places[1:] >> RECORD_SHIFT)
    close = (gaps <= CLOSE) & (np.abs(steps) == 1)
    ordered = (gaps <= IN_ORDER) & (steps == 1)
    held = np.zeros((2, len(records), len(words) - 1), np.bool_)
    held[0, at[close], pairs[close]] = True
    held[1, at[ordered], pairs[ordered]] = True
    worth = np.zeros(len(records))
    # One pair after the other: a product of matrices adds up in an order of its own.
    for pair, counts in enumerate(held.sum(axis=0).T):
        worth += counts * min(words[pair][1], words[pair + 1][1])
    return worth
