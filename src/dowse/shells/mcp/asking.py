"""What does a client ask that only reads? Values alone, so that any process that has the workspace open can answer it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dowse.model.run import Freshness
from dowse.shells.mcp.instructions import instructions
from dowse.shells.mcp.limiting import require_fit
from dowse.shells.mcp.resources import complete_key, read_resource
from dowse.shells.mcp.tool import Answer, Call, Tool
from dowse.shells.mcp.toolset import toolset

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

# With this a damaged file is replaced, which only who alone has it open can do.
REPAIRING = "repair"
# With these a search writes or a slow model is loaded: for the one process that serves.
_HERE_ALONE = ("fresh", REPAIRING, "rescore")


def can_be_shared(tool: Tool, arguments: Mapping[str, Any]) -> bool:
    """Whether any process that has the workspace open can answer a call."""
    return not (tool.writes or tool.here or any(arguments.get(name) for name in _HERE_ALONE))


def perform(tool: Tool, call: Call) -> Answer:
    """What a tool answers, within the tokens that are allowed."""
    tool.check(call.arguments)
    return require_fit(tool.perform(call), call.tokens, "Ask for less.")


@dataclass(frozen=True, slots=True)
class ToolAsked:
    """A call of a tool of some surfaces. ``fresh``: how fresh the projects are."""

    surfaces: tuple[str, ...]
    name: str
    arguments: dict[str, Any]
    tokens: int
    fresh: tuple[Freshness, ...] | None

    def answer(self, workspace: "Workspace") -> Answer:
        return perform(_tools(self.surfaces)[self.name], _call(workspace, self.name, self.arguments, self.tokens, self.fresh))


@dataclass(frozen=True, slots=True)
class ResourceAsked:
    """What stands at an address."""

    uri: str
    tokens: int
    fresh: tuple[Freshness, ...] | None

    def answer(self, workspace: "Workspace") -> str:
        return read_resource(_call(workspace, "get", {}, self.tokens, self.fresh), self.uri)


@dataclass(frozen=True, slots=True)
class GreetingAsked:
    """What someone should know before the first call. ``notes``: what to know of the moment."""

    tools: tuple[str, ...]
    notes: tuple[str, ...]

    def answer(self, workspace: "Workspace") -> str:
        return instructions(workspace, self.tools, self.notes)


@dataclass(frozen=True, slots=True)
class KeyAsked:
    """Which record someone may mean who has typed so much."""

    typed: str

    def answer(self, workspace: "Workspace") -> list[str]:
        return complete_key(workspace, self.typed)


def _call(workspace: "Workspace", name: str, arguments: dict[str, Any], tokens: int, fresh: tuple[Freshness, ...] | None) -> Call:
    freshness = (lambda _: fresh) if fresh is not None else None
    return Call(name, workspace, arguments, tokens, lambda *_: None, freshness)


@lru_cache(maxsize=1)
def _tools(surfaces: tuple[str, ...]) -> dict[str, Tool]:
    return toolset(surfaces)
