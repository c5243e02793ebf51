"""Do processes that search beside the server answer as it does?"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from every_operation import CALLS
from running_http import ELSEWHERE, calling
from starlette.testclient import TestClient

from dowse.app.workspace import Workspace
from dowse.shells.http.app import App, Serving


@pytest.fixture
def helped(stored: Workspace, place: Path) -> Iterator[TestClient]:
    with calling(App(stored, Serving(roots=(place,), helpers=2))) as made:
        yield made


def test_whoever_searches_the_answer_is_the_same(helped: TestClient, stored: Workspace, place: Path) -> None:
    with calling(App(stored, Serving(roots=(place,)))) as client:
        for values in CALLS["search"][:2]:
            plain = {name: value for name, value in values.items() if name != "explain"}
            assert helped.get("/api/search", params=plain).json() == client.get("/api/search", params=plain).json()


def test_what_was_just_written_is_found_and_what_has_not_changed_is_not_sent_again(helped: TestClient) -> None:
    assert helped.get("/api/search?query=quicksilver").json()["total"] == 0
    helped.post("/api/put", json={"kind": "page", "title": "Quicksilver"})
    found = helped.get("/api/search?query=quicksilver")
    assert found.json()["total"] == 1
    assert {helped.get("/api/search?query=quicksilver", headers={"If-None-Match": found.headers["ETag"]}).status_code} == {304}


def test_what_goes_wrong_there_is_told_here(helped: TestClient) -> None:
    refused = helped.get("/api/search?query=x&limit=0")
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")
    assert helped.get("/api/similar?key=nobody").json()["code"] == "not_found"


def test_a_token_reaches_no_further_there(stored: Workspace) -> None:
    secret = stored.add_token("docs", spaces=("/saltmarsh/tidekit@v1",)).secret
    with calling(App(stored, Serving(host="192.0.2.1", helpers=1)), ELSEWHERE, Authorization=f"Bearer {secret}") as client:
        hits = client.get("/api/search?query=retries&limit=100").json()["hits"]
    assert {hit["space"] for hit in hits} == {"/saltmarsh/tidekit@v1"}


def test_a_helper_that_was_killed_is_missed_by_nobody(stored: Workspace) -> None:
    app = App(stored, Serving(helpers=1))
    with calling(app) as client:
        assert client.get("/api/search?query=retries").status_code == 200
        assert app._helpers is not None
        for process in list(app._helpers._pool._processes.values()):
            process.kill()
            process.join()
        assert [client.get(f"/api/search?query=retries&limit={number}").status_code for number in (1, 2)] == [200, 200]
