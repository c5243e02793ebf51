"""Which records are in any of several lists, and which of some are in one?

NumPy has its own ways for both; they load its masked arrays, for which the first search would wait.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dowse.model.ranking import Handles


def joined(lists: Sequence[Handles]) -> NDArray[np.int64]:
    """Every record once, ascending.

    >>> joined([[3, 1], [1, 2]]).tolist(), joined([[]]).tolist()
    ([1, 2, 3], [])
    """
    whole = np.sort(np.concatenate([np.asarray(handles, np.int64) for handles in lists]))
    kept = np.ones(len(whole), np.bool_)
    np.not_equal(whole[1:], whole[:-1], out=kept[1:])
    return whole[kept]


def is_in(ascending: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.bool_]:
    """For each of the wanted whether it is there.

    >>> is_in(np.array([1, 3, 5]), np.array([5, 2, 9])).tolist()
    [True, False, False]
    """
    at = np.searchsorted(ascending, wanted)
    there = at < len(ascending)
    there[there] = ascending[at[there]] == wanted[there]
    return there
