"""All surfaces together, as a user of everything sees them."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import dowse
from dowse.app.workspace import Workspace
from dowse.domains.everything import SURFACES
from dowse.errors import InvalidQuery, InvalidScope
from dowse.model.change import Change, Link, Put
from dowse.model.record import Edge, Record

Found = Callable[..., list[str]]

LIBRARY = "/acme/harbour"


@pytest.fixture
def mixed(workspace: Workspace) -> Workspace:
    """Something about a harbour of every searchable kind."""
    workspace.put(kind="item", key="item-1", title="Harbour plan", role="work", tags=["sea"], space="north")
    workspace.put(kind="item", key="item-2", title="Harbour wall", parent="item-1", role="queue", space="south")
    workspace.put(kind="note", key="note-1", parent="item-1", noteKey="plan", body="harbour")
    workspace.put(kind="page", key="page-1", title="Harbour", tags=["sea"])
    workspace.put(kind="node", key="service.harbour", summary="harbour", facets={"kind": "service"})
    workspace.put(kind="section", key="sec", title="Harbour")
    workspace.put(kind="symbol", key="sym", title="openHarbour")
    workspace.put(kind="knowledge", key="know", title="Harbour")
    workspace.put(kind="skill", key="skill", title="Harbour")
    workspace.put(kind="codefile", key="code", title="harbour.py", path="src/harbour.py")
    workspace.put(kind="document", key="doc", title="Harbour", path="docs/harbour.md")
    workspace.put(kind="file", key="file", title="harbour.svg", path="harbour.svg")
    workspace.index_library({"key": LIBRARY, "title": "Harbour"}, [{"title": "Harbour", "content": "harbour", "type": "info"}])
    return workspace


def needed(surface: str) -> dict[str, str]:
    return {"repositoryId": LIBRARY} if surface == "docs" else {}


@pytest.mark.requirement("U-01")
def test_one_search_spans_every_kind_in_one_ranking(mixed: Workspace) -> None:
    page = mixed.search("harbour", limit=100)
    assert {hit.record.kind for hit in page.hits} == {
        *("item", "note", "page", "node", "section", "symbol", "knowledge", "skill", "codefile", "document", "file"),
        *("library", "snippet"),
    }
    scores = [hit.score for hit in page.hits]
    assert scores == sorted(scores, reverse=True)
    assert [hit.rank for hit in page.hits] == list(range(1, page.total + 1))


@pytest.mark.requirement("U-01")
@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ({"kinds": ["page", "skill"]}, {"page-1", "skill"}),
        ({"kinds": "note"}, {"note-1"}),
        ({"spaces": ["south"]}, {"item-2"}),
        ({"under": "item-1"}, {"item-1", "item-2", "note-1"}),
        ({"tags": ["sea"]}, {"item-1", "page-1"}),
        ({"facets": {"role": "queue"}}, {"item-2"}),
        ({"facets": {"role": ["queue", "work"]}}, {"item-1", "item-2"}),
        ({"under": "item-1", "tags": ["sea"], "kinds": ["item"]}, {"item-1"}),
    ],
)
@pytest.mark.usefixtures("mixed")
def test_kinds_and_scope_narrow_the_search(found: Found, scope: dict[str, Any], expected: set[str]) -> None:
    assert set(found("harbour", limit=100, **scope)) == expected


@pytest.mark.requirement("U-01")
@pytest.mark.parametrize("scope", [{"kinds": ["pages"]}, {"facets": {"rolle": "work"}}, {"facets": {"role": "wrk"}}, {"tags": []}])
@pytest.mark.usefixtures("mixed")
def test_a_scope_that_cannot_be_is_refused(found: Found, scope: dict[str, Any]) -> None:
    with pytest.raises(InvalidScope):
        found("harbour", **scope)


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """Forty records of each surface's kinds, with many ties, and edges between those of the graphs. Only read."""
    changes: list[Change] = []
    for number in range(40):
        text = "harbour " * (1 + number % 4) + "wall " * (number % 3)
        for kind in ("item", "page", "section", "symbol", "knowledge", "skill", "codefile", "document", "file"):
            changes.append(Put(Record(f"{kind}-{number:02}", kind, text)))
        changes.append(Put(Record(f"note-{number:02}", "note", fields={"body": text}, parent=f"item-{number:02}")))
        changes.append(Put(Record(f"node-{number:02}", "node")))
        changes.append(Put(Record(f"chunk-{number:02}", "chunk", fields={"content": text}, parent=f"node-{number:02}")))
    for number in range(39):
        for kind in ("item", "section", "symbol", "knowledge", "skill"):
            relation = "contains" if kind == "symbol" else "references"
            changes.append(Link(Edge(f"{kind}-{number:02}", f"{kind}-{number + 1:02}", relation)))
    with dowse.open(tmp_path_factory.mktemp("crowd") / "test.dowse") as workspace:
        workspace.apply(changes)
        workspace.index_library(
            {"key": LIBRARY},
            [{"title": "Harbour", "content": "harbour " * (1 + number % 4), "type": "info"} for number in range(40)],
        )
        yield workspace


def keys(workspace: Workspace, query: str, surface: str, **parameters: Any) -> list[str]:
    return [hit.record.key for hit in workspace.search(query, surface=surface, **parameters, **needed(surface)).hits]


