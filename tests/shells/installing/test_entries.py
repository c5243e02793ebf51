"""What is an agent told to run?"""

from pathlib import Path
from typing import Any

import pytest

from dowse.shells.installing.entries import Launch, Which, is_ours, launch


def started(
    tmp_path: Path,
    project: Path | None = None,
    workspace: Path | None = None,
    surfaces: tuple[str, ...] = (),
    which: Which = {}.get,
) -> Launch:
    return launch(project=project, workspace=workspace, surfaces=surfaces, which=which, interpreter=str(tmp_path / "python"))


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "dowse"
    path.touch()
    return path


def test_a_user_gets_the_whole_path_of_the_installation_that_runs(tmp_path: Path, script: Path) -> None:
    assert started(tmp_path, which={"dowse": "/usr/bin/dowse"}.get) == Launch(str(script), ("mcp",))


def test_a_link_on_the_path_to_this_installation_is_preferred_to_its_folder(tmp_path: Path, script: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(script)
    assert started(tmp_path, which={"dowse": str(link)}.get).command == str(link)


def test_without_a_script_the_interpreter_runs_the_module(tmp_path: Path) -> None:
    assert started(tmp_path) == Launch(str(tmp_path / "python"), ("-m", "dowse", "mcp"))


def test_a_project_gets_a_command_that_means_something_on_every_machine(tmp_path: Path, script: Path) -> None:
    assert started(tmp_path, project=tmp_path, which={"dowse": str(script)}.get) == Launch("dowse", ("mcp",))


def test_a_project_gets_the_whole_path_where_the_command_would_not_be_found(tmp_path: Path, script: Path) -> None:
    assert started(tmp_path, project=tmp_path).command == str(script)


def test_a_workspace_outside_the_project_is_named_whole_and_one_inside_from_the_project(tmp_path: Path) -> None:
    inside, outside = tmp_path / "project" / "notes.dowse", tmp_path / "other.dowse"
    assert started(tmp_path, tmp_path / "project", inside).args[-2:] == ("--workspace", "notes.dowse")
    assert started(tmp_path, tmp_path / "project", outside).args[-2:] == ("--workspace", str(outside))
    assert started(tmp_path, None, inside).args[-2:] == ("--workspace", str(inside))


def test_surfaces_are_passed_on(tmp_path: Path) -> None:
    assert started(tmp_path, surfaces=("tasks", "pages")).args[-4:] == ("--surface", "tasks", "--surface", "pages")


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "dowse", "args": ["mcp"]},
        {"command": "/old/place/dowse", "args": ["mcp", "--workspace", "x"], "env": {}},
        {"command": "C:\\Python\\Scripts\\dowse.exe", "args": ["mcp"]},
        {"command": "/usr/bin/python3", "args": ["-m", "dowse", "mcp"]},
        {"type": "local", "command": ["dowse", "mcp"]},
    ],
)
def test_an_entry_that_starts_the_server_is_ours(entry: Any) -> None:
    assert is_ours(entry)


@pytest.mark.parametrize(
    "entry",
    [{"command": "npx", "args": ["dowse"]}, {"url": "http://127.0.0.1/mcp"}, {"command": "dowse", "args": ["serve"]}, [], "dowse"],
)
def test_an_entry_that_starts_something_else_is_not_ours(entry: Any) -> None:
    assert not is_ours(entry)
