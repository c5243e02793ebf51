"""What does an agent have to run, and how does each of them want that written down?"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from typing import Any

# The name of the server in every settings file, and of the command that starts it.
NAME = "dowse"
_SUBCOMMAND = "mcp"

Which = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Launch:
    """A command and what follows it."""

    command: str
    args: tuple[str, ...]


def launch(
    *,
    project: Path | None,
    workspace: Path | None,
    surfaces: Sequence[str],
    which: Which,
    interpreter: str,
) -> Launch:
    """What starts the server: for a project as everybody's machine has it, for a user exactly this installation."""
    command, *before = (NAME,) if project and which(NAME) else _this_installation(which, Path(interpreter))
    args = [*before, _SUBCOMMAND]
    if workspace is not None:
        args += ["--workspace", _written(workspace, project)]
    for surface in surfaces:
        args += ["--surface", surface]
    return Launch(command, tuple(args))


def is_ours(entry: Any) -> bool:
    """Whether an entry starts dowse's server, wherever dowse was installed when it was written."""
    words = _words(entry)
    by_name = len(words) > 1 and PureWindowsPath(words[0]).stem == NAME and words[1] == _SUBCOMMAND
    return by_name or words[1:4] == ("-m", NAME, _SUBCOMMAND)


def plain(run: Launch) -> dict[str, Any]:
    return {"command": run.command, "args": list(run.args)}


def typed(run: Launch) -> dict[str, Any]:
    return {"type": "stdio", **plain(run)}


def with_tools(run: Launch) -> dict[str, Any]:
    """For agents that offer of a server only the tools that are named."""
    return {**typed(run), "tools": ["*"]}


def in_one_list(run: Launch) -> dict[str, Any]:
    return {"type": "local", "command": [run.command, *run.args]}


def _this_installation(which: Which, interpreter: Path) -> tuple[str, ...]:
    # Not simply the first on the PATH, which may be another installation, without the server.
    beside = next((path for suffix in ("", ".exe") if (path := interpreter.parent / (NAME + suffix)).is_file()), None)
    if beside is None:
        return str(interpreter.absolute()), "-m", NAME
    found = which(NAME)
    # The link that an installer keeps outlives the folder it points into.
    same = found is not None and Path(found).exists() and Path(found).resolve() == beside.resolve()
    return (str(Path(found if found and same else beside).absolute()),)


def _written(workspace: Path, project: Path | None) -> str:
    whole = Path(os.path.abspath(workspace))
    folder = Path(os.path.abspath(project)) if project else None
    # Agents start the servers of a project in its folder, and another machine has the project elsewhere.
    return whole.relative_to(folder).as_posix() if folder and whole.is_relative_to(folder) else str(whole)


def _words(entry: Any) -> tuple[str, ...]:
    if not isinstance(entry, Mapping):
        return ()
    command, args = entry.get("command"), entry.get("args")
    words = [*(command if isinstance(command, list) else [command]), *(args if isinstance(args, list) else [])]
    return tuple(word for word in words if isinstance(word, str))
