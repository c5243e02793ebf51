from collections.abc import Iterator

def occurrences(
    page: bytes,
    term: bytes,
    more: Iterator[bytes],
    deleted: bytes,
    told: int,
    columns: bytes,
    column_bits: int,
    place_bits: int,
    /,
) -> bytearray | None: ...
def segments(block: bytes, /) -> list[tuple[int, int, int, int]] | None: ...
