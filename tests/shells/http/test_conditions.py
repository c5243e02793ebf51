"""Is a caller told truly whether what they have still holds, and where the next page is?"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from running_http import ELSEWHERE, Clock, calling
from starlette.testclient import TestClient

from dowse.app.workspace import Workspace
from dowse.model.page import Page, Related
from dowse.shells.http.app import App, Serving
from dowse.shells.http.conditions import is_passing, matches

SEARCH = "/api/search?query=retries&limit=3"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def timed(stored: Workspace, place: Path, clock: Clock) -> Iterator[TestClient]:
    with calling(App(stored, Serving(roots=(place,), clock=clock))) as made:
        yield made


def again(client: TestClient, path: str, tag: str) -> int:
    return client.get(path, headers={"If-None-Match": tag}).status_code


def test_what_has_not_changed_is_not_sent_again(client: TestClient) -> None:
    first = client.get(SEARCH)
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Accept-Encoding"} <= {item.strip() for item in first.headers["Vary"].split(",")}
    second = client.get(SEARCH, headers={"If-None-Match": first.headers["ETag"]})
    assert (second.status_code, second.content) == (304, b"")
    assert second.headers["ETag"] == first.headers["ETag"]


def test_any_write_by_anyone_makes_it_be_sent_again(client: TestClient, stored: Workspace) -> None:
    tag = client.get(SEARCH).headers["ETag"]
    stored.put(kind="page", title="Retries again", content="retries")
    assert again(client, SEARCH, tag) == 200


def test_a_tag_belongs_to_one_address(client: TestClient) -> None:
    tag = client.get(SEARCH).headers["ETag"]
    assert again(client, SEARCH + "&offset=1", tag) == 200
    assert again(client, "/api/list", tag) == 200


def test_a_tag_belongs_to_one_caller_and_what_they_may(stored: Workspace) -> None:
    some = stored.add_token("some", spaces=("saltmarsh",)).secret
    with calling(App(stored, Serving(host="192.0.2.1")), ELSEWHERE) as client:
        tag = client.get(SEARCH, headers={"Authorization": f"Bearer {some}"}).headers["ETag"]
        other = stored.add_token("other").secret
        response = client.get(SEARCH, headers={"Authorization": f"Bearer {other}", "If-None-Match": tag})
        assert response.status_code == 200


def test_a_tag_does_not_outlive_the_server(stored: Workspace) -> None:
    """The file may be another one by then, which counts its commits from one again."""
    with calling(App(stored)) as client:
        tag = client.get(SEARCH).headers["ETag"]
    with calling(App(stored)) as client:
        assert again(client, SEARCH, tag) == 200


def test_files_that_changed_make_a_search_be_sent_again_although_nobody_wrote(
    timed: TestClient, stored: Workspace, place: Path, clock: Clock
) -> None:
    stored.index(place / "project", jobs=1)
    first = timed.get(SEARCH)
    assert first.json()["freshness"][0]["changed"] == 0
    (place / "project" / "pausing.py").write_text("changed = True\n", encoding="utf-8")
    clock.advance(1)
    assert again(timed, SEARCH, first.headers["ETag"]) == 304  # what was so a moment ago
    clock.advance(2)
    second = timed.get(SEARCH, headers={"If-None-Match": first.headers["ETag"]})
    assert second.status_code == 200
    assert second.json()["freshness"][0]["changed"] == 1


@pytest.mark.parametrize("path", ["/api/status", "/api/projects", "/api/doctor", "/api/model-list"])
def test_what_tells_of_more_than_the_index_is_never_kept(client: TestClient, path: str) -> None:
    response = client.get(path)
    assert response.headers["Cache-Control"] == "no-store"
    assert "ETag" not in response.headers


def test_an_answer_that_lacks_something_for_now_has_no_tag() -> None:
    assert is_passing(Page((), 0, 0, 10, degraded=("meaning: out of reach",), passing=True))
    assert not is_passing(Page((), 0, 0, 10, degraded=("meaning: no model",)))
    assert not is_passing(Page((), 0, 0, 10))
    assert is_passing(Related("a", (), ("meaning",)))


def test_a_refusal_has_no_tag(client: TestClient) -> None:
    response = client.get("/api/get?key=nobody", headers={"If-None-Match": "*"})
    assert response.status_code == 404
    assert "ETag" not in response.headers


@pytest.mark.parametrize(
    ("given", "same"), [('W/"1-a"', True), ('"1-a"', True), ('"x", W/"1-a"', True), ("*", False), ('"2"', False)]
)
def test_tags_are_compared_weakly(given: str, same: bool) -> None:
    assert matches('W/"1-a"', given) is same
    assert not matches('W/"1-a"', None)


@pytest.mark.parametrize("path", ["/api/search?query=retries&limit=4&kinds=item&kinds=page", "/api/list?limit=25"])
def test_following_the_links_shows_everything_once(client: TestClient, path: str) -> None:
    seen: list[str] = []
    total, here = -1, path
    while here:
        response = client.get(here)
        body = response.json()
        seen += [item["key"] for item in body.get("hits", body.get("records"))]
        total = body["total"]
        here = response.links["next"]["url"] if "next" in response.links else ""
        assert bool(here) == (body["nextOffset"] is not None)
    assert len(seen) == len(set(seen)) == total


def test_there_is_no_link_where_a_surface_has_no_pages(client: TestClient) -> None:
    response = client.get("/api/search?query=service&surface=architecture&limit=1")
    assert response.status_code == 200
    assert "next" not in response.links
