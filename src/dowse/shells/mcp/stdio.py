"""How does one coding agent reach the workspace? Over standard input and output, from the folder it works in."""

import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from mcp.server.stdio import stdio_server

from dowse.app import settings
from dowse.app.permissions import OWNER, Capability, Principal
from dowse.errors import InvalidRequest
from dowse.shells.mcp.keeping import Keeper
from dowse.shells.mcp.server import Service

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

# What a folder holds that people work on as one thing.
_MARKERS = (
    *(".git", ".hg", ".svn", ".jj", "pyproject.toml", "setup.py", "package.json", "Cargo.toml", "go.mod", "pom.xml"),
    *("build.gradle", "build.gradle.kts", "Makefile", "CMakeLists.txt", "composer.json", "Gemfile", "mix.exs", "Package.swift"),
)
# Below this not even one hit with its key and excerpt is sure to fit.
LEAST_TOKENS = 500


def serve(path: Path | None, folder: Path, *, surfaces: tuple[str, ...], tokens: int, read_only: bool, watch: bool) -> int:
    """Serves until the client goes. A project without a workspace gets one, which is filled while the agent already asks."""
    if tokens < LEAST_TOKENS:
        raise InvalidRequest(f"--tokens is {tokens}; it must be {LEAST_TOKENS} or more.")
    # Standard output carries the protocol alone.
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="dowse: %(message)s")
    project = folder.resolve()
    can_index = is_project(project, Path.home())
    is_new = path is None or not settings.is_there(path)
    if is_new and not can_index:
        anyio.run(_converse, Service(lambda _: None, surfaces, tokens))
        return 0
    path = path or settings.prepare(project)
    from dowse.app.opening import open

    with open(path, create=True, notify=_say) as workspace:
        keeper = Keeper(workspace, settings.absolute(path), _say)
        principal = agent(workspace, project, read_only=read_only)
        seen = workspace.acting_as(principal)
        # Its own workspace without any project in it: whoever began to index it was stopped.
        begun = path.resolve() == settings.home(project) and not workspace.projects()
        index = project if can_index and (is_new or begun) else None
        service = Service(lambda _: seen, surfaces, tokens, keeper)
        try:
            anyio.run(_converse, service, lambda: keeper.start(index, watch=watch))
        finally:
            keeper.close()
    return 0


def is_project(folder: Path, home: Path) -> bool:
    """Whether a folder is what someone works on: it has the marks of one, and is not where everything lies."""
    if folder in (home, Path(folder.anchor)):
        return False
    return any((folder / marker).exists() for marker in _MARKERS)


def agent(workspace: "Workspace", folder: Path, *, read_only: bool) -> Principal:
    """Who an agent is: its user, but for files elsewhere. What it reads may talk it into anything."""
    withheld = {Capability.WRITE, Capability.ADMIN} if read_only else set()
    roots = tuple(dict.fromkeys([*(project.root for project in workspace.projects()), folder]))
    return Principal("agent", OWNER.capabilities - withheld, roots=roots)


async def _converse(service: Service, started: Callable[[], None] | None = None) -> None:
    server = service.server()
    async with stdio_server() as (incoming, outgoing):
        # Only now: processes that read files must not inherit the streams of the protocol.
        if started is not None:
            started()
        await server.run(incoming, outgoing, server.create_initialization_options())


def _say(message: str) -> None:
    print(f"dowse: {message}", file=sys.stderr, flush=True)
