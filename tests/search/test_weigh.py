"""Do declared reasons move hits, and only as far as they say?"""

from dataclasses import replace

import pytest
from reasoning import reasons

from dowse.app.workspace import Workspace
from dowse.domains.everything import EVERYTHING, SCHEMA
from dowse.model.page import Page
from dowse.model.ranking import Signal
from dowse.model.record import Record
from dowse.model.request import Boost, SearchRequest
from dowse.search.pipeline import search
from dowse.search.window import WINDOW

AT_WORK = Boost("at work", "facet", 3.0, facet="role", values=("work",))
BY_NAME = Boost("by name", "title", 2.0)


def boosted(workspace: Workspace, query: str, *boosts: Boost, limit: int = 10, offset: int = 0) -> Page:
    surface = replace(EVERYTHING, boosts=boosts, gathering=None, spreading=None, nesting=None)
    with workspace._engine.view() as view:
        return search(view, SearchRequest(query, limit=limit, offset=offset, explain=True), surface, SCHEMA)


def test_a_record_for_which_a_reason_holds_moves_up(workspace: Workspace) -> None:
    workspace.put(kind="item", key="idle", title="Retry retry retry", role="queue")
    workspace.put(kind="item", key="busy", title="Retry the courier and the harbour", role="work")
    assert [hit.record.key for hit in boosted(workspace, "retry").hits] == ["idle", "busy"]
    assert [hit.record.key for hit in boosted(workspace, "retry", AT_WORK).hits] == ["busy", "idle"]


def test_a_hit_says_which_reasons_moved_it(workspace: Workspace) -> None:
    workspace.put(kind="item", key="busy", title="Retry", role="work")
    (hit,) = boosted(workspace, "retry", AT_WORK, BY_NAME).hits
    assert reasons(hit) == (Signal("at work", 3.0), Signal("by name", 2.0))
    (plain,) = boosted(workspace, "retry").hits
    assert hit.score == pytest.approx(plain.score * 6)


@pytest.mark.requirement("U-02")
def test_hits_beyond_the_window_follow_it_once_each(workspace: Workspace) -> None:
    for number in range(WINDOW + 20):
        workspace.put(kind="item", key=f"item-{number:03}", title="Retry", role="work" if number % 7 == 0 else "queue")
    walked = [
        hit.record.key
        for offset in range(0, WINDOW + 20, 15)
        for hit in boosted(workspace, "retry", AT_WORK, limit=15, offset=offset).hits
    ]
    assert sorted(walked) == [f"item-{number:03}" for number in range(WINDOW + 20)]
    assert walked[:2] == ["item-000", "item-007"]


SAYS_HOW = Boost("says how", "how to", 3.0, kinds=("section",))


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("how do I retry a courier", "docs"),
        ("How to retry a courier", "docs"),
        ("is there a way to retry a courier", "docs"),
        ("how does the courier retry", "code"),
        ("retry courier", "code"),
    ],
)
def test_who_asks_what_to_do_is_told_by_the_documentation_and_who_asks_how_it_works_by_the_code(
    by_words: Workspace, query: str, first: str
) -> None:
    by_words.put(kind="symbol", key="code", title="retry_courier", body="def retry_courier(): retry the courier")
    by_words.put(kind="section", key="docs", title="Couriers", content="Set retry to have a courier go again after it was refused.")
    found = boosted(by_words, query, SAYS_HOW).hits
    assert found[0].record.key == first
    assert any(reasons(hit) for hit in found) == (first == "docs")


def test_of_two_tasks_that_answer_alike_the_one_changed_lately_stands_first(by_words: Workspace) -> None:
    day = 86_400.0
    lately = Boost("changed lately", "recent", add=0.05, kinds=("item",))
    for key, changed in (("a-old", 10 * day), ("b-new", 200 * day), ("c-same-day", 200 * day - 1)):
        by_words.put(Record(key, "item", "Cap the retries", updated=changed))
    by_words.put(Record("z", "page", "Tides", updated=200.5 * day))
    hits = boosted(by_words, "cap retries", lately).hits
    assert [hit.record.key for hit in hits] == ["b-new", "c-same-day", "a-old"]
    (signal,) = reasons(hits[2])
    assert 0 < signal.added < 0.001


def test_a_title_counts_as_named_whatever_its_case(workspace: Workspace) -> None:
    workspace.put(kind="page", key="a", title="Retry Policy")
    (hit,) = boosted(workspace, "retry policy", BY_NAME).hits
    assert reasons(hit) == (Signal("by name", 2.0),)


def test_what_is_tested_stands_before_its_test_unless_tests_are_asked_for(workspace: Workspace) -> None:
    workspace.put(kind="symbol", key="test", title="test_cap_retries", body="cap retries, cap retries", test=True)
    workspace.put(kind="symbol", key="own", title="cap", body="how we cap what retries", test=False)
    assert [hit.record.key for hit in workspace.search("cap retries").hits] == ["own", "test"]
    assert workspace.search("test cap retries").hits[0].record.key == "test"


def test_of_two_libraries_that_answer_alike_the_more_trusted_stands_first(by_words: Workspace) -> None:
    trusted = Boost("less trusted library", "trust", add=0.05, kinds=("library",))
    for name, trust in (("/a/unknown", 2.0), ("/b/known", 9.0)):
        by_words.put(Record(name, "library", name, facets={"trust": trust}))
        by_words.put(Record(f"{name}#1", "snippet", "Cap the retries", {"content": "cap the retries"}, parent=name))
    hits = boosted(by_words, "cap retries", trusted).hits
    assert [hit.record.key for hit in hits] == ["/b/known#1", "/a/unknown#1"]
    assert (reasons(hits[0]), [signal.name for signal in reasons(hits[1])]) == ((), ["less trusted library"])
    assert reasons(hits[1])[0].added == pytest.approx(-0.05 * 0.7)
    by_words.put(Record("note", "knowledge", "Cap the retries", {"content": "cap the retries"}))
    assert [hit.record.key for hit in boosted(by_words, "cap retries", trusted).hits][-1] == "/a/unknown#1"
