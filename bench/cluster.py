"""How do a cluster and SQLite grow? ``python -m bench.cluster --cluster 127.0.0.1:9201,127.0.0.1:9202 --sizes 10000,100000``

The same pieces of text are put into both, in batches as an import makes them; then clients, a process each, ask the same questions
as fast as they are answered. Told are the records a second, the bytes a record, the client's memory, and how long an answer takes;
also processor time, the client's and the nodes', which says the same on a machine that others use.

``--keep NAME`` leaves the workspace of the cluster there, and goes on with it the next time where it stopped.
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
    lone_p50: float
    """While no one else asks."""
    processor_per_record: float
    processor_per_answer: float


@dataclass(frozen=True, slots=True)
class Filled:
    """How a workspace was filled: with so many records just now, in so many seconds, of those so many of processors."""

    written: int
    seconds: float
    processor: float
    memory: float


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.cluster", description=__doc__)
    parser.add_argument("--cluster", required=True, metavar="HOSTS", help="nodes of a cluster, separated by commas")
    parser.add_argument("--sizes", metavar="N,N", default="10000,100000", help="numbers of records; default: 10000,100000")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--questions", type=int, default=20, help="of each client; default: 20")
    parser.add_argument("--keep", metavar="NAME", help="leave the cluster's workspaces there under this name, and go on with them")
    parser.add_argument("--only", choices=("sqlite", "opensearch"), help="leave the other out")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    found = []
    for size in map(int, options.sizes.split(",")):
        asked = [item.text for item in questions(list(pieces(_SAMPLE))) if item.shape in WORD_SHAPES]
        with tempfile.TemporaryDirectory(prefix="dowse-bench-") as folder:
            places = {
                "sqlite": str(Path(folder) / "cluster.dowse"),
                "opensearch": f"opensearch://{options.cluster}/bench-{options.keep or uuid.uuid4().hex[:8]}-{size}",
            }
            for name, place in places.items():
                if options.only in (None, name):
                    try:
                        found.append(_measure(name, place, size, asked, options.clients, options.questions))
                    finally:
                        if not options.keep:
                            _remove(place)
    if options.json:
        print(json.dumps([asdict(item) for item in found], indent=1))
        return 0
    head = ["engine", "records", "records/s", "cpu ms/record", "bytes/record", "client MB"]
    head += ["p50 ms alone", "p50 ms", "p99 ms", "answers/s", "cpu ms/answer"]
    rows: list[list[Cell]] = [
        [
            item.engine,
            item.records,
            *(round(item.per_second), item.processor_per_record, round(item.bytes_per_record), round(item.client_memory)),
            *(item.lone_p50, item.p50, item.p99, item.answers_per_second, item.processor_per_answer),
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
        filled: Filled = pool.apply(_fill, (place, size))
    progress(f"{name}, {size:,} records: asking …")
    alone, _, _ = _asked_by(place, [_chosen(asked, 0, each)])
    took, whole, processor = _asked_by(place, [_chosen(asked, number, each) for number in range(clients)])
    return Measured(
        name,
        size,
        filled.written / filled.seconds,
        _bytes(place) / size,
        filled.memory,
        1000 * statistics.median(took),
        1000 * took[min(len(took) - 1, int(0.99 * len(took)))],
        len(took) / whole,
        1000 * statistics.median(alone),
        1000 * filled.processor / max(1, filled.written),
        1000 * processor / len(took),
    )


def _chosen(asked: Sequence[str], number: int, each: int) -> list[str]:
    return [asked[(number * each + at) % len(asked)] for at in range(each)]


def _asked_by(place: str, chosen: Sequence[Sequence[str]]) -> tuple[list[float], float, float]:
    """Each list of questions by a client of its own, all at once: how long each took, ascending; all of them; and processors."""
    context = multiprocessing.get_context("spawn")
    ready = context.Barrier(len(chosen) + 1)
    answers: multiprocessing.Queue[tuple[list[float], float]] = context.Queue()
    jobs = [context.Process(target=_ask, args=(place, texts, ready, answers)) for texts in chosen]
    for job in jobs:
        job.start()
    ready.wait()
    began, before = time.perf_counter(), _nodes_processor(place)
    told = [answers.get() for _ in jobs]
    whole, spent = time.perf_counter() - began, _nodes_processor(place) - before
    for job in jobs:
        job.join()
    return sorted(seconds for took, _ in told for seconds in took), whole, spent + sum(own for _, own in told)


def _fill(place: str, size: int) -> Filled:
    """Writes the pieces that are not there yet."""
    engine = open_engine(place, expected=size)
    there = sum(engine.status().records.values())
    began, before, own = time.perf_counter(), _nodes_processor(place), time.process_time()
    prepare = engine.preparer()
    for number, batch in enumerate(_batches(islice(pieces(size), there, None)), 1):
        records = [Record(piece.key, "knowledge", piece.title, {"content": piece.text}) for piece in batch]
        made = prepare(records) if prepare is not None else [None] * len(records)
        engine.apply([Put(record, prepared=item) for record, item in zip(records, made, strict=True)])
        if number % 10 == 0:
            spent, processor = time.perf_counter() - began, _nodes_processor(place) - before + time.process_time() - own
            told = f"{there + number * _BATCH:,} after {spent:.0f} s, {processor:.0f} s of processors, {_memory():.0f} MB"
            print(f"  {told}", file=sys.stderr, flush=True)
    seconds = time.perf_counter() - began
    processor = _nodes_processor(place) - before + time.process_time() - own
    engine.close()
    return Filled(size - there, seconds, processor, _memory())


def _nodes_processor(place: str) -> float:
    """The seconds of processors that the nodes of a cluster have used so far; of a file, which has none, 0."""
    if not is_address(place):
        return 0.0
    from dowse.engines.opensearch.driver import Cluster

    cluster = Cluster(parse(place, {}))
    try:
        nodes = cluster.request("GET", "/_nodes/stats/process")["nodes"].values()
    finally:
        cluster.close()
    return sum(node["process"]["cpu"]["total_in_millis"] for node in nodes) / 1000


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _ask(place: str, texts: Sequence[str], ready: Any, answers: Any) -> None:
    engine = open_engine(place, create=False)
    with engine.view() as view:
        search(view, SearchRequest("warm up", limit=TOP), EVERYTHING, SCHEMA)
    ready.wait()
    took, own = [], time.process_time()
    for text in texts:
        began = time.perf_counter()
        with engine.view() as view:
            search(view, SearchRequest(text, limit=TOP), EVERYTHING, SCHEMA)
        took.append(time.perf_counter() - began)
    answers.put((took, time.process_time() - own))
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
        from dowse.engines.opensearch.indices import remove_workspace

        address = parse(place, {})
        cluster = Cluster(address)
        remove_workspace(cluster, address.prefix)
        cluster.close()


if __name__ == "__main__":
    raise SystemExit(main())
