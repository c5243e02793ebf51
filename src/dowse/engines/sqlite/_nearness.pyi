from collections.abc import Sequence

from typing_extensions import Buffer

def nearness(
    records: Buffer, words: Sequence[tuple[Buffer, float]], shift: int, close: int, in_order: int, /
) -> bytearray: ...
