"""A word that stands nowhere is taken for the known one that is spelt like it, and the answer says so."""

from collections.abc import Iterator

import pytest

import dowse
from dowse.app.workspace import Workspace
from dowse.search.correct import corrected


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with dowse.open(":memory:") as opened:
        for number in range(3):
            opened.put(kind="page", title=f"Middleware {number}", content="Every request passes the middleware.", space="one")
        opened.put(kind="page", title="Websockets", content="A websocket stays open; see createClientPool.", space="one")
        opened.put(kind="page", title="Middlewares", content="What middlewares are.", space="two")
        yield opened


def titles(workspace: Workspace, query: str, **more: object) -> list[str]:
    return [hit.record.title for hit in workspace.search(query, **more).hits]  # type: ignore[arg-type]


def test_a_slip_finds_what_was_meant_and_is_told(workspace: Workspace) -> None:
    page = workspace.search("how do websokets stay open")
    assert (page.hits[0].record.title, page.corrected) == ("Websockets", {"websokets": "websockets"})


def test_of_words_as_close_the_one_that_more_records_hold_is_meant(workspace: Workspace) -> None:
    workspace.put(kind="page", title="Middlewave", content="middlewave")
    assert workspace.search("middlewabe").corrected == {"middlewabe": "middleware"}


def test_only_what_may_answer_tells_what_was_meant(workspace: Workspace) -> None:
    assert workspace.search("websokets", spaces=["two"]).corrected == {}
    assert workspace.search("websokets", spaces=["one"]).corrected == {"websokets": "websockets"}


def test_a_part_of_an_identifier_may_be_the_slip(workspace: Workspace) -> None:
    assert titles(workspace, "createClinetPool")[0] == "Websockets"


@pytest.mark.parametrize("query", ['"websokets"', "websokets*", "title:websokets"])
def test_what_was_typed_with_care_is_looked_for_as_it_is(workspace: Workspace, query: str) -> None:
    page = workspace.search(query)
    assert (page.total, page.corrected) == (0, {})


@pytest.mark.parametrize("mode", ["text", "keyword", "substring"])
def test_who_says_how_to_search_gets_what_was_typed(workspace: Workspace, mode: str) -> None:
    assert workspace.search("websokets", mode=mode).total == 0


@pytest.mark.requirement("U-02")
def test_the_pages_of_a_corrected_query_join_to_the_whole(workspace: Workspace) -> None:
    whole = titles(workspace, "middelware request")
    parts = [title for offset in range(len(whole)) for title in titles(workspace, "middelware request", limit=1, offset=offset)]
    assert parts == whole != []


def test_nothing_is_said_where_a_record_holds_every_word(workspace: Workspace) -> None:
    assert workspace.search("middleware request").corrected == {}


def test_the_capitals_of_what_was_typed_stay() -> None:
    meant = {"clinet": "client", "porxy": "proxy"}
    assert corrected("CLINET_URL of HttpClinet or clinetelle, Porxy", meant) == "CLIENT_URL of HttpClient or clinetelle, Proxy"


def test_why_not_knows_what_was_looked_for(workspace: Workspace) -> None:
    key = workspace.search("websockets").hits[0].record.key
    assert workspace.why_not(key, "websokets").found
