"""A server that answers as a cluster in trouble would: what real nodes do rarely, on demand."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Pretender:
    """Gives prepared answers in turn, each a status and a body, and remembers what it was asked."""

    def __init__(self, answers: list[tuple[int, Any]]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, str, str]] = []
        self.headers: list[dict[str, str]] = []
        self.port = 0

    @contextmanager
    def running(self) -> Iterator["Pretender"]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        pretender = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
                pretender.asked.append((self.command, self.path, body))
                pretender.headers.append({name.lower(): value for name, value in self.headers.items()})
                status, answer = pretender.answers.pop(0) if len(pretender.answers) > 1 else pretender.answers[0]
                content = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _answer  # noqa: N815

            def log_message(self, format: str, *_: object) -> None:
                del format

        return Handler
