"""Does the command work as agents start it: as a process, over standard input and output?"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from running_mcp import call, over_stdio, text_of

import dowse
from dowse.app.permissions import Capability
from dowse.app.workspace import Workspace
from dowse.errors import InvalidRequest
from dowse.shells.mcp.stdio import agent, is_project, serve


def _converse(parameters: Any, said: Callable[[Client], Awaitable[None]], **options: Any) -> None:
    async def converse() -> None:
        async with Client(parameters, **options) as client:
            await said(client)

    asyncio.run(converse())


@pytest.fixture(scope="module")
def quiet_home(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("home"))


def test_a_project_without_a_workspace_gets_one_and_a_session_goes_well(project: Path, quiet_home: str) -> None:
    """One process, as an agent uses it: every default tool, an edit that is found at once, resources and prompts."""

    async def session(client: Client) -> None:
        assert "dowse finds what this project knows" in (client.instructions or "")
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == ["search", "context", "get", "related", "remember", "status"]
        # The index is being made meanwhile; the first search that says nothing of it any more has everything.
        while "being indexed" in text_of(await client.call_tool("status", {})):
            pass
        found = await client.call_tool("search", {"query": "capped_backoff", "kinds": ["symbol"]})
        key = found.structured_content["hits"][0]["key"]
        assert key == "saltmarsh:courier.py#capped_backoff"
        assert "min(2.0**attempt, 16.0)" in text_of(await client.call_tool("get", {"keys": [key]}))
        assert "deliver" in text_of(await client.call_tool("related", {"key": "courier.py:8"}))
        assert "capped_backoff" in text_of(await client.call_tool("context", {"task": "raise the cap of the retries"}))
        kept = await client.call_tool("remember", {"text": "Sixteen seconds were agreed on.", "about": [key]})
        assert not kept.is_error, text_of(kept)
        assert "Sixteen seconds" in text_of(await client.call_tool("search", {"query": "sixteen seconds agreed"}))
        (project / "moor.py").write_text("def zeppelin_moor():\n    return 1\n", encoding="utf-8")
        while not (await client.call_tool("search", {"query": "zeppelin_moor"})).structured_content["hits"]:
            pass
        assert "- project saltmarsh in " in (await client.read_resource("dowse://status")).contents[0].text  # type: ignore[union-attr]
        assert len((await client.list_prompts()).prompts) == 4
        outside = await client.call_tool("get", {"keys": ["/etc/passwd"]})
        assert outside.is_error

    _converse(over_stdio("mcp", folder=project, HOME=quiet_home), session)
    assert (project / ".dowse" / "workspace.dowse").is_file()
    assert (project / ".dowse" / ".gitignore").read_text(encoding="utf-8") == "*\n"


def test_a_cancelled_index_leaves_a_workspace_that_goes_on_where_it_stopped(tmp_path: Path, quiet_home: str) -> None:
    folder = tmp_path / "large"
    folder.mkdir()
    for number in range(400):
        lines = [f"def function_{number}_{part}(value):\n    return value + {part}\n" for part in range(10)]
        (folder / f"module_{number}.py").write_text("\n".join(lines), encoding="utf-8")
    path = tmp_path / "large.dowse"
    dowse.open(path).close()
    told: list[str] = []

    async def session(client: Client) -> None:
        with anyio.CancelScope() as scope:

            async def progress(_: float, __: float | None, message: str | None) -> None:
                told.append(message or "")
                if (message or "").startswith("reading"):
                    scope.cancel()

            await client.call_tool("index", {"folder": str(folder), "jobs": 1}, progress_callback=progress)
        assert scope.cancelled_caught
        assert not (await client.call_tool("doctor", {})).is_error
        # The right to index is free again as soon as the cancelled call has let go of it.
        while (done := await client.call_tool("index", {"folder": str(folder)})).is_error:
            assert "is indexing" in text_of(done)
        assert done.structured_content["files"] == 400
        assert done.structured_content["unchanged"] < 400

    arguments = ("--workspace", str(path), "mcp", "--surface", "everything", "--no-watch")
    _converse(over_stdio(*arguments, folder=folder, HOME=quiet_home), session, mode="legacy")
    assert told[0] == "looking for files that changed"
    with dowse.open(path) as workspace:
        assert workspace.status().records["symbol"] == 4000
        assert all(finding.ok for finding in workspace.doctor())


def test_where_there_is_no_project_tools_say_what_to_do_and_nothing_is_written(tmp_path: Path, quiet_home: str) -> None:
    async def session(client: Client) -> None:
        result = await client.call_tool("search", {"query": "x"})
        assert result.is_error
        assert "Run 'dowse index'" in text_of(result)

    folder = tmp_path / "empty"
    folder.mkdir()
    _converse(over_stdio("mcp", folder=folder, HOME=quiet_home), session)
    assert list(folder.iterdir()) == []


@pytest.mark.usefixtures("indexed")
def test_standard_output_carries_the_protocol_alone(tmp_path: Path, quiet_home: str) -> None:
    parameters = over_stdio("--workspace", str(tmp_path / "project.dowse"), "mcp", folder=tmp_path, HOME=quiet_home)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    sent = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "search", "arguments": {"query": "courier"}}},
    ]
    command, pipe = [sys.executable, *parameters.args], subprocess.PIPE
    with subprocess.Popen(command, env=parameters.env, cwd=tmp_path, text=True, stdin=pipe, stdout=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in sent:
            process.stdin.write(f"{json.dumps(message)}\n")
            process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
        assert process.stdout.read() == ""
        assert process.wait(60) == 0
    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[1]["result"]["structuredContent"]["hits"]


def test_a_folder_is_a_project_by_its_marks_and_never_the_home(tmp_path: Path) -> None:
    assert not is_project(tmp_path, Path("/home/someone"))
    (tmp_path / "pyproject.toml").touch()
    assert is_project(tmp_path, Path("/home/someone"))
    assert not is_project(tmp_path, tmp_path)
    assert not is_project(Path("/"), Path("/home/someone"))


def test_an_agent_may_name_files_of_its_projects_only(indexed: Workspace, project: Path, tmp_path: Path) -> None:
    someone = agent(indexed, tmp_path, read_only=False)
    assert someone.roots == (project.resolve(), tmp_path)
    assert Capability.WRITE in someone.capabilities
    reader = agent(indexed, tmp_path, read_only=True)
    assert reader.capabilities == {Capability.SEARCH_USE, Capability.READ}


@pytest.mark.parametrize(("tool", "arguments"), [("index", {"folder": "/etc"}), ("import", {"path": "/etc/passwd"})])
def test_an_agent_cannot_be_talked_into_reading_files_elsewhere(
    indexed: Workspace, tmp_path: Path, tool: str, arguments: dict[str, str]
) -> None:
    seen = indexed.acting_as(agent(indexed, tmp_path, read_only=False))
    result = call(seen, tool, surfaces=("everything",), **arguments)
    assert result.is_error
    assert text_of(result).startswith("forbidden: /etc")


def test_a_limit_that_holds_no_hit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="--tokens is 10; it must be 500 or more"):
        serve(None, tmp_path, surfaces=(), tokens=10, read_only=False, watch=False)
