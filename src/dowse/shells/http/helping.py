"""Who reads when one process is not enough? Others, each with the workspace open: ranking holds an interpreter's lock."""

import asyncio
import multiprocessing
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from starlette.responses import Response

from dowse.app.permissions import Principal
from dowse.shells.http.getting import Asked, Getting
from dowse.shells.http.recent import FRESH, Recent
from dowse.shells.http.routing import ENDPOINTS

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

_Answer = tuple[int, list[tuple[bytes, bytes]], bytes]


class Helpers:
    """Processes that answer what only reads. Each starts with the first request that finds the others at work."""

    def __init__(self, location: str, count: int, instance: str) -> None:
        self._location = location
        self._count = count
        self._instance = instance
        self._pool = self._begun()

    async def answer(self, principal: Principal, asked: Asked) -> Response | None:
        """The answer; None if the helpers are gone, which others then take the place of."""
        pool = self._pool
        try:
            status, headers, body = await asyncio.get_running_loop().run_in_executor(pool, _answer, principal, asked)
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = self._begun()
            return None
        response = Response(body, status)
        response.raw_headers = headers
        return response

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _begun(self) -> ProcessPoolExecutor:
        # Nothing of this process may be taken along: it has threads and open files.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._count, context, _begin, (self._location, self._instance))


# What a helping process has, from its beginning to its end.
_whole: "Workspace | None" = None
_getting: Getting | None = None


def _begin(location: str, instance: str) -> None:
    global _whole, _getting
    from dowse.app.opening import open

    # An interruption reaches every process of a terminal; the server ends its helpers when they are done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _whole = open(location, create=False)
    _getting = Getting(Recent(lambda seen: seen.freshness(), FRESH, time.monotonic), instance)


def _answer(principal: Principal, asked: Asked) -> _Answer:
    assert _whole is not None
    assert _getting is not None
    response = _getting.answer(ENDPOINTS[asked.path], _whole.acting_as(principal), asked)
    return response.status_code, response.raw_headers, bytes(response.body)
