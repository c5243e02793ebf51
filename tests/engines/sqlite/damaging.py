"""A workspace to damage, what it holds, and ways to damage its file as disks and people do."""

import random
from collections.abc import Callable
from pathlib import Path

import apsw

import dowse
from dowse.engines.sqlite.backing_up import contents
from dowse.engines.sqlite.driver import connect, reading
from dowse.model.change import Link, Mark, Put
from dowse.model.record import Edge, Record

PAGE = 4096
WORDS = ("harbour", "tide", "gauge", "reed", "bittern", "lamp", "quay", "mooring")


def make(path: Path, count: int = 300) -> None:
    """Records with texts, tags, facets and edges, closed as a process leaves them."""
    rng = random.Random(count)
    with dowse.open(path) as workspace:
        put = [
            Put(
                Record(
                    f"p{number}",
                    "page",
                    f"Tide {number}",
                    {"content": " ".join(rng.choices(WORDS, k=rng.randrange(5, 200)))},
                    "docs",
                    None,
                    (f"t{number % 5}",),
                    updated=float(number + 1),
                )
            )
            for number in range(count)
        ]
        linked = [Link(Edge(f"p{number}", f"p{number + 1}", "links_to", {"because": "tide"})) for number in range(count - 1)]
        workspace.apply([*put, *linked, Mark("told", "yes")])


def digest(path: Path) -> str:
    """Of everything that is no index."""
    connection = connect(str(path))
    try:
        with reading(connection):
            return contents(connection, "").digest
    finally:
        connection.close()


def execute(path: Path, sql: str) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(sql)
    connection.close()


def pages_of(path: Path, table: str) -> list[int]:
    """The pages that hold a table's rows, from 1."""
    connection = apsw.Connection(str(path))
    try:
        found = connection.execute("select pageno from dbstat where name = ? and pagetype = 'leaf' order by pageno", (table,))
        return [page for (page,) in found]
    finally:
        connection.close()


def overwrite(path: Path, page: int, data: bytes = b"\xa5" * PAGE) -> None:
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(data)


Damage = Callable[[random.Random, bytearray], bytearray]


def _bit(rng: random.Random, data: bytearray) -> bytearray:
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data


def _noise(rng: random.Random, data: bytearray) -> bytearray:
    at = rng.randrange(len(data) - 32)
    data[at : at + 32] = rng.randbytes(32)
    return data


def _page(rng: random.Random, data: bytearray) -> bytearray:
    at = rng.randrange(len(data) // PAGE) * PAGE
    data[at : at + PAGE] = rng.randbytes(PAGE)
    return data


def _zeroes(rng: random.Random, data: bytearray) -> bytearray:
    at = rng.randrange(len(data) // PAGE) * PAGE
    data[at : at + PAGE] = bytes(PAGE)
    return data


def _cut(rng: random.Random, data: bytearray) -> bytearray:
    return data[: rng.randrange(len(data))]


DAMAGES: dict[str, Damage] = {
    "a bit": _bit,
    "some bytes": _noise,
    "a page of noise": _page,
    "a page of zeroes": _zeroes,
    "cut": _cut,
}
