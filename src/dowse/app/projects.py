"""How does a folder become a project of the workspace, and how does it leave it again?"""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

from dowse.app.freshness import KnownProject, forgotten, known, remember
from dowse.errors import Conflict, InvalidRequest, NotFound
from dowse.ingest.indexing import Project, Report, dropping
from dowse.ingest.indexing import index as index_project
from dowse.ingest.walking import shown
from dowse.model.run import Summary
from dowse.ports import Engine, View

# Files that go in one commit when a project is forgotten.
_FORGOTTEN_AT_ONCE = 200
# What means something in a pattern of .gitignore.
_SPECIAL = re.compile(r"[\\*?\[\]! #]")


def index(
    engine: Engine,
    workspace: Path | None,
    folder: Path,
    *,
    clock: Callable[[], float],
    space: str | None = None,
    excludes: tuple[str, ...] | None = None,
    hide_secrets: bool | None = None,
    afresh: bool = False,
    jobs: int | None = None,
    dry_run: bool = False,
    report: Report | None = None,
) -> Summary:
    """Brings what is known of a project in line with its files, and remembers that this was done."""
    home = workspace.parent if workspace is not None else None
    with engine.view() as view:
        project = choose(view, home, folder, space, excludes, hide_secrets)
    walked = replace(project, excludes=(*project.excludes, *_own(workspace, project.root)))
    summary = index_project(engine, walked, clock=clock, afresh=afresh, jobs=jobs, dry_run=dry_run, report=report)
    if not dry_run:
        done = KnownProject(project.space, project.root, clock(), summary.files, project.excludes, project.hides)
        engine.apply([remember(done, home)])
    return summary


def choose(
    view: View,
    home: Path | None,
    folder: Path,
    space: str | None,
    excludes: tuple[str, ...] | None,
    hide_secrets: bool | None = None,
) -> Project:
    """The project that a folder is, or lies in; a new one gets the folder's name, or one like it that is free.

    What is None stays as it was chosen for the project before.
    """
    if not folder.is_dir():
        raise NotFound(f"There is no folder {folder}.")
    root = folder.resolve()
    projects = known(view, home)
    around = [item for item in projects if root.is_relative_to(item.root) and space in (None, item.space)]
    if around:
        nearest = max(around, key=lambda item: len(item.root.parts))
        return Project(
            nearest.space,
            nearest.root,
            nearest.excludes if excludes is None else excludes,
            nearest.hides if hide_secrets is None else hide_secrets,
        )
    taken = {item.space: item.root for item in projects}
    same = next((item.space for item in projects if item.root == root), None)
    if same is not None:
        raise Conflict(f"{root} is in the workspace as {same!r}. To call it otherwise forget that first.")
    return Project(_free(root.name, taken) if space is None else _named(space, taken), root, excludes or (), bool(hide_secrets))


def forget(engine: Engine, space: str) -> int:
    """Takes a project and everything that was made of its files out of the workspace; returns how many files went."""
    with engine.view() as view:
        spaces = sorted(item.space for item in known(view, None))
        if space not in spaces:
            raise NotFound(f"There is no project in the space {space!r}; there are: {', '.join(spaces) or 'none'}.")
        paths = list(view.stamps(space))
    for start in range(0, len(paths), _FORGOTTEN_AT_ONCE):
        with engine.view() as view:
            dropped = dropping(view, space, paths[start : start + _FORGOTTEN_AT_ONCE])
        engine.apply(dropped)
    engine.apply([forgotten(space)])
    return len(paths)


def _own(workspace: Path | None, root: Path) -> tuple[str, ...]:
    """The pattern of the workspace's own files, where they lie among those of the project."""
    if workspace is None or not workspace.is_relative_to(root):
        return ()
    place = _SPECIAL.sub(r"\\\g<0>", workspace.relative_to(root).as_posix())
    return (f"/{place}", f"/{place}-*")


def _free(name: str, taken: dict[str, Path]) -> str:
    own = shown(name).replace(":", "-").replace("#", "-") or "root"
    names = (own if number == 1 else f"{own}-{number}" for number in count(1))
    return next(name for name in names if name not in taken)


def _named(space: str, taken: dict[str, Path]) -> str:
    if space in taken:
        raise Conflict(f"The space {space!r} holds the project in {taken[space]}. Choose another name with --space.")
    if not space.strip() or ":" in space or "#" in space:
        raise InvalidRequest(f"A space needs a name without ':' and '#', not {space!r}.")
    return space
