"""Is there a message that ends an agent's server? Raw lines into its standard input, and calls of every tool with any arguments."""

import json
import os
import re
import selectors
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.server.stdio import stdio_server

from bench.fuzz_campaign import Campaign, Given, Try, Wrong, chosen, expect
from bench.fuzz_confining import Heard, confined, hearing
from bench.fuzz_renewing import Renewed, every_operation, prepared
from dowse.app.workspace import Workspace
from dowse.shells.mcp.seeds import TOOLS_OF
from dowse.shells.mcp.server import Service
from dowse.shells.mcp.stdio import agent
from dowse.shells.mcp.toolset import toolset

_SURFACES = tuple(TOOLS_OF)
_TOOLS = sorted(toolset(_SURFACES).items())
_ROOM = 4000
# To the transport a carriage return ends a line as well.
_ENDS = re.compile(rb"[\r\n]")
_MOST = 1500
_SILENCE = 60.0
# How an error of the caller looks, and not one of ours.
_INTERNAL = (-32603, 0)
_HELLO = {
    "jsonrpc": "2.0",
    "id": "hello",
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "fuzzing", "version": "1"}},
}
_READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
_RAW = (
    {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "search", "arguments": {"query": "retry"}}},
    {"jsonrpc": "2.0", "id": 3, "method": "resources/read", "params": {"uri": "dowse://record/task-17"}},
    {"jsonrpc": "2.0", "id": 4, "method": "resources/templates/list"},
    {"jsonrpc": "2.0", "id": 5, "method": "prompts/get", "params": {"name": "x", "arguments": {"task": "y"}}},
    {
        "jsonrpc": "2.0",
        "id": 6,
        "method": "completion/complete",
        "params": {"ref": {"type": "ref/resource", "uri": "dowse://record/{key}"}, "argument": {"name": "key", "value": "task"}},
    },
    {"jsonrpc": "2.0", "id": 7, "method": "logging/setLevel", "params": {"level": "debug"}},
    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2, "reason": "x"}},
    {"jsonrpc": "2.0", "id": 8, "method": "server/discover"},
    {"jsonrpc": "2.0", "id": 9, "result": {}},
    {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}},
)
_VALUES: dict[str, Sequence[Any]] = {
    "string": ("task-17", "", "retry", "\ud800", "\x00", 5, None, [], "../../etc/passwd", "src/app.py:1-99999999999999999999"),
    "integer": (1, 0, -1, 1 << 70, 1.5, "7", None, True),
    "number": (0.5, -1, 1e308, 1 << 2000, "x", None),
    "boolean": (True, False, "true", 0),
    "array": (["task-17"], [], ["a", 5], "task-17", [["x"]], ["\ud800"], None, ["task-17"] * 60),
    "object": ({"role": "work"}, {}, {"title": 5}, [], {"\ud800": 1}, {"a": {"b": {"c": []}}}, None),
}
_WORDS = tuple(
    rb"""{"jsonrpc":"2.0" "id": "method": "params": "name": "arguments": "tools/call" "resources/read" "uri": "dowse://record/
    "result": "error": null [] {} 1e999 "\ud800" [{ }] "_meta": {"progressToken": "initialize" "notifications/cancelled"
    "requestId": \n""".split()
)


def samples() -> Sequence[bytes]:
    raw = [chosen(0, then=json.dumps(message)) for message in _RAW]
    raw.append(chosen(0, then="\n".join(json.dumps(message) for message in _RAW)))
    several = every_operation().CALLS
    calls = [
        chosen(1, number, then=json.dumps(values))
        for number, (name, _) in enumerate(_TOOLS)
        for values in several.get(name, ({"query": "retry"}, {"key": "task-17"}, {}))
    ]
    made = [chosen(2, number, *range(number, number + 8), then="retry") for number in range(len(_TOOLS))]
    return [*raw, *calls, *made]


@contextmanager
def ready(folder: Path) -> Iterator[Try]:
    with confined(), hearing("dowse", "mcp", "asyncio") as heard, closing(_Trial(folder, heard)) as trial:
        yield trial


class _Trial:
    """One server for many messages; now and then another, on another workspace."""

    def __init__(self, folder: Path, heard: Heard) -> None:
        self._folder = folder
        self._heard = heard
        self._server = Renewed(self._serving, _MOST)

    def __call__(self, data: bytes) -> None:
        server = self._server.take()
        self._heard.take()
        lines, awaited = said(data, self._server.count)
        last = f"ping-{self._server.count}"
        try:
            answers = server.ask([*lines, json.dumps({"jsonrpc": "2.0", "id": last, "method": "ping"}).encode()], {*awaited, last})
        except Wrong:
            self.close()
            fault = self._heard.take()
            if fault is not None:
                raise fault from None
            raise
        for answer in answers:
            code = answer.get("error", {}).get("code")
            if code in _INTERNAL:
                raise self._heard.take() or Wrong(f"an error of ours: {answer}")

    def close(self) -> None:
        self._server.close()

    @contextmanager
    def _serving(self) -> "Iterator[_Server]":
        with prepared(self._folder) as (place, workspace):
            server = _Server(workspace.acting_as(agent(workspace, place, read_only=False)))
            try:
                yield server
            finally:
                server.stop()


