"""From a request to the answer of its operation."""

import asyncio
import json
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING, Any

from starlette.datastructures import Headers
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope

from dowse.app.answering import answer
from dowse.app.permissions import Principal
from dowse.shells.http.conditions import UNKEPT
from dowse.shells.http.getting import JSON, Asked, Getting, Got, json_response, response_of
from dowse.shells.http.jobs import Job, Jobs, State
from dowse.shells.http.problems import Problem, Refused, problem_response
from dowse.shells.http.reading import from_json, from_query
from dowse.shells.http.routing import REPAIRING, WRITING, Endpoint, Lane
from dowse.shells.http.sharing import Readers
from dowse.shells.http.spooling import Spooled, pieces, received, written
from dowse.shells.http.working import Lanes

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

LINES = "application/x-ndjson"
# Lines of JSON have several names, and some programs send any file as octets.
_LINES_TYPES = (LINES, "application/jsonl", "application/x-jsonlines", "application/octet-stream")
_CANCELLED = Problem(409, "cancelled", "The job was cancelled. What it had committed stays.")


@dataclass(frozen=True, slots=True)
class _Call:
    """An operation to be performed. ``after``: what is left to do when it is over, however it ends."""

    endpoint: Endpoint
    workspace: "Workspace"
    given: dict[str, Any]
    after: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class Performing:
    """Performs operations for requests. ``whole``: the workspace as its owner sees it; ``readers``: who answers what only reads."""

    whole: "Workspace"
    lanes: Lanes
    jobs: Jobs
    getting: Getting
    readers: Readers

    async def respond(self, endpoint: Endpoint, scope: Scope, receive: Receive) -> Response:
        if scope["method"] not in endpoint.methods:
            raise Refused(405, f"{endpoint.path} takes {' or '.join(endpoint.methods)}.", {"Allow": ", ".join(endpoint.methods)})
        workspace: Workspace = scope["state"]["workspace"]
        headers = Headers(scope=scope)
        if scope["method"] == "POST":
            call = await self._posted(endpoint, workspace, scope, headers, receive)
        else:
            call = _Call(endpoint, workspace, from_query(endpoint.operation, scope["query_string"], leave_out=WRITING))
        if endpoint.gives is not None and endpoint.takes not in call.given:
            return await self._file(call)
        if scope["method"] == "POST":
            return await self._done(call, is_async="respond-async" in headers.get("prefer", ""))
        query, known = scope["query_string"], headers.get("if-none-match")
        return await self._read(call, lambda: self.getting.by_address(endpoint, workspace, call.given, query, known))

    async def _done(self, call: _Call, *, is_async: bool) -> Response:
        if call.endpoint.is_shared(call.given):
            return await self._read(call, lambda: self.getting.by_body(call.endpoint, call.workspace, call.given))
        return await self._run(call, call.workspace.principal, is_async=is_async)

    async def _read(self, call: _Call, asked: Callable[[], Asked]) -> Response:
        if call.endpoint.is_shared(call.given):
            got: Got = await self.readers.ask(call.workspace, asked)
        else:
            got = await self.lanes.run(call.endpoint.lane_of(call.given), lambda: asked().answer(call.workspace))
        return response_of(got)

    async def _posted(self, endpoint: Endpoint, workspace: "Workspace", scope: Scope, headers: Headers, receive: Receive) -> _Call:
        media = headers.get("content-type", "").partition(";")[0].strip().lower()
        if endpoint.takes is not None:
            _expect(media, _LINES_TYPES, LINES)
            given = from_query(endpoint.operation, scope["query_string"], leave_out=WRITING)
            return await self._with_file(endpoint, workspace.principal, given, receive)
        body = await received(receive)
        _expect(media, (JSON,) if body else (JSON, ""), JSON)
        if scope["query_string"]:
            raise Refused(400, "With POST the parameters stand in the JSON body, not in the query string.")
        return _Call(endpoint, workspace, from_json(endpoint.operation, body))

    async def _with_file(self, endpoint: Endpoint, principal: Principal, given: dict[str, Any], receive: Receive) -> _Call:
        """The body as a file. Its own folder is one that the caller may name, for this call alone."""
        spooled = Spooled()
        try:
            await spooled.fill(receive)
            whole = {**given, str(endpoint.takes): str(spooled.path)}
            endpoint.operation.check(whole)
        except BaseException:
            spooled.remove()
            raise
        confined = self.whole.acting_as(replace(principal, roots=(*(principal.roots or ()), spooled.folder)))
        return _Call(endpoint, confined, whole, spooled.remove)

    async def _run(self, call: _Call, principal: Principal, *, is_async: bool) -> Response:
        def work(report: Callable[..., None] | None) -> Any:
            reported = {call.endpoint.reports: report} if call.endpoint.reports is not None else {}
            values = operation.check({**call.given, **reported})
            with self.readers.resting() if call.given.get(REPAIRING) else nullcontext():
                result = operation.run(call.workspace, values)
            known = self.getting.freshness(call.endpoint, call.workspace)
            return answer(operation, values, result, call.workspace, lambda _: known)

        operation = call.endpoint.operation
        if call.endpoint.reports is None:
            try:
                return json_response(await self.lanes.run(call.endpoint.lane_of(call.given), lambda: work(None)), UNKEPT)
            finally:
                call.after()
        operation.check(call.given)
        job = self.jobs.start(operation.name, principal, work)
        job.done.add_done_callback(lambda _: call.after())
        if is_async:
            begun = {"Location": f"/api/jobs/{job.id}", "Preference-Applied": "respond-async"}
            return json_response(job.json, {**UNKEPT, **begun}, 202)
        # The work is the workspace's, not the connection's: it goes on although whoever waits for it here may go away.
        await asyncio.shield(job.done)
        return _outcome(job)

    async def _file(self, call: _Call) -> Response:
        """The answer is what was written; it is whole before the first byte is sent, so no slow reader keeps a snapshot open."""
        operation = call.endpoint.operation

        def write(out: IO[str]) -> Any:
            return operation.run(call.workspace, operation.check({**call.given, str(call.endpoint.gives): out}))

        result, file = await self.lanes.run(Lane.LONG, lambda: written(write))
        return StreamingResponse(pieces(file), headers={**UNKEPT, "Dowse-Answer": json.dumps(result)}, media_type=LINES)


def _outcome(job: Job) -> Response:
    if job.state is State.DONE:
        return json_response(job.answer, UNKEPT)
    return problem_response(job.problem or _CANCELLED)


def _expect(media: str, accepted: tuple[str, ...], wanted: str) -> None:
    if media not in accepted:
        raise Refused(415, f"The body must be {wanted}, not {media or 'something that says nothing of itself'}.")
