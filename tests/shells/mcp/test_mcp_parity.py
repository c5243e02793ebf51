"""Does a tool say what every other shell says?"""

from typing import Any

import jsonschema
import pytest
from running_mcp import as_json, call, text_of

from dowse.app.answering import answer
from dowse.app.operations import OPERATIONS
from dowse.app.workspace import Workspace
from dowse.domains.everything import SURFACES
from dowse.present.shape import shape
from dowse.shells.mcp.operating import without_texts
from dowse.shells.mcp.toolset import toolset

_ALL = tuple(SURFACES)
_TOOLS = toolset(_ALL)
# A tool with its arguments, and the operation with its own that it stands for.
_SAME = [
    ("search_everything", {"query": "how are retries capped"}, "search", {}),
    ("search_everything", {"query": "courier", "kinds": ["item"], "limit": 2, "offset": 1}, "search", {}),
    ("context", {"task": "cap the retries of the courier", "tokens": 1500}, "context", {}),
    ("status", {}, "status", {}),
    ("search_files", {"query": "courier.py", "graph": "code"}, "search_files", {}),
    ("recall", {"query": "publish a new version"}, "recall", {}),
    ("why_not", {"key": "task-17", "query": "harbour"}, "why_not", {}),
    ("list", {"kinds": ["page"]}, "list", {}),
    ("similar", {"key": "task-17", "limit": 3}, "similar", {}),
    ("kinds", {}, "kinds", {}),
    ("surfaces", {}, "surfaces", {}),
    ("library_list", {}, "library_list", {}),
    ("projects", {}, "projects", {}),
    ("doctor", {}, "doctor", {}),
    ("resolve-library-id", {"libraryName": "tidekit"}, "resolve_library", {"name": "tidekit"}),
    (
        "query-docs",
        {"libraryId": "/saltmarsh/tidekit", "query": "gauge"},
        "query_docs",
        {"library": "/saltmarsh/tidekit", "query": "gauge"},
    ),
    ("list_pages", {"tag": "reliability"}, "list", {"kinds": ["page"], "tags": ["reliability"]}),
]
# The same without the texts of records, which get gives.
_SLIM = [
    ("related", {"key": "task-17"}, "related", {}),
    ("tree", {"key": "task-10"}, "tree", {}),
    ("neighbours", {"key": "task-17"}, "neighbours", {}),
    ("backlinks", {"key": "retry-policy"}, "backlinks", {}),
    ("page_backlinks", {"slug": "retry-policy"}, "backlinks", {"key": "retry-policy"}),
    ("query_dependencies", {"operation": "backlinks", "itemId": "task-18"}, "backlinks", {"key": "task-18"}),
]
# A tool with its arguments, and the search of its surface.
_SURFACES: list[tuple[str, dict[str, Any], str, str | None, dict[str, Any]]] = [
    ("search", {"query": "courier", "kind": "service", "limit": 3}, "architecture", "courier", {"kind": "service", "limit": 3}),
    (
        "query_items",
        {"operation": "search", "query": "courier", "scope": {"role": "work"}, "explain": True},
        "items",
        "courier",
        {"scope": {"role": "work"}, "explain": True},
    ),
    ("query_items", {"operation": "list", "scope": {"ancestorId": "task-10"}}, "items", None, {"scope": {"ancestorId": "task-10"}}),
    ("query_notes", {"operation": "search", "query": "attempts"}, "notes", "attempts", {}),
    ("search_pages", {"query": "retry policy", "limit": 2}, "pages", "retry policy", {"limit": 2}),
    ("docs_search", {"query": "silence an alert"}, "docs_search", "silence an alert", {}),
    ("code_search", {"query": "blend_surge", "topK": 3, "bfsDepth": 2}, "code_search", "blend_surge", {"topK": 3, "bfsDepth": 2}),
    ("notes_search", {"query": "provider", "minScore": 0.1}, "notes_search", "provider", {"minScore": 0.1}),
    ("tasks_search", {"query": "retry", "bfsDecay": 0.5}, "tasks_search", "retry", {"bfsDecay": 0.5}),
    ("skills_search", {"query": "release", "searchMode": "keyword"}, "skills_search", "release", {"searchMode": "keyword"}),
    ("skills_recall", {"query": "publish a new version"}, "skills_recall", "publish a new version", {}),
    ("code_search_files", {"query": "courier"}, "code_search_files", "courier", {}),
    ("docs_search_files", {"query": "forecast", "maxResults": 2}, "docs_search_files", "forecast", {"maxResults": 2}),
    ("files_search", {"query": "courier", "topK": 2}, "files_search", "courier", {"topK": 2}),
]


def _told(workspace: Workspace, tool: str, arguments: dict[str, Any]) -> Any:
    result = call(workspace, tool, surfaces=_ALL, **arguments)
    assert not result.is_error, text_of(result)
    jsonschema.validate(result.structured_content, _TOOLS[tool].gives, cls=jsonschema.Draft202012Validator)
    assert text_of(result).strip()
    return result.structured_content


def _answered(workspace: Workspace, name: str, given: dict[str, Any]) -> Any:
    operation = OPERATIONS[name]
    values = operation.check(given)
    return as_json(answer(operation, values, operation.run(workspace, values), workspace))


