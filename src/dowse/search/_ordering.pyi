from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

def unite(
    handles: NDArray[np.int64],
    scores: NDArray[np.float64],
    coverage: NDArray[np.float64],
    weight: float,
    bonuses: Sequence[tuple[NDArray[np.int64], NDArray[np.float64], float]],
    further: int,
    further_whole: int,
    enough: int,
    share: float,
    /,
) -> tuple[bytearray, bytearray, float, float, int, float, int]: ...
def foremost(scores: NDArray[np.float64], tiers: NDArray[np.int8], wanted: int, /) -> tuple[bytearray, bytearray]: ...
def first(scores: NDArray[np.float64], tiers: NDArray[np.int8], wanted: int, /) -> tuple[bytearray, int]: ...
