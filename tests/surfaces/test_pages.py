"""Pages and the router, as a user of that surface sees them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dowse
from dowse.app.permissions import OWNER, Capability, Principal
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA, SURFACES
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.errors import Forbidden, NotFound
from dowse.model.ranking import Ranking
from dowse.model.request import Fusion, Lane, ListPlan
from dowse.search.fuse import fuse
from dowse.search.retrieve import Retrieved

Found = Callable[..., list[str]]
Answered = Callable[..., Any]

QUESTION = "how do we cap the retries"


def page(workspace: Workspace, key: str, title: str = "", content: str = "", **values: Any) -> None:
    workspace.put(kind="page", key=key, title=title, content=content, **values)


@pytest.mark.requirement("I-01")
def test_every_surface_is_a_declaration_over_one_entry_point(workspace: Workspace) -> None:
    page(workspace, "a", "Retries")
    library = workspace.index_library({"key": "/acme/kit"}, [{"title": "Retries", "content": "x", "type": "info"}])
    for name in SURFACES:
        answer = workspace.search("retries", surface=name, **({"repositoryId": library.key} if name == "docs" else {}))
        assert type(answer).__name__ == "Page"


@pytest.mark.requirement("I-02")
def test_keyword_lists_always_run_and_meaning_beside_them_when_asked(workspace: Workspace) -> None:
    page(workspace, "a", "Retries", "We cap the retries at five.")
    for query, lists in (("retries", ("keyword",)), (QUESTION, ("keyword", "semantic"))):
        answer = workspace.search(query, surface="pages")
        assert (answer.lists, answer.total, answer.degraded) == (lists, 1, ())
        assert answer.hits[0].matched_in == lists


@pytest.mark.requirement("I-02")
def test_meaning_is_asked_only_by_a_question_unless_a_mode_says_otherwise(workspace: Workspace) -> None:
    page(workspace, "a", "Retries")
    asked = {
        (query, mode): "semantic" in workspace.search(query, surface="pages", mode=mode).lists
        for query in ("retries", QUESTION)
        for mode in ("auto", "keyword", "hybrid")
    }
    assert [key for key, value in asked.items() if value] == [("retries", "hybrid"), (QUESTION, "auto"), (QUESTION, "hybrid")]


@pytest.mark.requirement("I-03")
@pytest.mark.parametrize(("query", "intent"), [("retries", "keyword"), ('"how do we cap"', "keyword"), (QUESTION, "semantic")])
def test_the_answer_says_what_the_query_was_taken_for(answered: Answered, query: str, intent: str) -> None:
    assert answered(query, "pages")["intent"] == intent


@pytest.mark.requirement("I-05")
@pytest.mark.parametrize("query", ["age", "34", "age 34", "{{age:34}}", "AGE:34"])
def test_words_are_split_at_everything_that_is_no_letter_or_digit(workspace: Workspace, found: Found, query: str) -> None:
    page(workspace, "a", "Person", "Her data: {{age:34}}.")
    page(workspace, "b", "Other", "page 134")
    assert found(query, "pages") == ["a"]


@pytest.mark.requirement("I-06")
def test_a_title_counts_more_than_a_tag_and_a_tag_more_than_content(workspace: Workspace, found: Found) -> None:
    page(workspace, "in-content", "One", "tides and more")
    page(workspace, "in-tags", "Two", "and more", tags=["tides"])
    page(workspace, "in-title", "Tides", "and more")
    assert found("tides", "pages") == ["in-title", "in-tags", "in-content"]


@pytest.mark.requirement("I-07")
def test_an_excerpt_is_from_content_else_tags_else_title(workspace: Workspace, answered: Answered) -> None:
    page(workspace, "a", "Tides here", "Content about tides.", tags=["tides"])
    page(workspace, "b", "Tides here", "Content about the sea.", tags=["tides"])
    page(workspace, "c", "Tides here", "Content about the sea.", tags=["sea"])
    snippets = {hit["id"]: hit["snippet"] for hit in answered("tides", "pages")["results"]}
    assert snippets == {
        "a": "Content about <mark>tides</mark>.",
        "b": "<mark>tides</mark>",
        "c": "<mark>Tides</mark> here",
    }


@pytest.mark.requirement("I-08")
def test_the_index_follows_every_way_a_page_can_change(workspace: Workspace, found: Found) -> None:
    page(workspace, "a", "Harbour", "first words")
    assert found("harbour", "pages") == ["a"]
    workspace.update("a", content="second words")
    assert (found("first", "pages"), found("second", "pages")) == ([], ["a"])
    workspace.delete("a")
    assert found("second", "pages") == []
    workspace.restore("a")
    assert found("second", "pages") == ["a"]
    workspace.tag("a", add=["tidal"])
    assert found("tidal", "pages") == ["a"]
    workspace.rename_tag("tidal", "lunar")
    assert (found("tidal", "pages"), found("lunar", "pages")) == ([], ["a"])
    assert found("harbour", "pages", tags=["lunar"]) == ["a"]
    workspace.tag("a", remove=["lunar"])
    assert found("lunar", "pages") == []


@pytest.mark.requirement("I-08")
def test_wiki_links_follow_the_text_of_the_page(workspace: Workspace) -> None:
    page(workspace, "start", "Start", "see [[The Router]] and [[Anything|harbour]]")
    page(workspace, "the-router", "The Router")
    page(workspace, "harbour", "Harbour")
    assert [link.record.key for link in workspace.neighbours("start")] == ["harbour", "the-router"]
    workspace.update("start", content="see [[Harbour]]")
    assert [link.record.key for link in workspace.neighbours("start")] == ["harbour"]
    assert [link.record.key for link in workspace.backlinks("harbour")] == ["start"]


def _ranked(name: str, lane: Lane, *handles: int) -> Retrieved:
    """A list with these handles, best first."""
    order = np.argsort(handles)
    scores = np.arange(len(handles), 0, -1, dtype=np.float64)[order]
    return Retrieved(ListPlan(name, lane), Ranking(np.sort(handles), scores, np.ones(len(handles))))


@pytest.mark.requirement("I-10", "I-11")
def test_the_worked_example_of_fusion_comes_out_as_written() -> None:
    words = _ranked("keyword", Lane.STEMS, 7, 5)
    meaning = _ranked("semantic", Lane.VECTORS, 9, 7)
    fused = fuse([words, meaning], Fusion.RRF, np.sort)
    scores = dict(zip(fused.handles.tolist(), fused.scores.tolist(), strict=True))
    assert {handle: round(score, 4) for handle, score in scores.items()} == {7: 0.0325, 5: 0.0161, 9: 0.0164}
    assert scores[7] == pytest.approx(1 / 61 + 1 / 62)


@pytest.mark.requirement("I-12")
def test_without_a_model_words_answer_and_the_response_warns(by_words: Workspace) -> None:
    page(by_words, "a", "Retries", "We cap the retries at five.")
    answer = by_words.search(QUESTION, surface="pages")
    assert [hit.record.key for hit in answer.hits] == ["a"]
    (warning,) = answer.degraded
    assert "no embedding model" in warning
    assert by_words.search("retries", surface="pages").degraded == ()


@pytest.mark.requirement("I-12")
def test_no_workspace_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no workspace"):
        dowse.open(tmp_path / "nothing.dowse", create=False)


class Explosive(SqliteEngine):
    """An engine that cannot be read."""

    @contextmanager
    def view(self) -> Iterator[Any]:
        raise AssertionError("read before the capability was checked")
        yield


@pytest.mark.requirement("I-13")
def test_the_capability_is_checked_before_any_read(tmp_path: Path) -> None:
    everything_else = Principal("guest", frozenset(Capability) - {Capability.SEARCH_USE})
    with Workspace(Explosive(tmp_path / "test.dowse", SCHEMA), principal=everything_else) as workspace:
        for ask in (
            lambda: workspace.search("x"),
            lambda: workspace.search("", surface="pages"),
            lambda: workspace.search_files("x"),
            lambda: workspace.recall("x"),
            lambda: workspace.why_not("a", "x"),
            lambda: workspace.resolve_library("x"),
            lambda: workspace.query_docs("/a/b", "x"),
        ):
            with pytest.raises(Forbidden, match="guest lacks the capability SearchUse"):
                ask()


@pytest.mark.requirement("I-13")
def test_a_local_owner_may_search(workspace: Workspace) -> None:
    assert Capability.SEARCH_USE in OWNER.capabilities
    assert workspace.search("anything").total == 0
