"""How many does a server answer, and how fast? ``python -m bench.serving`` asks some over loopback, from another process.

Each server is ``dowse serve`` with another number of helpers, the default one first. Sixteen connections ask as fast as they are
answered, by GET, by POST and as agents do, once in peace and once while someone writes through the same server. All take turns in
short rounds, so that what else the machine does falls on all of them.
"""

import argparse
import multiprocessing
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import dowse
from bench.loading import WAYS, Load, load_server
from bench.questions import WORD_SHAPES, questions
from bench.tables import Cell, table
from bench.texts import pieces
from dowse.app.workspace import Workspace
from dowse.model.change import Put
from dowse.model.record import Record
from dowse.shells.http.sharing import sensible

_BATCH = 5000
_SAMPLE = 20_000
# Of each shape; together far more than a server keeps pages of.
_DISTINCT = 1000
# Pages that a workspace keeps, to tell how many answers could come from there.
_KEPT = 256
# Helpers that are compared, beside the number that is the default.
_HELPERS = (0, 1, 2)
# How far reads scale over threads, each count over so many questions.
_THREADS = (1, 2, 4)
_ASKED_BY_THREADS = 300
# Seconds of load before anything is counted: helpers start, caches fill. Then a moment before each round.
_FIRST, _WARM = 8.0, 0.5
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100

Loaded = Callable[[int, str, float, float | None, int], Load]


@dataclass(slots=True)
class Server:
    """A server under load. ``helpers``: the most that it may have; ``name``: what to call it."""

    name: str
    helpers: int
    process: "subprocess.Popen[str]"
    port: int
    loads: dict[tuple[str, bool], list[Load]] = field(default_factory=dict)
    busiest: dict[tuple[str, bool], float] = field(default_factory=dict)
    """Seconds of the processor that the busiest of its processes took."""

    @property
    def processes(self) -> list[int]:
        """The server's own first, then those that help."""
        return [self.process.pid, *_children(self.process.pid)]


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    sample = list(islice(pieces(options.records), _SAMPLE))
    asked = [item.text for item in questions(sample, _DISTINCT) if item.shape in WORD_SHAPES]
    with ExitStack() as stack:
        path = stack.enter_context(_made(options.workspace, options.records))
        with dowse.open(path) as workspace:
            default = sensible(workspace)
            alone = _alone(workspace, asked)
            threaded = {many: _threaded(workspace, asked, many) for many in _THREADS}
        pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(1))

        def loaded(port: int, way: str, seconds: float, pause: float | None, seed: int) -> Load:
            return pool.apply(load_server, (port, way, asked, options.connections, seconds, pause, _WARM, seed))

        servers = [stack.enter_context(_serving(path, default, is_default=True))]
        servers += [stack.enter_context(_serving(path, helpers)) for helpers in options.helpers if helpers != default]
        for server in servers:
            loaded(server.port, "GET", _FIRST, None, 0)
        for turn in range(options.rounds):
            _round(servers, options, loaded, turn + 1)
        print(f"{options.records:,} records, {options.connections} connections, {len(asked):,} distinct queries\n")
        _tell(servers, options)
    print(f"\nOne search at a time, without a server: {alone * 1000:.1f} ms (median)")
    print("Searches a second, without a server: " + ", ".join(f"{rate:.0f} by {many} threads" for many, rate in threaded.items()))
    return 1 if any(load.errors for server in servers for loads in server.loads.values() for load in loads) else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.serving", description=__doc__)
    parser.add_argument("--records", type=int, default=100_000, help="how many are searched")
    parser.add_argument("--seconds", type=float, default=12.0, help="how long each load lasts, all rounds together")
    parser.add_argument("--rounds", type=int, default=4, help="into how many rounds that is cut")
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--helpers", type=int, nargs="*", default=_HELPERS, help="further numbers of helpers to compare")
    parser.add_argument("--ways", nargs="*", default=("GET", "POST", "MCP"), choices=tuple(WAYS), help="how is asked")
    parser.add_argument("--pause", type=float, default=0.1, help="seconds between two commits")
    parser.add_argument("--workspace", type=Path, help="one of an earlier run, which is asked again; made if it is not there")
    return parser.parse_args(arguments)


@contextmanager
def _made(path: Path | None, records: int) -> Iterator[Path]:
    """Where the workspace is."""
    with tempfile.TemporaryDirectory(prefix="dowse-bench-") as place:
        where = path or Path(place, "serving.dowse")
        with dowse.open(where) as workspace:
            if not workspace.status().records:
                source = (Put(Record(piece.key, "knowledge", piece.title, {"content": piece.text})) for piece in pieces(records))
                while batch := list(islice(source, _BATCH)):
                    workspace.apply(batch)
        yield where


