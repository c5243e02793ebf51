"""How tests come to a server whose questions are answered by other processes."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from starlette.testclient import TestClient

from dowse.shells.http.app import App

_AT_ONCE = 4


def call_helpers(client: TestClient, app: App, count: int) -> tuple[int, ...]:
    """Asks several questions at once until so many helpers are there; returns their ids."""
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        while len(app.readers.helpers) < count:
            asked = [threads.submit(client.get, "/api/search?query=retries") for _ in range(_AT_ONCE)]
            assert {one.result().status_code for one in asked} <= {200, 401, 403, 429}
    return app.readers.helpers


@contextmanager
def only_helped(app: App) -> Iterator[None]:
    """Inside, at least one question has to be answered by a helper."""
    before = app.readers.helped
    yield
    assert app.readers.helped > before


@contextmanager
def halted(process: int) -> Iterator[None]:
    """Meanwhile the process does nothing."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)
