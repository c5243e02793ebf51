"""Which rows of a damaged table can still be read? Everything on both sides of a damaged page, and what an index knows of it."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dowse.engines.sqlite.driver import FAULTS, Connection

Row = tuple[Any, ...]
Trouble = Callable[[], None]
"""Is called whenever something could not be read."""

# Where nothing tells which numbers there are, these many are looked for, by at most so many looks.
_FURTHEST, _MOST_TRIES = 10_000_000, 20_000
# What every file of ours begins with: the format's name, pages of 4096 bytes, a log, and constants of the format.
_MAGIC = b"SQLite format 3\0\x10\0\x02\x02\0\x40\x20\x20"
_FORMAT = {44: b"\0\0\0\x04", 56: b"\0\0\0\x01"}
_HEADER = 100


def by_number(connection: Connection, table: str, columns: str, indexed: str, trouble: Trouble) -> Iterator[Row]:
    """The rows of a table whose first column is their number: from both ends, and between one by one.

    ``indexed``: columns of an index that knows all numbers. Where that is damaged too, they are looked for by ever smaller ranges.
    """
    read: set[int] = set()
    for order in ("id", "id desc"):
        ended = True
        for row in _until_fault(connection, f"select {columns} from {table} order by {order}", (), trouble):
            if row is None or row[0] in read:
                ended = row is not None
                break
            read.add(row[0])
            yield row
        if ended:
            return
    unsure: list[bool] = []
    known = {row[0] for row in by_index(connection, f"select id from {table}", indexed, lambda: unsure.append(True))}
    for number in sorted(known - read):
        read.add(number)
        yield from _rows(_until_fault(connection, f"select {columns} from {table} where id = ?", (number,), trouble))
    if unsure:
        low = min(read, default=0)
        yield from (row for row in _between(connection, table, columns, low, low + _FURTHEST) if row[0] not in read)


def by_order(
    connection: Connection, table: str, columns: str, each: tuple[str, Sequence[Any]] | None, trouble: Trouble
) -> Iterator[Row]:
    """The rows of a table without numbers: from both ends, and for each of some values of a column. May repeat rows."""
    ended = True
    for row in _until_fault(connection, f"select {columns} from {table}", (), trouble):
        if row is None:
            ended = False
            break
        yield row
    if ended:
        return
    order = ", ".join(f"{name} desc" for name in columns.split(", ")[:2])
    yield from _rows(_until_fault(connection, f"select {columns} from {table} order by {order}", (), trouble))
    if each is not None:
        column, wanted = each
        for item in wanted:
            found = f"select {columns} from {table} where {column} = ?"
            yield from _rows(_until_fault(connection, found, (item,), trouble))


def by_index(connection: Connection, select: str, order: str, trouble: Trouble) -> Iterator[Row]:
    """What an index alone knows, from both ends. May repeat rows."""
    backwards = ", ".join(f"{name} desc" for name in order.split(", "))
    ended = True
    for row in _until_fault(connection, f"{select} order by {order}", (), trouble):
        if row is None:
            ended = False
        else:
            yield row
    if not ended:
        yield from _rows(_until_fault(connection, f"{select} order by {backwards}", (), trouble))


@contextmanager
def header_made_sound(kept: Path, spare: Path) -> Iterator[Path]:
    """The file itself, or a copy of it under another name whose first bytes say again what they must."""
    with kept.open("rb") as file:
        header = bytearray(file.read(_HEADER))
    mended = bytearray(header)
    mended[: len(_MAGIC)] = _MAGIC
    for place, expected in _FORMAT.items():
        mended[place : place + len(expected)] = expected
    # A file that is no longer open for everyone has no log, which is as good.
    same = (
        bytes(mended[:18]) == bytes(header[:18])
        and bytes(mended[20:]) == bytes(header[20:])
        and bytes(header[18:20]) in (b"\1\1", b"\2\2")
    )
    if same or len(header) < _HEADER:
        yield kept
        return
    mending = spare.with_name(f"{spare.name}.mending")
    try:
        shutil.copy2(kept, mending)
        log = kept.with_name(f"{kept.name}-wal")
        if log.exists():
            shutil.copy2(log, f"{mending}-wal")
        with mending.open("r+b") as file:
            file.write(mended)
        yield mending
    finally:
        for side in ("", "-wal", "-shm"):
            Path(f"{mending}{side}").unlink(missing_ok=True)


def _until_fault(connection: Connection, sql: str, bindings: tuple[Any, ...], trouble: Trouble) -> Iterator[Row | None]:
    """Row by row; None at last, if a fault ended it."""
    try:
        yield from connection.execute(sql, bindings)
    except FAULTS:
        trouble()
        yield None


def _rows(found: Iterator[Row | None]) -> Iterator[Row]:
    return (row for row in found if row is not None)


def _between(connection: Connection, table: str, columns: str, start: int, end: int) -> Iterator[Row]:
    """Halves every range that cannot be read until what is left is single rows."""
    tries, ranges = 0, [(start, end)]
    several, one = (f"select {columns} from {table} where id {which}" for which in ("between ? and ? order by id", "= ?"))
    while ranges and tries < _MOST_TRIES:
        low, high = ranges.pop()
        tries += 1
        try:
            # A range looks one row further than it needs, which may be on a page that cannot be read.
            found = list(connection.execute(one, (low,)) if low == high else connection.execute(several, (low, high)))
        except FAULTS:
            middle = (low + high) // 2
            if low < high:
                ranges += [(middle + 1, high), (low, middle)]
            continue
        yield from found
