"""Where does a record come from, and whose references does a change touch? The files of a space and the names in them."""

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from dowse.engines.sourcing import changed_names, names_defined
from dowse.engines.sqlite.driver import Connection, value
from dowse.engines.sqlite.rows import dump
from dowse.model.record import Edge
from dowse.model.source import Definition, Reference, Source, Stamp, names_wanted

_COLUMNS = "space, path, size, modified, digest, reader, settled, content, links"
_DEFINES, _REFERS = 1, 0


# Rows of source_name.
Name = tuple[int, int, int]


def put(connection: Connection, space: str, path: str, source: Source | None, waiting: list[Name]) -> set[tuple[str, str]]:
    """Puts a file in the place of the one at its path, or takes it away; returns the names that mean something else by it.

    ``waiting``: names that are not entered yet, those of this file among them afterwards.
    """
    old = _at(connection, space, path)
    if old is not None:
        enter(connection, waiting)
        _forget(connection, old, source)
    if source is not None:
        waiting += _remember(connection, source, old)
    return {(space, name) for name in changed_names(old, source)}


def enter(connection: Connection, waiting: list[Name]) -> None:
    """Enters what waits, of many files at once: in the order of the table, so that each of its pages is looked up once."""
    if waiting:
        connection.executemany("insert into source_name (hash, role, source) values (?, ?, ?)", sorted(waiting))
        waiting.clear()


def unsettle(connection: Connection, names: Iterable[tuple[str, str]]) -> None:
    """Whoever refers to one of these names of a space must be settled anew."""
    spaces = sorted({space for space, _ in names})
    if not any(value(connection, "select 1 from source where space = ? and settled limit 1", (space,)) for space in spaces):
        return
    connection.execute(
        """
        update source set settled = 0 where settled and id in (
          select source from json_each(?) wanted cross join source_name on hash = wanted.value and role = ?
        )
        """,
        (dump(sorted({_hash(space, name) for space, name in names})), _REFERS),
    )


def restamp(connection: Connection, space: str, path: str, stamp: Stamp) -> None:
    connection.execute(
        "update source set size = ?, modified = ?, digest = ?, reader = ? where space = ? and path = ?",
        (stamp.size, stamp.modified, stamp.digest, stamp.reader, space, path),
    )


def settle(connection: Connection, space: str, path: str, links: tuple[Edge, ...]) -> None:
    connection.execute(
        "update source set settled = 1, links = ? where space = ? and path = ?", (_pack(_to_links(links)), space, path)
    )


def stamps(connection: Connection, space: str) -> dict[str, Stamp]:
    found = connection.execute("select path, size, modified, digest, reader from source where space = ? order by path", (space,))
    return {path: Stamp(*rest) for path, *rest in found}


def by_path(connection: Connection, space: str, paths: Sequence[str]) -> Iterator[Source]:
    found = connection.execute(
        f"select {_COLUMNS} from source where space = ? and path in (select value from json_each(?)) order by path",
        (space, dump(sorted(set(paths)))),
    )
    return map(_to_source, found)


def _at(connection: Connection, space: str, path: str) -> Source | None:
    for row in connection.execute(f"select {_COLUMNS} from source where space = ? and path = ?", (space, path)):
        return _to_source(row)
    return None


def unsettled(connection: Connection, space: str, limit: int) -> Iterator[Source]:
    found = connection.execute(
        f"select {_COLUMNS} from source where space = ? and not settled order by path limit ?", (space, limit)
    )
    return map(_to_source, found)


def definers(connection: Connection, space: str, names: Sequence[str], limit: int) -> dict[str, tuple[str, ...]]:
    """Names are kept as hashes, so that a rare clash gives a file too many: who reads the file sees what it defines."""
    hashes = {name: _hash(space, name) for name in names}
    found = connection.execute(
        """
        select hash, path from (
          select hash, source.path, row_number() over (partition by hash order by source.path) place
          from json_each(?) wanted cross join source_name on hash = wanted.value and role = ?
          join source on source.id = source and source.space = ?
        ) where place <= ? order by hash, path
        """,
        (dump(sorted(set(hashes.values()))), _DEFINES, space, limit),
    )
    paths: dict[int, list[str]] = {}
    for number, path in found:
        paths.setdefault(number, []).append(path)
    return {name: tuple(paths[number]) for name, number in hashes.items() if number in paths}


def _forget(connection: Connection, old: Source, new: Source | None) -> None:
    kept = _rows(new) if new is not None else set()
    connection.executemany(
        "delete from source_name where hash = ? and role = ? and source = (select id from source where space = ? and path = ?)",
        [(number, role, old.space, old.path) for number, role in sorted(_rows(old) - kept)],
    )
    if new is None:
        connection.execute("delete from source where space = ? and path = ?", (old.space, old.path))


def _remember(connection: Connection, source: Source, old: Source | None) -> list[Name]:
    """Returns the names of it that are new."""
    stamp = source.stamp
    values = (
        source.space,
        source.path,
        stamp.size,
        stamp.modified,
        stamp.digest,
        stamp.reader,
        source.settled,
        _pack(_to_content(source)),
        _pack(_to_links(source.links)),
    )
    ((identity,),) = connection.execute(
        f"insert into source ({_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (space, path) do update set"
        " size = excluded.size, modified = excluded.modified, digest = excluded.digest, reader = excluded.reader,"
        " settled = excluded.settled, content = excluded.content, links = excluded.links returning id",
        values,
    )
    new = _rows(source) - (_rows(old) if old is not None else set())
    return [(number, role, identity) for number, role in new]


def _rows(source: Source) -> set[tuple[int, int]]:
    # As ``_hash``, for thousands of names a file.
    seed, crc32 = _seed(source.space), zlib.crc32
    defined = {(crc32(name.encode(), seed), _DEFINES) for name in names_defined(source)}
    return defined | {(crc32(name.encode(), seed), _REFERS) for name in names_wanted(source)}


def _hash(space: str, name: str) -> int:
    return zlib.crc32(name.encode(), _seed(space))


@lru_cache(maxsize=64)
def _seed(space: str) -> int:
    return zlib.crc32(f"{space}\0".encode())


def _to_content(source: Source) -> list[Any]:
    return [
        source.keys,
        source.defines,
        source.refers,
    ]


def _to_links(links: tuple[Edge, ...]) -> list[Any]:
    return [(edge.source, edge.target, edge.kind, dict(edge.facets)) for edge in links]


def _to_source(row: Sequence[Any]) -> Source:
    space, path, size, modified, digest, reader, settled, content, links = row
    keys, defines, refers = _unpack(content)
    return Source(
        space,
        path,
        Stamp(size, modified, digest, reader),
        tuple(keys),
        tuple(map(Definition._make, defines)),
        tuple([Reference(source, kind, tuple(names), family) for source, kind, names, family in refers]),
        tuple(Edge(*item) for item in _unpack(links)),
        bool(settled),
    )


def _pack(value: Any) -> bytes:
    # The fastest level: keys repeat their path over and over, so even that gives a tenth of the size.
    return zlib.compress(dump(value).encode(), 1)


def _unpack(packed: bytes) -> Any:
    return json.loads(zlib.decompress(packed))
