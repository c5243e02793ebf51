"""Does a real server answer many at once, each from one state, and start and stop as told?"""

import gzip
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from every_operation import ROOT
from running_http import HERE, calling, served
from starlette.testclient import TestClient

from dowse.app.workspace import Workspace
from dowse.errors import InvalidRequest
from dowse.model.change import Put
from dowse.model.record import Record
from dowse.shells.http.app import App
from dowse.shells.http.serving import address_of, listening, watched

_READERS = 16
_REQUESTS = 12
# Far longer than any of it takes: a test that waits so long has failed.
_PATIENCE = 60
# Seconds between two commits.
_PAUSE = 0.003
_OPENING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
_ACCEPTS = {"Accept": "application/json, text/event-stream"}


@pytest.mark.parametrize("helpers", [0, 2])
def test_many_read_while_one_writes_and_each_answer_is_of_one_generation(stored: Workspace, helpers: int) -> None:
    """Two records change together; whoever sees both sees the same number in both."""
    done = threading.Event()

    def write() -> None:
        number = 0
        while not done.wait(_PAUSE):
            number += 1
            text = {"content": f"springtide number{number}"}
            stored.apply([Put(Record(key, "page", key, text)) for key in ("twin-a", "twin-b")])

    def read(address: str) -> list[tuple[int, set[str]]]:
        seen = []
        with httpx.Client(base_url=address, timeout=60) as client:
            for number in range(_REQUESTS):
                response = client.get("/api/search", params={"query": "springtide", "kinds": "page", "limit": 10 + number})
                assert response.status_code == 200, response.text
                body = response.json()
                seen.append((body["generation"], {re.sub("<.*?>", "", hit["snippet"]) for hit in body["hits"]}))
        return seen

    stored.apply([Put(Record(key, "page", key, {"content": "springtide number0"})) for key in ("twin-a", "twin-b")])
    with served(stored, helpers=helpers) as address, ThreadPoolExecutor(_READERS) as readers:
        writer = threading.Thread(target=write)
        writer.start()
        try:
            answers = [answer for seen in readers.map(read, [address] * _READERS) for answer in seen]
        finally:
            done.set()
            writer.join()
    assert len(answers) == _READERS * _REQUESTS
    assert all(len(texts) == 1 for _, texts in answers)
    assert len({generation for generation, _ in answers}) > 1


