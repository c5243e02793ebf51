"""How long does importing take, and how much memory? ``python -m bench.importing FILE COUNT`` in a process of its own."""

import json
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

import apsw

from bench.texts import pieces
from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite import lanes
from dowse.engines.sqlite.driver import connect, value
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.model.change import Put
from dowse.model.record import Record

# Records per transaction. Larger batches import no faster and need more memory.
_BATCH = 5000


@dataclass(frozen=True, slots=True)
class Import:
    """``started`` is the memory of the process before its first record: Python, NumPy, SQLite and dowse itself."""

    seconds: float
    started_bytes: int
    peak_bytes: int


def import_pieces(path: Path, count: int) -> Import:
    """Imports into a new file in another process, so that its memory is its own."""
    command = [sys.executable, "-m", "bench.importing", str(path), str(count)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Import(**json.loads(done.stdout))


def substring_seconds(path: Path) -> tuple[float, float, int]:
    """How long the vocabulary takes, how long its trigrams, and how many words they hold.

    They are made again from the words of the finished index, with the statements that made them there and in the same order. Stems
    and prefixes need the vocabulary too; only substring search needs its trigrams.
    """
    source = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    current = lanes.current(source)
    assert current is not None
    made = (current.vocabulary, current.contains)
    created = [value(source, "select sql from sqlite_schema where name = ?", (name,)) for name in made]
    words = source.execute(f"select * from {current.vocabulary} order by id").fetchall()
    places = ", ".join("?" * len(words[0]))
    source.close()
    with tempfile.TemporaryDirectory(prefix="dowse-bench-") as place:
        target = connect(str(Path(place, "substring.db")))
        for statement in created:
            target.execute(statement)
        start = time.perf_counter()
        with target:
            target.executemany(f"insert into {current.vocabulary} values ({places})", words)
        between = time.perf_counter()
        with target:
            target.executemany(f"insert into {current.contains} (rowid, word) values (?, ?)", [row[:2] for row in words])
        end = time.perf_counter()
        target.close()
    return between - start, end - between, len(words)


def _import(path: Path, count: int) -> Import:
    started = _peak_bytes()
    engine = SqliteEngine(path, SCHEMA)
    waiting = pieces(count)
    seconds = 0.0
    while batch := [Put(Record(piece.key, "knowledge", piece.title, {"content": piece.text})) for piece in islice(waiting, _BATCH)]:
        begin = time.perf_counter()
        engine.apply(batch)
        seconds += time.perf_counter() - begin
    # Weighed before the records are counted: counting maps the whole file into memory.
    peak = _peak_bytes()
    stored = sum(engine.status().records.values())
    if stored != count:
        raise ValueError(f"{count} pieces became {stored} records; their keys are not unique")
    begin = time.perf_counter()
    engine.close()
    return Import(seconds + time.perf_counter() - begin, started, peak)


def _peak_bytes() -> int:
    """The highest resident size so far. On Linux ``ru_maxrss`` includes the process that started this one; VmHWM does not."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next((line for line in status.read_text().splitlines() if line.startswith("VmHWM:")), None)
        if line is not None:
            return int(line.split()[1]) << 10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10


if __name__ == "__main__":
    print(json.dumps(asdict(_import(Path(sys.argv[1]), int(sys.argv[2])))))
