from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

class Adder:
    def __new__(
        cls, vocabulary: bytes, rows: npt.NDArray[np.int8], scale: npt.NDArray[np.float32], damping: npt.NDArray[np.float32], /
    ) -> Adder: ...
    def add_up(self, texts: Sequence[str], most: int, vectors: npt.NDArray[np.float32], /) -> None: ...
