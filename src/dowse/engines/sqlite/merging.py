"""How are the pieces that writes leave in FTS5's tables put together? A few pages with every small write; after large ones by FTS5.

FTS5 does nothing for 63 pages that are written, and with the 64th it reads and writes as many of each level: one small write in
some dozens would wait for tens of milliseconds.
"""

from collections.abc import Sequence

from dowse.engines.sqlite.driver import Connection, value
from dowse.engines.sqlite.leaves import pieces

# Up to this many records are a small write.
_FEW = 64
# Pages to write with each, for one table in turn: a third of a millisecond, and more than five small writes leave behind.
_PAGES = 4
# Who writes much text leaves more: a page for so many characters, as each is written again on every level.
_CHARACTERS = 500
# Where there are more pieces than this, an import has left large ones, and putting them together must outrun what comes.
_PIECES, _PAGES_A_PIECE = 12, 1
# FTS5's settings: of so many pieces it puts some together by itself (0: never), and of so many all that are of a size, at once.
_BY_ITSELF = {"automerge": 4, "crisismerge": 16}
_HARDLY = {"automerge": 0, "crisismerge": 64}


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
        more = max(pieces(connection, table) - _PIECES, 0) * _PAGES_A_PIECE
        pages = _PAGES + characters // _CHARACTERS + more
        connection.execute(f"insert into {table} ({table}, rank) values ('merge', ?)", (pages,))
