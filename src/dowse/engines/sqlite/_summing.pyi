from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite.summing import Part

def everyone(
    parts: Sequence[Part], bound: float, size: int, within: NDArray[np.bool_] | None, /
) -> tuple[bytearray, bytearray, bytearray]: ...
def cover(held: NDArray[np.float64], total: float, whole: float, /) -> None: ...
def front(
    parts: Sequence[Part],
    bound: float,
    whole: float,
    size: int,
    within: NDArray[np.bool_] | None,
    wanted: int,
    enough: int,
    also: NDArray[np.int64],
    gains: NDArray[np.float64],
    many: int,
    /,
) -> tuple[bytearray, bytearray, bytearray, int, int]: ...