@pytest.mark.requirement("U-02")
@pytest.mark.parametrize(("tool", "arguments", "operation", "given"), _SAME)
def test_a_tool_answers_as_its_operation(
    sample: Workspace, tool: str, arguments: dict[str, Any], operation: str, given: dict[str, Any]
) -> None:
    told, answered = _told(sample, tool, arguments), _answered(sample, operation, given or arguments)
    assert (told["result"] if isinstance(answered, list) else told) == answered


@pytest.mark.parametrize(("tool", "arguments", "operation", "given"), _SLIM)
def test_a_tool_about_many_records_answers_as_its_operation_without_their_texts(
    sample: Workspace, tool: str, arguments: dict[str, Any], operation: str, given: dict[str, Any]
) -> None:
    told, answered = _told(sample, tool, arguments), without_texts(_answered(sample, operation, given or arguments))
    assert (told["result"] if isinstance(answered, list) else told) == answered


@pytest.mark.requirement("B-11", "G-16", "U-02")
@pytest.mark.parametrize(("tool", "arguments", "surface", "query", "given"), _SURFACES)
def test_a_tool_of_a_surface_answers_in_its_shape(
    sample: Workspace, tool: str, arguments: dict[str, Any], surface: str, query: str | None, given: dict[str, Any]
) -> None:
    told = _told(sample, tool, arguments)
    page = as_json(shape(sample.search(query, surface=surface, **given), sample.surface(surface)))
    assert page
    assert told == ({"result": page} if isinstance(page, list) else page)


def test_what_is_read_is_the_record(sample: Workspace) -> None:
    (record,) = _told(sample, "get", {"keys": ["task-17"]})["records"]
    assert [part["key"] for part in record.pop("contains")] == ["task-17#note/plan", "task-17#note/review", "task-18"]
    assert record == _answered(sample, "get", {"key": "task-17"})


def test_what_is_remembered_is_the_record_and_found_at_once(sample: Workspace) -> None:
    told = _told(sample, "remember", {"text": "Sirens rust in winter.", "about": ["retry-policy"]})
    assert told == _answered(sample, "get", {"key": told["key"]})
    assert _told(sample, "search_everything", {"query": "sirens rust"})["hits"][0]["key"] == told["key"]


@pytest.mark.requirement("R-14")
def test_a_library_is_resolved_and_read_in_the_known_text_formats(sample: Workspace) -> None:
    listed = text_of(call(sample, "resolve-library-id", surfaces=("docs",), libraryName="tidekit", query="gauge"))
    assert listed.startswith("1. Tidekit\n   Library ID: /saltmarsh/tidekit\n   Description: ")
    asked = {"libraryId": "/saltmarsh/tidekit", "query": "subscribe to a gauge", "tokens": 2000}
    read = text_of(call(sample, "query-docs", surfaces=("docs",), **asked))
    assert read == sample.query_docs("/saltmarsh/tidekit", "subscribe to a gauge", tokens=2000)
    assert read.startswith("## Library Rules\n- ")


@pytest.mark.requirement("R-14")
def test_a_version_may_stand_behind_the_id_or_beside_it(sample: Workspace) -> None:
    behind = call(sample, "query-docs", surfaces=("docs",), libraryId="/saltmarsh/tidekit/v1", query="subscribe to a gauge")
    beside = call(
        sample, "query-docs", surfaces=("docs",), libraryId="/saltmarsh/tidekit", version="v1", query="subscribe to a gauge"
    )
    assert text_of(behind) == text_of(beside) == sample.query_docs("/saltmarsh/tidekit", "subscribe to a gauge", version="v1")


def test_a_page_is_written_linked_and_read(sample: Workspace) -> None:
    written = {"title": "Winter", "content": "See [[Retry policy]].", "tags": ["season"]}
    assert _told(sample, "write_page", written)["key"] == "winter"
    assert "See [[Retry policy]]." in text_of(call(sample, "get_page", surfaces=("pages",), slug="winter"))
    linked = _told(sample, "page_backlinks", {"slug": "retry-policy"})["result"]
    assert "winter" in [item["record"]["key"] for item in linked]
    refused = call(sample, "get_page", surfaces=("pages",), slug="task-17")
    assert refused.is_error
    assert text_of(refused) == "not_found: 'task-17' is no page; it is of the kind item. Read it with get."


def test_a_page_does_not_take_the_place_of_something_else(sample: Workspace) -> None:
    refused = call(sample, "write_page", surfaces=("pages",), title="Mine", content="x", slug="task-17")
    assert text_of(refused) == "conflict: 'task-17' is of the kind item; choose another slug."
    assert sample.get("task-17").kind == "item"


def test_notes_are_listed_by_role_and_read_by_their_key(sample: Workspace) -> None:
    listed = _told(sample, "query_notes", {"operation": "list", "itemId": "task-17", "role": "review"})
    assert [record["key"] for record in listed["records"]] == ["task-17#note/review"]
    (note,) = _told(sample, "query_notes", {"operation": "get", "itemId": "task-17", "noteKey": "plan"})["records"]
    assert note["fields"]["body"].startswith("Five attempts")


def test_dependencies_follow_the_direction_and_the_type(sample: Workspace) -> None:
    def ends(**given: str) -> list[str]:
        told = _told(sample, "query_dependencies", {"operation": "get", "itemId": "task-17", **given})
        return [item["record"]["key"] for item in told["result"]]

    assert ends(direction="outgoing") == ["task-18"]
    assert ends(direction="incoming") == ["know-provider-limits"]
    assert ends(type="blocks") == ["task-18"]
