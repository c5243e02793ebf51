from typing import Any

import numpy as np
from numpy.typing import NDArray

def give(
    frequencies: NDArray[Any],
    lengths: NDArray[Any],
    exact: NDArray[np.uint8] | None,
    how: tuple[float, float, float, float, float, float],
    many: int,
    /,
) -> tuple[bytearray, float, float]: ...
def mark(ids: NDArray[np.int32], size: int, /) -> tuple[bytearray, bytearray]: ...
