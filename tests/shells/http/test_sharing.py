"""Is every question answered, whoever helps, and is what was just written always seen?"""

import asyncio
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from every_operation import CALLS
from helping_http import call_helpers, halted, only_helped
from running_http import ELSEWHERE, calling
from starlette.testclient import TestClient

import dowse
from dowse.app.workspace import Workspace
from dowse.shells.http import sharing
from dowse.shells.http.app import App, Serving
from dowse.shells.http.helping import Helper
from dowse.shells.http.limits import Limits
from dowse.shells.http.sharing import Readers, sensible, usable_cores

_ACCEPTS = {"Accept": "application/json, text/event-stream"}
_OPENING = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


@pytest.fixture
def app(stored: Workspace, place: Path) -> App:
    return App(stored, Serving(roots=(place,), helpers=1))


@pytest.fixture
def helped(app: App) -> Iterator[TestClient]:
    """Someone at a server that has a helper."""
    with calling(app) as made:
        call_helpers(made, app, 1)
        yield made


def _session(client: TestClient) -> dict[str, str]:
    """The headers of an agent that has said hello."""
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _OPENING}
    begun = client.post("/mcp", json=hello, headers=_ACCEPTS)
    headers = {**_ACCEPTS, "Mcp-Session-Id": begun.headers["Mcp-Session-Id"]}
    client.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=headers)
    return headers


def _call(client: TestClient, headers: dict[str, str], tool: str, **arguments: Any) -> Any:
    """What a tool answers an agent over HTTP."""
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    told = client.post("/mcp", json=call, headers=headers).text
    line = next(line for line in told.splitlines() if line.startswith("data: {"))
    return json.loads(line.removeprefix("data: "))["result"]


def test_a_first_question_is_answered_without_waiting_for_a_helper(app: App) -> None:
    with calling(app) as client:
        assert client.get("/api/search?query=retries").status_code == 200
        assert app.readers.helpers == ()
        assert app.readers.helped == 0


def test_helpers_answer_get_and_post_the_page_and_agents(helped: TestClient, app: App) -> None:
    headers = _session(helped)
    with only_helped(app):
        assert helped.get("/api/search?query=retries&limit=3").json()["total"]
    with only_helped(app):
        assert helped.post("/api/search", json={"query": "retries", "limit": 2}).json()["total"]
    with only_helped(app):
        assert helped.get("/page/search?q=retries").json()["total"]
    with only_helped(app):
        assert helped.get("/page/record?key=task-17").json()["key"] == "task-17"
    with only_helped(app):
        assert _call(helped, headers, "search", query="retries")["structuredContent"]["total"]


def test_by_body_and_by_address_the_answer_is_that_of_a_server_without_helpers(
    helped: TestClient, stored: Workspace, place: Path
) -> None:
    with calling(App(stored, Serving(roots=(place,)))) as alone:
        for values in CALLS["search"]:
            assert helped.post("/api/search", json=values).json() == alone.post("/api/search", json=values).json()
        for values in CALLS["search"][:1]:
            assert helped.get("/api/search", params=values).json() == alone.get("/api/search", params=values).json()


def test_what_was_just_written_is_found_by_every_way_in(helped: TestClient, app: App) -> None:
    headers = _session(helped)
    with only_helped(app):
        for number in range(10):
            key = f"quicksilver-{number}"
            helped.post("/api/put", json={"kind": "page", "key": key, "title": f"Quicksilver number{number}"})
            asked = {"query": f"quicksilver number{number}"}
            assert helped.get("/api/search", params=asked).json()["hits"][0]["key"] == key
            assert helped.post("/api/search", json=asked).json()["hits"][0]["key"] == key
            assert helped.get("/page/search", params={"q": asked["query"]}).json()["hits"][0]["key"] == key
            assert _call(helped, headers, "search", **asked)["structuredContent"]["hits"][0]["key"] == key


def test_what_has_not_changed_is_not_sent_again_whoever_is_asked(helped: TestClient, app: App) -> None:
    with only_helped(app):
        found = helped.get("/api/search?query=retries")
        known = {"If-None-Match": found.headers["ETag"]}
        assert helped.get("/api/search?query=retries", headers=known).status_code == 304
    with app.readers.resting():
        assert helped.get("/api/search?query=retries", headers=known).status_code == 304
    helped.post("/api/put", json={"kind": "page", "title": "News"})
    assert helped.get("/api/search?query=retries", headers=known).status_code == 200


@pytest.mark.parametrize(("path", "values"), [("/api/search", {"query": "x", "limit": 0}), ("/api/get", {"key": "nobody"})])
def test_what_goes_wrong_there_is_told_as_it_is_here(
    helped: TestClient, stored: Workspace, app: App, path: str, values: dict[str, Any]
) -> None:
    with only_helped(app):
        refused = helped.post(path, json=values)
    with calling(App(stored)) as alone:
        expected = alone.post(path, json=values)
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert (refused.status_code, refused.json()) == (expected.status_code, expected.json())


def test_what_the_page_and_agents_get_wrong_is_told_as_well(helped: TestClient, app: App) -> None:
    with only_helped(app):
        assert helped.get("/page/record").json()["code"] == "invalid_request"
    with only_helped(app):
        assert _call(helped, _session(helped), "get", keys=["nobody"])["isError"]


def test_a_token_reaches_no_further_with_helpers(stored: Workspace) -> None:
    secret = stored.add_token("docs", spaces=("/saltmarsh/tidekit@v1",)).secret
    # Until a helper is there, questions are asked as fast as they are answered.
    app = App(stored, Serving(host="192.0.2.1", helpers=1, limits=Limits(rate=10_000, burst=10_000)))
    with calling(app, ELSEWHERE, Authorization=f"Bearer {secret}") as client:
        call_helpers(client, app, 1)
        with only_helped(app):
            hits = client.get("/api/search?query=retries&limit=100").json()["hits"]
            hits += client.post("/api/search", json={"query": "courier", "limit": 100}).json()["hits"]
            hits += client.get("/page/search?q=retries").json()["hits"]
            hits += _call(client, _session(client), "search", query="retries")["structuredContent"]["hits"]
        assert {hit["space"] for hit in hits} == {"/saltmarsh/tidekit@v1"}
        assert client.get("/api/get?key=task-17").status_code == 404
        assert client.get("/page/record?key=task-17").status_code == 404


def test_a_token_that_was_revoked_is_refused_although_helpers_have_seen_it(stored: Workspace) -> None:
    secret = stored.add_token("docs").secret
    app = App(stored, Serving(host="192.0.2.1", helpers=1))
    with calling(app, ELSEWHERE, Authorization=f"Bearer {secret}") as client:
        call_helpers(client, app, 1)
        stored.revoke_token("docs")
        assert client.get("/api/search?query=retries").status_code == 401


