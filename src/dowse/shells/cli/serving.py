"""How do servers start from a command line, and how do coding agents come to know of them?"""

import importlib.util
import os
import shutil
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dowse.app import settings
from dowse.app.operations.operation import Type, to_type
from dowse.domains.everything import SURFACES
from dowse.errors import InvalidRequest, StorageError
from dowse.shells.cli.exits import CODES
from dowse.shells.cli.opening import folder_of, open_workspace, workspace_path
from dowse.text.suggesting import did_you_mean

if TYPE_CHECKING:
    from dowse.shells.installing import Registration

# What the extra "serve" installs; a search on the command line needs none of it.
_SERVERS = ("mcp", "starlette", "uvicorn")
_HOST = "127.0.0.1"
_PORT = 3697
_LAST_PORT = 65535
# What an agent reads at once without losing sight of its task.
_TOKENS = 8000
# As many processes as the machine has cores for.
_AUTO = "auto"


def serve(options: Namespace, values: Mapping[str, Any]) -> int:
    """Serves the workspace over HTTP until interrupted."""
    _require_servers()
    from dowse.shells.http.serving import serve as serve_http

    port = _count(values, "port", _PORT)
    if port > _LAST_PORT:
        raise InvalidRequest(f"--port is {port}; it must be from 0 to {_LAST_PORT}.")
    roots = tuple(folder_of(root).resolve() for root in values.get("roots", ()))
    with open_workspace(workspace_path(options)) as workspace:
        return serve_http(
            workspace,
            host=values.get("host", _HOST),
            port=port,
            roots=roots,
            hosts=tuple(values.get("hosts", ())),
            origins=tuple(values.get("origins", ())),
            surfaces=_surfaces(values),
            helpers=None if values.get("helpers", _AUTO) == _AUTO else _count(values, "helpers", 0),
            watch=bool(values.get("watch")),
            browse=bool(values.get("browse")),
        )


def mcp(options: Namespace, values: Mapping[str, Any]) -> int:
    """Serves one coding agent over standard input and output."""
    _require_servers()
    from dowse.shells.mcp.stdio import serve as serve_stdio

    folder = folder_of(options.project)
    return serve_stdio(
        settings.locate(options.workspace, folder, os.environ),
        folder,
        surfaces=_surfaces(values),
        tokens=_count(values, "tokens", _TOKENS),
        read_only=bool(values.get("read_only")),
        watch=not values.get("still"),
    )


def install(options: Namespace, values: Mapping[str, Any]) -> int:
    """Registers the server with coding agents."""
    from dowse.shells import installing

    workspace = settings.absolute(Path(options.workspace)) if options.workspace else None
    force = bool(values.get("force"))
    return _tell(
        options, installing.install(**_where(options, values), workspace=workspace, surfaces=_surfaces(values), force=force)
    )


def uninstall(options: Namespace, values: Mapping[str, Any]) -> int:
    """Takes the server out of the settings of coding agents."""
    from dowse.shells import installing

    return _tell(options, installing.uninstall(**_where(options, values)))


def _where(options: Namespace, values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "agents": str(values.get("agents", "")).split(),
        "project": folder_of(options.project).resolve() if values.get("here") else None,
        "home": Path.home(),
        "dry_run": bool(values.get("dry_run")),
        "environment": os.environ,
        "which": shutil.which,
    }


def _tell(options: Namespace, done: "Sequence[Registration]") -> int:
    """Shows what became of each agent; returns the exit code."""
    if options.json:
        import json

        from dowse.present.answers import answer_json

        print(json.dumps(answer_json(tuple(done)), indent=2))
    else:
        from dowse.shells.installing import describe

        print("\n".join(describe(done)))
    return 0 if all(item.is_well for item in done) else CODES[StorageError]


def _surfaces(values: Mapping[str, Any]) -> tuple[str, ...]:
    named = tuple(dict.fromkeys(values.get("surfaces", ())))
    if named == ("all",):
        return tuple(SURFACES)
    for name in named:
        if name not in SURFACES:
            raise InvalidRequest(f"There is no surface {name!r}. {did_you_mean(name, SURFACES)}")
    return named


def _count(values: Mapping[str, Any], name: str, default: int) -> int:
    number = int(to_type(f"--{name}", Type.INTEGER, values.get(name, default)))
    if number < 0:
        raise InvalidRequest(f"--{name} is {number}; it must be 0 or more.")
    return number


def _require_servers() -> None:
    missing = [name for name in _SERVERS if importlib.util.find_spec(name) is None]
    if missing:
        raise InvalidRequest(
            f"Serving needs {' and '.join(missing)}, which this installation lacks."
            f" Install 'dowse[serve]' with {Path(sys.executable).name} -m pip install."
        )
