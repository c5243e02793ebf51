"""How tests reach the server: as an application in the same process, or over a socket of this machine."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starlette.testclient import TestClient

from dowse.app.workspace import Workspace
from dowse.shells.http.app import App, Serving
from dowse.shells.http.serving import Server, listening

HERE = "127.0.0.1"
ELSEWHERE = "203.0.113.9"


@contextmanager
def calling(app: App, peer: str = HERE, **headers: str) -> Iterator[TestClient]:
    """A client whose requests come from an address. The application lives for as long."""
    client = TestClient(app, "http://localhost", headers=headers, client=(peer, 50000), raise_server_exceptions=False)
    with client:
        yield client


@contextmanager
def served(workspace: Workspace, **serving: Any) -> Iterator[str]:
    """A real server on a free port; where it is."""
    server = Server(App(workspace, Serving(**serving)))
    with listening(HERE, 0) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield f"http://{HERE}:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds
