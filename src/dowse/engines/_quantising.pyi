from typing import Any

from numpy.typing import NDArray

def candidates(
    segments: tuple[tuple[NDArray[Any], NDArray[Any]], ...], allowed: NDArray[Any], asked: NDArray[Any], most: int, /
) -> bytes: ...
def products(values: NDArray[Any], places: NDArray[Any], asked: NDArray[Any], out: NDArray[Any], /) -> None: ...
