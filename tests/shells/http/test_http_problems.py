"""Is everything that goes wrong told in the same way, and nothing told that is not the caller's business?"""

import logging
from pathlib import Path

import pytest
from running_http import calling
from starlette.testclient import TestClient

import dowse.errors
from dowse.app.workspace import Workspace
from dowse.errors import Busy, DowseError, StorageError
from dowse.shells.http.app import App, Serving
from dowse.shells.http.problems import STATUSES, problem_of

PROBLEM = {"type", "title", "status", "detail", "code"}
EVERY = [getattr(dowse.errors, name) for name in dowse.errors.__all__]


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.__name__)
def test_every_error_has_a_status_and_keeps_its_code(kind: type[DowseError]) -> None:
    problem = problem_of(kind("what went wrong"), lambda _: "name")
    assert 400 <= problem.status < 600
    assert problem.json.keys() == PROBLEM
    if problem.status != 500:
        assert problem.code == kind.code
        assert problem.detail == "what went wrong"


def test_a_workspace_that_is_held_says_when_to_come_back() -> None:
    problem = problem_of(Busy("held"), lambda _: "name")
    assert (problem.status, problem.headers) == (503, {"Retry-After": "1"})


def test_the_table_is_about_errors_of_ours_alone() -> None:
    assert all(issubclass(kind, DowseError) for kind in STATUSES)


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "no_such_route"),
        ("GET", "/nothing", 404, "no_such_route"),
        ("GET", "/api/put", 405, "method_not_allowed"),
        ("DELETE", "/api/search", 405, "method_not_allowed"),
        ("POST", "/health", 405, "method_not_allowed"),
        ("GET", "/api/get?key=nobody", 404, "not_found"),
        ("GET", "/api/get?key=task-1", 404, "ambiguous_id"),
        ("GET", "/api/search", 400, "invalid_request"),
        ("GET", "/api/search?query=x&limit=0", 400, "invalid_request"),
        ("GET", "/api/jobs/none", 404, "no_such_route"),
        ("POST", "/api/delete?key=task-30", 400, "invalid_request"),
    ],
)
def test_every_refusal_is_a_problem(client: TestClient, method: str, path: str, status: int, code: str) -> None:
    response = client.request(method, path)
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.json().keys() == PROBLEM
    assert (response.status_code, response.json()["status"], response.json()["code"]) == (status, status, code)


def test_a_method_that_is_not_taken_names_those_that_are(client: TestClient) -> None:
    assert client.get("/api/put").headers["Allow"] == "POST"
    assert client.put("/api/search").headers["Allow"] == "GET, HEAD, POST"


def test_a_body_of_another_type_is_refused(client: TestClient) -> None:
    response = client.post("/api/search", content=b'{"query": "x"}', headers={"Content-Type": "text/plain"})
    assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")
    assert client.post("/api/search", data={"query": "x"}).status_code == 415
    assert client.post("/api/import", content=b"{}", headers={"Content-Type": "application/json"}).status_code == 415


def test_a_record_that_does_not_fit_and_a_change_that_contradicts_are_told_apart(client: TestClient) -> None:
    bad = client.post("/api/put", json={"kind": "item", "title": "x", "set": {"role": "no such role"}})
    assert bad.status_code == 422
    taken = client.post("/api/put", json={"kind": "item", "key": "task-17", "title": "x", "set": {"role": "work"}, "expected": 0})
    assert taken.status_code == 409


def test_a_bad_line_of_an_import_is_named(client: TestClient) -> None:
    lines = b'{"kind": "page", "title": "Tides"}\n{"kind": "nonsense"}\n'
    response = client.post("/api/import", content=lines, headers={"Content-Type": "application/x-ndjson"})
    assert response.status_code == 422
    assert "line 2" in response.json()["detail"]


def test_a_fault_of_ours_tells_only_the_name_under_which_it_stands_in_the_log(
    stored: Workspace, caplog: pytest.LogCaptureFixture
) -> None:
    with calling(App(stored, Serving(new_id=lambda: "fault-7"))) as client:
        stored.close()
        with caplog.at_level(logging.ERROR, "dowse.http"):
            response = client.get("/api/status")
    assert response.status_code == 500
    assert "fault-7" in response.json()["detail"]
    assert "workspace.dowse" not in response.text
    assert "fault fault-7" in caplog.text
    assert StorageError.__name__ in caplog.text


def test_a_workspace_that_does_not_answer_is_not_ready_but_the_server_lives(stored: Workspace, place: Path) -> None:
    with calling(App(stored)) as client:
        assert client.get("/ready").json() == {"ready": True}
        stored.close()
        response = client.get("/ready")
        assert (response.status_code, response.headers["Retry-After"]) == (503, "1")
        assert str(place) not in response.text
        assert client.get("/health").json() == {"alive": True}
