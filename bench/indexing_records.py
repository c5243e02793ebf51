"""What does it cost to make records findable that are given, without reading and parsing the files they were made of?

``python -m bench.indexing_records FOLDER`` prints it for any folder, beside FTS5 with the same texts.
"""

import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import apsw

from bench.tables import Cell, table
from dowse.domains.everything import SCHEMA
from dowse.embed.static import StaticEmbedder
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.ingest.collecting import seldom
from dowse.ingest.reading import Task, read_file
from dowse.ingest.walking import Entry, walk
from dowse.model.change import Put, UseModel
from dowse.model.record import Record

_BATCH = 4000
WORDS, VECTORS, PORTER, TRIGRAM = "words", "vectors", "porter", "trigram"
# What everything may take of the time in which FTS5 makes both of its tables.
_OF_FTS5 = 0.25

Spent = dict[str, tuple[float, float]]
"""Seconds of the clock and of the processor, by work."""


def main() -> int:
    (root,) = sys.argv[1:]
    print(report(given(root)))
    return 0


def given(root: str) -> Spent:
    """All in this process, one after the other."""
    records = [record for entry in walk(Path(root)) if isinstance(entry, Entry) for record in _made(entry)]
    with tempfile.TemporaryDirectory(prefix="dowse-bench-") as folder, seldom():
        place = Path(folder)
        return {
            WORDS: _dowse(place / "words.dowse", records, vectors=False),
            VECTORS: _dowse(place / "vectors.dowse", records, vectors=True),
            PORTER: _fts5(place / "porter.db", records, "tokenize='porter unicode61'"),
            TRIGRAM: _fts5(place / "trigram.db", records, "tokenize='trigram', content=''"),
        }


def report(spent: Spent) -> str:
    both = [spent[PORTER][unit] + spent[TRIGRAM][unit] for unit in (0, 1)]
    named = {
        WORDS: "dowse: words, stems, names, substrings, facets",
        VECTORS: "dowse: the same and vectors",
        PORTER: "FTS5, stems (porter)",
        TRIGRAM: "FTS5, trigrams",
    }
    rows: list[list[Cell]] = [
        [named[work], clock, processor, clock / both[0], processor / both[1]] for work, (clock, processor) in spent.items()
    ]
    heads = [
        "the same records, given, one process",
        "seconds",
        "of the processor",
        "× both tables of FTS5",
        "of their processor time",
    ]
    met = "met" if spent[VECTORS][0] <= _OF_FTS5 * both[0] else "NOT met"
    return f"{table(heads, rows, 2)}\n\ngoal, with vectors, of both tables of FTS5: ≤ {_OF_FTS5}: {met}"


def _made(entry: Entry) -> tuple[Record, ...]:
    extract = read_file(Task("bench", entry, "")).extract
    return extract.records if extract is not None else ()


def _dowse(path: Path, records: list[Record], *, vectors: bool) -> tuple[float, float]:
    began = _now()
    engine = SqliteEngine(path, SCHEMA)
    model = StaticEmbedder() if vectors else None
    if model is not None:
        engine.apply([UseModel(model.profile)])
    prepare = engine.preparer(model)
    for batch in _batches(records):
        made = prepare(batch)
        engine.apply([Put(record, prepared=item) for record, item in zip(batch, made, strict=True)])
    engine.close()
    return _since(began)


def _fts5(path: Path, records: list[Record], options: str) -> tuple[float, float]:
    began = _now()
    connection = apsw.Connection(str(path))
    connection.execute("pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -65536")
    connection.execute(f"create virtual table record using fts5(title, text, {options})")
    for batch in _batches(records):
        with connection:
            rows = [(record.title, "\n".join(record.fields.values())) for record in batch]
            connection.executemany("insert into record (title, text) values (?, ?)", rows)
    connection.close()
    return _since(began)


def _batches(records: Iterable[Record]) -> Iterator[list[Record]]:
    waiting = iter(records)
    while batch := list(islice(waiting, _BATCH)):
        yield batch


def _now() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def _since(began: tuple[float, float]) -> tuple[float, float]:
    clock, processor = _now()
    return clock - began[0], processor - began[1]


if __name__ == "__main__":
    sys.exit(main())
