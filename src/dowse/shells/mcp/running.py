"""How does a call run? In a thread of its own, telling how far it is, until its caller has the answer or wants none any more."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
from mcp.server.context import ServerRequestContext

from dowse.model.run import IndexProgress, Stage
from dowse.shells.mcp.tool import Report

Result = TypeVar("Result")
Context = ServerRequestContext[Any, Any]

# Calls that run at once; more of them wait in line, and who cancels while waiting is never run.
AT_ONCE = 16
# Seconds between two messages about progress: a person sees it move, and no client drowns in it.
_PAUSE = 0.1
_ALL = 100.0
# Reading is most of the work; how long settling the names takes is not known beforehand.
_READ_SHARE = 90.0


class Line:
    """Where calls wait for their turn."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._limiter = anyio.CapacityLimiter(at_once)

    async def run(self, context: Context, work: Callable[[Report], Result]) -> Result:
        """Does some work in a thread. A caller who cancels stops it where it reports next; what is committed stays."""
        return await anyio.to_thread.run_sync(work, Reporter(context), limiter=self._limiter)


class Reporter:
    """Tells the caller how far its call is. Called in the thread that does the work."""

    def __init__(self, context: Context, clock: Callable[[], float] = time.monotonic) -> None:
        self._context = context
        self._clock = clock
        self._told = float("-inf")
        self._done = 0.0

    def __call__(self, *progress: Any) -> None:
        anyio.from_thread.check_cancelled()
        now = self._clock()
        if now < self._told + _PAUSE:
            return
        self._told = now
        done, message = how_far(progress, self._done)
        # Every message must tell of more than the one before.
        self._done = max(done, (99 * self._done + _ALL) / 100)
        anyio.from_thread.run(self._context.session.report_progress, self._done, _ALL, message)


def how_far(progress: tuple[Any, ...], before: float) -> tuple[float, str]:
    """How much of a hundred is done, and what to say of it.

    >>> how_far((IndexProgress(Stage.READING, files=2, files_total=8, bytes=50, bytes_total=100),), 0)
    (45.0, 'reading: 2 of 8 files, 0 records')
    >>> how_far((30, 60), 0)
    (50.0, '30 of 60')
    """
    match progress:
        case (IndexProgress() as run,):
            return _indexing(run, before)
        case (int(done), int(total)) if total:
            return _ALL * done / total, f"{done:,} of {total:,}"
    return before, " ".join(map(str, progress))


def _indexing(run: IndexProgress, before: float) -> tuple[float, str]:
    files = f"{run.files:,} of {run.files_total:,} files, {run.records:,} records"
    match run.stage:
        case Stage.LOOKING:
            return 0.0, "looking for files that changed"
        case Stage.READING:
            return _READ_SHARE * run.bytes / max(run.bytes_total, 1), f"reading: {files}"
        case Stage.LINKING:
            return max(before, _READ_SHARE), f"linking: {files}"
    return _ALL, f"done: {files}"
