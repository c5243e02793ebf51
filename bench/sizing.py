"""What takes the room in a workspace, beside the text it holds? ``python -m bench.sizing WORKSPACE``

Without a workspace one is made of pieces of about 1 kB (see ``bench.texts``), with and without vectors.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from bench.tables import Cell, table
from bench.texts import pieces
from dowse.app.embedding import EmbeddingEngine
from dowse.app.models import Choice
from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite import rows
from dowse.engines.sqlite.driver import Connection, connect, value
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.model.change import Put
from dowse.model.record import Record

# What the whole may take of the text, the text included.
GOAL = 1.5
_BATCH = 5000
_MEGA = 1_000_000
# By the beginning of a table's or an index's name, without the number of its lanes; the first that fits.
_PARTS = (
    ("texts and what else a record holds", ("record", "sqlite_autoindex_record")),
    ("vocabulary", ("lane_vocabulary", "sqlite_autoindex_lane_vocabulary", "lane_contains")),
    ("postings", ("lane_",)),
    ("vectors", ("vector", "sketch", "passage")),
    ("edges", ("edge",)),
    ("tags and facets", ("tag", "facet")),
    ("files and their names", ("source", "sqlite_autoindex_source")),
)
_COLUMNS = "packed columns"
_REST = "the rest"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.sizing", description=__doc__)
    parser.add_argument("workspace", type=Path, nargs="?", help="a workspace to look at; it is only read")
    parser.add_argument("--records", type=int, default=100_000, metavar="N", help="of the one that is made (default 100,000)")
    options = parser.parse_args(arguments)
    if options.workspace is not None:
        print(report(options.workspace, options.workspace.name))
        return 0
    with tempfile.TemporaryDirectory(prefix="dowse-bench-") as place:
        for model, name in (("none", "words only"), ("static", "with vectors")):
            path = Path(place) / f"{model}.dowse"
            make(path, model, options.records)
            print(report(path, f"{options.records:,} records of 1 kB, {name}"), end="\n\n")
    return 0


def make(path: Path, model: str, count: int) -> None:
    engine = EmbeddingEngine(SqliteEngine(path, SCHEMA), Choice(model))
    waiting = pieces(count)
    while batch := [Put(Record(piece.key, "knowledge", piece.title, {"content": piece.text})) for piece in islice(waiting, _BATCH)]:
        engine.apply(batch)
    engine.close()


def report(path: Path, name: str) -> str:
    connection = connect(str(path), read_only=True)
    try:
        text = sum(_text_bytes(connection))
        parts = by_part(dict(connection.execute("select name, sum(pgsize) from dbstat group by name")))
        free = value(connection, "select freelist_count * page_size from pragma_freelist_count, pragma_page_size")
    finally:
        connection.close()
    whole = sum(parts.values()) + free
    found: list[list[Cell]] = [[part, size / _MEGA, size / text] for part, size in parts.items()]
    found += [["free pages", free / _MEGA, free / text], ["all", whole / _MEGA, whole / text]]
    met = "met" if whole <= GOAL * text else "NOT met"
    head = f"{name}: {text / _MEGA:.1f} MB of text\n\n"
    return head + table(["part", "MB", "× the text"], found, digits=2) + f"\n\ngoal ≤ {GOAL} × the text: {met}"


def by_part(sizes: dict[str, int]) -> dict[str, int]:
    """The bytes of each part, largest first.

    >>> by_part({"record": 5, "lane7_words_data": 3, "sqlite_autoindex_lane7_vocabulary_1": 1, "lane7_columns": 1, "meta": 2})
    {'texts and what else a record holds': 5, 'postings': 3, 'the rest': 2, 'vocabulary': 1, 'packed columns': 1}
    """
    parts: dict[str, int] = {}
    for name, size in sizes.items():
        part = _part(name)
        parts[part] = parts.get(part, 0) + size
    return dict(sorted(parts.items(), key=lambda item: -item[1]))


def _part(name: str) -> str:
    bare = "".join(character for character in name if not character.isdigit())
    if bare.startswith("lane_columns"):
        return _COLUMNS
    return next((part for part, beginnings in _PARTS if bare.startswith(beginnings)), _REST)


def _text_bytes(connection: Connection) -> Iterator[int]:
    """What was handed over: titles and texts, in UTF-8."""
    for _, record in rows.every(connection):
        yield sum(len(text.encode()) for text in (record.title, *record.fields.values()))


if __name__ == "__main__":
    sys.exit(main())
