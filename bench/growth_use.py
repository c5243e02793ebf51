"""What does a workspace in use take? Memory after many questions, and how long a write needs until a search finds it.

``python -m bench.growth_use FILE QUESTIONS WRITES`` in a process of its own, so that the memory is its own.
"""

import gc
import json
import multiprocessing
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from multiprocessing.synchronize import Event
from pathlib import Path

import dowse

_READERS = 8
WRITES = 200
# A person at each reader: nobody asks again at once.
_PAUSE = 0.05


@dataclass(frozen=True, slots=True)
class Use:
    """``own``: memory nobody else could use; ``resident``: with the pages of the file that are mapped into it.

    ``visible``: from a put until a search found it, which is the ``put`` and the ``search``; medians and 99th percentiles.
    ``running``: the share of that time for which the writer had a processor. Else it waited for one, for a lock or the disk.
    """

    own_bytes: int
    resident_bytes: int
    visible_ms: float
    visible_p99_ms: float
    put_ms: float
    put_p99_ms: float
    search_ms: float
    search_p99_ms: float
    running: float


def used(path: Path, asked: Sequence[str], writes: int = WRITES) -> Use:
    command = [sys.executable, "-m", "bench.growth_use", str(path), json.dumps(list(asked)), str(writes)]
    return Use(**json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout))


def _use(path: Path, asked: Sequence[str], writes: int) -> Use:
    with dowse.open(path, create=False, model="none") as workspace:
        for size in (10, 11):
            for question in asked:
                workspace.search(question, limit=size)
    own, resident = _memory()
    with tempfile.TemporaryDirectory(prefix="dowse-bench-", dir=path.parent) as folder:
        copy = Path(shutil.copy(path, folder))
        # Else the first to put anything on the disk waits for all of the copy to get there.
        with copy.open("rb+") as file:
            os.fsync(file.fileno())
        # As in ``timing``: what the questions left behind is not to be looked through while something else is measured.
        gc.collect()
        written = _writes(copy, asked, writes)
    put, search = [item.put for item in written], [item.search for item in written]
    both = [item.put + item.search for item in written]
    running = sum(item.running for item in written) / sum(both)
    return Use(own, resident, *_spread(both), *_spread(put), *_spread(search), running)


def _spread(seconds: Sequence[float]) -> tuple[float, float]:
    return statistics.median(seconds) * 1000, sorted(seconds)[len(seconds) * 99 // 100] * 1000


@dataclass(frozen=True, slots=True)
class _Written:
    """Seconds that a put and the search that found it took, and for how many of them the writer had a processor."""

    put: float
    search: float
    running: float


def _writes(path: Path, asked: Sequence[str], writes: int) -> list[_Written]:
    """One record at a time, while others read in another process."""
    context = multiprocessing.get_context("spawn")
    ready, done = context.Event(), context.Event()
    readers = context.Process(target=_read, args=(str(path), list(asked), ready, done))
    readers.start()
    ready.wait()
    written = []
    with dowse.open(path, create=False, model="none") as workspace:
        for number in range(writes):
            word = "newcomer" + "".join(chr(ord("a") + int(digit)) for digit in str(number))
            start, running = time.perf_counter(), time.thread_time()
            workspace.put(kind="page", key=word, title=word, content="Just written.")
            between = time.perf_counter()
            found = workspace.search(word, limit=1).hits
            written.append(_Written(between - start, time.perf_counter() - between, time.thread_time() - running))
            if not found or found[0].record.key != word:
                raise AssertionError(f"{word} was written and is not found")
    done.set()
    readers.join()
    return written


def _read(path: str, asked: list[str], ready: Event, done: Event) -> None:
    with dowse.open(path, create=False, model="none") as workspace:

        def reader(number: int) -> None:
            at = number
            while not done.is_set():
                workspace.search(asked[at % len(asked)], limit=10)
                at += 1
                time.sleep(_PAUSE)

        threads = [threading.Thread(target=reader, args=(number,)) for number in range(_READERS)]
        for thread in threads:
            thread.start()
        ready.set()
        for thread in threads:
            thread.join()


def _memory() -> tuple[int, int]:
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line)
    return tuple(int(lines[name].split()[0]) << 10 for name in ("RssAnon", "VmRSS"))  # type: ignore[return-value]


if __name__ == "__main__":
    print(json.dumps(asdict(_use(Path(sys.argv[1]), json.loads(sys.argv[2]), int(sys.argv[3])))))
