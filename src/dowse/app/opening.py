"""Which engine stands behind a workspace? The one place where parts are plugged together."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from dowse.app.embedding import EmbeddingEngine
from dowse.app.models import NONE, VARIABLE, Choice, full
from dowse.app.permissions import OWNER, Principal
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.engines.opensearch import is_address, parse
from dowse.engines.sqlite.engine import MEMORY, SqliteEngine
from dowse.errors import NotFound, StorageError
from dowse.ports import Engine


def open(
    path: str | os.PathLike[str],
    *,
    create: bool = True,
    principal: Principal = OWNER,
    clock: Callable[[], float] = time.time,
    notify: Callable[[str], None] | None = None,
    model: str | None = None,
) -> Workspace:
    """Opens the workspace at a path, or makes a new one there. ``":memory:"`` gives one that is gone when closed;
    ``"opensearch://host,host/name"`` one on an OpenSearch cluster (``opensearchs`` with TLS).

    ``notify`` is told when opening takes long, and why. ``model`` gives records their vectors; else the one that DOWSE_MODEL
    names, else the one the workspace was told to use, else the one in the package. ``"none"``: search by words alone. The vectors
    of a slow model are made behind, by a thread that ends when the workspace is closed.
    """
    engine = open_engine(path, create=create, clock=clock, notify=notify)
    location = None if os.fspath(path) == MEMORY or is_address(os.fspath(path)) else Path(path)
    choice = Choice(full(named)) if (named := model or os.environ.get(VARIABLE)) else Choice()
    embedding = EmbeddingEngine(engine, choice, background=True)
    return Workspace(embedding, principal=principal, clock=clock, location=location)


def open_engine(
    path: str | os.PathLike[str],
    *,
    create: bool = True,
    expected: int = 0,
    clock: Callable[[], float] = time.time,
    notify: Callable[[str], None] | None = None,
) -> Engine:
    """The engine alone, without models. ``expected``: about how many records it will hold, where that decides how it is made."""
    named = os.fspath(path)
    if not is_address(named):
        return SqliteEngine(path, SCHEMA, create=create, clock=clock, notify=notify)
    address = parse(named, os.environ)
    try:
        # The client is an extra, and takes longer to load than a search in a file.
        from dowse.engines.opensearch.engine import OpenSearchEngine
    except ModuleNotFoundError as error:
        raise StorageError(
            f"{address} is on a cluster, and this installation lacks the client ({error.name}). Install 'dowse[cluster]'."
        ) from error
    from dowse.app.stemming import stem_all

    return OpenSearchEngine(address, SCHEMA, stem_all, create=create, expected=expected, clock=clock, notify=notify)


def open_for_care(path: str | os.PathLike[str], *, notify: Callable[[str], None] | None = None) -> Workspace:
    """Opens a workspace as it is, also one that is damaged or not there: it can be examined, repaired, and replaced."""
    try:
        return open(path, create=False, notify=notify)
    except (NotFound, StorageError) as error:
        if is_address(os.fspath(path)):
            raise
        from dowse.engines.sqlite.unopened import UnopenedEngine  # nobody else needs it

        engine = EmbeddingEngine(UnopenedEngine(os.fspath(path), SCHEMA, error), Choice(NONE))
        return Workspace(engine, location=Path(path))