def test_a_killed_helper_is_missed_by_nobody_and_another_takes_its_place(helped: TestClient, app: App) -> None:
    killed = app.readers.helpers[0]
    os.kill(killed, signal.SIGKILL)
    answers = [helped.get(f"/api/search?query=retries&limit={number}") for number in (1, 2, 3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert call_helpers(helped, app, 1)[0] != killed


def test_a_question_whose_helper_dies_is_answered_all_the_same(helped: TestClient, app: App) -> None:
    helper = app.readers.helpers[0]
    with ThreadPoolExecutor(3) as threads:
        os.kill(helper, signal.SIGSTOP)
        asked = [threads.submit(helped.get, f"/api/search?query=courier&limit={number}") for number in (1, 2, 3)]
        os.kill(helper, signal.SIGKILL)
        assert [one.result().status_code for one in asked] == [200] * 3


def test_while_a_helper_is_stuck_others_are_answered(helped: TestClient, app: App) -> None:
    with ThreadPoolExecutor(1) as threads, halted(app.readers.helpers[0]):
        stuck = threads.submit(helped.get, "/api/search?query=courier")
        while app.readers.idle:
            pass
        assert helped.get("/api/search?query=retries").status_code == 200
        assert not stuck.done()
    assert stuck.result().status_code == 200


def test_who_repairs_is_alone_with_the_file(helped: TestClient, app: App) -> None:
    with app.readers.resting():
        assert app.readers.helpers == ()
        assert helped.get("/api/search?query=retries").status_code == 200
    call_helpers(helped, app, 1)
    repaired = helped.post("/api/doctor", json={"repair": True})
    assert repaired.status_code == 200
    assert all(finding["ok"] for finding in repaired.json())
    assert app.readers.helpers == ()


def test_where_no_helper_can_start_the_server_answers_alone(
    stored: Workspace, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    app = App(stored, Serving(helpers=2))
    with calling(app) as client, ThreadPoolExecutor(4) as threads:
        for _ in range(5):
            asked = [threads.submit(client.get, "/api/search?query=retries") for _ in range(8)]
            assert {one.result().status_code for one in asked} == {200}
    assert "A process that helps to answer could not start" in caplog.text
    # Who cannot be called is not called for ever.
    assert caplog.text.count("could not start") <= 4


def test_a_helper_that_fails_in_a_way_nobody_foresaw_keeps_no_server_from_stopping(
    stored: Workspace, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Helper) -> None:
        raise RuntimeError("nobody foresaw this")

    monkeypatch.setattr(Helper, "wait_until_ready", fail)
    app = App(stored, Serving(helpers=1))
    with calling(app) as client, ThreadPoolExecutor(4) as threads:
        while "nobody foresaw this" not in caplog.text:
            asked = [threads.submit(client.get, "/api/search?query=retries") for _ in range(4)]
            assert {one.result().status_code for one in asked} == {200}
    assert app.readers.helpers == ()


def test_a_server_that_stops_waits_for_no_helper_that_is_stuck(stored: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "_PATIENCE", 0.01)
    app = App(stored, Serving(helpers=1))
    with ThreadPoolExecutor(1) as threads, calling(app) as client:
        os.kill(call_helpers(client, app, 1)[0], signal.SIGSTOP)
        stuck = threads.submit(client.get, "/api/search?query=courier")
        while app.readers.idle:
            pass
        app.readers.close()
        # Its question is answered all the same, by the server.
        assert stuck.result().status_code == 200
        assert app.readers.helpers == ()


def test_who_asks_when_all_is_over_is_told_so_and_does_not_wait(stored: Workspace) -> None:
    readers = Readers(stored, 0)
    readers.close()
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(asyncio.wait_for(readers.ask(stored, _Slow), 60))


def test_what_a_backup_brings_back_is_what_helpers_answer(helped: TestClient, app: App, stored: Workspace, place: Path) -> None:
    stored.put(kind="page", key="lighthouse", title="Lighthouse of before")
    kept = stored.backup(place / "kept.dowse")
    stored.put(kind="page", key="lighthouse", title="Lighthouse of later")
    stored.put(kind="page", key="beacon", title="Lighthouse that came later")
    assert _titles(helped, app) == {"Lighthouse of later", "Lighthouse that came later"}
    stored.restore_backup(kept.path, force=True)
    assert _titles(helped, app) == {"Lighthouse of before"}


def _titles(client: TestClient, app: App) -> set[str]:
    """What a helper finds."""
    with only_helped(app):
        return {hit["title"] for hit in client.get("/api/search?query=lighthouse&mode=keyword").json()["hits"]}


@dataclass(slots=True)
class _Slow:
    """A question that is answered when a test says so."""

    begun: threading.Event = field(default_factory=threading.Event)
    end: threading.Event = field(default_factory=threading.Event)

    def answer(self, _: Workspace) -> str:
        self.begun.set()
        assert self.end.wait(60)
        return "answered"


def test_who_stops_waiting_in_line_is_never_answered(stored: Workspace) -> None:
    async def ask() -> None:
        running = [_Slow() for _ in range(2)]
        first = [asyncio.ensure_future(readers.ask(stored, lambda item=item: item)) for item in running]
        await asyncio.to_thread(lambda: [item.begun.wait(60) for item in running])
        late = _Slow()
        waiting = asyncio.ensure_future(readers.ask(stored, lambda: late))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        for item in running:
            item.end.set()
        assert await asyncio.gather(*first) == ["answered"] * 2
        readers.close()
        assert not late.begun.is_set()

    readers = Readers(stored, 0)
    asyncio.run(ask())


def test_a_file_is_worth_helpers_and_a_workspace_in_memory_is_not(stored: Workspace) -> None:
    assert sensible(stored) == min(8, usable_cores() - 1)
    with dowse.open(":memory:") as workspace:
        assert sensible(workspace) == 0


def test_metrics_tell_how_many_help(helped: TestClient) -> None:
    assert "dowse_helpers 1" in helped.get("/metrics").text.splitlines()
