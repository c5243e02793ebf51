"""Which coding agents do we know, where does each keep its servers, and which of them are on this machine?"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from dowse.errors import InvalidRequest
from dowse.shells.installing.entries import Launch, Which, in_one_list, plain, typed, with_tools
from dowse.text.suggesting import did_you_mean


class Format(StrEnum):
    """JSON is read with comments and trailing commas, because several agents write both."""

    JSON = "json"
    TOML = "toml"


@dataclass(frozen=True, slots=True)
class Machine:
    """What decides where things are; nothing else of the machine is looked at."""

    home: Path
    environment: Mapping[str, str]
    which: Which
    platform: str

    def place(self, path: str) -> Path | None:
        """A declared path such as "<home>/.cursor"; None where this system has no such place."""
        root, _, rest = path.partition("/")
        folder = self._roots().get(root)
        return folder / rest if folder else None

    def _roots(self) -> dict[str, Path | None]:
        config = (
            self._named("XDG_CONFIG_HOME", self.home / ".config")
            if self.platform not in ("darwin", "win32")
            else self.home / ".config"
        )
        roaming = self._named("APPDATA", self.home / "AppData" / "Roaming")
        application = {"darwin": self.home / "Library" / "Application Support", "win32": roaming}.get(self.platform)
        claude = self.environment.get("CLAUDE_CONFIG_DIR")
        return {
            "<home>": self.home,
            "<config>": config,
            "<application>": application or config,
            # Claude Desktop is documented for these two systems.
            "<desktop>": application,
            "<zed>": roaming / "Zed" if self.platform == "win32" else config / "zed",
            "<claude>": Path(claude) if claude else self.home,
            "<codex>": self._named("CODEX_HOME", self.home / ".codex"),
            "<copilot>": self._named("COPILOT_HOME", self.home / ".copilot"),
        }

    def _named(self, variable: str, default: Path) -> Path:
        value = self.environment.get(variable)
        return Path(value) if value else default


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent. ``user`` and ``project``: its files, the first that exists counts, else the first; none if it has none.

    ``servers``: the way to the object that holds the servers; of several the last that the file has, else the first.
    ``traces``: it is here if one of these paths exists, or one of ``commands`` is on the PATH.
    ``anywhere``: it starts servers outside of any project, so that a workspace must be named.
    """

    name: str
    title: str
    user: tuple[str, ...]
    project: tuple[str, ...]
    traces: tuple[str, ...]
    commands: tuple[str, ...] = ()
    servers: tuple[tuple[str, ...], ...] = (("mcpServers",),)
    entry: Callable[[Launch], dict[str, Any]] = plain
    format: Format = Format.JSON
    anywhere: bool = False

    def file(self, machine: Machine, project: Path | None) -> Path | None:
        """The file to write to; None if the agent has none of that scope here."""
        here = [project / name for name in self.project] if project else [machine.place(path) for path in self.user]
        paths = [path for path in here if path is not None]
        return next((path for path in paths if os.path.exists(path)), paths[0] if paths else None)

    def is_found(self, machine: Machine) -> bool:
        traces = (machine.place(path) for path in self.traces)
        return any(path is not None and os.path.exists(path) for path in traces) or any(map(machine.which, self.commands))

    def is_used_in(self, project: Path) -> bool:
        """Whether the project has a file or folder of the agent's own."""
        return any(os.path.exists(project / name.partition("/")[0]) for name in self.project)


AGENTS: dict[str, Agent] = {
    agent.name: agent
    for agent in (
        Agent(
            "claude-code",
            "Claude Code",
            user=("<claude>/.claude.json",),
            project=(".mcp.json",),
            traces=("<claude>/.claude.json", "<home>/.claude"),
            commands=("claude",),
            entry=typed,
        ),
        Agent(
            "claude-desktop",
            "Claude Desktop",
            user=("<desktop>/Claude/claude_desktop_config.json",),
            project=(),
            traces=("<desktop>/Claude",),
            anywhere=True,
        ),
        Agent(
            "cline",
            "Cline CLI",
            user=("<home>/.cline/data/settings/cline_mcp_settings.json",),
            project=(),
            traces=("<home>/.cline",),
            commands=("cline",),
        ),
        Agent(
            "codex",
            "Codex",
            user=("<codex>/config.toml",),
            project=(".codex/config.toml",),
            traces=("<codex>/",),
            commands=("codex",),
            servers=(("mcp_servers",),),
            format=Format.TOML,
        ),
        Agent(
            "copilot",
            "GitHub Copilot CLI",
            user=("<copilot>/mcp-config.json",),
            project=(),
            traces=("<copilot>/",),
            commands=("copilot",),
            entry=with_tools,
        ),
        Agent(
            "cursor",
            "Cursor",
            user=("<home>/.cursor/mcp.json",),
            project=(".cursor/mcp.json",),
            traces=("<home>/.cursor",),
            commands=("cursor", "cursor-agent"),
        ),
        Agent(
            "gemini",
            "Gemini CLI",
            user=("<home>/.gemini/settings.json",),
            project=(".gemini/settings.json",),
            traces=("<home>/.gemini",),
            commands=("gemini",),
        ),
        Agent(
            "kiro",
            "Kiro",
            user=("<home>/.kiro/settings/mcp.json",),
            project=(".kiro/settings/mcp.json",),
            traces=("<home>/.kiro",),
            commands=("kiro", "kiro-cli"),
        ),
        Agent(
            "opencode",
            "opencode",
            user=("<config>/opencode/opencode.json", "<config>/opencode/opencode.jsonc"),
            project=("opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"),
            traces=("<config>/opencode",),
            commands=("opencode",),
            # Version 2 writes one level deeper, and reads both.
            servers=(("mcp",), ("mcp", "servers")),
            entry=in_one_list,
        ),
        Agent(
            "roo",
            "Roo Code",
            user=(),
            project=(".roo/mcp.json",),
            traces=("<application>/Code/User/globalStorage/rooveterinaryinc.roo-cline",),
        ),
        Agent(
            "vscode",
            "VS Code",
            user=("<application>/Code/User/mcp.json",),
            project=(".vscode/mcp.json",),
            traces=("<application>/Code/User",),
            commands=("code",),
            servers=(("servers",),),
            entry=typed,
        ),
        Agent(
            "windsurf",
            "Windsurf",
            user=("<home>/.codeium/windsurf/mcp_config.json",),
            project=(),
            traces=("<home>/.codeium/windsurf",),
            commands=("windsurf",),
        ),
        Agent(
            "zed",
            "Zed",
            user=("<zed>/settings.json",),
            project=(".zed/settings.json",),
            traces=("<zed>/",),
            commands=("zed", "zeditor"),
            servers=(("context_servers",),),
        ),
    )
}


def named(names: Sequence[str]) -> tuple[Agent, ...]:
    """The agents of these names, each once."""
    for name in names:
        if name not in AGENTS:
            raise InvalidRequest(f"There is no agent {name!r}. {did_you_mean(name, AGENTS)}")
    return tuple(AGENTS[name] for name in dict.fromkeys(names))


def present(machine: Machine, project: Path | None) -> tuple[Agent, ...]:
    """The agents that are on the machine, or at work in the project, and have a file of that scope."""
    return tuple(
        agent
        for agent in AGENTS.values()
        if agent.file(machine, project) is not None
        and (agent.is_found(machine) or (project is not None and agent.is_used_in(project)))
    )
