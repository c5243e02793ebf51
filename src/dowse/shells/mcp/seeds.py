"""Which tools does each surface bring? A table: names and words are those that agents of such servers know already."""

from collections.abc import Callable

from dowse.app.operations import OPERATIONS, Type
from dowse.shells.mcp import library_tools, page_tools, work_tools
from dowse.shells.mcp.operating import operation_tool
from dowse.shells.mcp.surface_tools import surface_tool
from dowse.shells.mcp.tool import Tool

# Whoever reads what others wrote must not be the one who decides who may do what.
_PEOPLES = ("token_", "restore_backup")
_GRAPH = (
    "{what}, and what they link to up to bfsDepth hops away: topK best matches are walked from, each hop leaves bfsDecay of a"
    " score, hits below minScore are left out. Each hit has its id, title, path, snippet and score; via tells how it was reached."
    '\nExample: {name}(query="{example}", maxResults=5)'
)
_FILES = (
    "{what}. Use it to find the file to open; each hit has its id, path and score."
    '\nExample: {name}(query="{example}", maxResults=5)'
)
_GRAPHS = (
    ("docs_search", "Search documentation", _GRAPH, "Sections of documentation files", "how to deploy"),
    ("code_search", "Search code", _GRAPH, "Definitions in source files", "parse the config file"),
    ("notes_search", "Search notes", _GRAPH, "Notes of the project's knowledge", "why we chose sqlite"),
    ("tasks_search", "Search tasks", _GRAPH, "Tasks", "flaky test"),
    ("skills_search", "Search skills", _GRAPH, "Skills: recipes to follow", "release"),
    (
        "skills_recall",
        "Recall skills",
        _GRAPH,
        "Skills that may help with the task at hand, with a lower bar than skills_search; call it when you start on something",
        "publish a new version",
    ),
    ("code_search_files", "Search source files", _FILES, "Source files by path, exported names and imports", "router"),
    ("docs_search_files", "Search documentation files", _FILES, "Documentation files by path and first heading", "install"),
    ("files_search", "Search files", _FILES, "Files of any kind by their path", "docker-compose.yml"),
)


def architecture_tool() -> Tool:
    return surface_tool(
        "search",
        "architecture",
        "Search the architecture",
        "Find nodes of the architecture (domains, features, services, entities, decisions) by id, summary and documents, best"
        " first. Each has ref_id, kind, summary, snippet and rank (lower is better). Everything else is found by search_everything."
        '\nExample: search(query="courier", kind="service", limit=10)',
    )


def every_operation() -> tuple[Tool, ...]:
    """A tool for each operation that messages can ask for, under its own name."""
    return tuple(
        operation_tool(name)
        for name, operation in OPERATIONS.items()
        if not name.startswith(_PEOPLES) and not any(item.type is Type.OUTPUT for item in operation.parameters)
    )


def _graph_tool(name: str, title: str, words: str, what: str, example: str) -> Callable[[], tuple[Tool, ...]]:
    return lambda: (surface_tool(name, name, title, words.format(what=what, name=name, example=example)),)


TOOLS_OF: dict[str, Callable[[], tuple[Tool, ...]]] = {
    "everything": every_operation,
    "items": work_tools.item_tools,
    "notes": work_tools.note_tools,
    "docs": library_tools.tools,
    "architecture": lambda: (architecture_tool(),),
    "pages": page_tools.tools,
    **{graph[0]: _graph_tool(*graph) for graph in _GRAPHS},
}
