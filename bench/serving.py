"""How many does a server answer, and how fast? ``python -m bench.serving`` asks one over loopback, from a second process.

Sixteen connections ask as fast as they are answered, once in peace and once while someone writes through the same server.
"""

import argparse
import json
import multiprocessing
import random
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from urllib.parse import quote

import dowse
from bench.questions import WORD_SHAPES, questions
from bench.tables import Cell, table
from bench.texts import pieces
from dowse.app.workspace import Workspace
from dowse.model.change import Put
from dowse.model.record import Record

_HOST = "127.0.0.1"
_BATCH = 5000
_SAMPLE = 20_000
# Of each shape; together far more than the server keeps pages of.
_DISTINCT = 1000
# One of so many requests is one that everybody asks, as people do.
_POPULAR_EVERY, _POPULAR = 10, 20
# Pages that a workspace keeps, to tell how many answers could come from there.
_KEPT = 256
# How far reads scale over threads, each count over so many questions.
_THREADS = (1, 2, 4)
_ASKED_BY_THREADS = 300
# Seconds at the beginning that are not counted: caches fill.
_WARM = 2.0


@dataclass(frozen=True, slots=True)
class Load:
    """What a load saw. ``times``: seconds of each request; ``asked``: which query each was, in the order of their answers."""

    times: list[float]
    asked: list[int]
    errors: int
    written: int
    seconds: float


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.serving", description=__doc__)
    parser.add_argument("--records", type=int, default=100_000, help="how many are searched")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each load lasts")
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--helpers", type=int, default=0, help="processes that search beside the server's own")
    parser.add_argument("--pause", type=float, default=0.1, help="seconds between two commits")
    parser.add_argument("--workspace", type=Path, help="one of an earlier run, which is asked again; made if it is not there")
    options = parser.parse_args(arguments)
    sample = list(islice(pieces(options.records), _SAMPLE))
    asked = [item.text for item in questions(sample, _DISTINCT) if item.shape in WORD_SHAPES]
    rows: list[list[Cell]] = []
    with _workspace(options.workspace, options.records) as workspace:
        alone = _alone(workspace, asked)
        threaded = {many: _threaded(workspace, asked, many) for many in _THREADS}
        with _served(workspace, options.helpers) as port:
            for name, pause in (("nobody writes", None), (f"a commit every {options.pause * 1000:.0f} ms", options.pause)):
                load = _loaded(port, asked, options.connections, options.seconds, pause)
                rows.append(_row(name, load))
    print(f"{options.records:,} records, {options.connections} connections, {len(asked):,} distinct queries\n")
    print(table(["load", "requests/s", "p50, ms", "p99, ms", "max, ms", "repeated, %", "commits", "errors"], rows, digits=1))
    print(f"\nOne search at a time, without a server: {alone * 1000:.1f} ms (median)")
    print("Searches a second, without a server: " + ", ".join(f"{rate:.0f} by {many} threads" for many, rate in threaded.items()))
    return 1 if any(row[-1] for row in rows) else 0


@contextmanager
def _workspace(path: Path | None, records: int) -> Iterator[Workspace]:
    with tempfile.TemporaryDirectory(prefix="dowse-bench-") as place:
        where = path or Path(place, "serving.dowse")
        with dowse.open(where) as workspace:
            if not workspace.status().records:
                source = (Put(Record(piece.key, "knowledge", piece.title, {"content": piece.text})) for piece in pieces(records))
                while batch := list(islice(source, _BATCH)):
                    workspace.apply(batch)
            yield workspace


