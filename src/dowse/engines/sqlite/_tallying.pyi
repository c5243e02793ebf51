from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

def counted(
    parts: Sequence[tuple[NDArray[np.int64], int, int]], column_bits: int, place_bits: int, /
) -> tuple[bytearray, bytearray, bool]: ...
def frequencies(
    cells: NDArray[Any], counts: NDArray[Any], weights: NDArray[np.float64], column_bits: int, /
) -> tuple[bytearray, bytearray]: ...
def among(ids: NDArray[np.int64], others: NDArray[np.int64], /) -> bytearray: ...
