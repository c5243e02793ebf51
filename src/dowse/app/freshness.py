"""Which projects does a workspace hold, and is what it knows of them still true?"""

import json
import os
import re
import stat
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.model.declaring import dataclass
from dowse.ports import View

if TYPE_CHECKING:
    from dowse.model.change import Mark
    from dowse.model.run import Freshness

_MARK = "project:"
# Beyond this many files a look at each would be felt by everyone who searches; then only the time is told.
_GLANCED_AT = 20_000
# How a path shows what is no character, and a backslash that could be taken for that.
_SHOWN = re.compile(r"\\x([0-9a-f]{2})")


@dataclass(frozen=True, slots=True)
class KnownProject:
    """A project of the workspace as it was indexed last. ``excludes`` are patterns as in .gitignore; ``hides``: without secrets."""

    space: str
    root: Path
    indexed: float
    files: int
    excludes: tuple[str, ...] = ()
    hides: bool = False


def known(view: View, home: Path | None) -> tuple[KnownProject, ...]:
    """The projects of a workspace whose file lies in ``home``."""
    found = []
    for name, content in view.marks(_MARK).items():
        data = json.loads(content)
        root = Path(data["root"])
        if home is not None and data["above"] is not None:
            root = Path(os.path.normpath(home / data["above"]))
        chosen = {"excludes": tuple(data["excludes"]), "hides": data.get("hides", False)}
        found.append(KnownProject(name.removeprefix(_MARK), root, data["indexed"], data["files"], **chosen))
    return tuple(found)


def remember(project: KnownProject, home: Path | None) -> "Mark":
    """That a project was indexed. One that holds its own workspace is found again wherever both are moved to."""
    from dowse.model.change import Mark  # whoever only looks writes nothing

    above = os.path.relpath(project.root, home) if home is not None and home.is_relative_to(project.root) else None
    content = {
        "root": str(project.root),
        "above": above,
        "indexed": project.indexed,
        "files": project.files,
        "excludes": project.excludes,
        "hides": project.hides,
    }
    return Mark(f"{_MARK}{project.space}", json.dumps(content))


def forgotten(space: str) -> "Mark":
    from dowse.model.change import Mark

    return Mark(f"{_MARK}{space}", None)


def glance(view: View, project: KnownProject, home: Path | None = None) -> "Freshness":
    """Looks at the size and time of each known file and the time of each folder, and reads nothing."""
    from dowse.model.run import Freshness  # a workspace without projects needs none of it

    told = Freshness(project.space, str(project.root), project.indexed, None)
    if not project.root.is_dir():
        return replace(told, missing=True)
    if project.files > _GLANCED_AT:
        return told
    root = f"{project.root}{os.sep}"
    changed = 0
    folders = {""}
    for path, stamp in view.stamps(project.space).items():
        folder = path.rpartition("/")[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
        size, modified = _looks(root + _on_disk(path))
        # Of a file that was read as it was written the time is not known.
        changed += size != stamp.size or stamp.modified not in (modified, -1)
    for folder in folders:
        place = root + _on_disk(folder)
        # A folder's time is that of the last file that came or went; a moment's difference is no news.
        # In that of the workspace its own files come and go whenever someone searches.
        changed += _looks(place)[1] / 1e9 > project.indexed + 1 and Path(place) != home
    return replace(told, changed=changed)


def _on_disk(path: str) -> str:
    """The name that the system knows for a path as it is shown."""
    if "\\" not in path:
        return path
    return _SHOWN.sub(lambda code: os.fsdecode(bytes.fromhex(code[1])), path)


def _looks(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return -1, 0
    return (0 if stat.S_ISDIR(found.st_mode) else found.st_size), found.st_mtime_ns
