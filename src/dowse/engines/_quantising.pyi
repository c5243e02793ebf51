from typing import Any

from numpy.typing import NDArray

def distances(
    sketches: NDArray[Any], asked: NDArray[Any], inside: NDArray[Any], out: NDArray[Any], levels: NDArray[Any], /
) -> None: ...
def products(values: NDArray[Any], asked: NDArray[Any], out: NDArray[Any], /) -> None: ...
