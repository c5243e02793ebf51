"""A server on this machine that answers as it is told, for tests of those who ask over HTTP."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it arrived. Names of headers are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: bytes
    caller: tuple[str, int]


@dataclass(frozen=True, slots=True)
class Answer:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    """After so many bytes of the body the connection breaks."""
    keep: bool = True
    """Whether the connection is kept, whatever was said about it."""


@contextmanager
def serving(answer: Callable[[Asked], Answer], port: int = 0) -> Iterator[str]:
    """The address of a server that answers so; at a port of its own if none is given."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            told = answer(Asked(self.path, headers, body, self.client_address))
            self.send_response(told.status)
            for name, value in told.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(told.body)))
            self.end_headers()
            self.wfile.write(told.body[: told.cut])
            self.close_connection = told.cut is not None or not told.keep

        do_POST = do_GET  # noqa: N815  the name is the library's

        def log_message(self, format: str, *arguments: object) -> None:
            """Nobody reads it."""

        def handle(self) -> None:
            try:
                super().handle()
            except ConnectionError:
                return  # whoever asked has lost patience, which is what some tests are about

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
