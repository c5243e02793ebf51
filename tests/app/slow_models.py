"""Models for tests of workspaces: small, deterministic, slow or quick, and able to fail and to come back."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np

from dowse.app.embedding import EmbeddingEngine
from dowse.app.models import Choice
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.errors import EmbeddingFailed
from dowse.model.passage import Profile, Vectors
from dowse.ports import Embedder
from dowse.text.words import plain_words

# Words that mean the same to these models, whatever they look like.
SAME = {"automobile": "car", "vehicle": "car", "physician": "doctor", "medic": "doctor"}


class PlainModel:
    """A direction for each word; a text points where its words point. ``trouble``: why it fails, for as long as it does."""

    def __init__(self, name: str = "plain", dimension: int = 32, *, swift: bool = False, trouble: str = "") -> None:
        self.name = name
        self.dimension = dimension
        self.swift = swift
        self.trouble = trouble
        self.asked: list[str] = []
        self.same = SAME
        self.gate: threading.Event | None = None
        """Nothing is embedded before it opens."""

    @property
    def profile(self) -> Profile:
        self._check()
        return Profile(self.name, self.dimension, 0.3, f"{self.name}-{self.dimension}", swift=self.swift)

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if self.gate is not None:
            self.gate.wait(10)
        self._check()
        self.asked += [] if query else texts
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in plain_words(text):
                row += self._direction(self.same.get(word, word))
            row /= np.linalg.norm(row) or 1.0
        return rows

    def close(self) -> None:
        return None

    def _check(self) -> None:
        if self.trouble:
            raise EmbeddingFailed(self.trouble)

    def _direction(self, word: str) -> Vectors:
        seed = int.from_bytes(hashlib.blake2b(f"{self.name} {word}".encode(), digest_size=8).digest(), "little")
        return np.random.default_rng(seed).standard_normal(self.dimension).astype(np.float32)


def opened(path: Path, model: PlainModel | Callable[[str], Embedder], *, background: bool = True, retry: float = 3600) -> Workspace:
    """A workspace with this model. Work that failed is tried again only when someone has a reason to."""
    pick = model if callable(model) else lambda _: model
    engine = EmbeddingEngine(SqliteEngine(path, SCHEMA), Choice("a test's own", pick), background=background, retry=retry)
    return Workspace(engine)


@contextmanager
def served(model: PlainModel) -> Iterator[str]:
    """The address of a server that has this model; while the model is in trouble the server is, too."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status: int = 503
            told: dict[str, object] = {"error": model.trouble}
            if not model.trouble:
                rows = model.embed(asked["input"])
                status, told = 200, {"data": [{"index": at, "embedding": row.tolist()} for at, row in enumerate(rows)]}
            body = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1#{model.name}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
