"""Which tools are offered, how do they describe themselves, and what does that cost?"""

import json
from pathlib import Path

import jsonschema
import pytest
from running_mcp import talk

from dowse.app.permissions import OWNER, Capability, Principal
from dowse.app.workspace import Workspace
from dowse.domains.everything import SURFACES
from dowse.errors import InvalidRequest
from dowse.shells.mcp.seeds import TOOLS_OF
from dowse.shells.mcp.toolset import allowed, toolset
from dowse.text.tokens import tokens_of

_SNAPSHOT = Path(__file__).with_name("tools.md")
_DEFAULT = ["search", "context", "get", "related", "remember", "status"]
_READ_ONLY = Principal("reader", OWNER.capabilities - {Capability.WRITE, Capability.ADMIN})


def _described() -> str:
    """Every tool as a reader of the snapshot sees it."""
    parts = ["# The tools, as agents read them\n"]
    for tool in toolset(tuple(SURFACES)).values():
        hints = [
            word for word, is_so in (("writes", tool.writes), ("destroys", tool.destroys), ("repeatable", tool.repeatable)) if is_so
        ]
        needs = tool.capability.value if tool.capability is not None else "nothing"
        parts.append(
            f"## {tool.name}\n\n{tool.title} · needs {needs}{''.join(f' · {word}' for word in hints)}\n\n{tool.description}\n"
        )
        required = tool.takes["required"]
        for name, schema in tool.takes["properties"].items():
            kind = schema["type"] if isinstance(schema["type"], str) else " or ".join(schema["type"])
            inner = f" {{{', '.join(schema['properties'])}}}" if "properties" in schema else ""
            must = ", required" if name in required else ""
            parts.append(f"- {name} ({kind}{inner}{must}): {schema.get('description', '')}")
        given = ", ".join(tool.gives["properties"]) if "properties" in tool.gives else "by operation"
        parts.append(f"- gives: {given}\n")
    return "\n".join(parts)


def test_the_tools_are_described_as_reviewed() -> None:
    assert _SNAPSHOT.read_text(encoding="utf-8") == _described(), "if this is meant: python tests/shells/mcp/test_mcp_tools.py"


def test_by_default_there_are_six(sample: Workspace) -> None:
    listed = talk(sample, lambda client: client.list_tools()).tools
    assert [tool.name for tool in listed] == _DEFAULT


def test_the_default_tools_cost_an_agent_little() -> None:
    told = [{"n": tool.name, "d": tool.description, "i": tool.takes, "o": tool.gives} for tool in toolset(()).values()]
    assert tokens_of(json.dumps(told, separators=(",", ":"), ensure_ascii=False)) <= 2500


@pytest.mark.parametrize("tool", toolset(tuple(SURFACES)).values(), ids=lambda tool: tool.name)
def test_every_schema_is_one(tool: object) -> None:
    for schema in (tool.takes, tool.gives):  # type: ignore[attr-defined]
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"


def test_clients_are_told_what_a_tool_does_to_the_workspace(sample: Workspace) -> None:
    hints = {
        tool.name: tool.annotations for tool in talk(sample, lambda client: client.list_tools(), surfaces=("everything",)).tools
    }
    assert all(item.open_world_hint is False and item.title for item in hints.values())
    assert hints["search"].read_only_hint
    assert not hints["search"].destructive_hint
    assert hints["delete"].destructive_hint
    assert not hints["remember"].read_only_hint
    assert not hints["put"].idempotent_hint


def test_who_may_only_read_is_offered_no_tool_that_writes(sample: Workspace) -> None:
    tools = allowed(toolset(tuple(SURFACES)).values(), _READ_ONLY.capabilities)
    assert not [tool.name for tool in tools if tool.writes]
    listed = talk(sample.acting_as(_READ_ONLY), lambda client: client.list_tools()).tools
    assert [tool.name for tool in listed] == [name for name in _DEFAULT if name != "remember"]


def test_every_surface_brings_tools() -> None:
    assert set(TOOLS_OF) == set(SURFACES)


def test_the_search_of_the_architecture_takes_the_name_and_the_other_gets_a_longer_one() -> None:
    assert "search_everything" not in toolset(("items",))
    tools = toolset(("everything", "architecture"))
    assert list(tools["search"].takes["properties"]) == ["query", "kind", "limit"]
    assert "spaces" in tools["search_everything"].takes["properties"]


def test_a_surface_that_does_not_exist_is_refused_with_the_close_one() -> None:
    with pytest.raises(InvalidRequest, match="Did you mean 'items'"):
        toolset(("itmes",))


if __name__ == "__main__":
    _SNAPSHOT.write_text(_described(), encoding="utf-8")
