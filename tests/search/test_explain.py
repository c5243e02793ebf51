"""Why a record is absent from an answer, or where it stands in it."""

from typing import Any

import pytest

from dowse.app.workspace import Workspace
from dowse.model.ranking import Explanation


@pytest.fixture
def harbours(workspace: Workspace) -> Workspace:
    workspace.put(kind="item", key="root", title="Harbour works", role="work", tags=["sea"], space="north")
    workspace.put(kind="item", key="child", title="Harbour wall", parent="root", role="queue", space="north")
    workspace.put(kind="page", key="page", title="Harbour", content="gate and wall")
    workspace.put(kind="page", key="bread", title="Bread", content="flour")
    return workspace


def absent(explanation: Explanation) -> str:
    assert not explanation.found
    assert explanation.rank is None
    return explanation.reason


def test_a_record_that_does_not_exist(harbours: Workspace) -> None:
    assert absent(harbours.why_not("nobody", "harbour")) == "No record has the id 'nobody'."


def test_a_deleted_record(harbours: Workspace) -> None:
    harbours.delete("page")
    assert "deleted" in absent(harbours.why_not("page", "harbour"))


def test_a_placeholder(harbours: Workspace) -> None:
    harbours.put(kind="page", key="@proxy", title="Harbour")
    assert "placeholder" in absent(harbours.why_not("@proxy", "harbour"))


@pytest.mark.parametrize(
    ("key", "scope", "reason"),
    [
        ("page", {"kinds": ["item"]}, "its kind is page, not item"),
        ("page", {"spaces": ["north"]}, "its space is '', not 'north'"),
        ("root", {"under": "child"}, "it is not below 'child'"),
        ("child", {"tags": ["sea", "sky"]}, "it has none of the tags sea, sky"),
        ("child", {"facets": {"role": "work"}}, "its role is 'queue', not 'work'"),
    ],
)
def test_a_record_out_of_scope_by_each_part(harbours: Workspace, key: str, scope: dict[str, Any], reason: str) -> None:
    assert absent(harbours.why_not(key, "harbour", **scope)) == f"Out of scope: {reason}."


def test_a_record_that_is_not_the_one_asked_for(harbours: Workspace) -> None:
    explanation = harbours.why_not("child", "harbour", surface="items", scope={"itemId": "root"})
    assert absent(explanation) == "Out of scope: it is not one of the records asked for."
    note = harbours.put(kind="note", parent="child", noteKey="plan", body="harbour").key
    explanation = harbours.why_not(note, "harbour", surface="notes", scope={"itemId": "root"})
    assert absent(explanation) == "Out of scope: its parent is not the one asked for."


def test_a_record_of_a_kind_the_surface_does_not_search(harbours: Workspace) -> None:
    assert "its kind is page, not item" in absent(harbours.why_not("page", "harbour", surface="items"))


@pytest.mark.parametrize("query", ['"harbour wall"', "harbour AND bread", "harbour -gate", "title:gate"])
def test_a_record_the_query_excludes(harbours: Workspace, query: str) -> None:
    assert "The query excludes it" in absent(harbours.why_not("page", query))


def test_a_record_without_any_of_the_words(harbours: Workspace) -> None:
    explanation = harbours.why_not("bread", "harbour gate")
    assert absent(explanation) == "It holds none of the words: harbour, gate."
    assert explanation.missing == ("harbour", "gate")


def test_a_record_that_lacks_words_others_have(harbours: Workspace) -> None:
    for number in range(25):
        harbours.put(kind="item", key=f"full-{number}", title="harbour gate")
    explanation = harbours.why_not("root", "harbour gate", surface="items")
    assert "It lacks gate; at least 20 records hold every word" in absent(explanation)
    assert explanation.missing == ("gate",)


def test_a_record_below_the_least_score(harbours: Workspace) -> None:
    for number in range(70):
        harbours.put(kind="symbol", key=f"symbol-{number:02}", title="harbour")
    assert absent(harbours.why_not("symbol-69", "harbour", surface="code_search")) == (
        "Its score is below the least that counts, 0.5."
    )


def test_a_record_behind_the_seeds_of_a_walk(harbours: Workspace) -> None:
    for number in range(9):
        harbours.put(kind="symbol", key=f"symbol-{number}", title="harbour")
    explanation = harbours.why_not("symbol-7", "harbour", surface="code_search")
    assert "It matches at place" in absent(explanation)
    assert "only the best 5 matches" in explanation.reason


def test_a_neighbour_is_explained_by_its_way(harbours: Workspace) -> None:
    harbours.put(kind="symbol", key="seed", title="harbour")
    harbours.put(kind="symbol", key="near", title="other")
    harbours.link("seed", "near", "contains")
    explanation = harbours.why_not("near", "harbour", surface="code_search")
    assert (explanation.found, explanation.rank, explanation.score) == (True, 2, pytest.approx(0.95))
    assert "reached from 'seed' along contains" in explanation.reason


@pytest.mark.parametrize(("surface", "query"), [("everything", "harbour wall"), ("items", "harbour wall"), ("pages", "harbour")])
def test_a_record_on_the_page_is_explained_by_its_rank(harbours: Workspace, surface: str, query: str) -> None:
    for number in range(12):
        harbours.put(kind="item", key=f"same-{number:02}", title="harbour wall")
        harbours.put(kind="page", key=f"alike-{number:02}", title="harbour")
    page = harbours.search(query, surface=surface, limit=100)
    assert page.total > 10
    for hit in page.hits:
        explanation = harbours.why_not(hit.record.key, query, surface=surface)
        assert (explanation.found, explanation.rank, explanation.score) == (True, hit.rank, pytest.approx(hit.score))
        assert explanation.reason.startswith(f"It is hit {hit.rank} of {page.total}.")
        assert {entry.name for entry in explanation.lists} == set(hit.matched_in)


def test_what_a_hit_lacks_is_said(harbours: Workspace) -> None:
    explanation = harbours.why_not("root", "harbour wall", surface="items")
    assert (explanation.found, explanation.missing) == (True, ("wall",))
    assert "It lacks wall" in explanation.reason


def test_a_part_stands_where_its_parent_answers(harbours: Workspace) -> None:
    harbours.put(kind="node", key="node", summary="nothing of it")
    parts = [harbours.put(kind="chunk", parent="node", content=text).key for text in ("harbour", "harbour and more", "bread")]
    best, other, silent = (harbours.why_not(key, "harbour", surface="architecture") for key in parts)
    assert [(item.found, item.rank) for item in (best, other)] == [(True, 1), (True, 1)]
    assert "It holds none of the words" in absent(silent)


def test_a_record_is_named_by_a_beginning_of_its_id(harbours: Workspace) -> None:
    assert harbours.why_not("chil", "harbour").key == "child"


def test_a_query_without_words_explains_itself(harbours: Workspace) -> None:
    harbours.index_library({"key": "/acme/kit"}, [{"title": "the", "content": "of", "type": "info"}])
    explanation = harbours.why_not("/acme/kit#0", "the of", surface="docs", repositoryId="/acme/kit")
    assert absent(explanation) == "The query has no words to look for."
