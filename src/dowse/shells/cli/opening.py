"""Which workspace does a command mean, and how is it opened?"""

import os
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.app import settings
from dowse.errors import NotFound

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace


def folder_of(named: str | None) -> Path:
    """The folder that was named, or the current one."""
    folder = Path(named or ".")
    if not folder.is_dir():
        raise NotFound(f"There is no folder {folder}.")
    return folder


def workspace_path(options: Namespace, named: str | None = None) -> Path:
    """The workspace that the options or the environment name, or the nearest one from the folder upward."""
    folder = folder_of(options.project or named)
    path = settings.locate(options.workspace, folder, os.environ)
    if path is None:
        raise NotFound(
            f"There is no workspace in {folder.resolve()} or above it. Make one with 'dowse init',"
            f" or name one with --workspace or {settings.VARIABLE}."
        )
    return path


def open_workspace(path: str | Path, *, create: bool = False, unopened: bool = False) -> "Workspace":
    """Opens it and says on stderr what takes long. ``unopened``: one that cannot be opened will do."""
    from dowse.app.opening import open, open_for_care

    def notify(message: str) -> None:
        print(f"dowse: {message}", file=sys.stderr)

    return open_for_care(path, notify=notify) if unopened else open(path, create=create, notify=notify)
