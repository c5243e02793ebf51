"""Who asks while endurance is measured? Sixteen clients in a process of their own; a line of JSON for every interval.

``python -m bench.endur_asking PORT SECONDS INTERVAL``; ``bench.endurance`` starts it.
"""

import http.client
import json
import random
import sys
import threading
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode

from bench.endur_files import WORDS

_HOST = "127.0.0.1"
_CLIENTS = 16
# Seconds between two questions of a client: together a load that a part of one core carries, so that it is not that which grows.
_PAUSE = (1.5, 4.5)
_PATIENCE = 120.0
# Words that are asked for, common and rare ones: few enough that what a server keeps in memory of them is all there after minutes.
_STOCK = WORDS[::12]
# Of many errors the first say what is wrong.
_TOLD = 5


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

    def tell(self, *, last: bool = False) -> None:
        with self.lock:
            times, errors = sorted(self.times), self.errors
            self.times, self.errors = [], []
        told = {"requests": len(times), "p50": _at(times, 0.5), "p99": _at(times, 0.99), "last": last}
        print(json.dumps({**told, "errors": len(errors), "told": errors[:_TOLD]}), flush=True)


def main(port: int, seconds: float, interval: float) -> None:
    end = time.monotonic() + seconds
    seen = _Seen()
    clients = [threading.Thread(target=_ask, args=(port, number, end, seen)) for number in range(_CLIENTS)]
    for client in clients:
        client.start()
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, interval))
        seen.tell()
    for client in clients:
        client.join()
    seen.tell(last=True)


def _ask(port: int, number: int, end: float, seen: _Seen) -> None:
    rng = random.Random(number)
    connection = http.client.HTTPConnection(_HOST, port, timeout=_PATIENCE)
    # Not all at once.
    time.sleep(rng.uniform(0, _PAUSE[1]))
    while time.monotonic() < end:
        method, address, body = _question(rng)
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
        time.sleep(rng.uniform(*_PAUSE))
    connection.close()


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


def _question(rng: random.Random) -> tuple[str, str, str | None]:
    text = " ".join(rng.choices(_STOCK, k=rng.randint(1, 4)))
    match rng.choices(("get", "post", "phrase", "part", "context", "list", "status"), (45, 20, 8, 8, 10, 5, 4))[0]:
        case "get":
            return _get("search", query=text)
        case "post":
            return _post("search", query=f"how does {text} work", limit=rng.randint(5, 30), explain=True)
        case "phrase":
            return _get("search", query='"' + text + '"')
        case "part":
            return _get("search", query=text[:6], mode="substring")
        case "context":
            return _post("context", task=f"change how {text} is done", tokens=2000)
        case "list":
            return _get("list", kinds=rng.choice(("document", "symbol", "knowledge")), limit=20)
        case _:
            return _get("status")


def _get(operation: str, **values: str | int) -> tuple[str, str, str | None]:
    return "GET", f"/api/{operation}?{urlencode(values)}", None


def _post(operation: str, **values: str | int) -> tuple[str, str, str | None]:
    return "POST", f"/api/{operation}", json.dumps(values)


def _at(times: list[float], part: float) -> float | None:
    return times[min(len(times) - 1, int(part * len(times)))] * 1000 if times else None


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]))