def test_a_long_answer_is_compressed_for_who_can_read_it(client: TestClient) -> None:
    with client.stream("GET", "/api/kinds", headers={"Accept-Encoding": "gzip"}) as packed:
        raw = b"".join(packed.iter_raw())
    plain = client.get("/api/kinds", headers={"Accept-Encoding": "identity"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(raw) == plain.content
    assert len(raw) < len(plain.content) / 2


def test_an_export_is_read_back_by_an_import(client: TestClient) -> None:
    exported = client.get("/api/export")
    assert exported.headers["Content-Type"].startswith("application/x-ndjson")
    told = json.loads(exported.headers["Dowse-Answer"])
    assert len(exported.text.splitlines()) == told["records"] + told["edges"]
    again = client.post("/api/import", content=exported.content, headers={"Content-Type": "application/x-ndjson"})
    assert again.status_code == 200
    assert again.json()["skipped"] == 0


def test_the_index_of_the_api_names_every_address(client: TestClient) -> None:
    listed = client.get("/api").json()
    assert {"name": "search", "address": "/api/search", "methods": ["GET", "POST"]}.items() <= listed["operations"][0].items()
    assert client.get(listed["description"]).json()["openapi"] == "3.1.0"


def test_metrics_tell_what_was_asked_and_what_there_is(client: TestClient) -> None:
    client.get("/api/search?query=retries")
    client.get("/api/search?query=retries&limit=0")
    client.get("/api/nothing")
    response = client.get("/metrics")
    assert response.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    lines = response.text.splitlines()
    assert 'dowse_requests_total{operation="search",method="GET",status="200"} 1' in lines
    assert 'dowse_requests_total{operation="search",method="GET",status="400"} 1' in lines
    assert 'dowse_request_seconds_count{operation="search"} 2' in lines
    assert 'dowse_request_seconds_bucket{operation="search",le="+Inf"} 2' in lines
    assert 'dowse_records{kind="item"} 9' in lines
    assert 'dowse_jobs{state="running"} 0' in lines
    assert any(line.startswith("dowse_generation ") for line in lines)


def test_head_tells_what_get_would_without_saying_it(stored: Workspace) -> None:
    with served(stored) as address:
        assert httpx.head(f"{address}/api/kinds").content == b""
        assert httpx.head(f"{address}/health").status_code == 200


def test_the_page_and_the_agents_door_stand_beside_the_api(stored: Workspace) -> None:
    with served(stored) as address:
        assert httpx.get(address).headers["Content-Type"].startswith("text/html")
        assert httpx.get(f"{address}/page/search", params={"q": "retries"}).json()["total"] > 0
        response = httpx.post(f"{address}/mcp", json=_OPENING, headers=_ACCEPTS)
    assert response.status_code == 200
    assert "serverInfo" in response.text


def test_a_server_that_stops_does_not_wait_for_agents_that_listen(stored: Workspace) -> None:
    ended, listening_now = threading.Event(), threading.Event()

    def listen(address: str, session: str) -> None:
        headers = {**_ACCEPTS, "Mcp-Session-Id": session}
        with httpx.Client(timeout=30) as client, client.stream("GET", f"{address}/mcp", headers=headers) as stream:
            listening_now.set()
            list(stream.iter_lines())
        ended.set()

    with served(stored) as address:
        session = httpx.post(f"{address}/mcp", json=_OPENING, headers=_ACCEPTS).headers["Mcp-Session-Id"]
        thread = threading.Thread(target=listen, args=(address, session))
        thread.start()
        assert listening_now.wait(30)
    thread.join(30)
    # A stream that was cut off would have raised in the thread.
    assert ended.is_set()


def test_a_search_on_the_command_line_loads_nothing_of_the_servers(stored: Workspace, place: Path) -> None:
    words = ["search", "retries", "--workspace", str(place / "workspace.dowse")]
    code = (
        "import sys; from dowse.shells.cli.main import run; "
        f"assert run({words!r}) == 0; "
        "print(sorted({'starlette', 'uvicorn', 'mcp', 'pydantic', 'anyio'} & set(sys.modules)))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert stored.status().records
    assert ran.stdout.splitlines()[-1] == "[]"


def test_a_web_socket_is_turned_away(stored: Workspace) -> None:
    from starlette.websockets import WebSocketDisconnect

    with calling(App(stored)) as client, pytest.raises(WebSocketDisconnect), client.websocket_connect("/api/events"):
        pass


def test_a_port_that_is_taken_is_told_with_what_to_do() -> None:
    taken = socket.create_server((HERE, 0))
    with taken, pytest.raises(InvalidRequest, match="Choose another with --port"), listening(HERE, taken.getsockname()[1]):
        pass
    with pytest.raises(InvalidRequest, match="no address to listen on"), listening("no.such.name.invalid", 0):
        pass


def test_an_address_of_six_groups_stands_in_brackets() -> None:
    with listening(HERE, 0) as listener:
        port = listener.getsockname()[1]
        assert address_of("::1", listener) == f"http://[::1]:{port}/"
        assert address_of("localhost", listener) == f"http://localhost:{port}/"


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM])
def test_a_server_says_where_it_is_and_stops_cleanly_when_told(stored: Workspace, place: Path, name: signal.Signals) -> None:
    stored.index(place / "project", jobs=1)
    process = subprocess.Popen(
        [sys.executable, "-m", "dowse", "serve", "--port", "0", "--watch", "--workspace", str(place / "workspace.dowse")],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    with process.stderr:
        try:
            said = process.stderr.readline()
            where = re.search(r"http://\S+/", said)
            assert where is not None, said
            assert httpx.get(f"{where[0]}api/search", params={"query": "retries"}, timeout=30).status_code == 200
            process.send_signal(name)
            assert process.wait(30) == 0
            assert "Traceback" not in process.stderr.read()
        finally:
            process.kill()
            process.wait()


def test_a_project_that_is_indexed_later_is_watched_as_well(stored: Workspace, place: Path) -> None:
    stored.index(place / "project", jobs=1)
    later = place / "later"
    later.mkdir()
    (later / "reed.md").write_text("# Bittern\n")
    with watched(stored, again=0.01):
        stored.index(later, jobs=1)
        # The first may still be read by the look that begins a watch, the second only by the watch itself.
        for number in (1, 2):
            (later / "reed.md").write_text(f"# Sandpiper number{number}\n")
            _wait_for(stored, f"number{number}")


def _wait_for(workspace: Workspace, word: str) -> None:
    """Looks for a word whenever something was committed, until it is found."""
    end, seen = time.monotonic() + _PATIENCE, -1
    while time.monotonic() < end:
        now = workspace.generation
        if now != seen and any(word in hit.record.title for hit in workspace.search(word, kinds=("section", "document")).hits):
            return
        seen = now
    raise AssertionError(f"{word} was never found")


def test_a_server_for_others_without_tokens_says_how_to_make_one(stored: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    from dowse.shells.http.serving import _say

    _say(stored, "0.0.0.0", "http://0.0.0.0:1/")
    assert "dowse token add" in capsys.readouterr().err
    stored.add_token("laptop")
    _say(stored, "0.0.0.0", "http://0.0.0.0:1/")
    assert "dowse token add" not in capsys.readouterr().err
