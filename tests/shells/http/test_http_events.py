"""Who listens hears what happens: a new generation of the index, jobs as they go on. Over a real connection."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from running_http import served

import dowse
from dowse.app.workspace import Workspace

LINES = {"Content-Type": "application/x-ndjson"}


@pytest.fixture
def address(stored: Workspace, place: Path) -> Iterator[str]:
    with served(stored, roots=(place,), look=0.01) as where:
        yield where


@contextmanager
def listening(address: str, **headers: str) -> Iterator[Iterator[tuple[str, Any, str | None]]]:
    """What is heard: kind, data and id, event by event."""
    with httpx.Client(timeout=30) as client, client.stream("GET", f"{address}/api/events", headers=headers) as response:
        assert response.status_code == 200
        assert response.headers["Content-Type"].startswith("text/event-stream")
        assert "Content-Encoding" not in response.headers
        yield _events(response.iter_lines())


def _events(lines: Iterator[str]) -> Iterator[tuple[str, Any, str | None]]:
    found: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            found[name] = value
        elif "event" in found:
            yield found["event"], json.loads(found["data"]), found.get("id")
            found = {}


def test_a_listener_hears_first_which_generation_there_is(address: str, stored: Workspace) -> None:
    with listening(address) as events:
        assert next(events) == ("generation", {"generation": stored.status().generation}, str(stored.status().generation))


def test_a_write_is_heard_by_all_who_listen(address: str, stored: Workspace) -> None:
    with listening(address) as first, listening(address) as second:
        before = next(first)[1]["generation"]
        next(second)
        stored.put(kind="page", title="Tides")
        for events in (first, second):
            kind, data, _ = next(events)
            assert (kind, data["generation"] > before) == ("generation", True)


def test_a_write_of_another_process_is_heard_too(address: str, place: Path) -> None:
    with listening(address) as events:
        before = next(events)[1]["generation"]
        with dowse.open(place / "workspace.dowse") as other:
            other.put(kind="page", title="Tides")
        assert next(events)[1]["generation"] > before


def test_who_comes_back_is_not_told_what_they_know(address: str, stored: Workspace) -> None:
    generation = stored.status().generation
    with listening(address, **{"Last-Event-ID": str(generation)}) as events:
        stored.put(kind="page", title="Tides")
        assert next(events)[1]["generation"] > generation


def test_a_job_is_heard_from_its_beginning_to_its_end(address: str) -> None:
    with listening(address) as events:
        next(events)
        httpx.post(f"{address}/api/import", content=b'{"kind": "page", "title": "Tides"}\n', headers=LINES).raise_for_status()
        states = []
        while "done" not in states:
            kind, data, _ = next(events)
            states += [data["state"]] if kind == "job" else []
        assert data["operation"] == "import"
        assert data["answer"]["records"] == 1


def test_a_silent_connection_is_kept_alive(stored: Workspace) -> None:
    with served(stored, ping=0.01) as address, listening(address) as events:
        assert next(events)[0] == "generation"
        assert next(events) == ("ping", {}, None)


def test_who_may_not_read_may_not_listen(stored: Workspace) -> None:
    secret = stored.add_token("searcher", capabilities=("SearchUse",)).secret
    with served(stored) as address:
        response = httpx.get(f"{address}/api/events", headers={"Authorization": f"Bearer {secret}"})
    assert response.status_code == 403


def test_a_server_that_stops_ends_its_streams(stored: Workspace) -> None:
    heard: list[tuple[str, Any, str | None]] = []
    first = threading.Event()

    def listen(address: str) -> None:
        with listening(address) as events:
            for event in events:
                heard.append(event)
                first.set()

    with served(stored) as address:
        thread = threading.Thread(target=listen, args=(address,))
        thread.start()
        assert first.wait(30)
    thread.join(30)
    assert not thread.is_alive()
    assert [kind for kind, _, _ in heard] == ["generation"]
