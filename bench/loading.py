"""How is a server loaded? Some connections ask as fast as they are answered, and one more may write; in a process of its own."""

import json
import random
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any
from urllib.parse import quote

HOST = "127.0.0.1"
# One of so many requests is one that everybody asks, as people do.
_POPULAR_EVERY, _POPULAR = 10, 20
_HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


@dataclass(frozen=True, slots=True)
class Load:
    """What a load saw. ``times``: seconds of each request; ``asked``: which query each was, in the order of their answers."""

    times: list[float]
    asked: list[int]
    errors: int
    written: int
    seconds: float


def load_server(
    port: int,
    way: str,
    asked: Sequence[str],
    connections: int,
    seconds: float,
    pause: float | None,
    warm: float = 0.0,
    seed: int = 0,
) -> Load:
    """Asks until the time is over. ``pause``: seconds between two commits; ``warm``: seconds before, which do not count."""
    seen: list[tuple[float, float, int, bool]] = []
    written: list[bool] = []
    # Nobody begins before everybody is there: agents are greeted at length.
    line = Line(connections + (pause is not None), warm, seconds)
    workers = [
        threading.Thread(target=_ask, args=(port, way, asked, random.Random(seed * connections + number), line, seen))
        for number in range(connections)
    ]
    if pause is not None:
        workers.append(threading.Thread(target=_write, args=(port, pause, line, written)))
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    counted = [(took, query, good) for done, took, query, good in seen if done - took >= line.begin]
    return Load(
        [took for took, _, _ in counted],
        [query for _, query, _ in counted],
        sum(not good for *_, good in counted) + written.count(False),
        len(written),
        seconds,
    )


class Line:
    """Where all wait for each other, and when what they do begins and ends."""

    def __init__(self, many: int, warm: float, seconds: float) -> None:
        self._barrier = threading.Barrier(many, self._start)
        self._warm = warm
        self._seconds = seconds
        self.begin = self.end = 0.0

    def wait(self) -> None:
        self._barrier.wait()

    def _start(self) -> None:
        self.begin = time.perf_counter() + self._warm
        self.end = self.begin + self._seconds


class Connection:
    """As little of HTTP as it takes to ask and to read an answer: what asks should cost nothing beside what answers."""

    def __init__(self, port: int, session: str = "") -> None:
        self._socket = socket.create_connection((HOST, port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file = self._socket.makefile("rb")
        self.session = session

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._socket.close()

    def ask(self, line: str, body: bytes = b"") -> tuple[int, bytes]:
        head = f"{line}\r\nHost: localhost\r\nAccept-Encoding: identity\r\nAccept: application/json, text/event-stream\r\n"
        if self.session:
            head += f"Mcp-Session-Id: {self.session}\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self._socket.sendall(head.encode() + b"\r\n" + body)
        first = self._file.readline()
        if not first:
            raise ConnectionError("The server has closed the connection.")
        status = int(first.split()[1])
        told = self._headers()
        self.session = told.get(b"mcp-session-id", b"").decode() or self.session
        if told.get(b"transfer-encoding") == b"chunked":
            return status, self._pieces()
        return status, self._file.read(int(told.get(b"content-length", b"0")))

    def _headers(self) -> dict[bytes, bytes]:
        told: dict[bytes, bytes] = {}
        while (field := self._file.readline()) not in (b"\r\n", b""):
            name, _, value = field.partition(b":")
            told[name.lower()] = value.strip()
        return told

    def _pieces(self) -> bytes:
        whole = b""
        while size := int(self._file.readline(), 16):
            whole += self._file.read(size)
            self._file.readline()
        self._file.readline()
        return whole


def by_address(connection: Connection, query: str) -> bool:
    status, _ = connection.ask(f"GET /api/search?query={quote(query)} HTTP/1.1")
    return status == 200


def by_body(connection: Connection, query: str) -> bool:
    status, _ = connection.ask("POST /api/search HTTP/1.1", _json({"query": query}))
    return status == 200


def by_page(connection: Connection, query: str) -> bool:
    status, _ = connection.ask(f"GET /page/search?q={quote(query)} HTTP/1.1")
    return status == 200


def by_agent(connection: Connection, query: str) -> bool:
    """A tool called over Streamable HTTP. The answer of a tool that failed has 200 as well."""
    called = _message("tools/call", {"name": "search", "arguments": {"query": query}}, id=2)
    status, body = connection.ask("POST /mcp HTTP/1.1", called)
    return status == 200 and b'"structuredContent"' in body and b'"isError":true' not in body


Way = Callable[[Connection, str], bool]
WAYS: dict[str, Way] = {"GET": by_address, "POST": by_body, "page": by_page, "MCP": by_agent}


def _greeted(port: int) -> str:
    """The session of an agent that has said hello."""
    with Connection(port) as connection:
        connection.ask("POST /mcp HTTP/1.1", _message("initialize", _HELLO, id=1))
        connection.ask("POST /mcp HTTP/1.1", _message("notifications/initialized", {}))
        return connection.session


def _ask(
    port: int, way: str, asked: Sequence[str], chance: random.Random, line: Line, seen: list[tuple[float, float, int, bool]]
) -> None:
    session = _greeted(port) if WAYS[way] is by_agent else ""
    line.wait()
    # Only now: a server closes connections on which nothing comes for a while.
    with Connection(port, session) as connection:
        for turn in count():
            start = time.perf_counter()
            if start >= line.end:
                return
            query = chance.randrange(_POPULAR) if turn % _POPULAR_EVERY == 0 else chance.randrange(len(asked))
            try:
                good = WAYS[way](connection, asked[query])
            except OSError:
                seen.append((time.perf_counter(), 0.0, query, False))
                return
            done = time.perf_counter()
            seen.append((done, done - start, query, good))


def _write(port: int, pause: float, line: Line, written: list[bool]) -> None:
    line.wait()
    with Connection(port) as connection:
        for number in count():
            start = time.perf_counter()
            if start >= line.end:
                return
            made = {"kind": "knowledge", "key": f"written-{number % 1000}", "title": f"Written {number}"}
            status, _ = connection.ask("POST /api/put HTTP/1.1", _json({**made, "set": {"content": "a note " * 50}}))
            written.append(status == 200)
            time.sleep(max(0.0, pause - (time.perf_counter() - start)))


def _message(method: str, params: dict[str, Any], **more: Any) -> bytes:
    return _json({"jsonrpc": "2.0", "method": method, "params": params, **more})


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()
