"""Does a process that helps answer as the server does, to whoever asks, and end when nobody asks any more?"""

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from every_operation import CALLS, ROOT, SAMPLE

import dowse
from dowse.app.permissions import OWNER, Capability, Principal, Reach
from dowse.app.workspace import Workspace
from dowse.errors import DowseError, NotFound
from dowse.shells.http.asking import Question
from dowse.shells.http.getting import Asked, Cached
from dowse.shells.http.helping import Gone, Helper
from dowse.shells.http.page.asking import NAMES, PageAsked
from dowse.shells.http.routing import ENDPOINTS
from dowse.shells.mcp.asking import GreetingAsked, KeyAsked, ResourceAsked, ToolAsked, can_be_shared
from dowse.shells.mcp.toolset import toolset

# Far longer than any of it takes: a test that waits so long has failed.
_PATIENCE = 60
_READING = frozenset({Capability.SEARCH_USE, Capability.READ})
_CALLERS = {
    "owner": OWNER,
    "someone of a space": Principal("docs", _READING, Reach(spaces=("/saltmarsh/tidekit@v1",))),
    "someone of a kind": Principal("pages", _READING, Reach(kinds=("page",))),
    "someone of a subtree": Principal("tasks", _READING, Reach(under=("task-10",)), roots=(Path("/nowhere"),)),
    "who may only search": Principal("searcher", frozenset({Capability.SEARCH_USE})),
    "who may do nothing": Principal("nobody", frozenset()),
}
_SURFACES = ("everything", "items", "notes", "docs", "pages", "code_search", "files_search")
_TOOLS = [
    ("search", {"query": "how are retries capped"}),
    ("context", {"task": "cap the retries of the courier"}),
    ("get", {"keys": ["retry-policy", "task-17"]}),
    ("related", {"key": "task-17"}),
    ("query_items", {"operation": "search", "query": "retry"}),
    ("query_notes", {"operation": "list"}),
    ("query-docs", {"libraryId": "/saltmarsh/tidekit", "query": "subscribe to a gauge"}),
    ("search_pages", {"query": "retries"}),
    ("code_search", {"query": "courier"}),
    ("files_search", {"query": "courier"}),
    ("tree", {"key": "task-10"}),
    ("search", {"qurey": "x"}),
]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with dowse.open(tmp_path_factory.mktemp("helped") / "workspace.dowse") as workspace:
        workspace.import_file(SAMPLE)
        yield workspace


@pytest.fixture(scope="module")
def helper(sample: Workspace) -> Iterator[Helper]:
    made = Helper(str(sample.location), None)
    try:
        made.wait_until_ready()
        yield made
    finally:
        made.end()


def _shared() -> list[tuple[str, dict[str, Any]]]:
    return [
        (path, given)
        for path, endpoint in ENDPOINTS.items()
        for given in CALLS.get(endpoint.operation.name, ({},))
        if endpoint.is_shared(given)
    ]


def _told(answer: Any) -> Any:
    """An answer without how long it took."""
    return re.sub(rb'"took":[0-9.e-]+', b"", answer) if isinstance(answer, bytes) else answer


def _outcome(ask: Any) -> Any:
    try:
        return _told(ask())
    except DowseError as error:
        return type(error), str(error)


def _same(helper: Helper, workspace: Workspace, principal: Principal, question: Question) -> bool:
    here = _outcome(lambda: question.answer(workspace.acting_as(principal)))
    return bool(_outcome(lambda: helper.ask(principal, question)) == here)


def test_every_operation_that_finds_or_reads_can_be_answered_by_others() -> None:
    shared = {ENDPOINTS[path].operation.name for path, _ in _shared()}
    assert {"search", "search_files", "context", "similar", "related", "why_not", "get", "list", "tree", "backlinks"} <= shared
    assert not shared & {"status", "projects", "doctor", "put", "index", "export", "bench", "token_list", "model_list"}
    assert not ENDPOINTS["/api/search"].is_shared({"query": "x", "fresh": True})


@pytest.mark.parametrize("principal", _CALLERS.values(), ids=_CALLERS)
def test_whoever_asks_by_rest_gets_the_same_answer_or_refusal(helper: Helper, sample: Workspace, principal: Principal) -> None:
    for path, given in _shared():
        assert _same(helper, sample, principal, Asked(path, given)), (path, given)
        assert _same(helper, sample, principal, Asked(path, given, (), Cached(b"a=b", None, "run"))), (path, given)


