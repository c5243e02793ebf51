"""Which records are in any of several lists?"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dowse.model.ranking import Handles


def joined(lists: Sequence[Handles]) -> NDArray[np.int64]:
    """Every record once, ascending. NumPy's own way loads its masked arrays for it, for which the first search would wait.

    >>> joined([[3, 1], [1, 2]]).tolist(), joined([[]]).tolist()
    ([1, 2, 3], [])
    """
    whole = np.sort(np.concatenate([np.asarray(handles, np.int64) for handles in lists]))
    kept = np.ones(len(whole), np.bool_)
    np.not_equal(whole[1:], whole[:-1], out=kept[1:])
    return whole[kept]
