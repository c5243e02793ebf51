"""How are the pieces that writes leave in FTS5's tables put together? A few pages with every small write; after large ones by FTS5.

FTS5 does nothing for 63 pages that are written, and with the 64th it reads and writes as many of each level: one small write in
some dozens would wait for tens of milliseconds.
"""

from collections.abc import Sequence

from dowse.engines.sqlite.driver import Connection, value
from dowse.engines.sqlite.leaves import levels

# Up to this many records are a small write.
_FEW = 64
# Pages to write with each, for one table in turn: a third of a millisecond, and more than five small writes leave behind.
_PAGES = 4
# Who writes much text leaves more: a page for so many characters, as each is written again on every level.
_CHARACTERS = 500
# Where there are more pieces than this, an import has left large ones, and putting them together must outrun what comes.
_PIECES, _PAGES_A_PIECE = 32, 1
# FTS5 puts pieces of a size together once there are so many. The more it waits for, the less often any text is written again, and
# the more pieces a word is looked for in.
_WHEN_FEW, _WHEN_MANY = 4, 16
# FTS5's settings: of so many pieces it puts some together by itself (0: never), and of so many all that are of a size, at once.
_BY_ITSELF = {"automerge": 4, "crisismerge": 16, "usermerge": _WHEN_FEW}
_HARDLY = {"automerge": 0, "crisismerge": 64, "usermerge": _WHEN_MANY}


def expect(connection: Connection, tables: Sequence[str], records: int) -> None:
    """Before so many records are written, within their transaction."""
    wanted = _BY_ITSELF if records > _FEW else _HARDLY
    # Kept in the file, so whoever writes next finds it; the same in all tables.
    now = value(connection, f"select v from {tables[0]}_config where k = 'automerge'")
    if wanted["automerge"] != (_BY_ITSELF["automerge"] if now is None else now):
        for table in tables:
            connection.executemany(f"insert into {table} ({table}, rank) values (?, ?)", list(wanted.items()))


def merge_after(connection: Connection, tables: Sequence[str], turn: int, records: int, characters: int) -> None:
    """After so much was written, within its transaction. The tables take turns."""
    if records <= _FEW:
        table = tables[turn % len(tables)]
        found = levels(connection, table)
        _set_when(connection, table, _WHEN_FEW if _waits(found) else _WHEN_MANY)
        more = max(sum(segments for _, segments in found) - _PIECES, 0) * _PAGES_A_PIECE
        pages = _PAGES + characters // _CHARACTERS + more
        connection.execute(f"insert into {table} ({table}, rank) values ('merge', ?)", (pages,))


def _waits(found: Sequence[tuple[int, int]]) -> bool:
    """Whether pieces gather behind some that an import began to put together: FTS5 goes on with so few only when told to."""
    return any(0 < merging < _WHEN_MANY <= segments - merging for merging, segments in found)


def _set_when(connection: Connection, table: str, wanted: int) -> None:
    now = value(connection, f"select v from {table}_config where k = 'usermerge'")
    if wanted != (_WHEN_FEW if now is None else now):
        connection.execute(f"insert into {table} ({table}, rank) values ('usermerge', ?)", (wanted,))
