"""How do a cluster and SQLite grow? ``python -m bench.cluster --cluster 127.0.0.1:9201,127.0.0.1:9202 --sizes 10000,100000``

The same pieces of text are put into both, in batches as an import makes them; then clients, a process each, ask the same questions
as fast as they are answered. Told are the records a second, the bytes a record, the client's memory, and how long an answer takes.
"""

import argparse
import json
import multiprocessing
import resource
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from bench.keeping import progress
from bench.questions import WORD_SHAPES, questions
from bench.systems import TOP, size_on_disk
from bench.tables import Cell, table
from bench.texts import Piece, pieces
from dowse.app.opening import open_engine
from dowse.domains.everything import EVERYTHING, SCHEMA
from dowse.engines.opensearch import is_address, parse
from dowse.model.change import Put
from dowse.model.record import Record
from dowse.model.request import SearchRequest
from dowse.search.pipeline import search

_BATCH = 2000
# Texts that questions are made of: enough to tell common words from rare ones.
_SAMPLE = 5000


@dataclass(frozen=True, slots=True)
class Measured:
    """One engine with so many records. Times in milliseconds, memory in megabytes."""

    engine: str
    records: int
    per_second: float
    bytes_per_record: float
    client_memory: float
    p50: float
    p99: float
    answers_per_second: float


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.cluster", description=__doc__)
    parser.add_argument("--cluster", required=True, metavar="HOSTS", help="nodes of a cluster, separated by commas")
    parser.add_argument("--sizes", metavar="N,N", default="10000,100000", help="numbers of records; default: 10000,100000")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--questions", type=int, default=20, help="of each client; default: 20")
    parser.add_argument("--only", choices=("sqlite", "opensearch"), help="leave the other out")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    found = []
    for size in map(int, options.sizes.split(",")):
        asked = [item.text for item in questions(list(pieces(_SAMPLE))) if item.shape in WORD_SHAPES]
        with tempfile.TemporaryDirectory(prefix="dowse-bench-") as folder:
            places = {
                "sqlite": str(Path(folder) / "cluster.dowse"),
                "opensearch": f"opensearch://{options.cluster}/bench-{uuid.uuid4().hex[:8]}",
            }
            for name, place in places.items():
                if options.only in (None, name):
                    try:
                        found.append(_measure(name, place, size, asked, options.clients, options.questions))
                    finally:
                        _remove(place)
    if options.json:
        print(json.dumps([asdict(item) for item in found], indent=1))
        return 0
    head = ["engine", "records", "records/s", "bytes/record", "client MB", "p50 ms", "p99 ms", "answers/s"]
    rows: list[list[Cell]] = [
        [
            item.engine,
            item.records,
            *map(round, (item.per_second, item.bytes_per_record, item.client_memory)),
            *(item.p50, item.p99, item.answers_per_second),
        ]
        for item in found
    ]
    print(table(head, rows, digits=1))
    print(f"\n{options.clients} clients at once, the surface that searches everything, by words, a whole page of {TOP}.")
    return 0


def _measure(name: str, place: str, size: int, asked: Sequence[str], clients: int, each: int) -> Measured:
    progress(f"{name}, {size:,} records: writing …")
    context = multiprocessing.get_context("spawn")
    # A process of its own, whose memory is its own.
    with context.Pool(1) as pool:
        seconds, memory = pool.apply(_fill, (place, size))
    progress(f"{name}, {size:,} records: asking …")
    took: list[float] = []
    ready, go = context.Barrier(clients + 1), time.perf_counter
    answers: multiprocessing.Queue[list[float]] = context.Queue()
    chosen = [[asked[(number * each + at) % len(asked)] for at in range(each)] for number in range(clients)]
    jobs = [context.Process(target=_ask, args=(place, texts, ready, answers)) for texts in chosen]
    for job in jobs:
        job.start()
    ready.wait()
    began = go()
    for _ in jobs:
        took += answers.get()
    whole = go() - began
    for job in jobs:
        job.join()
    took.sort()
    return Measured(
        name,
        size,
        size / seconds,
        _bytes(place) / size,
        memory,
        1000 * statistics.median(took),
        1000 * took[min(len(took) - 1, int(0.99 * len(took)))],
        len(took) / whole,
    )


def _fill(place: str, size: int) -> tuple[float, float]:
    """Writes the pieces; returns the seconds it took and the most memory this process had, in megabytes."""
    engine = open_engine(place, expected=size)
    began = time.perf_counter()
    prepare = engine.preparer()
    for number, batch in enumerate(_batches(pieces(size))):
        records = [Record(piece.key, "knowledge", piece.title, {"content": piece.text}) for piece in batch]
        engine.apply([Put(record, prepared=prepare(record) if prepare is not None else None) for record in records])
        if number % 100 == 99:
            spent = time.perf_counter() - began
            print(f"  {(number + 1) * _BATCH:,} in {spent:.0f} s, {_memory():.0f} MB", file=sys.stderr, flush=True)
    seconds = time.perf_counter() - began
    engine.close()
    return seconds, _memory()


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _ask(place: str, texts: Sequence[str], ready: Any, answers: Any) -> None:
    engine = open_engine(place, create=False)
    with engine.view() as view:
        search(view, SearchRequest("warm up", limit=TOP), EVERYTHING, SCHEMA)
    ready.wait()
    took = []
    for text in texts:
        began = time.perf_counter()
        with engine.view() as view:
            search(view, SearchRequest(text, limit=TOP), EVERYTHING, SCHEMA)
        took.append(time.perf_counter() - began)
    answers.put(took)
    engine.close()


def _batches(found: Iterator[Piece]) -> Iterator[list[Piece]]:
    while batch := list(islice(found, _BATCH)):
        yield batch


def _bytes(place: str) -> int:
    if not is_address(place):
        return size_on_disk(Path(place))
    engine = open_engine(place, create=False)
    try:
        return engine.status().bytes
    finally:
        engine.close()


def _remove(place: str) -> None:
    if is_address(place):
        from dowse.engines.opensearch.driver import Cluster

        address = parse(place, {})
        cluster = Cluster(address)
        cluster.request("DELETE", f"/{address.prefix}-*", parameters={"ignore": 404})
        cluster.close()


if __name__ == "__main__":
    raise SystemExit(main())
