"""Who is indexing right now? One process at a time; another is told so at once."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dowse.errors import Conflict

try:
    import fcntl
except ImportError:  # Windows locks differently; there the engine's own transactions must do.
    fcntl = None  # type: ignore[assignment]

_SUFFIX = "-indexing"


@contextmanager
def alone(workspace: Path | None) -> Iterator[None]:
    """Holds the right to index a workspace; a lock of the system, so it goes with the process whatever happens to it."""
    if workspace is None or fcntl is None:
        yield
        return
    handle = os.open(f"{workspace}{_SUFFIX}", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(handle, 32, 0).decode("ascii", "replace").strip("\0 \n")
            raise Conflict(
                f"Another dowse{f' (process {holder})' if holder else ''} is indexing {workspace} right now."
                " Wait for it, or search what is there already."
            ) from error
        os.truncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(handle)