@contextmanager
def _served(workspace: Workspace, helpers: int = 0) -> Iterator[int]:
    from dowse.shells.http.app import App, Serving
    from dowse.shells.http.serving import TURN, Server, listening

    sys.setswitchinterval(TURN)
    server = Server(App(workspace, Serving(helpers=helpers)))
    with listening(_HOST, 0) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield int(listener.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join()


def _alone(workspace: Workspace, asked: Sequence[str]) -> float:
    times = []
    for query in asked[:300]:
        start = time.perf_counter()
        workspace.search(query)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def _threaded(workspace: Workspace, asked: Sequence[str], many: int) -> float:
    """Searches a second of so many threads; each count has questions of its own, so that none is answered from memory."""
    mine = asked[_THREADS.index(many) + 1 :: len(_THREADS) + 1][:_ASKED_BY_THREADS]
    threads = [
        threading.Thread(target=lambda own: [workspace.search(query) for query in own], args=(mine[at::many],))
        for at in range(many)
    ]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(mine) / (time.perf_counter() - start)


def _loaded(port: int, asked: Sequence[str], connections: int, seconds: float, pause: float | None) -> Load:
    """The load of a second process, whose work takes nothing from the server's."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(load_server, (port, list(asked), connections, seconds, pause))


def load_server(port: int, asked: list[str], connections: int, seconds: float, pause: float | None, warm: float = _WARM) -> Load:
    """Asks until the time is over; runs in a process of its own."""
    seen: list[tuple[float, float, int, bool]] = []
    begin = time.perf_counter() + warm
    end = begin + seconds
    written: list[bool] = []
    workers = [threading.Thread(target=_ask, args=(port, asked, number, end, seen)) for number in range(connections)]
    if pause is not None:
        workers.append(threading.Thread(target=_write, args=(port, pause, end, written)))
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    counted = [(took, query, good) for done, took, query, good in seen if done - took >= begin]
    return Load(
        [took for took, _, _ in counted],
        [query for _, query, _ in counted],
        sum(not good for *_, good in counted) + written.count(False),
        len(written),
        seconds,
    )


def _ask(port: int, asked: list[str], number: int, end: float, seen: list[tuple[float, float, int, bool]]) -> None:
    chance = random.Random(number)
    with Connection(port) as connection:
        for turn in count():
            start = time.perf_counter()
            if start >= end:
                return
            query = chance.randrange(_POPULAR) if turn % _POPULAR_EVERY == 0 else chance.randrange(len(asked))
            status, _ = connection.ask(f"GET /api/search?query={quote(asked[query])} HTTP/1.1")
            done = time.perf_counter()
            seen.append((done, done - start, query, status == 200))


def _write(port: int, pause: float, end: float, written: list[bool]) -> None:
    with Connection(port) as connection:
        for number in count():
            start = time.perf_counter()
            if start >= end:
                return
            made = {
                "kind": "knowledge",
                "key": f"written-{number % 1000}",
                "title": f"Written {number}",
                "set": {"content": "a note " * 50},
            }
            status, _ = connection.ask("POST /api/put HTTP/1.1", json.dumps(made).encode())
            written.append(status == 200)
            time.sleep(max(0.0, pause - (time.perf_counter() - start)))


class Connection:
    """As little of HTTP as it takes to ask and to read an answer: what asks should cost nothing beside what answers."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection((_HOST, port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file = self._socket.makefile("rb")

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._socket.close()

    def ask(self, line: str, body: bytes = b"") -> tuple[int, bytes]:
        head = f"{line}\r\nHost: localhost\r\nAccept-Encoding: identity\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self._socket.sendall(head.encode() + b"\r\n" + body)
        status = int(self._file.readline().split()[1])
        length = 0
        while (field := self._file.readline()) not in (b"\r\n", b""):
            name, _, value = field.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return status, self._file.read(length)


def _row(name: str, load: Load) -> list[Cell]:
    times = sorted(load.times)
    share = _repeated(load.asked)
    rate = len(times) / load.seconds
    return [name, rate, _at(times, 0.5), _at(times, 0.99), times[-1] * 1000, share * 100, load.written, load.errors]


def _at(times: Sequence[float], part: float) -> float:
    return times[min(len(times) - 1, int(part * len(times)))] * 1000


def _repeated(asked: Sequence[int]) -> float:
    """How many requests were for one of the last pages, which a server at rest has at hand."""
    kept: OrderedDict[int, None] = OrderedDict()
    found = 0
    for query in asked:
        found += query in kept
        kept[query] = None
        kept.move_to_end(query)
        if len(kept) > _KEPT:
            kept.popitem(last=False)
    return found / max(1, len(asked))


if __name__ == "__main__":
    sys.exit(main())
