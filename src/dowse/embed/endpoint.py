"""What does a text mean to a model behind an address? Any server with OpenAI's embeddings will do: Ollama, vLLM, llama.cpp."""

import http.client
import json
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

import numpy as np
import numpy.typing as npt

from dowse.embed.fingerprinting import fingerprint
from dowse.embed.profiles import served
from dowse.errors import EmbeddingFailed
from dowse.model.declaring import dataclass
from dowse.model.passage import Profile
from dowse.version import __version__

# Read at every request and kept nowhere.
KEY_VARIABLE = "DOWSE_EMBEDDINGS_KEY"

# What goes into one request: enough to keep a server busy, little enough to be answered within the timeout on a laptop.
TEXTS = 64
BYTES = 100_000

# A server that is starting, loading its model or limiting its callers is worth waiting for; one that refuses the request is not.
WORTH_ANOTHER_TRY = frozenset({408, 429, 500, 502, 503, 504})

# The longest a server may ask us to wait: whoever indexes would rather hear of it.
LONGEST_PAUSE = 30.0

# A text whose vector tells how long vectors are.
PROBE = "dimension"

# No model says numbers like this, and their squares would not fit.
LARGEST = 1e100

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Patience:
    """How often to try, how long to wait for an answer, and how long before the second try (then twice as long, and so on)."""

    tries: int
    timeout: float
    pause: float


# Someone waits for a query, and search has words to answer by; nobody waits for passages.
FOR_QUERIES = Patience(tries=2, timeout=10.0, pause=0.2)
FOR_PASSAGES = Patience(tries=5, timeout=120.0, pause=0.5)


class EndpointEmbedder:
    """``address`` is ``http://host:port/v1#model``. Nothing is asked before it is needed; connections are kept."""

    def __init__(
        self,
        address: str,
        *,
        environment: Mapping[str, str] = os.environ,
        sleep: Callable[[float], None] = time.sleep,
        for_queries: Patience = FOR_QUERIES,
        for_passages: Patience = FOR_PASSAGES,
    ) -> None:
        self._parts, self._model = _understood(address)
        self._environment = environment
        self._sleep = sleep
        self._patience = {True: for_queries, False: for_passages}
        self._idle: deque[http.client.HTTPConnection] = deque()
        self._lock = threading.Lock()
        self._profile: Profile | None = None

    @property
    def profile(self) -> Profile:
        with self._lock:
            if self._profile is None:
                profile = replace(served(self._model), name=self._model)
                dimension = len(self._ask([PROBE], self._patience[True])[0])
                if profile.dimension not in (0, dimension):
                    raise EmbeddingFailed(f"{self._shown} answers with {dimension} numbers; {self._model} has {profile.dimension}")
                profile = replace(profile, dimension=dimension)
                self._profile = replace(profile, fingerprint=fingerprint(profile, self._model))
            return self._profile

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Floats:
        profile = self.profile
        prefix = profile.query_prefix if query else profile.passage_prefix
        told = [place for place, text in enumerate(texts) if text.strip()]
        vectors = np.zeros((len(texts), profile.dimension), np.float32)
        # Half a surrogate pair is a character to Python and to no server.
        sent = [prefix + text.encode("utf-8", "replace").decode() for text in texts]
        for batch in _batches(told, sent):
            answer = self._ask([sent[place] for place in batch], self._patience[query])
            if answer.shape[1] != profile.dimension:
                raise EmbeddingFailed(f"{self._shown} answers with {answer.shape[1]} numbers; it used to be {profile.dimension}")
            vectors[batch] = answer
        return vectors

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    @property
    def _shown(self) -> str:
        return f"{self._parts.scheme}://{self._parts.netloc.rpartition('@')[2]}{self._parts.path}"

    def _ask(self, texts: list[str], patience: Patience) -> Floats:
        body = json.dumps({"model": self._model, "input": texts, "encoding_format": "float"}).encode()
        pause = patience.pause
        for left in range(patience.tries - 1, -1, -1):
            try:
                status, told, wanted = self._post(body, patience.timeout)
            except (OSError, http.client.HTTPException) as error:
                if not left:
                    raise EmbeddingFailed(f"{self._shown} cannot be reached: {_reason(error)}") from error
                wanted = None
            else:
                if status == 200:
                    return self._read(told, len(texts))
                if 300 <= status < 400:
                    raise EmbeddingFailed(f"{self._shown} answers {status} and sends us elsewhere; set the address it means")
                if not left or status not in WORTH_ANOTHER_TRY:
                    raise EmbeddingFailed(f"{self._shown} answers {status}: {self._said(told)}")
            self._sleep(min(pause if wanted is None else wanted, LONGEST_PAUSE))
            pause *= 2
        raise AssertionError("the last try answers or raises")

    def _post(self, body: bytes, timeout: float) -> tuple[int, bytes, float | None]:
        """Status, answer, and how long the server asks to be left alone. A kept connection that turns out closed costs no try."""
        headers = {"Content-Type": "application/json", "User-Agent": f"dowse/{__version__}"}
        if key := self._environment.get(KEY_VARIABLE):
            headers["Authorization"] = f"Bearer {key}"
        path = self._parts.path.rstrip("/") + "/embeddings"
        while self._idle:
            try:
                return self._talk(self._idle.pop(), path, body, headers, timeout)
            except (ConnectionError, http.client.RemoteDisconnected, http.client.CannotSendRequest):
                continue
        return self._talk(self._connection(timeout), path, body, headers, timeout)

    def _talk(
        self, connection: http.client.HTTPConnection, path: str, body: bytes, headers: Mapping[str, str], timeout: float
    ) -> tuple[int, bytes, float | None]:
        try:
            connection.timeout = timeout
            if connection.sock is not None:
                connection.sock.settimeout(timeout)
            connection.request("POST", path, body, dict(headers))
            answer = connection.getresponse()
            told = answer.read()
        except BaseException:
            connection.close()
            raise
        self._idle.append(connection)
        return answer.status, told, _seconds(answer.headers.get("Retry-After"))

    def _connection(self, timeout: float) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
        return kind(self._parts.hostname or "", self._parts.port, timeout=timeout)

    def _read(self, told: bytes, expected: int) -> Floats:
        try:
            data = json.loads(told)["data"]
            rows = [row["embedding"] for row in sorted(data, key=lambda row: int(row.get("index", 0)))]
            vectors = np.asarray(rows, np.float64)
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
            raise EmbeddingFailed(f"{self._shown} answers, but not with embeddings: {self._said(told)}") from error
        if len(vectors) != expected:
            raise EmbeddingFailed(f"{self._shown} answers with {len(vectors)} vectors for {expected} texts")
        if vectors.ndim != 2 or not vectors.shape[1] or not (np.abs(vectors) < LARGEST).all():
            raise EmbeddingFailed(f"{self._shown} answers with vectors that are none")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)

    def _said(self, told: bytes) -> str:
        """The beginning of what the server said, without the key should it repeat that."""
        text = " ".join(told.decode("utf-8", "replace").split())
        if key := self._environment.get(KEY_VARIABLE):
            text = text.replace(key, "…")
        return text[:200] or "nothing"


def _understood(address: str) -> tuple[SplitResult, str]:
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = None
    if not usable:
        raise EmbeddingFailed(f"{address!r} is no address; an endpoint is http://host:port/v1#model")
    if not parts.fragment:
        raise EmbeddingFailed(f"{address!r} does not name a model; add it behind a #: {address.rstrip('#')}#model")
    return parts, unquote(parts.fragment)


def _batches(places: Sequence[int], texts: Sequence[str]) -> Iterator[list[int]]:
    batch: list[int] = []
    weight = 0
    for place in places:
        size = len(texts[place].encode())
        if batch and (len(batch) == TEXTS or weight + size > BYTES):
            yield batch
            batch, weight = [], 0
        batch.append(place)
        weight += size
    if batch:
        yield batch


def _seconds(told: str | None) -> float | None:
    # A date is the other form; it would need a clock that agrees with the server's, so our own pause stands in.
    return float(told) if told is not None and told.isdigit() else None


def _reason(error: BaseException) -> str:
    told: Any = getattr(error, "strerror", None) or str(error)
    return str(told) or type(error).__name__
