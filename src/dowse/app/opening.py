"""Which engine stands behind a workspace? The one place where parts are plugged together."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from dowse.app.embedding import EmbeddingEngine
from dowse.app.models import VARIABLE, Choice, full
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
    model: str | None = None,
) -> Workspace:
    """Opens the workspace at a path, or makes a new one there. ``":memory:"`` gives one that is gone when closed.

    ``notify`` is told when opening takes long, and why. ``model`` gives records their vectors; else the one that DOWSE_MODEL
    names, else the one the workspace was told to use, else the one in the package. ``"none"``: search by words alone. The vectors
    of a slow model are made behind, by a thread that ends when the workspace is closed.
    """
    engine = SqliteEngine(path, SCHEMA, create=create, clock=clock, notify=notify)
    location = None if os.fspath(path) == MEMORY else Path(path)
    choice = Choice(full(named)) if (named := model or os.environ.get(VARIABLE)) else Choice()
    embedding = EmbeddingEngine(engine, choice, background=True)
    return Workspace(embedding, principal=principal, clock=clock, location=location)
