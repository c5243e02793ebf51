from collections.abc import Sequence

from typing_extensions import Buffer

from dowse.engines.sqlite.summing import Part

def everyone(
    parts: Sequence[Part], bound: float, size: int, within: Buffer | None, /
) -> tuple[bytearray, bytearray, bytearray]: ...
def front(
    parts: Sequence[Part],
    bound: float,
    whole: float,
    size: int,
    within: Buffer | None,
    wanted: int,
    enough: int,
    also: Buffer,
    gains: Buffer,
    /,
) -> tuple[bytearray, bytearray, bytearray, int, int]: ...