@contextmanager
def _serving(path: Path, helpers: int, *, is_default: bool = False) -> Iterator[Server]:
    command = [sys.executable, "-m", "dowse", "serve", "--port", "0", "--workspace", str(path)]
    command += [] if is_default else ["--helpers", str(helpers)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline()
            port = re.search(r"http://\S+:(\d+)/", said)
            if port is None:
                raise RuntimeError(f"The server says {said!r}.")
            yield Server(f"{helpers} (default)" if is_default else str(helpers), helpers, process, int(port[1]))
        finally:
            process.terminate()


def _round(servers: Sequence[Server], options: argparse.Namespace, loaded: Loaded, turn: int) -> None:
    for number, way in enumerate(options.ways, turn * len(options.ways)):
        for writes in (False, True):
            # The same questions for every server, and others each time.
            seed = 2 * number + writes
            for server in servers:
                before = {process: _worked(process) for process in server.processes}
                load = loaded(server.port, way, options.seconds / options.rounds, options.pause if writes else None, seed)
                worked = max(_worked(process) - began for process, began in before.items())
                server.loads.setdefault((way, writes), []).append(load)
                server.busiest[way, writes] = server.busiest.get((way, writes), 0.0) + worked


def _tell(servers: Sequence[Server], options: argparse.Namespace) -> None:
    rows: list[list[Cell]] = []
    without = next((server for server in servers if server.helpers == 0), servers[0])
    for way in options.ways:
        for writes in (False, True):
            name = f"{way}, a commit every {options.pause * 1000:.0f} ms" if writes else f"{way}, nobody writes"
            for server in servers:
                clock, busiest = (of(server, way, writes) / max(of(without, way, writes), 1e-9) for of in (_by_clock, _by_busiest))
                own = _row(server.loads[way, writes])
                rows.append([name, server.name, *own, clock, _by_busiest(server, way, writes), busiest])
    head = ["load", "helpers", "requests/s", "p50, ms", "p99, ms", "commits", "errors", "×", "a busiest second", "×"]
    print(table(head, rows, digits=1))
    repeated = statistics.mean(_repeated(load.asked) for server in servers for loads in server.loads.values() for load in loads)
    print(f"\n{repeated:.0%} of the requests were for one of the last {_KEPT} pages, which a server at rest has at hand.\n")
    print(table(["memory, MB", "resident", "of its own"], list(_memory(servers)), digits=0))


def _row(loads: Sequence[Load]) -> list[Cell]:
    times = sorted(took for load in loads for took in load.times)
    errors, written = (sum(getattr(load, name) for load in loads) for name in ("errors", "written"))
    rate = len(times) / sum(load.seconds for load in loads)
    return [rate, _at(times, 0.5), _at(times, 0.99), written, errors]


def _by_clock(server: Server, way: str, writes: bool) -> float:
    loads = server.loads[way, writes]
    return sum(len(load.times) for load in loads) / sum(load.seconds for load in loads)


def _by_busiest(server: Server, way: str, writes: bool) -> float:
    """Answers in a second of the processor that the busiest process took: what it would be a second with a core for each. What
    else the machine does changes little of it."""
    return sum(len(load.times) for load in server.loads[way, writes]) / max(server.busiest[way, writes], 1e-9)


def _at(times: Sequence[float], part: float) -> float:
    return times[min(len(times) - 1, int(part * len(times)))] * 1000 if times else 0.0


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


def _memory(servers: Sequence[Server]) -> Iterator[list[Cell]]:
    """What each process takes; the index file is mapped into all of them and counts as resident in each, as its own in none."""
    for server in servers:
        for number, process in enumerate(server.processes):
            told = _read(Path(f"/proc/{process}/smaps_rollup"))
            sizes = dict(re.findall(r"^(\w+): +(\d+) kB$", told, re.MULTILINE))
            own = int(sizes.get("Private_Clean", 0)) + int(sizes.get("Private_Dirty", 0))
            name = f"helpers {server.name}: " + ("the server" if not number else f"helper {number}")
            yield [name, int(sizes.get("Rss", 0)) / 1024, own / 1024]


def _children(parent: int) -> list[int]:
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        told = _read(place).rpartition(")")[2].split()
        if len(told) > 1 and int(told[1]) == parent:
            found.append(int(place.parent.name))
    return sorted(found)


def _worked(process: int) -> float:
    """Seconds of the processor that a process has taken so far; 0 where the system does not tell."""
    told = _read(Path(f"/proc/{process}/stat")).rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / _TICKS if told else 0.0


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""  # it has ended, or this system has no such file


if __name__ == "__main__":
    sys.exit(main())
