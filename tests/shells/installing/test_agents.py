"""Which agents are found, and where is the file of each?"""

from pathlib import Path

import pytest

from dowse.errors import InvalidRequest
from dowse.shells.installing.agents import AGENTS, Machine, named, present

HOME = Path("/home/ada")


def machine(platform: str = "linux", home: Path = HOME, **environment: str) -> Machine:
    return Machine(home, environment, {}.get, platform)


@pytest.mark.parametrize(
    ("agent", "platform", "path"),
    [
        ("claude-code", "linux", ".claude.json"),
        ("claude-desktop", "darwin", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("claude-desktop", "win32", "AppData/Roaming/Claude/claude_desktop_config.json"),
        ("cursor", "win32", ".cursor/mcp.json"),
        ("vscode", "linux", ".config/Code/User/mcp.json"),
        ("vscode", "darwin", "Library/Application Support/Code/User/mcp.json"),
        ("vscode", "win32", "AppData/Roaming/Code/User/mcp.json"),
        ("windsurf", "linux", ".codeium/windsurf/mcp_config.json"),
        ("codex", "darwin", ".codex/config.toml"),
        ("gemini", "linux", ".gemini/settings.json"),
        ("opencode", "darwin", ".config/opencode/opencode.json"),
        ("zed", "darwin", ".config/zed/settings.json"),
        ("zed", "win32", "AppData/Roaming/Zed/settings.json"),
        ("copilot", "linux", ".copilot/mcp-config.json"),
        ("kiro", "linux", ".kiro/settings/mcp.json"),
        ("cline", "linux", ".cline/data/settings/cline_mcp_settings.json"),
    ],
)
def test_the_users_file_is_where_the_agent_documents_it(agent: str, platform: str, path: str) -> None:
    assert AGENTS[agent].file(machine(platform), None) == HOME / path


@pytest.mark.parametrize(
    ("agent", "path"),
    [
        ("claude-code", ".mcp.json"),
        ("cursor", ".cursor/mcp.json"),
        ("vscode", ".vscode/mcp.json"),
        ("codex", ".codex/config.toml"),
        ("gemini", ".gemini/settings.json"),
        ("opencode", "opencode.json"),
        ("zed", ".zed/settings.json"),
        ("kiro", ".kiro/settings/mcp.json"),
        ("roo", ".roo/mcp.json"),
    ],
)
def test_the_projects_file_is_where_the_agent_documents_it(agent: str, path: str) -> None:
    assert AGENTS[agent].file(machine(), Path("/src/app")) == Path("/src/app") / path


@pytest.mark.parametrize(
    ("agent", "variable", "path"),
    [
        ("codex", "CODEX_HOME", "/elsewhere/config.toml"),
        ("claude-code", "CLAUDE_CONFIG_DIR", "/elsewhere/.claude.json"),
        ("copilot", "COPILOT_HOME", "/elsewhere/mcp-config.json"),
        ("zed", "XDG_CONFIG_HOME", "/elsewhere/zed/settings.json"),
        ("vscode", "XDG_CONFIG_HOME", "/elsewhere/Code/User/mcp.json"),
    ],
)
def test_a_variable_of_the_agent_moves_its_file(agent: str, variable: str, path: str) -> None:
    assert AGENTS[agent].file(machine(**{variable: "/elsewhere"}), None) == Path(path)


def test_a_system_the_agent_is_not_made_for_has_no_file_of_it() -> None:
    assert AGENTS["claude-desktop"].file(machine("linux"), None) is None


def test_of_two_names_for_a_file_the_one_that_exists_counts(tmp_path: Path) -> None:
    with_comments = tmp_path / ".config" / "opencode" / "opencode.jsonc"
    with_comments.parent.mkdir(parents=True)
    with_comments.touch()
    assert AGENTS["opencode"].file(machine(home=tmp_path), None) == with_comments


def test_an_agent_is_found_by_its_folder_or_by_its_command(tmp_path: Path) -> None:
    (tmp_path / ".cursor").mkdir()
    here = Machine(tmp_path, {}, {"codex": "/usr/bin/codex"}.get, "linux")
    assert [agent.name for agent in present(here, None)] == ["codex", "cursor"]


def test_an_empty_machine_has_no_agents(tmp_path: Path) -> None:
    assert present(machine(home=tmp_path), None) == ()


def test_an_agent_at_work_in_a_project_counts_there_though_it_is_not_on_the_machine(tmp_path: Path) -> None:
    (tmp_path / "project" / ".vscode").mkdir(parents=True)
    assert [agent.name for agent in present(machine(home=tmp_path), tmp_path / "project")] == ["vscode"]


def test_an_unknown_name_is_refused_with_the_one_probably_meant() -> None:
    with pytest.raises(InvalidRequest, match=r"no agent 'curser'\. Did you mean 'cursor'\?"):
        named(["curser"])


def test_an_agent_named_twice_is_taken_once() -> None:
    assert [agent.name for agent in named(["zed", "codex", "zed"])] == ["zed", "codex"]


def test_the_document_tells_of_every_agent_and_its_files() -> None:
    document = (Path(__file__).resolve().parents[3] / "docs" / "agents.md").read_text(encoding="utf-8")
    for agent in AGENTS.values():
        (row,) = (line for line in document.splitlines() if f"| `{agent.name}` |" in line)
        assert all(Path(path).name in row for path in (*agent.user[:1], *agent.project[:1])), agent.name
        assert agent.servers[0][0] in row