@pytest.mark.parametrize("principal", _CALLERS.values(), ids=_CALLERS)
def test_whoever_asks_by_the_page_gets_the_same_answer_or_refusal(helper: Helper, sample: Workspace, principal: Principal) -> None:
    asked = [(("q", "retries"), ("is.role", "work")), (("key", "task-17"), ("q", "x")), (("key", "retry-policy"),), ()]
    for name in NAMES:
        for given in asked:
            question = PageAsked(name, given, at_home=True)
            assert not question.is_shared or _same(helper, sample, principal, question), (name, given)


@pytest.mark.parametrize("principal", _CALLERS.values(), ids=_CALLERS)
def test_whoever_asks_as_an_agent_gets_the_same_answer_or_refusal(helper: Helper, sample: Workspace, principal: Principal) -> None:
    tools = toolset(_SURFACES)
    for name, arguments in _TOOLS:
        assert can_be_shared(tools[name], arguments)
        assert _same(helper, sample, principal, ToolAsked(_SURFACES, name, arguments, 8000, ())), (name, arguments)
    assert _same(helper, sample, principal, ResourceAsked("dowse://record/retry-policy", 8000, ()))
    assert _same(helper, sample, principal, KeyAsked("retr"))
    assert _same(helper, sample, principal, GreetingAsked(("search", "get"), ("A note.",)))


def test_an_agents_writes_and_looks_at_files_stay_with_the_server() -> None:
    tools = toolset(_SURFACES)
    own = ("remember", "put", "index", "write_page", "status", "projects", "doctor", "model_list", "embed", "delete")
    assert not any(can_be_shared(tools[name], {}) for name in own)
    assert not can_be_shared(tools["search"], {"query": "x", "fresh": True})


def test_what_was_committed_is_seen_by_the_next_question(helper: Helper, sample: Workspace) -> None:
    for number in range(20):
        made = sample.put(kind="page", key=f"written-{number}", title=f"Written {number}")
        assert made.key.encode() in helper.ask(OWNER, Asked("/api/get", {"key": made.key})).body


def test_an_error_tells_where_in_the_other_process_it_was_raised(helper: Helper) -> None:
    with pytest.raises(NotFound) as raised:
        helper.ask(OWNER, Asked("/api/get", {"key": "nobody"}))
    assert "In a helping process" in raised.value.__notes__[0]
    assert "Traceback" in raised.value.__notes__[0]


def test_a_helper_without_a_workspace_says_why(tmp_path: Path) -> None:
    helper = Helper(str(tmp_path / "none.dowse"), None)
    try:
        with pytest.raises(NotFound, match="There is no workspace"):
            helper.wait_until_ready()
    finally:
        helper.end()


def test_who_asks_a_helper_that_was_killed_is_told_that_it_has_gone(sample: Workspace) -> None:
    helper = Helper(str(sample.location), None)
    helper.wait_until_ready()
    os.kill(helper.id, signal.SIGKILL)
    with pytest.raises(Gone):
        helper.ask(OWNER, KeyAsked("retr"))
    helper.end()


def test_a_helper_heeds_no_signal_that_is_meant_for_the_server(sample: Workspace) -> None:
    helper = Helper(str(sample.location), None)
    helper.wait_until_ready()
    for name in (signal.SIGINT, signal.SIGTERM):
        os.kill(helper.id, name)
    assert helper.ask(OWNER, KeyAsked("retr"))
    helper.end()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are found by /proc, and waited for by pidfd")
@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_helper_outlives_its_server_however_that_ends(sample: Workspace, name: signal.Signals) -> None:
    command = [sys.executable, "-m", "dowse", "serve", "--port", "0", "--helpers", "1", "--workspace", str(sample.location)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    server = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    with server.stderr:
        try:
            where = re.search(r"http://\S+/", server.stderr.readline())
            assert where is not None
            handle = os.pidfd_open(_helper_of(server.pid, where[0]))
            server.send_signal(name)
            assert server.wait(_PATIENCE) == (0 if name != signal.SIGKILL else -signal.SIGKILL)
            ended, _, _ = select.select([handle], [], [], _PATIENCE)
            os.close(handle)
            assert ended
            assert "Traceback" not in server.stderr.read()
        finally:
            server.kill()
            server.wait()


def _helper_of(server: int, address: str) -> int:
    """The process that helps a server, which is asked several questions at once until there is one."""
    with httpx.Client(base_url=address, timeout=_PATIENCE) as client, ThreadPoolExecutor(4) as threads:
        while True:
            asked = [threads.submit(client.get, "/api/search", params={"query": "retries"}) for _ in range(4)]
            assert {one.result().status_code for one in asked} == {200}
            if "dowse_helpers 1" in client.get("/metrics").text:
                return next(child for child in _children(server))


def _children(parent: int) -> Iterator[int]:
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_the_name = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended meanwhile
        if int(after_the_name[1]) == parent:
            yield int(place.parent.name)
