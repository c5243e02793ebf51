"""Who reads the files and settles their names? This process when there is little to do, several side by side when it pays.

Results come in order, whoever made them.
"""

import atexit
import multiprocessing
import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from types import ModuleType

from dowse.ingest.collecting import collect_seldom
from dowse.ingest.linking import Linker, Settled
from dowse.ingest.reading import ReadFile, Task, read_file
from dowse.ports import Opening, Preparer

# Starting a process and loading the parsers there costs about a third of a second; so much is read here in that time.
_PAYS_FROM = 3_000_000
# What a process is given at once: enough that handing over costs little, little enough that progress is smooth.
_CHUNK_BYTES = 400_000
_CHUNK_FILES = 50
# Chunks that are read ahead for each process. More would only lie in memory.
_AHEAD = 3
_MOST = 8


def default_jobs() -> int:
    """As many as there are processors for us: reading goes on while this process writes."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(count, _MOST)


class Readers:
    """Whoever reads. ``pool``: the processes that do, where it is not this one."""

    def __init__(self, chunks: list[list[Task]], pool: ProcessPoolExecutor | None = None, ahead: int = 0) -> None:
        self._chunks = chunks
        self._pool = pool
        self._ahead = ahead

    def files(self) -> Iterator[list[ReadFile]]:
        """The files as they were read, a chunk at a time, in the order of the tasks.

        Other processes prepare the records for the engine as well; this one leaves that to the engine.
        """
        if self._pool is None:
            return map(read_chunk, self._chunks)
        return _in_order(self._pool, self._chunks, self._ahead)

    @property
    def are_others(self) -> bool:
        """Whether other processes are there for it."""
        return self._pool is not None

    def settled(self, opening: Opening, space: str, slices: Sequence[Sequence[str]]) -> Iterator[list[Settled]]:
        """What settles the files at these paths, a slice of them after the other, as far as other processes do it.

        Whatever a process that was ended had in hand is not among it.
        """
        if self._pool is None or len(slices) <= 1:
            return
        try:
            waiting: deque[Future[list[Settled]]] = deque()
            for paths in slices:
                with _without_script():
                    waiting.append(self._pool.submit(_settle, opening, space, paths))
                if len(waiting) > self._ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            return


@contextmanager
def reading(tasks: Sequence[Task], jobs: int | None = None, preparer: Preparer | None = None) -> Iterator[Readers]:
    """As many processes as pay for these files."""
    wanted = default_jobs() if jobs is None else jobs
    if multiprocessing.current_process().daemon:
        # Such a process may not start others, whoever made it.
        wanted = 1
    chunks = list(_chunks(tasks))
    if wanted <= 1 or len(chunks) <= 1 or (jobs is None and sum(task.entry.size for task in tasks) < _PAYS_FROM):
        yield Readers(chunks)
        return
    # A fresh process has none of our open files and threads, whatever the system's way of starting one is.
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(wanted, len(chunks)), fresh, _begin, (preparer,)) as pool:
        try:
            yield Readers(chunks, pool, wanted * _AHEAD)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def read_chunk(tasks: Sequence[Task]) -> list[ReadFile]:
    return [read_file(task) for task in tasks]


# Set once in each process that reads for another, which does so for one run over one project.
_preparer: Preparer | None = None
_linker: Linker | None = None


def _begin(preparer: Preparer | None) -> None:
    global _preparer
    _preparer = preparer
    collect_seldom()
    # It leaves nothing behind, and to take all it knows apart, piece by piece, would keep whoever started it waiting.
    atexit.register(os._exit, 0)


def _read_and_prepare(tasks: Sequence[Task]) -> list[ReadFile]:
    files = read_chunk(tasks)
    return prepared(files, _preparer) if _preparer is not None else files


def _settle(opening: Opening, space: str, paths: Sequence[str]) -> list[Settled]:
    """What names mean is told by files that are all in the workspace now, and by nothing that settling changes."""
    global _linker
    _linker = _linker or Linker(space)
    engine = opening()
    try:
        with engine.view() as view:
            return _linker.settled(view, [source for source in view.sources(space, paths) if not source.settled])
    finally:
        # Nothing of it stays open between two slices: whoever closes the workspace last tidies up after it.
        engine.close()


def prepared(files: Sequence[ReadFile], prepare: Preparer) -> list[ReadFile]:
    """With what the engine makes of each of their records, those of all files at once."""
    made = iter(prepare([record for file in files if file.extract is not None for record in file.extract.records]))
    return [
        replace(file, prepared=tuple(islice(made, len(file.extract.records)))) if file.extract is not None else file
        for file in files
    ]


def _in_order(pool: ProcessPoolExecutor, chunks: Iterable[list[Task]], ahead: int) -> Iterator[list[ReadFile]]:
    waiting: deque[tuple[list[Task], Future[list[ReadFile]] | None]] = deque()
    for chunk in chunks:
        waiting.append((chunk, _submitted(pool, chunk)))
        if len(waiting) > ahead:
            yield _result(*waiting.popleft())
    while waiting:
        yield _result(*waiting.popleft())


def _submitted(pool: ProcessPoolExecutor, chunk: list[Task]) -> Future[list[ReadFile]] | None:
    with _without_script():
        try:
            return pool.submit(_read_and_prepare, chunk)
        except BrokenProcessPool:
            return None


def _result(chunk: list[Task], future: Future[list[ReadFile]] | None) -> list[ReadFile]:
    """What was read. If the system ended one of the processes, the others end too, and what they had is read here."""
    try:
        return future.result() if future is not None else read_chunk(chunk)
    except BrokenProcessPool:
        return read_chunk(chunk)


@contextmanager
def _without_script() -> Iterator[None]:
    """A fresh process would begin by running the script that called us once more; reading needs nothing from it."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


def _chunks(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    chunk: list[Task] = []
    size = 0
    for task in tasks:
        chunk.append(task)
        size += task.entry.size
        if size >= _CHUNK_BYTES or len(chunk) >= _CHUNK_FILES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk
