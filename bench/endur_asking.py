"""Who asks while endurance is measured? Sixteen clients in a process of their own; a line of JSON for every interval.

``python -m bench.endur_asking PORT SECONDS INTERVAL ROUNDS``; ``bench.endurance`` starts it. Before the first interval, in so many
rounds without a pause, they ask for every word in every form: what a server keeps of questions is there then, and what comes later
is growth.
"""

import http.client
import json
import random
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import urlencode

from bench.endur_files import WORDS

_HOST = "127.0.0.1"
_CLIENTS = 16
# Seconds between two questions of a client: together a load that a part of one core carries, so that it is not that which grows.
_PAUSE = (1.5, 4.5)
_PATIENCE = 120.0
# Words that are asked for, common and rare ones: few enough that what a server keeps in memory of them is all there after minutes.
_STOCK = WORDS[::12]
# What is asked, and of a hundred questions how many are so.
_FORMS = {"get": 45, "post": 20, "phrase": 8, "part": 8, "context": 10, "list": 5, "status": 4}
# Of many errors the first say what is wrong.
_TOLD = 5


class Stage(StrEnum):
    """When something was asked: before, in, or after what is measured. After the end only a few are still answered."""

    WARMING = "warming"
    MEASURED = "measured"
    ENDING = "ending"


_Question = tuple[str, str, str | None]
"""A method, an address, and a body."""


@dataclass(slots=True)
class _Seen:
    """What the clients saw since it was last told."""

    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, took: float, error: str | None) -> None:
        with self.lock:
            self.times.append(took)
            if error is not None:
                self.errors.append(error)

    def tell(self, stage: Stage = Stage.MEASURED) -> None:
        with self.lock:
            times, errors = sorted(self.times), self.errors
            self.times, self.errors = [], []
        told = {"requests": len(times), "p50": _at(times, 0.5), "p99": _at(times, 0.99), "stage": stage}
        print(json.dumps({**told, "errors": len(errors), "told": errors[:_TOLD]}), flush=True)


def main(port: int, seconds: float, interval: float, rounds: int) -> None:
    seen = _Seen()
    everything = deque(_everything(rounds))
    _join(threading.Thread(target=_ask_all, args=(port, everything, seen)) for _ in range(_CLIENTS))
    seen.tell(Stage.WARMING)
    end = time.monotonic() + seconds
    clients = [threading.Thread(target=_ask, args=(port, number, end, seen)) for number in range(_CLIENTS)]
    for client in clients:
        client.start()
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, interval))
        seen.tell()
    for client in clients:
        client.join()
    seen.tell(Stage.ENDING)


def _join(threads: Iterable[threading.Thread]) -> None:
    started = list(threads)
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()


def _ask(port: int, number: int, end: float, seen: _Seen) -> None:
    rng = random.Random(number)
    connection = http.client.HTTPConnection(_HOST, port, timeout=_PATIENCE)
    # Not all at once.
    time.sleep(rng.uniform(0, _PAUSE[1]))
    while time.monotonic() < end:
        text = " ".join(rng.choices(_STOCK, k=rng.randint(1, 4)))
        _note(connection, _question(rng.choices(tuple(_FORMS), tuple(_FORMS.values()))[0], text, rng), seen)
        time.sleep(rng.uniform(*_PAUSE))
    connection.close()


def _ask_all(port: int, questions: deque[_Question], seen: _Seen) -> None:
    connection = http.client.HTTPConnection(_HOST, port, timeout=_PATIENCE)
    with suppress(IndexError):
        while True:
            _note(connection, questions.popleft(), seen)
    connection.close()


def _everything(rounds: int) -> list[_Question]:
    rng = random.Random(0)
    # Two at a time: where one stands is looked up only beside another.
    pairs = [f"{word} {other}" for word, other in zip(_STOCK, (*_STOCK[1:], _STOCK[0]), strict=True)]
    return [_question(form, text, rng) for _ in range(rounds) for form in _FORMS for text in pairs]


def _note(connection: http.client.HTTPConnection, question: _Question, seen: _Seen) -> None:
    method, address, body = question
    start = time.perf_counter()
    error: str | None = None
    try:
        status, content = _answered(connection, method, address, body)
        if not 200 <= status < 300:
            error = f"{status} to {method} {address} {body}: {content[:300]!r}"
    except (OSError, http.client.HTTPException) as failure:
        error = f"{failure!r} to {method} {address} {body}"
        connection.close()
    seen.note(time.perf_counter() - start, error)


def _answered(connection: http.client.HTTPConnection, method: str, address: str, body: str | None) -> tuple[int, bytes]:
    headers = {"Content-Type": "application/json"} if body else {}
    used = connection.sock is not None
    try:
        connection.request(method, address, body, headers)
        answer = connection.getresponse()
    except (ConnectionResetError, BrokenPipeError):
        # A server closes connections that rest; who asks at that very moment asks again, as every client does.
        connection.close()
        if not used:
            raise
        connection.request(method, address, body, headers)
        answer = connection.getresponse()
    return answer.status, answer.read()


def _question(form: str, text: str, rng: random.Random) -> _Question:
    match form:
        case "get":
            return _get("search", query=text)
        case "post":
            return _post("search", query=f"how does {text} work", limit=rng.randint(5, 30), explain=True)
        case "phrase":
            return _get("search", query='"' + text + '"')
        case "part":
            return _get("search", query=text.split()[0][:6], mode="substring")
        case "context":
            return _post("context", task=f"change how {text} is done", tokens=2000)
        case "list":
            return _get("list", kinds=rng.choice(("document", "symbol", "knowledge")), limit=20)
        case _:
            return _get("status")


def _get(operation: str, **values: str | int) -> _Question:
    return "GET", f"/api/{operation}?{urlencode(values)}", None


def _post(operation: str, **values: str | int) -> _Question:
    return "POST", f"/api/{operation}", json.dumps(values)


def _at(times: list[float], part: float) -> float | None:
    return times[min(len(times) - 1, int(part * len(times)))] * 1000 if times else None


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]))
