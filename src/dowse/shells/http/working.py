"""Who does the work? Threads, in lanes: the core is sync, and no search may wait for an index."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from dowse.shells.http.routing import Lane

T = TypeVar("T")
# How things stand with the workspace and its projects. What only reads the index is answered elsewhere (``sharing``).
_READERS = 2
# Each takes a fraction of a millisecond.
_LOOKERS = 2
# Writes take turns in the engine anyway; these are the places in which they wait.
_WRITERS = 4
# Indexing, importing, exporting: each may take minutes, and few run at once.
_LONG = 4


class Lanes:
    """Threads by lane, until closed."""

    def __init__(self, readers: int = _READERS) -> None:
        sizes = {Lane.LOOK: _LOOKERS, Lane.READ: readers, Lane.WRITE: _WRITERS, Lane.LONG: _LONG}
        self._pools = {lane: ThreadPoolExecutor(size, thread_name_prefix=f"dowse-{lane}") for lane, size in sizes.items()}

    async def run(self, lane: Lane, work: Callable[[], T]) -> T:
        """Waits for the work. It is done to its end also when nobody waits for it any more."""
        return await asyncio.get_running_loop().run_in_executor(self._pools[lane], work)

    def submit(self, lane: Lane, work: Callable[[], T]) -> "Future[T]":
        return self._pools[lane].submit(work)

    def close(self) -> None:
        for pool in self._pools.values():
            pool.shutdown(wait=True, cancel_futures=True)
