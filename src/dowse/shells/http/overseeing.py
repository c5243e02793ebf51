"""How does the server do, and what does it do right now? Health, readiness, metrics, jobs and events."""

import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers
from starlette.responses import Response, StreamingResponse
from starlette.types import Scope

from dowse.app.permissions import Capability
from dowse.errors import DowseError
from dowse.shells.http import events, metrics
from dowse.shells.http.conditions import UNKEPT
from dowse.shells.http.events import Events
from dowse.shells.http.getting import JSON, json_response
from dowse.shells.http.jobs import Jobs
from dowse.shells.http.metrics import Metrics, Sample
from dowse.shells.http.problems import Refused
from dowse.shells.http.routing import ENDPOINTS, Lane
from dowse.shells.http.sharing import Readers
from dowse.shells.http.working import Lanes

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

_JOBS = "/api/jobs/"
_READ = ("GET", "HEAD")


@dataclass(frozen=True, slots=True)
class Own:
    """Something the server tells of itself."""

    name: str
    methods: tuple[str, ...]
    make: Callable[[Scope], Awaitable[Response]]

    async def respond(self, scope: Scope) -> Response:
        if scope["method"] not in self.methods:
            raise Refused(405, f"{scope['path']} takes {' or '.join(self.methods)}.", {"Allow": ", ".join(self.methods)})
        return await self.make(scope)


class Overseeing:
    """What a server tells of itself, by address."""

    def __init__(
        self, workspace: "Workspace", lanes: Lanes, jobs: Jobs, events: Events, metrics: Metrics, readers: Readers
    ) -> None:
        self._workspace = workspace
        self._lanes = lanes
        self._jobs = jobs
        self._events = events
        self._metrics = metrics
        self._readers = readers
        self._own = {
            "/api": Own("api", _READ, self._index),
            "/api/openapi.json": Own("openapi", _READ, self._openapi),
            "/api/jobs": Own("jobs", _READ, self._listed),
            "/api/events": Own("events", ("GET",), self._stream),
            "/health": Own("health", _READ, self._health),
            "/ready": Own("ready", _READ, self._ready),
            "/metrics": Own("metrics", _READ, self._counts),
        }
        self._job = Own("jobs", (*_READ, "DELETE"), self._one)

    def find(self, path: str) -> Own | None:
        return self._job if path.startswith(_JOBS) else self._own.get(path)

    async def _index(self, _: Scope) -> Response:
        listed = [
            {
                "name": found.operation.name,
                "address": path,
                "methods": [method for method in found.methods if method != "HEAD"],
                "summary": found.operation.summary,
            }
            for path, found in ENDPOINTS.items()
        ]
        further = {"description": "/api/openapi.json", "jobs": "/api/jobs", "events": "/api/events"}
        return json_response({"operations": listed, **further}, UNKEPT)

    async def _openapi(self, _: Scope) -> Response:
        return Response(_document(), headers={"Cache-Control": "no-cache"}, media_type=JSON)

    async def _listed(self, scope: Scope) -> Response:
        return json_response({"jobs": [job.json for job in self._jobs.listed(_caller(scope))]}, UNKEPT)

    async def _one(self, scope: Scope) -> Response:
        job = self._jobs.get(scope["path"].removeprefix(_JOBS), _caller(scope))
        if scope["method"] != "DELETE":
            return json_response(job.json, UNKEPT)
        self._jobs.cancel(job)
        return json_response(job.json, UNKEPT, 202)

    async def _stream(self, scope: Scope) -> Response:
        principal = _caller(scope)
        principal.require(Capability.READ)
        heard = self._events.listen(principal, Headers(scope=scope).get("last-event-id"))
        return StreamingResponse(heard, headers={**UNKEPT, "X-Accel-Buffering": "no"}, media_type=events.MEDIA_TYPE)

    async def _health(self, _: Scope) -> Response:
        return json_response({"alive": True}, UNKEPT)

    async def _ready(self, _: Scope) -> Response:
        try:
            await self._lanes.run(Lane.LOOK, lambda: self._workspace.generation)
        except DowseError as error:
            raise Refused(503, "The workspace does not answer right now.", {"Retry-After": "1"}) from error
        return json_response({"ready": True}, UNKEPT)

    async def _counts(self, scope: Scope) -> Response:
        _caller(scope).require(Capability.READ)
        status = await self._lanes.run(Lane.READ, scope["state"]["workspace"].status)
        text = self._metrics.text(self._gauges(status))
        return Response(text.encode(), headers=UNKEPT, media_type=metrics.MEDIA_TYPE)

    def _gauges(self, status: Any) -> Iterable[tuple[str, str, Iterable[Sample]]]:
        jobs = [({"state": state.value}, float(number)) for state, number in self._jobs.counted().items()]
        records = [({"kind": kind}, float(number)) for kind, number in status.records.items()]
        yield "dowse_requests_in_flight", "Requests that are being answered.", [({}, float(self._metrics.in_flight))]
        yield "dowse_generation", "The last commit of the index.", [({}, float(status.generation))]
        yield "dowse_updated_seconds", "When the index last changed.", [({}, status.updated)]
        yield "dowse_records", "Records that can be found.", records
        yield "dowse_passages_waiting", "Passages that wait for their vectors.", [({}, float(status.embedding.waiting))]
        yield "dowse_jobs", "Jobs by their state.", jobs
        yield "dowse_helpers", "Processes that help to answer.", [({}, float(len(self._readers.helpers)))]


@cache
def _document() -> bytes:
    from dowse.shells.http.describing_api import openapi  # reads every annotation, which most servers are never asked for

    return json.dumps(openapi(), separators=(",", ":")).encode()


def _caller(scope: Scope) -> Any:
    return scope["state"]["workspace"].principal
