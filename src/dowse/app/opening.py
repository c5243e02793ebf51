"""Which engine stands behind a workspace? The one place where parts are plugged together."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from dowse.app.permissions import OWNER, Principal
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite.engine import MEMORY, SqliteEngine


def open(
    path: str | os.PathLike[str],
    *,
    create: bool = True,
    principal: Principal = OWNER,
    clock: Callable[[], float] = time.time,
    notify: Callable[[str], None] | None = None,
) -> Workspace:
    """Opens the workspace at a path, or makes a new one there. ``":memory:"`` gives one that is gone when closed.

    ``notify`` is told when opening takes long, and why.
    """
    engine = SqliteEngine(path, SCHEMA, create=create, clock=clock, notify=notify)
    location = None if os.fspath(path) == MEMORY else Path(path)
    return Workspace(engine, principal=principal, clock=clock, location=location)
