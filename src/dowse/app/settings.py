"""Where is the workspace? Named outright, by the environment, or the nearest one from a folder upward."""

from collections.abc import Mapping
from pathlib import Path

from dowse.engines.opensearch import is_address
from dowse.errors import NotFound

VARIABLE = "DOWSE_WORKSPACE"
FOLDER = ".dowse"
FILE = "workspace.dowse"


def locate(named: str | None, folder: Path, environment: Mapping[str, str]) -> Path | None:
    """The workspace to use; None if nothing names one and none is found. A named one need not exist.

    The address of a cluster goes as a path too: whoever opens it knows it by its beginning.
    """
    if named:
        return Path(named)
    if environment.get(VARIABLE):
        return Path(environment[VARIABLE])
    start = folder.resolve()
    return next((path for parent in (start, *start.parents) if (path := home(parent)).is_file()), None)


def is_there(path: Path) -> bool:
    """Whether a workspace exists, as far as can be told without asking a cluster: who names one there has made it."""
    return is_address(str(path)) or path.exists()


def absolute(path: Path) -> Path:
    """The same workspace, named so that any folder's processes find it."""
    return path if is_address(str(path)) else path.resolve()


def home(folder: Path) -> Path:
    """Where a folder's own workspace is."""
    return folder / FOLDER / FILE


def prepare(folder: Path) -> Path:
    """Makes room for a workspace in a folder, kept out of version control; returns where it goes."""
    if not folder.is_dir():
        raise NotFound(f"There is no folder {folder}.")
    path = home(folder)
    path.parent.mkdir(exist_ok=True)
    ignore = path.parent / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")
    return path
