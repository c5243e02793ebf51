"""Do many processes get along on one workspace? Writers and readers for a minute; every rule they must keep is counted.

Each writer puts numbered records and counts which writes were acknowledged. Each reader searches for what it knows to be committed
(a writer announces a number only after its commit) and counts errors and stale answers. At the end every acknowledged write must
be there, and the lanes must say what the records say.
"""

import argparse
import json
import multiprocessing
import sys
import tempfile
import time
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import TypedDict

import dowse
from bench.tables import table
from dowse.errors import DowseError


class Tally(TypedDict):
    role: str
    done: int
    errors: int
    stale: int
    slowest_ms: float


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.together", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--writers", type=int, default=2)
    parser.add_argument("--readers", type=int, default=4)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="dowse-bench-") as folder:
        path = str(Path(folder) / "together.dowse")
        dowse.open(path).close()
        tallies = _run(path, options.seconds, options.writers, options.readers)
        lost, unhealthy = _check(path, tallies)
    if options.json:
        print(json.dumps({"processes": tallies, "lost": lost, "unhealthy": unhealthy}, indent=1))
    else:
        rows = [[t["role"], t["done"], t["errors"], t["stale"], round(t["slowest_ms"], 1)] for t in tallies]
        print(table(["process", "writes or searches", "errors", "stale answers", "slowest, ms"], rows))
        print(f"\nAcknowledged writes that are missing: {lost}. Checks of the doctor that fail: {unhealthy}.")
    return int(bool(lost or unhealthy or any(t["errors"] or t["stale"] for t in tallies)))


def _run(path: str, seconds: float, writers: int, readers: int) -> list[Tally]:
    context = multiprocessing.get_context("spawn")
    answers: multiprocessing.Queue[Tally] = context.Queue()
    committed = [context.Value("q", 0) for _ in range(writers)]
    jobs = [context.Process(target=_write, args=(path, number, seconds, committed[number], answers)) for number in range(writers)]
    jobs += [context.Process(target=_read, args=(path, number, seconds, committed, answers)) for number in range(readers)]
    for job in jobs:
        job.start()
    tallies = [answers.get() for _ in jobs]
    for job in jobs:
        job.join()
    return sorted(tallies, key=lambda tally: tally["role"])


def _write(path: str, number: int, seconds: float, committed: "Synchronized[int]", answers: "multiprocessing.Queue[Tally]") -> None:
    tally = Tally(role=f"writer {number}", done=0, errors=0, stale=0, slowest_ms=0.0)
    with dowse.open(path) as workspace:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            start = time.perf_counter()
            try:
                at = tally["done"] + 1
                workspace.put(kind="page", key=f"w{number}-{at}", title=_word(number, at), content=f"Written by writer {number}.")
            except DowseError:
                tally["errors"] += 1
                continue
            tally["done"] = at
            committed.value = at
            tally["slowest_ms"] = max(tally["slowest_ms"], (time.perf_counter() - start) * 1000)
    answers.put(tally)


def _read(
    path: str, number: int, seconds: float, committed: "list[Synchronized[int]]", answers: "multiprocessing.Queue[Tally]"
) -> None:
    tally = Tally(role=f"reader {number}", done=0, errors=0, stale=0, slowest_ms=0.0)
    with dowse.open(path) as workspace:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            writer = tally["done"] % len(committed)
            at = committed[writer].value
            start = time.perf_counter()
            try:
                found = {hit.record.key for hit in workspace.search(_word(writer, at)).hits} if at else {f"w{writer}-{at}"}
            except DowseError:
                tally["errors"] += 1
                continue
            tally["stale"] += f"w{writer}-{at}" not in found
            tally["done"] += 1
            tally["slowest_ms"] = max(tally["slowest_ms"], (time.perf_counter() - start) * 1000)
    answers.put(tally)


def _check(path: str, tallies: list[Tally]) -> tuple[int, int]:
    with dowse.open(path) as workspace:
        kept = workspace.list(kinds=["page"], limit=1).total
        acknowledged = sum(tally["done"] for tally in tallies if tally["role"].startswith("writer"))
        return acknowledged - kept, sum(not finding.ok for finding in workspace.doctor())


def _word(writer: int, number: int) -> str:
    """A word of its own for each record."""
    return f"mark{writer}x{number}"


if __name__ == "__main__":
    sys.exit(main())
