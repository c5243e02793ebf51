"""Which number does a new record get? One that another gave back, else the next: arrays have a place for each number there was."""

from collections.abc import Collection, Iterator
from itertools import chain, count

from dowse.engines.sqlite.driver import Connection, value


def numbers(connection: Connection, most: int) -> Iterator[int]:
    """Numbers for up to so many new records, in rising order, then behind all others without end."""
    last: int = value(connection, "select max(id) from record") or 0
    # Beyond the last one they follow by themselves. The record table decides: a number in use must never be given again.
    left = connection.execute(
        "select id from record_free where id between 1 and ? and id not in (select id from record) order by id limit ?",
        (last, most),
    )
    return chain([number for (number,) in left], count(last + 1))


def exchange(connection: Connection, given_back: Collection[int], taken: Collection[int]) -> None:
    """Notes which numbers are free from now on, and which are no longer. A record that was renamed does both, and keeps its own."""
    if taken and value(connection, "select 1 from record_free limit 1"):
        connection.executemany("delete from record_free where id = ?", [(number,) for number in sorted(taken)])
    free = sorted(set(given_back) - set(taken))
    connection.executemany("insert or ignore into record_free values (?)", [(number,) for number in free])
