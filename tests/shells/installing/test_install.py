"""Do agents learn of the server, and forget it again, without losing anything else?"""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from a_computer import Computer, needs_permissions

from dowse.errors import InvalidRequest, NotFound
from dowse.shells.installing import Outcome, Registration, describe
from dowse.shells.installing.agents import AGENTS
from dowse.shells.installing.settings_files import value_at


def outcomes(registrations: tuple[Registration, ...]) -> dict[str, Outcome]:
    return {item.agent: item.outcome for item in registrations}


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_agents_found_on_the_machine_are_registered_and_no_others(computer: Computer) -> None:
    computer.write(".cursor/mcp.json", "{}")
    computer.commands["codex"] = "/usr/bin/codex"
    assert outcomes(computer.install()) == {"codex": Outcome.REGISTERED, "cursor": Outcome.REGISTERED}
    assert read(computer.home / ".cursor/mcp.json") == {"mcpServers": {"dowse": {"command": computer.dowse, "args": ["mcp"]}}}
    assert tomllib.loads((computer.home / ".codex/config.toml").read_text()) == {
        "mcp_servers": {"dowse": {"command": computer.dowse, "args": ["mcp"]}}
    }
    assert not (computer.home / ".gemini").exists()


@pytest.mark.parametrize("name", [name for name, agent in AGENTS.items() if agent.user])
def test_every_agent_is_registered_once_and_forgets_it_again(computer: Computer, name: str) -> None:
    computer.platform = "darwin"
    options = {"workspace": Path("/notes.dowse")}
    (first,) = computer.install(name, **options)
    assert first.outcome is Outcome.REGISTERED
    written = first.path.read_bytes()
    place = (*AGENTS[name].servers[0], "dowse")
    assert value_at(written.decode(), AGENTS[name].format, place)["command"]
    assert outcomes(computer.install(name, **options)) == {name: Outcome.PRESENT}
    assert first.path.read_bytes() == written
    assert outcomes(computer.uninstall(name)) == {name: Outcome.REMOVED}
    assert value_at(first.path.read_text(), AGENTS[name].format, place) is None
    assert outcomes(computer.uninstall(name)) == {name: Outcome.ABSENT}


def test_each_agent_gets_the_entry_in_the_form_it_documents(computer: Computer, project: Path) -> None:
    computer.commands["dowse"] = computer.dowse
    computer.install("vscode", "opencode", "claude-code", "zed", project=project)
    plain = {"command": "dowse", "args": ["mcp"]}
    assert read(project / ".vscode/mcp.json") == {"servers": {"dowse": {"type": "stdio", **plain}}}
    assert read(project / "opencode.json") == {"mcp": {"dowse": {"type": "local", "command": ["dowse", "mcp"]}}}
    assert read(project / ".mcp.json") == {"mcpServers": {"dowse": {"type": "stdio", **plain}}}
    assert read(project / ".zed/settings.json") == {"context_servers": {"dowse": plain}}


def test_the_newer_form_of_opencodes_settings_is_kept_up(computer: Computer) -> None:
    path = computer.write(".config/opencode/opencode.jsonc", '{"mcp": {"servers": {"a": {"type": "local", "command": ["a"]}}}}')
    computer.install("opencode")
    assert list(read(path)["mcp"]["servers"]) == ["a", "dowse"]


def test_an_opencode_server_called_servers_is_a_server(computer: Computer) -> None:
    path = computer.write(".config/opencode/opencode.json", '{"mcp": {"servers": {"type": "local", "command": ["a"]}}}')
    computer.install("opencode")
    assert list(read(path)["mcp"]) == ["servers", "dowse"]


def test_comments_other_servers_and_line_ends_are_kept_to_the_byte(computer: Computer) -> None:
    text = '\ufeff// mine\r\n{\r\n  "theme": "x", // dark\r\n  "context_servers": {\r\n    "a": {"command": "a",},\r\n  },\r\n}\r\n'
    path = computer.write(".config/zed/settings.json", text)
    computer.install("zed")
    assert "dowse" in path.read_text(encoding="utf-8")
    computer.uninstall("zed")
    assert path.read_bytes() == text.encode()


def test_an_empty_file_is_filled(computer: Computer) -> None:
    path = computer.write(".gemini/settings.json", "")
    assert outcomes(computer.install()) == {"gemini": Outcome.REGISTERED}
    assert list(read(path)) == ["mcpServers"]


def test_a_file_that_cannot_be_parsed_is_left_and_told_with_its_line_while_others_go_on(computer: Computer) -> None:
    path = computer.write(".cursor/mcp.json", '{\n  "mcpServers": {\n')
    computer.write(".gemini/settings.json", "{}")
    results = computer.install()
    assert outcomes(results) == {"cursor": Outcome.FAILED, "gemini": Outcome.REGISTERED}
    assert "line 3" in results[0].detail
    assert not results[0].is_well
    assert path.read_text() == '{\n  "mcpServers": {\n'


