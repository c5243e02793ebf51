"""How does a terminal watch? Until interrupted, a line for everything that was brought up to date."""

import json
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dowse.present.answers import answer_json
from dowse.present.indexing import summary_line

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace


def watch(workspace: "Workspace", folder: str | None, *, as_json: bool) -> int:
    """Keeps the projects up to date; a project that is new here is indexed first."""
    if folder is not None or not workspace.projects():
        workspace.index(folder or ".")
    with _until_interrupted() as stop:
        roots = ", ".join(str(project.root) for project in workspace.projects())
        print(f"dowse: watching {roots}; stop with Ctrl-C", file=sys.stderr, flush=True)
        for summary in workspace.watch(stop):
            print(json.dumps(answer_json(summary)) if as_json else summary_line(summary), flush=True)
    return 0


@contextmanager
def _until_interrupted() -> Iterator[threading.Event]:
    """Set when someone interrupts; afterwards an interrupt means again what it meant before."""
    stop = threading.Event()
    before = {name: signal.signal(name, lambda *_: stop.set()) for name in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
