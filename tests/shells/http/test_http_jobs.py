"""What takes long: can it be waited for, looked at, and stopped? Work is held at a gate, so nothing depends on speed."""

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from running_http import ELSEWHERE, Clock, calling, served
from starlette.testclient import TestClient

from dowse.app import transfer
from dowse.app.workspace import Workspace
from dowse.shells.http.app import App, Serving

LINES = {"Content-Type": "application/x-ndjson"}
ASYNC = {"Prefer": "respond-async"}


class Gate:
    """Holds an import between two batches until a test lets it go on."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.open = threading.Event()

    def around(self, apply: Callable[..., Any]) -> Callable[..., Any]:
        def held(*values: Any, **named: Any) -> Any:
            done = apply(*values, **named)
            self.reached.set()
            assert self.open.wait(30)
            return done

        return held


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """Imports of a line a batch, which stop after the first until the gate is opened."""
    made = Gate()
    monkeypatch.setattr(transfer, "BATCH", 1)
    monkeypatch.setattr(transfer, "_apply", made.around(transfer._apply))
    yield made
    made.open.set()


def lines(count: int) -> bytes:
    return b"".join(b'{"kind": "page", "key": "tide-%d", "title": "Tide %d"}\n' % (number, number) for number in range(count))


def start(client: TestClient, count: int = 3, **headers: str) -> Any:
    response = client.post("/api/import", content=lines(count), headers={**LINES, **ASYNC, **headers})
    assert response.status_code == 202
    assert response.headers["Location"] == f"/api/jobs/{response.json()['id']}"
    assert response.headers["Preference-Applied"] == "respond-async"
    return response.json()


def finished(client: httpx.Client | TestClient, path: str) -> Any:
    """The job when it is over; asks until it is."""
    while True:
        job = client.get(path).json()
        if job["state"] in ("done", "failed", "cancelled"):
            return job


def test_who_does_not_say_otherwise_waits_for_the_answer(client: TestClient) -> None:
    response = client.post("/api/import", content=lines(3), headers=LINES)
    assert (response.status_code, response.json()["records"]) == (200, 3)
    assert [(job["operation"], job["state"]) for job in client.get("/api/jobs").json()["jobs"]] == [("import", "done")]


def test_a_job_tells_how_far_it_is_and_then_its_answer(client: TestClient, gate: Gate) -> None:
    job = start(client)
    assert gate.reached.wait(30)
    path = f"/api/jobs/{job['id']}"
    assert client.get(path).json()["state"] == "running"
    gate.open.set()
    done = finished(client, path)
    assert (done["state"], done["answer"]["records"], done["progress"]["lines"]) == ("done", 3, 3)
    assert done["finished"] >= done["started"]


def test_a_job_that_is_cancelled_stops_and_what_it_committed_stays(client: TestClient, gate: Gate) -> None:
    job = start(client)
    assert gate.reached.wait(30)
    path = f"/api/jobs/{job['id']}"
    stopped = client.delete(path)
    assert (stopped.status_code, stopped.json()["state"]) == (202, "cancelling")
    gate.open.set()
    done = finished(client, path)
    assert (done["state"], "answer" in done) == ("cancelled", False)
    assert client.get("/api/get?key=tide-0").status_code == 200
    assert client.get("/api/get?key=tide-2").status_code == 404


def test_the_same_body_again_goes_on_where_a_cancelled_import_stopped(client: TestClient, gate: Gate) -> None:
    job = start(client)
    assert gate.reached.wait(30)
    client.delete(f"/api/jobs/{job['id']}")
    gate.open.set()
    finished(client, f"/api/jobs/{job['id']}")
    again = client.post("/api/import", content=lines(3), headers=LINES).json()
    assert (again["records"], again["resumedAt"] > 0) == (2, True)


def test_who_waits_for_a_job_that_is_cancelled_is_told(client: TestClient, gate: Gate) -> None:
    answers: list[Any] = []
    waiting = threading.Thread(target=lambda: answers.append(client.post("/api/import", content=lines(3), headers=LINES)))
    waiting.start()
    assert gate.reached.wait(30)
    (job,) = client.get("/api/jobs").json()["jobs"]
    client.delete(f"/api/jobs/{job['id']}")
    gate.open.set()
    waiting.join(30)
    assert (answers[0].status_code, answers[0].json()["code"]) == (409, "cancelled")


def test_a_job_that_fails_tells_the_problem(client: TestClient) -> None:
    response = client.post("/api/import", content=b"nonsense\n", headers={**LINES, **ASYNC})
    job = finished(client, response.headers["Location"])
    assert (job["state"], job["problem"]["status"], job["problem"]["code"]) == ("failed", 422, "invalid_record")


def test_what_can_be_told_at_once_is_refused_before_a_job_begins(client: TestClient) -> None:
    response = client.post("/api/index", json={"jobs": "many"}, headers=ASYNC)
    assert response.status_code == 400
    assert client.get("/api/jobs").json() == {"jobs": []}


def test_cancelling_what_is_over_changes_nothing(client: TestClient) -> None:
    client.post("/api/import", content=lines(1), headers=LINES)
    (job,) = client.get("/api/jobs").json()["jobs"]
    assert client.delete(f"/api/jobs/{job['id']}").json()["state"] == "done"


def test_a_job_is_seen_by_who_started_it_and_by_an_administrator_alone(stored: Workspace, place: Path) -> None:
    who = {
        name: {"Authorization": f"Bearer {stored.add_token(name, capabilities=capabilities).secret}"}
        for name, capabilities in (
            ("writer", ("Read", "Write")),
            ("other", ("Read", "Write")),
            ("admin", ("Read", "Write", "Admin")),
        )
    }
    with calling(App(stored, Serving(host="192.0.2.1", roots=(place,))), ELSEWHERE) as client:
        job = start(client, **who["writer"])
        path = f"/api/jobs/{job['id']}"
        assert {name: client.get(path, headers=headers).status_code for name, headers in who.items()} == {
            "writer": 200,
            "other": 404,
            "admin": 200,
        }
        assert client.delete(path, headers=who["other"]).status_code == 404
        assert client.get("/api/jobs", headers=who["other"]).json() == {"jobs": []}


def test_a_long_job_does_not_keep_a_search_waiting(client: TestClient, gate: Gate) -> None:
    for _ in range(6):  # more than there are threads for them
        start(client)
    assert gate.reached.wait(30)
    assert client.get("/api/search?query=retries").status_code == 200
    assert client.get("/api/status").status_code == 200
    assert not gate.open.is_set()


def test_jobs_that_wait_can_be_cancelled_and_never_begin(client: TestClient, gate: Gate) -> None:
    started = [start(client) for _ in range(6)]
    assert gate.reached.wait(30)
    waiting = [job for job in client.get("/api/jobs").json()["jobs"] if job["state"] == "waiting"]
    assert waiting
    assert {client.delete(f"/api/jobs/{job['id']}").json()["state"] for job in waiting} == {"cancelled"}
    gate.open.set()
    assert {finished(client, f"/api/jobs/{job['id']}")["state"] for job in started} == {"done", "cancelled"}


def test_a_server_that_stops_stops_its_jobs_first(stored: Workspace, gate: Gate) -> None:
    with calling(App(stored)) as client:
        start(client)
        assert gate.reached.wait(30)
        threading.Timer(0, gate.open.set).start()
    assert stored.get("tide-0").title == "Tide 0"


def test_who_goes_away_while_waiting_does_not_stop_the_work(stored: Workspace, gate: Gate) -> None:
    with served(stored) as address:
        host, port = address.removeprefix("http://").split(":")
        body = lines(3)
        fields = (
            "POST /api/import HTTP/1.1",
            "Host: localhost",
            f"Content-Type: {LINES['Content-Type']}",
            f"Content-Length: {len(body)}",
        )
        head = "\r\n".join((*fields, "", ""))
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(head.encode() + body)
            assert gate.reached.wait(30)
        with httpx.Client(base_url=address) as client:
            (job,) = client.get("/api/jobs").json()["jobs"]
            gate.open.set()
            assert finished(client, f"/api/jobs/{job['id']}")["answer"]["records"] == 3


def test_the_body_of_an_import_is_gone_when_it_is_over(client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "spool"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    client.post("/api/import", content=lines(3), headers=LINES)
    client.post("/api/import", content=b"nonsense", headers=LINES)
    client.post("/api/bench", content=b'{"query": "retries", "expected": ["task-17"]}\n', headers=LINES)
    assert list(folder.iterdir()) == []


def test_a_job_stays_visible_to_who_started_it_when_another_project_comes(stored: Workspace, place: Path) -> None:
    """Which folders a caller may name follows the projects; whose job it is does not."""
    writer = {"Authorization": f"Bearer {stored.add_token('writer', capabilities=('Read', 'Write')).secret}"}
    clock = Clock()
    with calling(App(stored, Serving(host="192.0.2.1", clock=clock)), ELSEWHERE) as client:
        job = start(client, **writer)
        stored.index(place / "project", jobs=1)
        clock.advance(60)
        assert client.get(f"/api/jobs/{job['id']}", headers=writer).status_code == 200