@needs_permissions
def test_a_read_only_file_is_told_and_nothing_crashes(computer: Computer) -> None:
    path = computer.write(".cursor/mcp.json", "{}")
    path.chmod(0o444)
    (result,) = computer.install()
    assert (result.outcome, path.read_text()) == (Outcome.FAILED, "{}")
    assert "read-only" in result.detail


def test_a_folder_where_the_file_should_be_is_told(computer: Computer) -> None:
    (computer.home / ".cursor" / "mcp.json").mkdir(parents=True)
    assert outcomes(computer.install()) == {"cursor": Outcome.FAILED}


def test_an_entry_of_another_program_gives_way_only_by_force(computer: Computer) -> None:
    path = computer.write(".cursor/mcp.json", '{"mcpServers": {"dowse": {"command": "npx", "args": ["rods"]}}}')
    assert outcomes(computer.install()) == outcomes(computer.uninstall()) == {"cursor": Outcome.FOREIGN}
    assert read(path)["mcpServers"]["dowse"]["command"] == "npx"
    assert outcomes(computer.install(force=True)) == {"cursor": Outcome.UPDATED}
    assert read(path)["mcpServers"]["dowse"] == {"command": computer.dowse, "args": ["mcp"]}


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        (
            ".cursor/mcp.json",
            '{"mcpServers": {"dowse": {"command": "/gone/dowse", "env": {"A": "b"}, "args": ["mcp"]}}}',
            '{"mcpServers": {"dowse": {"command": "DOWSE", "env": {"A": "b"}, "args": ["mcp"]}}}',
        ),
        (
            ".codex/config.toml",
            '[mcp_servers.dowse]\ncommand = "/gone/dowse" # here\nargs = ["mcp"]\nstartup_timeout_sec = 20\n',
            '[mcp_servers.dowse]\ncommand = "DOWSE" # here\nargs = ["mcp"]\nstartup_timeout_sec = 20\n',
        ),
    ],
)
def test_an_entry_of_ours_is_brought_up_to_date_and_keeps_what_people_added(
    computer: Computer, path: str, before: str, after: str
) -> None:
    file = computer.write(path, before)
    assert set(outcomes(computer.install()).values()) == {Outcome.UPDATED}
    assert file.read_text() == after.replace("DOWSE", computer.dowse)


def test_a_dry_run_shows_the_difference_and_writes_nothing(computer: Computer) -> None:
    path = computer.write(".cursor/mcp.json", "{}\n")
    computer.commands["codex"] = "/usr/bin/codex"
    lines = describe(computer.install(dry_run=True))
    assert f"Cursor: would be registered ({path})" in lines
    assert f'+      "command": "{computer.dowse}",' in lines
    assert "+[mcp_servers.dowse]" in lines
    assert (path.read_text(), sorted(item.name for item in computer.home.rglob("*"))) == ("{}\n", [".cursor", "mcp.json"])


def test_a_project_is_registered_for_the_agents_found_and_those_at_work_in_it(computer: Computer, project: Path) -> None:
    computer.write(".cursor/x", "")
    (project / ".gemini").mkdir()
    results = computer.install(project=project)
    assert [str(item.path.relative_to(project)) for item in results] == [".cursor/mcp.json", ".gemini/settings.json"]
    assert not (computer.home / ".cursor/mcp.json").exists()


def test_a_project_file_that_names_this_machine_says_so(computer: Computer, project: Path) -> None:
    (result,) = computer.install("cursor", project=project)
    assert "do not check the file in" in result.detail


def test_a_project_that_is_no_folder_is_refused(computer: Computer) -> None:
    with pytest.raises(NotFound, match="There is no folder"):
        computer.install(project=computer.home / "nowhere")


def test_an_agent_without_a_file_of_that_scope_is_refused_when_named(computer: Computer, project: Path) -> None:
    with pytest.raises(InvalidRequest, match="Windsurf has no documented settings file for a project"):
        computer.install("windsurf", project=project)
    with pytest.raises(InvalidRequest, match="Claude Desktop has no documented settings file for a user on this system"):
        computer.install("claude-desktop", workspace=Path("/x.dowse"))


def test_an_agent_that_starts_servers_anywhere_needs_a_workspace(computer: Computer) -> None:
    computer.platform = "darwin"
    (computer.home / "Library/Application Support/Claude").mkdir(parents=True)
    assert outcomes(computer.install()) == {"claude-desktop": Outcome.SKIPPED}
    with pytest.raises(InvalidRequest, match="--workspace"):
        computer.install("claude-desktop")
    assert outcomes(computer.install(workspace=Path("/x.dowse"))) == {"claude-desktop": Outcome.REGISTERED}


def test_the_summary_says_what_became_of_each_agent(computer: Computer) -> None:
    path = computer.write(".cursor/mcp.json", "{}")
    assert describe(computer.install()) == [
        f"Cursor: registered ({path})",
        "Agents that are running learn of it when they are started again.",
    ]
    assert describe(computer.install()) == [f"Cursor: already registered ({path})"]


def test_the_summary_of_an_empty_machine_names_the_agents_that_are_known(computer: Computer) -> None:
    (line,) = describe(computer.install())
    assert "No coding agent was found" in line
    assert "cursor" in line
