"""From a command line to its answer: find the command, open the workspace, perform, show."""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dowse.app import settings
from dowse.app.operations import OPERATIONS, Operation, Type
from dowse.errors import InvalidRequest
from dowse.shells.cli import parsing
from dowse.shells.cli.commands import SHELLS
from dowse.shells.cli.opening import folder_of, open_workspace, workspace_path
from dowse.text.suggesting import did_you_mean

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

# For operations that tell what dowse knows, or what it would do, and not what a workspace holds.
_NOWHERE = ":memory:"
# After these the vectors of a slow model are made before the command ends; after others by whoever comes next.
_WRITES_MUCH = ("index", "import", "library_add", "library_update")


def dispatch(arguments: Sequence[str]) -> int:
    name, rest = parsing.split(arguments)
    if name == "help":
        name, rest = (rest[0] if rest else None), ["--help"]
    if name is None:
        from dowse.shells.cli.helping import overview

        _refuse_unknown(rest)
        print(overview(), end="")
        return 0
    command = parsing.find(name)
    if {"--help", "-h"} & set(rest[: rest.index("--")] if "--" in rest else rest):
        from dowse.shells.cli.helping import help_of

        print(help_of(command), end="")
        return 0
    options, values = parsing.parse(command, rest)
    if command.operation is None:
        return _OWN[command.name](options, values)
    return _perform(command.operation, options, values)


def _perform(operation: Operation, options: Namespace, values: Mapping[str, Any]) -> int:
    # Before the workspace is opened: a mistyped command must neither make nor wait for one.
    operation.check({**values, **{item.name: "" for item in operation.parameters if item.type is Type.OUTPUT}})
    path = _locate(operation, options, values)
    from dowse.shells.cli.showing import show
    from dowse.shells.cli.transferring import provided

    with _open(path, operation) as workspace:
        with provided(operation, values, quiet=options.json) as whole:
            checked = operation.check(whole)
            result = operation.run(workspace, checked)
        code = show(operation, checked, result, workspace, as_json=options.json)
        if operation.name in _WRITES_MUCH and not checked.get("dry_run"):
            from dowse.shells.cli.embedding_progress import finish

            finish(workspace, quiet=options.json)
        return code


def _locate(operation: Operation, options: Namespace, values: Mapping[str, Any]) -> str:
    named = next((values.get(item.name) for item in operation.parameters if item.type is Type.FOLDER), None)
    folder = folder_of(options.project or named)
    path = settings.locate(options.workspace, folder, os.environ)
    # Who only wants to know what would be done finds the folder afterwards as it was.
    if operation.capability is None or (values.get("dry_run") and not (path and settings.is_there(path))):
        return _NOWHERE
    if path is not None:
        return str(path)
    if operation.makes:
        return str(settings.prepare(folder))
    if operation.anywhere:
        return _NOWHERE
    return str(workspace_path(options, named))


def _open(path: str, operation: Operation) -> "Workspace":
    new = operation.makes and path != _NOWHERE and not settings.is_there(Path(path))
    workspace = open_workspace(path, create=operation.makes, unopened=operation.unopened)
    if new:
        print(f"dowse: made a new workspace at {path}", file=sys.stderr)
    return workspace


def _init(options: Namespace, values: Mapping[str, Any]) -> int:
    from dowse.app.opening import open

    path = Path(options.workspace) if options.workspace else settings.prepare(folder_of(values.get("folder") or options.project))
    there = path.exists()
    open(path).close()
    if options.json:
        import json

        print(json.dumps({"workspace": str(path), "made": not there}))
    else:
        print(f"{'There is a workspace already' if there else 'Made a new workspace'} at {path}")
    return 0


def _watch(options: Namespace, values: Mapping[str, Any]) -> int:
    from dowse.shells.cli.watching import watch

    operation = OPERATIONS["index"]
    with _open(_locate(operation, options, values), operation) as workspace:
        return watch(workspace, values.get("folder"), as_json=options.json)


def _migrate(options: Namespace, values: Mapping[str, Any]) -> int:
    from dowse.shells.cli.migrating import migrate

    return migrate(options, values)


def _completion(_: Namespace, values: Mapping[str, Any]) -> int:
    from dowse.shells.cli.completing import script

    if values["shell"] not in SHELLS:
        raise InvalidRequest(f"There is no completion for {values['shell']!r}. {did_you_mean(values['shell'], SHELLS)}")
    print(script(values["shell"]), end="")
    return 0


def _refuse_unknown(options: Sequence[str]) -> None:
    for option in options:
        if option not in ("--help", "-h", "--json"):
            raise InvalidRequest(f"There is no command in {' '.join(options)!r}. See 'dowse --help'.")


def _serving(name: str) -> Callable[[Namespace, Mapping[str, Any]], int]:
    def run(options: Namespace, values: Mapping[str, Any]) -> int:
        from dowse.shells.cli import serving

        return int(getattr(serving, name)(options, values))

    return run


_OWN = {
    "init": _init,
    "completion": _completion,
    "watch": _watch,
    "migrate": _migrate,
    **{name: _serving(name) for name in ("serve", "mcp", "install", "uninstall")},
}
