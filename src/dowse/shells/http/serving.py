"""How does a server start, say where it is, and stop?"""

import contextlib
import logging
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn

from dowse.errors import DowseError, InvalidRequest, NotFound
from dowse.present.indexing import summary_line
from dowse.shells.http.app import App, Serving
from dowse.shells.http.callers import is_loopback
from dowse.shells.http.releasing import share_heap
from dowse.shells.http.sharing import sensible

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

# Seconds that answers under way have to end when the server stops.
_PATIENCE = 10
# Connections that wait to be accepted, before the system turns further ones away.
_BACKLOG = 512
# The whole head of a request; addresses alone are refused before that, with a reason.
_HEAD_BYTES = 64 << 10
# Seconds after which a thread that ranks lets others go on: the one that takes requests must not wait long for its turn.
TURN = 0.001
# Seconds until it is looked again which projects there are to watch.
_AGAIN = 5.0


def serve(
    workspace: "Workspace",
    *,
    host: str,
    port: int,
    roots: tuple[Path, ...] = (),
    hosts: tuple[str, ...] = (),
    origins: tuple[str, ...] = (),
    surfaces: tuple[str, ...] = (),
    watch: bool = False,
    browse: bool = False,
    helpers: int | None = None,
) -> int:
    """Serves the workspace until interrupted. ``helpers``: the most processes that help to answer; None: as many as make sense."""
    sys.setswitchinterval(TURN)
    share_heap()
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="dowse: %(message)s")
    most = sensible(workspace) if helpers is None else helpers
    app = App(workspace, Serving(host=host, roots=roots, hosts=hosts, origins=origins, surfaces=surfaces, helpers=most))
    with listening(host, port) as listener:
        address = address_of(host, listener)
        _say(workspace, host, address)
        with watched(workspace) if watch else contextlib.nullcontext():
            if browse:
                webbrowser.open(address)
            Server(app).run(sockets=[listener])
    return 0


class Server(uvicorn.Server):
    """A server that ends its streams before it waits for connections to close, and whose interruption is no error."""

    def __init__(self, app: App) -> None:
        self._app = app
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            # Who calls is told by the connection, never by a header that anyone can send.
            proxy_headers=False,
            server_header=False,
            h11_max_incomplete_event_size=_HEAD_BYTES,
            backlog=_BACKLOG,
            timeout_graceful_shutdown=_PATIENCE,
            ws="none",
        )
        super().__init__(config)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._app.end_streams()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """As uvicorn does it, but a signal that was heeded is not raised again: the workspace is still to be closed."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {name: signal.signal(name, self.handle_exit) for name in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for name, handler in before.items():
                signal.signal(name, handler)


@contextlib.contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket at an address of this machine; port 0 stands for any that is free."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise InvalidRequest(f"{host!r} is no address to listen on: {error.strerror or error}.") from error
    with listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
            # From here on connections wait for the server, which takes them as soon as it runs.
            listener.listen(_BACKLOG)
        except OSError as error:
            raise InvalidRequest(
                f"Cannot listen on {host} at port {port}: {error.strerror}. Choose another with --port."
            ) from error
        yield listener


def address_of(host: str, listener: socket.socket) -> str:
    """Where the page is."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{listener.getsockname()[1]}/"


def _say(workspace: "Workspace", host: str, address: str) -> None:
    print(f"dowse: serving {address} (REST at /api, MCP at /mcp); stop with Ctrl-C", file=sys.stderr, flush=True)
    if not is_loopback(host) and not workspace.tokens():
        print(
            "dowse: every caller needs a token here, and there is none yet; make one with 'dowse token add NAME'", file=sys.stderr
        )


@contextlib.contextmanager
def watched(workspace: "Workspace", again: float = _AGAIN) -> Iterator[None]:
    """Meanwhile a thread keeps the projects up to date, also those that come later."""
    stop = threading.Event()
    thread = threading.Thread(target=_watch, args=(workspace, stop, again), name="dowse-watch")
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _watch(workspace: "Workspace", stop: threading.Event, again: float) -> None:
    while not stop.is_set():
        try:
            with _until_others_come(workspace, stop, again) as over:
                for summary in workspace.watch(over):
                    print(summary_line(summary), file=sys.stderr, flush=True)
        except NotFound:
            stop.wait(again)  # no project yet: one may come
        except DowseError as error:
            print(f"dowse: watching: {error}", file=sys.stderr, flush=True)
            stop.wait(again)


@contextlib.contextmanager
def _until_others_come(workspace: "Workspace", stop: threading.Event, again: float) -> Iterator[threading.Event]:
    """An event that is set when there are other projects than now, or when it is time to stop."""
    over, done = threading.Event(), threading.Event()
    known = _roots(workspace)

    def look() -> None:
        while not (stop.wait(again) or done.is_set()):
            with contextlib.suppress(DowseError):  # held by another process for now; the next look tells
                if _roots(workspace) != known:
                    break
        over.set()

    thread = threading.Thread(target=look, name="dowse-watch-projects")
    thread.start()
    try:
        yield over
    finally:
        done.set()
        thread.join()


def _roots(workspace: "Workspace") -> set[Path]:
    return {item.root for item in workspace.projects() if item.root.is_dir()}
