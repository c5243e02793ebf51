"""How tests talk to the server: with the SDK's own client, in this process, as a process, or over HTTP."""

import asyncio
import json
import os
import socket
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import uvicorn
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from starlette.types import Receive, Scope, Send

from dowse.app.workspace import Workspace
from dowse.shells.mcp.http import mcp_app
from dowse.shells.mcp.keeping import Keeper
from dowse.shells.mcp.server import Service

Result = TypeVar("Result")
ROOT = Path(__file__).resolve().parents[3]
SAMPLE = ROOT / "docs" / "sample.jsonl"
TOKENS = 8000


def talk(
    workspace: Workspace | None,
    said: Callable[[Client], Awaitable[Result]],
    *,
    surfaces: tuple[str, ...] = (),
    room: int = TOKENS,
    keeper: Keeper | None = None,
    **options: Any,
) -> Result:
    """A conversation with a server in this process."""

    async def converse() -> Result:
        service = Service(lambda _: workspace, surfaces, room, keeper)
        refused: MCPError | None = None
        async with Client(service.server(), **options) as client:
            try:
                return await said(client)
            except MCPError as error:
                # Raised in here it would come out wrapped in the groups of the client's tasks.
                refused = error
        assert refused is not None
        raise refused

    return asyncio.run(converse())


def call(workspace: Workspace | None, tool: str, /, *, surfaces: tuple[str, ...] = (), room: int = TOKENS, **arguments: Any) -> Any:
    """What one call answers."""
    return talk(workspace, lambda client: client.call_tool(tool, arguments), surfaces=surfaces, room=room)


def text_of(result: Any) -> str:
    assert len(result.content) == 1
    return str(result.content[0].text)


def over_stdio(*arguments: str, folder: Path, **environment: str) -> StdioServerParameters:
    """The command as agents start it."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("DOWSE_")}
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "dowse.shells.cli.main", *arguments],
        cwd=folder,
        env={**clean, "PYTHONPATH": str(ROOT / "src"), **environment},
    )


@asynccontextmanager
async def over_http(workspace_for: Callable[[Scope], Workspace], surfaces: tuple[str, ...] = ()) -> AsyncIterator[str]:
    """The address of a server on a free port, in a thread of its own."""
    app = mcp_app(workspace_for, surfaces, TOKENS)

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await app(scope, receive, send)
            return
        await receive()
        async with app.lifespan():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    # Who connects before the server is up waits in line here.
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(serve, log_level="warning", lifespan="on"))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        await asyncio.to_thread(thread.join)
        listening.close()


def as_json(value: Any) -> Any:
    """A value as it arrives at the other end of a wire."""
    return json.loads(json.dumps(value))