@pytest.mark.requirement("U-02")
@pytest.mark.parametrize("surface", SURFACES)
def test_the_limit_never_changes_the_order(crowd: Workspace, surface: str) -> None:
    name = SURFACES[surface].limit_name
    whole = keys(crowd, "harbour wall", surface, **{name: 100})
    assert len(whole) > 5
    for limit in (1, 2, 3, 5, 7, 10, 33):
        assert keys(crowd, "harbour wall", surface, **{name: limit}) == whole[:limit]


@pytest.mark.requirement("U-02")
@pytest.mark.parametrize("surface", SURFACES)
def test_the_total_does_not_depend_on_the_limit(crowd: Workspace, surface: str) -> None:
    name = SURFACES[surface].limit_name
    totals = {crowd.search("harbour", surface=surface, **{name: limit}, **needed(surface)).total for limit in (1, 5, 10, 100)}
    assert len(totals) == 1


@pytest.mark.requirement("U-02")
@pytest.mark.parametrize("surface", SURFACES)
def test_the_same_request_has_the_same_answer(crowd: Workspace, surface: str) -> None:
    once, again = (crowd.search("harbour wall", surface=surface, **needed(surface)) for _ in range(2))
    assert once == again


@pytest.mark.requirement("U-02")
def test_equals_stand_in_the_order_of_their_keys_whenever_they_were_written(workspace: Workspace, found: Found) -> None:
    for key in ("c", "a", "d", "b"):
        workspace.put(kind="page", key=key, title="harbour")
    assert found("harbour") == found("harbour", "pages") == ["a", "b", "c", "d"]


@pytest.mark.requirement("U-02")
def test_the_order_of_writing_does_not_change_the_answer(tmp_path: Any) -> None:
    records = [{"kind": "page", "key": f"p{n}", "title": "harbour " * (n % 3 + 1), "content": "wall " * (n % 5)} for n in range(30)]
    answers = []
    for name, order in (("one", records), ("two", list(reversed(records)))):
        with dowse.open(tmp_path / name) as workspace:
            for record in order:
                workspace.put(record)
            answers.append([(hit.record.key, hit.score) for hit in workspace.search("harbour wall", limit=100).hits])
    assert answers[0] == answers[1]


@pytest.mark.requirement("U-03")
@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.usefixtures("mixed")
def test_an_endless_query_is_a_clear_error(found: Found, surface: str) -> None:
    with pytest.raises(InvalidQuery, match="11,000 characters; at most 10,000"):
        found("x" * 11_000, surface, **needed(surface))
    assert found("harbour " * 1250, surface, **needed(surface)) != []


@pytest.mark.requirement("U-04")
def test_records_with_every_word_win_and_others_fill_up(workspace: Workspace) -> None:
    workspace.put(kind="page", key="all", title="Storm", content="The harbour master closes the northern gate in a storm.")
    workspace.put(kind="page", key="most", title="Gate", content="The harbour master opens the northern gate.")
    workspace.put(kind="page", key="none", title="Bread", content="Flour and water.")
    page = workspace.search("does the harbour master close the northern gate in a storm")
    assert [hit.record.key for hit in page.hits] == ["all", "most"]
    assert page.relaxed is True


@pytest.mark.requirement("U-04")
def test_enough_complete_records_need_no_filling_up(workspace: Workspace) -> None:
    for number in range(30):
        workspace.put(kind="item", key=f"item-{number}", title="harbour gate")
    workspace.put(kind="item", key="half", title="harbour")
    page = workspace.search("harbour gate", surface="items", limit=100)
    assert (page.total, page.relaxed) == (30, False)
    assert workspace.search("harbour", surface="items").relaxed is False


@pytest.mark.requirement("U-04")
def test_a_natural_question_is_answered_although_no_record_has_all_its_words(workspace: Workspace, found: Found) -> None:
    workspace.put(kind="page", key="a", title="Retries", content="Retries are capped at five attempts.")
    workspace.put(kind="page", key="b", title="Bread", content="Flour and water.")
    assert found("please explain how retries get capped in production")[0] == "a"


@pytest.mark.requirement("U-04")
def test_a_record_that_holds_next_to_nothing_of_the_query_is_no_answer(workspace: Workspace, found: Found) -> None:
    for number in range(30):
        workspace.put(kind="page", key=f"page-{number:02}", title="common", content=f"filler {number}")
    workspace.put(kind="page", key="about", title="Harbour master", content="closes the northern gate")
    assert found("harbour master northern gate common", limit=100) == ["about"]


@pytest.mark.requirement("U-05")
@pytest.mark.parametrize("surface", SURFACES)
def test_an_answer_says_which_lists_ran_what_was_degraded_and_how_fresh_it_is(mixed: Workspace, surface: str) -> None:
    page = mixed.search("harbour", surface=surface, **needed(surface))
    declared = [item.name for item in SURFACES[surface].lists[SURFACES[surface].mode]]
    assert page.lists
    assert set(page.lists) <= set(declared)
    assert all("vectors" in warning for warning in page.degraded)
    status = mixed.status()
    assert (page.generation, page.updated) == (status.generation, status.updated)
    mixed.put(kind="file", key="new", title="other")
    assert mixed.search("harbour", surface=surface, **needed(surface)).generation == page.generation + 1
