from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dowse.engines.sqlite.giving import Asked, Part

def everyone(
    parts: Sequence[Part], bound: float, size: int, within: NDArray[np.bool_] | None, /
) -> tuple[bytearray, bytearray, bytearray, int, int, int]: ...
def rank(
    weighed: Sequence[Asked],
    least: float,
    heaviest: int,
    rounding: float,
    nothing: float,
    size: int,
    within: NDArray[np.bool_] | None,
    front: tuple[int, int, NDArray[np.int64], NDArray[np.float64], int] | None,
    /,
) -> tuple[bytearray, bytearray, bytearray, int, int, int]: ...
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
) -> tuple[bytearray, bytearray, bytearray, int, int, int]: ...
