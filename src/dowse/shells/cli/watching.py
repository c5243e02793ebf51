"""How does a terminal watch? Until interrupted, a line for everything that was brought up to date."""

import json
import signal
import sys
import threading
from typing import TYPE_CHECKING

from dowse.present.answers import answer_json
from dowse.present.indexing import summary_line

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace


def watch(workspace: "Workspace", folder: str | None, *, as_json: bool) -> int:
    """Keeps the projects up to date; a project that is new here is indexed first."""
    if folder is not None or not workspace.projects():
        workspace.index(folder or ".")
    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())
    roots = ", ".join(str(project.root) for project in workspace.projects())
    print(f"dowse: watching {roots}; stop with Ctrl-C", file=sys.stderr, flush=True)
    for summary in workspace.watch(stop):
        print(json.dumps(answer_json(summary)) if as_json else summary_line(summary), flush=True)
    return 0
