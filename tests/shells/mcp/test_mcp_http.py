"""Do agents elsewhere get the same, each as itself?"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client
from running_mcp import call, over_http, text_of
from starlette.types import Scope

from dowse.app.permissions import OWNER, Capability, Principal, Reach
from dowse.app.workspace import Workspace

_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
_LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
_ACCEPT = {"Accept": "application/json, text/event-stream"}


def _owners(workspace: Workspace) -> Callable[[Scope], Workspace]:
    return lambda _: workspace


def _by_header(workspace: Workspace) -> Callable[[Scope], Workspace]:
    """As a guard in front would: who asks is said by a header; a stranger sees pages alone and may not write."""
    stranger = Principal("stranger", frozenset({Capability.SEARCH_USE, Capability.READ}), Reach(kinds=("page",)))
    known = {b"owner": workspace.acting_as(OWNER), b"stranger": workspace.acting_as(stranger)}
    return lambda scope: known[dict(scope["headers"]).get(b"x-test-caller", b"owner")]


def _visit(
    workspace_for: Callable[[Scope], Workspace], said: Callable[[str], Awaitable[None]], surfaces: tuple[str, ...] = ()
) -> None:
    async def visit() -> None:
        async with over_http(workspace_for, surfaces) as address:
            await said(address)

    asyncio.run(visit())


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_session_over_http_answers_as_every_other(sample: Workspace, mode: str) -> None:
    async def session(address: str) -> None:
        async with Client(address, mode=mode) as client:
            assert "Libraries: " in (client.instructions or "")
            assert len((await client.list_tools()).tools) == 6
            found = await client.call_tool("search", {"query": "how are retries capped"})
            assert found.structured_content == call_in_process["search"]
            wrong = await client.call_tool("search", {"qurey": "x"})
            assert wrong.is_error
            text = (await client.read_resource("dowse://record/retry-policy")).contents[0].text  # type: ignore[union-attr]
            assert "doubling pauses" in text
            assert (await client.get_prompt("start_task", {"task": "x"})).messages

    call_in_process = {"search": call(sample, "search", query="how are retries capped").structured_content}
    _visit(_owners(sample), session)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_progress_is_told_and_a_cancelled_call_ends(workspace: Workspace, tmp_path: Path, mode: str) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    for number in range(50):
        (folder / f"module_{number}.py").write_text(f"def function_{number}():\n    return {number}\n", encoding="utf-8")
    told: list[str] = []

    async def session(address: str) -> None:
        async with Client(address, mode=mode) as client:
            with anyio.CancelScope() as scope:

                async def progress(_: float, __: float | None, message: str | None) -> None:
                    told.append(message or "")
                    scope.cancel()

                await client.call_tool("index", {"folder": str(folder), "jobs": 1}, progress_callback=progress)
            while (done := await client.call_tool("index", {"folder": str(folder), "jobs": 1})).is_error:
                assert "is indexing" in text_of(done)
            assert done.structured_content["files"] == 50

    _visit(_owners(workspace), session, ("everything",))
    assert told[0] == "looking for files that changed"
    assert all(finding.ok for finding in workspace.doctor())


def test_everyone_sees_and_may_do_what_is_theirs(sample: Workspace) -> None:
    async def visit(address: str) -> None:
        async def asked(caller: str, method: str, **params: Any) -> Any:
            headers = {**_ACCEPT, "X-Test-Caller": caller}
            async with httpx.AsyncClient(headers=headers) as client:
                begun = await client.post(address, json=_HELLO)
                client.headers["Mcp-Session-Id"] = begun.headers["mcp-session-id"]
                await client.post(address, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
                answer = await client.post(address, json={"jsonrpc": "2.0", "id": 2, "method": method, "params": params})
                return answer.text

        assert "remember" in await asked("owner", "tools/list")
        assert "remember" not in await asked("stranger", "tools/list")
        search = {"name": "search", "arguments": {"query": "retries courier"}}
        assert "task-17" in await asked("owner", "tools/call", **search)
        seen = await asked("stranger", "tools/call", **search)
        assert "retry-policy" in seen
        assert "task-17" not in seen

    _visit(_by_header(sample), visit)


def test_a_session_belongs_to_who_began_it(sample: Workspace) -> None:
    async def visit(address: str) -> None:
        async with httpx.AsyncClient(headers=_ACCEPT) as client:
            begun = await client.post(address, json=_HELLO, headers={"X-Test-Caller": "owner"})
            theirs = {"Mcp-Session-Id": begun.headers["mcp-session-id"]}
            refused = await client.post(address, json=_LIST, headers={**theirs, "X-Test-Caller": "stranger"})
            assert refused.status_code == 404
            ended = await client.delete(address, headers={**theirs, "X-Test-Caller": "stranger"})
            assert ended.status_code == 404
            own = await client.post(address, json=_LIST, headers={**theirs, "X-Test-Caller": "owner"})
            assert own.status_code == 200

    _visit(_by_header(sample), visit)


def test_calls_are_answered_side_by_side(sample: Workspace) -> None:
    async def session(address: str) -> None:
        answers: list[int] = []
        async with Client(address) as client:

            async def ask(number: int) -> None:
                found = await client.call_tool("search", {"query": "harbour", "limit": 1 + number % 3})
                answers.append(len(found.structured_content["hits"]))

            async with anyio.create_task_group() as tasks:
                for number in range(30):
                    tasks.start_soon(ask, number)
        assert sorted(answers) == [1] * 10 + [2] * 10 + [3] * 10

    _visit(_owners(sample), session)
