"""Is there a request that the server itself fails at? Paths, queries, headers and bodies, into the real application."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from bench.fuzz_campaign import Campaign, Given, Try, chosen, expect
from bench.fuzz_confining import Heard, confined, hearing
from bench.fuzz_renewing import Renewed, every_operation, prepared
from dowse.shells.http.app import App, Serving
from dowse.shells.http.limits import Limits
from dowse.shells.http.routing import ENDPOINTS

# Operations that go through everything take their time, and are tried less often than the others by being named once.
_OPERATIONS = sorted(ENDPOINTS)
_ELSEWHERE = (
    *("/", "/api", "/api/jobs", "/api/jobs/none", "/api/openapi.json", "/healthz", "/readyz", "/metrics", "/page/search"),
    *("/page/why", "/page/record", "/page/around", "/page/links", "/page/overview", "/page/status", "/page/health", "/docs"),
    *("/page/static/main.js", "/page/static/../app.py", "/mcp", "/mcp/", "/api/", "/api//search", "/api/search/", "/%00", "/\xff"),
)
_PATHS = (*_OPERATIONS, *_ELSEWHERE)
_METHODS = ("GET", "POST", "HEAD", "DELETE", "OPTIONS", "PUT", "BREW")
_TYPES = (b"application/json", b"application/x-ndjson", b"", b"text/plain", b"application/json; charset=utf-16", b"\xff")
_HEADERS: tuple[tuple[tuple[bytes, bytes], ...], ...] = (
    (),
    ((b"if-none-match", b'W/"x", *'), (b"accept-encoding", b"gzip, br;q=0.5")),
    ((b"authorization", b"Bearer nobody"),),
    ((b"authorization", b"Basic \xff\xfe"),),
    ((b"origin", b"http://localhost"), (b"access-control-request-method", b"POST")),
    ((b"origin", b"http://[::1"),),
    ((b"prefer", b"respond-async"),),
    ((b"content-length", b"9" * 5000),),
    ((b"content-length", b"-1"),),
    ((b"range", b"bytes=0-1"), (b"last-event-id", b"\xff")),
    ((b"accept", b"application/json, text/event-stream"), (b"mcp-protocol-version", b"2025-06-18")),
    ((b"accept", b"text/event-stream"), (b"mcp-session-id", b"none")),
)
_HOSTS = (b"localhost", b"127.0.0.1:80", b"evil.example", b"[::1]", b"[", b"", b"\xff")
_WORDS = tuple(
    rb"""{"query": {"key": "task-17" "limit": "offset": -1 null true [] {} "surface": "items" "mode": "kinds": ["item"]
    "facets": {"role" 1e999 99999999999999999999 "\ud800" "\u0000" query= &key= &limit= &facets.role= &facets[x]= %00 %ff
    %ud800 &offset=-1 ; "folder": "project" "path": "../../etc/passwd" "/dev/zero" "set": {"title": "parameters": {"days":
    "capabilities": {"jsonrpc":"2.0" "method":"initialize" "tools/call" "params":{"name":"search" "version": "tokens":
    "depth": "direction": "names": "count":""".split()
)
_MOST = 1500
_LONGEST_ANSWER = 60.0


def samples() -> Sequence[bytes]:
    made = []
    for name, several in _calls().items():
        place = _PATHS.index(f"/api/{name.replace('_', '-')}")
        for values in several:
            made.append(chosen(place, 1, 0, 0, 0, then=b"\n\n" + json.dumps(values).encode()))
            flat = "&".join(f"{key}={value}" for key, value in values.items() if isinstance(value, str | int))
            made.append(chosen(place, 0, 2, 0, 0, then=flat))
    made += [chosen(len(_OPERATIONS) + number, 0, 2, 0, 0, then=b"key=task-17&query=tide") for number in range(len(_ELSEWHERE))]
    line = b'{"key": "k1", "kind": "page", "title": "One"}\n'
    made.append(chosen(_PATHS.index("/api/import"), 1, 1, 0, 0, then=b"skip_bad=true\n\n" + line))
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}}}
    made.append(chosen(_PATHS.index("/mcp"), 1, 0, 10, 0, then=b"\n\n" + json.dumps(hello).encode()))
    return made


@contextmanager
def ready(folder: Path) -> Iterator[Try]:
    with confined(), hearing("dowse.http", "dowse", "mcp", "asyncio") as heard, closing(_Trial(folder, heard)) as trial:
        yield trial


class _Trial:
    """One application for many requests; now and then another, on another workspace."""

    def __init__(self, folder: Path, heard: Heard) -> None:
        self._folder = folder
        self._heard = heard
        self._app = Renewed(self._application, _MOST)
        self._loop = asyncio.new_event_loop()

    def __call__(self, data: bytes) -> None:
        app = self._app.take()
        self._heard.take()
        scope, body = asked(data)
        status, answered = self._loop.run_until_complete(asyncio.wait_for(_answered(app, scope, body), _LONGEST_ANSWER))
        fault = self._heard.take()
        if fault is not None:
            raise fault
        expect(status != 0, "no answer")
        # Not now is an answer: too many jobs run, or another process holds the workspace.
        expect(status < 500 or status == 503, f"{scope['method']} {scope['path']} answers {status}: {answered[:200]!r}")
        if scope["path"].startswith("/api") and status >= 400 and scope["method"] != "HEAD":
            expect(bool(json.loads(answered)["code"]), "a refusal without a code")

    def close(self) -> None:
        self._app.close()
        self._loop.run_until_complete(_all_ended())
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    @contextmanager
    def _application(self) -> Iterator[App]:
        with prepared(self._folder) as (place, workspace):
            # Nobody is slowed down: what is looked for is not how often one may ask.
            often = Limits(rate=1e9, burst=1e9, wrong_rate=1e9, wrong_burst=1e9)
            app = App(workspace, Serving(roots=(place,), limits=often, look=0.01, ping=0.02))
            stop = self._loop.run_until_complete(_started(app))
            try:
                yield app
            finally:
                self._loop.run_until_complete(stop())


async def _answered(app: App, scope: dict[str, Any], body: bytes) -> tuple[int, bytes]:
    told: list[dict[str, Any]] = [
        {"type": "http.request", "body": body[:50], "more_body": True},
        {"type": "http.request", "body": body[50:]},
    ]
    status, parts, begun, over = 0, [], asyncio.Event(), asyncio.Event()

    async def receive() -> dict[str, Any]:
        if told:
            return told.pop(0)
        # Whoever sends events is left alone a moment after they began, as by a page that is closed. Not before: who does
        # not wait gets no answer, and on a busy machine an answer takes longer than that.
        await begun.wait()
        await asyncio.wait((asyncio.ensure_future(over.wait()),), timeout=0.05)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
            begun.set()
        else:
            parts.append(message.get("body", b""))
            if not message.get("more_body"):
                over.set()

    await app(scope, receive, send)
    return status, b"".join(parts)


def asked(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The request that an input stands for: what comes before an empty line is the query, the rest is the body."""
    given = Given(data)
    path, method, media = given.choice(_PATHS), given.choice(_METHODS), given.choice(_TYPES)
    headers, host = given.choice(_HEADERS), given.choice(_HOSTS)
    query, _, body = given.rest().partition(b"\n\n")
    if method in ("GET", "HEAD") and path.startswith("/page/static") and query:
        path = f"/page/static/{query.decode('latin-1')}"
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode("utf-8", "replace"),
        "query_string": query,
        "root_path": "",
        "headers": [(b"host", host), *(((b"content-type", media),) if media else ()), *headers],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 80),
        "state": {},
    }
    return scope, body


async def _started(app: App) -> Any:
    """Starts it as a server would; returns what stops it."""
    begun, ended, told = asyncio.Event(), asyncio.Event(), asyncio.Queue[dict[str, Any]]()

    async def send(message: Any) -> None:
        (begun if message["type"] == "lifespan.startup.complete" else ended).set()

    await told.put({"type": "lifespan.startup"})
    living = asyncio.ensure_future(app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, told.get, send))
    await begun.wait()

    async def stop() -> None:
        await told.put({"type": "lifespan.shutdown"})
        await living

    return stop


async def _all_ended() -> None:
    """Whoever listened to events may still wait for more of them."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


def _calls() -> dict[str, tuple[dict[str, Any], ...]]:
    calls: dict[str, tuple[dict[str, Any], ...]] = every_operation().CALLS
    return calls


CAMPAIGN = Campaign("requests", "HTTP: paths, queries, headers, bodies", samples, ready, _WORDS, longest=4096)
