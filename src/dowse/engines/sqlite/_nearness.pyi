from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

def nearness(
    records: NDArray[np.int64], words: Sequence[tuple[NDArray[np.int64], float]], shift: int, close: int, in_order: int, /
) -> bytearray: ...