def said(data: bytes, number: int) -> tuple[list[bytes], set[str]]:
    """The lines that an input stands for, and the ids whose answers are to be waited for."""
    given = Given(data)
    how = given.number(3)
    if how == 0:
        return [line for line in given.rest().split(b"\n")[:8] if line.strip()], set()
    name, tool = given.choice(_TOOLS)
    own = f"call-{number}"
    if how == 1:
        head = json.dumps({"jsonrpc": "2.0", "id": own, "method": "tools/call", "params": {"name": name, "arguments": 0}})
        line = head.encode().replace(b'"arguments": 0', b'"arguments": ' + _ENDS.sub(b" ", given.rest()))
    else:
        arguments = _made(given, tool.takes)
        call = {"jsonrpc": "2.0", "id": own, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        line = json.dumps(call).encode()
    return [line], {own} if _is_message(line, own) else set()


def _made(given: Given, schema: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, about in schema["properties"].items():
        if name not in schema.get("required", ()) and not given.chance(3):
            continue
        kind = about.get("type", "string")
        kinds = kind if isinstance(kind, list) else [kind]
        choices = about.get("enum") or _VALUES.get(given.choice(kinds), (None,))
        made[name] = given.choice(tuple(choices))
    texts = [name for name, value in made.items() if isinstance(value, str)]
    if texts:
        made[given.choice(texts)] = given.text()
    return made


def _is_message(line: bytes, own: str) -> bool:
    """Whether the protocol takes it for a request with that id: nobody answers to what is none."""
    try:
        message = types.jsonrpc_message_adapter.validate_json(line.decode("utf-8", "replace"), by_name=False)
    except ValueError:
        return False
    return isinstance(message, types.JSONRPCRequest) and message.id == own


class _Server:
    """A server at the other end of two pipes."""

    def __init__(self, workspace: Workspace) -> None:
        self._theirs_in, self._in = os.pipe()
        self._out, self._theirs_out = os.pipe()
        self._thread = threading.Thread(target=self._serve, args=(workspace,), daemon=True)
        self._thread.start()
        self._waiting = selectors.DefaultSelector()
        self._waiting.register(self._out, selectors.EVENT_READ)
        self._left = b""
        self.ask([json.dumps(_HELLO).encode(), json.dumps(_READY).encode()], {"hello"})

    def ask(self, lines: Sequence[bytes], awaited: set[str]) -> list[dict[str, Any]]:
        """Says the lines, and waits until each of these was answered; every answer that came meanwhile."""
        writer = threading.Thread(target=self._say, args=(b"".join(line + b"\n" for line in lines),), daemon=True)
        writer.start()
        answers: list[dict[str, Any]] = []
        missing = set(awaited)
        while missing:
            for line in self._lines():
                answer = json.loads(line)
                expect(isinstance(answer, dict), f"an answer that is none: {line[:100]!r}")
                answers.append(answer)
                own = answer.get("id")
                if "method" not in answer and isinstance(own, str):
                    missing.discard(own)
        writer.join()
        return answers

    def stop(self) -> None:
        os.close(self._in)
        self._thread.join(_SILENCE)
        self._waiting.close()
        os.close(self._out)

    def _say(self, data: bytes) -> None:
        at = 0
        try:
            while at < len(data):
                at += os.write(self._in, data[at:])
        except OSError:
            return  # it is gone, which whoever waits for its answer will notice

    def _lines(self) -> list[bytes]:
        if not self._waiting.select(_SILENCE):
            raise Wrong("the server says nothing any more")
        got = os.read(self._out, 1 << 16)
        if not got:
            raise Wrong("the server is gone")
        *whole, self._left = (self._left + got).split(b"\n")
        return whole

    def _serve(self, workspace: Workspace) -> None:
        incoming = TextIOWrapper(os.fdopen(self._theirs_in, "rb"), encoding="utf-8", errors="replace")
        outgoing = TextIOWrapper(os.fdopen(self._theirs_out, "wb"), encoding="utf-8")
        try:
            anyio.run(_converse, workspace, incoming, outgoing)
        finally:
            incoming.close()
            outgoing.close()


async def _converse(workspace: Workspace, incoming: TextIOWrapper, outgoing: TextIOWrapper) -> None:
    server = Service(lambda _: workspace, _SURFACES, _ROOM).server()
    async with stdio_server(anyio.wrap_file(incoming), anyio.wrap_file(outgoing)) as (read, write):
        await server.run(read, write, server.create_initialization_options())


CAMPAIGN = Campaign("messages", "MCP: raw lines, and calls of every tool", samples, ready, _WORDS, longest=4096)
