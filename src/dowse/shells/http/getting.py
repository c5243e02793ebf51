"""What is the answer to what only reads? The operation's, or that the caller has it already."""

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dowse.app.answering import answer
from dowse.app.permissions import Capability
from dowse.model.run import Freshness
from dowse.shells.http.conditions import KEPT, UNKEPT, entity_tag, is_passing, matches, next_link
from dowse.shells.http.recent import Recent
from dowse.shells.http.routing import ENDPOINTS, Endpoint

if TYPE_CHECKING:
    from starlette.responses import Response

    from dowse.app.workspace import Workspace

JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Got:
    """An answer before it is one of HTTP: those who help to make it need to know nothing of that."""

    body: bytes
    headers: dict[str, str]
    status: int = 200


@dataclass(frozen=True, slots=True)
class Cached:
    """What someone asks by who may have the answer already. ``query``: as it stands in the address; ``known``: the tags of what
    they have; ``instance``: which run of the server they ask."""

    query: bytes
    known: str | None
    instance: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request asks for. ``fresh``: how fresh the projects are, where the answer tells it; ``cached``: None where no answer
    is ever kept."""

    path: str
    given: dict[str, Any]
    fresh: tuple[Freshness, ...] = ()
    cached: Cached | None = field(default=None)

    def answer(self, workspace: "Workspace") -> Got:
        endpoint = ENDPOINTS[self.path]
        operation = endpoint.operation
        values = operation.check(self.given)
        tag = self._tag(endpoint, workspace) if not values.get("rescore") else None
        if tag is not None and self.cached is not None and matches(tag, self.cached.known):
            return Got(b"", {**KEPT, "ETag": tag}, 304)
        result = operation.run(workspace, values)
        headers = {**KEPT, "ETag": tag} if tag is not None and not is_passing(result) else UNKEPT
        links = next_link(endpoint, values, result, workspace, self.cached.query) if self.cached is not None else {}
        return Got(to_json(answer(operation, values, result, workspace, lambda _: self.fresh)), {**headers, **links})

    def _tag(self, endpoint: Endpoint, workspace: "Workspace") -> str | None:
        if self.cached is None or not endpoint.steady:
            return None
        return entity_tag(self.cached.instance, workspace, f"{self.path}?{self.cached.query.decode()}", self.fresh)


@dataclass(frozen=True, slots=True)
class Getting:
    """Makes questions of requests. ``recent``: how fresh the projects are, as a caller may know it; ``instance``: which run of
    the server this is."""

    recent: "Recent[Workspace, tuple[Freshness, ...]]"
    instance: str

    def by_address(
        self, endpoint: Endpoint, workspace: "Workspace", given: dict[str, Any], query: bytes, known: str | None
    ) -> Asked:
        return Asked(endpoint.path, given, self.freshness(endpoint, workspace), Cached(query, known, self.instance))

    def by_body(self, endpoint: Endpoint, workspace: "Workspace", given: dict[str, Any]) -> Asked:
        return Asked(endpoint.path, given, self.freshness(endpoint, workspace))

    def freshness(self, endpoint: Endpoint, workspace: "Workspace") -> tuple[Freshness, ...]:
        """How fresh the projects are, where the answer tells it."""
        tells = endpoint.operation.surface is not None and Capability.READ in workspace.principal.capabilities
        return self.recent.get(workspace) if tells else ()


def to_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def json_response(value: Any, headers: dict[str, str], status: int = 200) -> "Response":
    return response_of(Got(to_json(value), headers, status))


def response_of(got: Got) -> "Response":
    from starlette.responses import Response  # those who only help to answer do not need it

    return Response(got.body, got.status, got.headers, JSON if got.body else None)
