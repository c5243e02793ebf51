"""What answers at an address? The parts of the server, put together."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Router
from starlette.types import Receive, Scope, Send

from dowse.shells.http.callers import Callers, is_loopback
from dowse.shells.http.events import Events
from dowse.shells.http.facing import Facing
from dowse.shells.http.getting import Getting
from dowse.shells.http.guarding import Guard
from dowse.shells.http.jobs import Jobs
from dowse.shells.http.limits import Limits
from dowse.shells.http.metrics import Metrics
from dowse.shells.http.overseeing import Overseeing
from dowse.shells.http.page.routes import routes
from dowse.shells.http.performing import Performing
from dowse.shells.http.problems import Problem, Refused, problem_of
from dowse.shells.http.recent import FRESH, Recent
from dowse.shells.http.releasing import EVERY, release
from dowse.shells.http.routing import ENDPOINTS, Lane
from dowse.shells.http.sharing import Readers
from dowse.shells.http.working import Lanes
from dowse.shells.mcp.http import mcp_app

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

_log = logging.getLogger("dowse.http")
# Smaller answers fit into a packet as they are; beyond, the first levels of gzip save nearly all that the last ones do.
_COMPRESSED_FROM = 1024
_COMPRESSION = 3
# What an agent reads at once without losing sight of its task.
_TOKENS = 8000


@dataclass(frozen=True, slots=True)
class Serving:
    """How a workspace is served. ``host``: where the server listens. ``roots``: without any, the projects of the workspace.
    ``helpers``: the most processes that answer beside this one what only reads; each has the index in memory, as this one does."""

    host: str = "127.0.0.1"
    roots: tuple[Path, ...] = ()
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    surfaces: tuple[str, ...] = ()
    helpers: int = 0
    limits: Limits = field(default_factory=Limits)
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    new_id: Callable[[], str] = lambda: secrets.token_hex(8)
    look: float = 0.5
    ping: float = 15.0
    release: float = EVERY


class App:
    """The server as an ASGI application."""

    def __init__(self, workspace: "Workspace", serving: Serving | None = None) -> None:
        how = serving or Serving()
        self.lanes = Lanes()
        self.metrics = Metrics()
        self.events = Events(lambda: self.lanes.run(Lane.LOOK, lambda: workspace.generation), look=how.look, ping=how.ping)
        self.jobs = Jobs(
            self.lanes, tell=self.events.tell, describe=self._describe, new_id=how.new_id, clock=how.clock, now=how.now
        )
        self._new_id = how.new_id
        self._release = how.release
        self._stopping = asyncio.Event()
        fresh: Recent[Workspace, Any] = Recent(lambda seen: seen.freshness(), FRESH, how.clock)
        self.readers = Readers(workspace, how.helpers)
        self._performing = Performing(workspace, self.lanes, self.jobs, Getting(fresh, how.new_id()), self.readers)
        self._overseeing = Overseeing(workspace, self.lanes, self.jobs, self.events, self.metrics, self.readers)
        self._mcp = mcp_app(lambda scope: scope["state"]["workspace"], how.surfaces, _TOKENS, fresh.get, self.readers)
        self._page = Router(routes(self.readers.ask), redirect_slashes=False)
        callers = Callers(
            workspace,
            self.lanes,
            open_here=is_loopback(how.host),
            roots=_roots(workspace, how),
            limits=how.limits,
            clock=how.clock,
            now=how.now,
        )
        compressing = GZipMiddleware(self._route, _COMPRESSED_FROM, _COMPRESSION)
        guard = Guard(compressing, callers, hosts=(how.host, *how.hosts), origins=how.origins, limits=how.limits)
        self._face = Facing(guard, self.metrics, self._describe, how.clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._face(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    def end_streams(self) -> None:
        """Lets everyone go who only listens, so that a server that stops does not wait for them."""
        self.events.close()
        self.jobs.cancel_all()
        self._stopping.set()

    async def _route(self, scope: Scope, receive: Receive, send: Send) -> None:
        """By a table where there is one: most requests are operations, and need no pattern tried."""
        path: str = scope["path"]
        found = ENDPOINTS.get(path)
        if found is not None:
            scope["state"]["operation"] = found.operation.name
            response = await self._performing.respond(found, scope, receive)
            await response(scope, receive, send)
        elif (own := self._overseeing.find(path)) is not None:
            scope["state"]["operation"] = own.name
            response = await own.respond(scope)
            await response(scope, receive, send)
        elif path == "/mcp" or path.startswith("/mcp/"):
            scope["state"]["operation"] = "mcp"
            await self._mcp(scope, receive, send)
        elif path.startswith("/api"):
            raise Refused(404, f"There is nothing at {path}. The operations are listed at /api.")
        else:
            scope["state"]["operation"] = "page"
            scope["app"] = self  # so that what it does not find is an error, told like all others
            await self._page(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        """From the server's start to its end, when every job has stopped and every thread has ended."""
        await receive()
        told = asyncio.ensure_future(receive())
        stopping = asyncio.ensure_future(self._stopping.wait())
        releasing = asyncio.ensure_future(self._keep_releasing())
        try:
            async with self._mcp.lifespan():
                await send({"type": "lifespan.startup.complete"})
                # Agents that listen are let go as soon as the server stops; others have their answers first.
                await asyncio.wait((told, stopping), return_when=asyncio.FIRST_COMPLETED)
            await told
        finally:
            stopping.cancel()
            releasing.cancel()
            self.end_streams()
            await asyncio.to_thread(self._end_work)
        await send({"type": "lifespan.shutdown.complete"})

    async def _keep_releasing(self) -> None:
        while True:
            await asyncio.sleep(self._release)
            await self.lanes.run(Lane.LOOK, release)

    def _end_work(self) -> None:
        self.lanes.close()
        self.readers.close()

    def _describe(self, error: BaseException) -> Problem:
        return problem_of(error, self._note)

    def _note(self, error: BaseException) -> str:
        name = self._new_id()
        _log.error("fault %s", name, exc_info=error)
        return name


def _roots(workspace: "Workspace", how: Serving) -> Callable[[], tuple[Path, ...]]:
    if how.roots:
        return lambda: how.roots
    known: Recent[None, tuple[Path, ...]] = Recent(lambda _: tuple(item.root for item in workspace.projects()), FRESH, how.clock)
    return lambda: known.get(None)
