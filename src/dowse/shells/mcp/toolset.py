"""Which tools does a caller get? The default ones and those of the chosen surfaces, without what the caller may not use."""

from collections.abc import Collection, Iterable

from dowse.app.permissions import Capability
from dowse.errors import InvalidRequest
from dowse.shells.mcp.defaults import SEARCH, SEARCH_EVERYTHING, default_tools
from dowse.shells.mcp.operating import operation_tool
from dowse.shells.mcp.seeds import TOOLS_OF
from dowse.shells.mcp.tool import Tool
from dowse.text.suggesting import did_you_mean

# Its search goes by the name that everyone's search has; whoever chooses it wants that name for it.
_TAKES_SEARCH = "architecture"
# Brings every operation as it is, and so the search with all its parameters.
_EVERY_OPERATION = "everything"


def toolset(surfaces: Iterable[str]) -> dict[str, Tool]:
    """The tools by name. Of two with the same name the default one stays, except for a search that the caller chose."""
    chosen = tuple(dict.fromkeys(surfaces))
    for name in chosen:
        if name not in TOOLS_OF:
            raise InvalidRequest(f"There is no surface {name!r}. {did_you_mean(name, TOOLS_OF)}")
    search = SEARCH_EVERYTHING if _TAKES_SEARCH in chosen else SEARCH
    tools = {tool.name: tool for tool in default_tools(search)}
    if _EVERY_OPERATION in chosen and search == SEARCH:
        tools[SEARCH] = operation_tool(SEARCH)
    # The surface that takes a name goes first, so that no other tool of that name stands in its way.
    for surface in sorted(chosen, key=lambda name: name != _TAKES_SEARCH):
        for tool in TOOLS_OF[surface]():
            tools.setdefault(tool.name, tool)
    return tools


def allowed(tools: Iterable[Tool], capabilities: Collection[Capability]) -> list[Tool]:
    return [tool for tool in tools if tool.capability is None or tool.capability in capabilities]
