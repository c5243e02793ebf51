"""Does every answer stay within its tokens, and can the rest be had?"""

import json
import re
from typing import Any

import pytest
from running_mcp import call, text_of

from dowse.app.workspace import Workspace
from dowse.text.tokens import tokens_of

_TOKENS = 1000


@pytest.fixture
def many(workspace: Workspace) -> Workspace:
    workspace.put(kind="item", key="root", title="Root of the harbour tasks")
    for number in range(60):
        title = f"Harbour task {number} with a title that is as long as titles of tasks tend to be"
        workspace.put(kind="item", key=f"task-{number:02}", title=title, parent="root", tags=["harbour"])
        workspace.link(f"task-{number:02}", "root", "relates_to")
    return workspace


def _next(text: str) -> dict[str, Any] | None:
    """The arguments of the call that an answer ends with."""
    matched = re.search(r"(?:More hits|For the rest): \S+?\((.*)\)$", text, re.MULTILINE)
    if matched is None:
        return None
    pairs = re.findall(r'(\w+)=("(?:[^"\\]|\\.)*"|\{.*?\}|\[.*?\]|[^,]+)', matched[1])
    return {name: json.loads(value) for name, value in pairs}


def _walk(workspace: Workspace, tool: str, surfaces: tuple[str, ...], listed: str, **arguments: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    following: dict[str, Any] | None = arguments
    while following is not None:
        result = call(workspace, tool, surfaces=surfaces, room=_TOKENS, **following)
        assert not result.is_error, text_of(result)
        assert tokens_of(text_of(result)) <= _TOKENS
        assert tokens_of(json.dumps(result.structured_content, ensure_ascii=False, separators=(",", ":"))) <= _TOKENS
        found += result.structured_content[listed]
        following = _next(text_of(result))
    return found


@pytest.mark.parametrize(
    ("tool", "surfaces", "listed", "arguments"),
    [
        ("search", (), "hits", {"query": "harbour task", "limit": 100}),
        ("query_items", ("items",), "hits", {"operation": "search", "query": "harbour task", "limit": 100}),
        ("list", ("everything",), "records", {"tags": ["harbour"], "limit": 100}),
        ("backlinks", ("everything",), "result", {"key": "root"}),
    ],
)
def test_the_pages_that_answers_lead_to_hold_everything_once(
    many: Workspace, tool: str, surfaces: tuple[str, ...], listed: str, arguments: dict[str, Any]
) -> None:
    found = _walk(many, tool, surfaces, listed, **arguments)
    keys = [item.get("itemId") or item.get("key") or item["record"]["key"] for item in found]
    assert len(keys) == len(set(keys)) >= 60


def test_a_page_that_was_cut_is_the_beginning_of_the_whole_one(many: Workspace) -> None:
    cut = call(many, "search", room=_TOKENS, query="harbour task", limit=100).structured_content
    whole = call(many, "search", room=100_000, query="harbour task", limit=100).structured_content
    assert 0 < len(cut["hits"]) < len(whole["hits"])
    assert cut["hits"] == whole["hits"][: len(cut["hits"])]
    assert cut["nextOffset"] == len(cut["hits"])
    assert cut["total"] == whole["total"]


def test_a_surface_without_pages_says_that_hits_are_missing(many: Workspace) -> None:
    arguments = {"query": "harbour task", "maxResults": 60, "minScore": 0.0}
    result = call(many, "tasks_search", surfaces=("tasks_search",), room=_TOKENS, **arguments)
    shown = len(result.structured_content["result"])
    assert 0 < shown < 60
    assert f"Only the first {shown} hits fit into this answer" in text_of(result)


def test_what_has_to_do_with_a_record_is_cut_to_a_few_of_each_reason(many: Workspace) -> None:
    result = call(many, "related", room=_TOKENS, key="root", limit=60)
    assert not result.is_error
    assert "Of each reason only" in text_of(result)


def test_evidence_stays_within_what_the_server_may_say(many: Workspace) -> None:
    for number in range(20):
        many.put(kind="page", title=f"Harbour {number}", content=f"The harbour master number {number} wrote this. " * 40)
    result = call(many, "context", room=_TOKENS, task="what did the harbour master write")
    assert not result.is_error
    assert tokens_of(json.dumps(result.structured_content, ensure_ascii=False, separators=(",", ":"))) <= _TOKENS
    assert result.structured_content["pieces"]


def test_what_cannot_be_shown_in_parts_is_refused_with_what_to_do(many: Workspace) -> None:
    result = call(many, "tree", surfaces=("everything",), room=500, key="root")
    assert result.is_error
    assert re.match(
        r"invalid_request: The answer takes about [\d,]+ tokens, and at most 500 are allowed here. Ask for less", text_of(result)
    )
