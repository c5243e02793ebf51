"""What is the answer to what only reads? The operation's, or that the caller has it already."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from dowse.app.answering import answer
from dowse.app.permissions import Capability
from dowse.model.run import Freshness
from dowse.shells.http.conditions import KEPT, UNKEPT, entity_tag, is_passing, matches, next_link
from dowse.shells.http.recent import Recent
from dowse.shells.http.routing import Endpoint

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request asks for, as another process can be told it. ``known``: the tags of what the caller has."""

    path: str
    given: dict[str, Any]
    query: bytes
    known: str | None


@dataclass(frozen=True, slots=True)
class Getting:
    """Answers what only reads. ``fresh``: how fresh the projects are, as a caller may know it; ``instance``: which run of the
    server this is."""

    fresh: "Recent[Workspace, tuple[Freshness, ...]]"
    instance: str

    def answer(self, endpoint: Endpoint, workspace: "Workspace", asked: Asked) -> Response:
        operation = endpoint.operation
        values = operation.check(asked.given)
        known = self.freshness(endpoint, workspace)
        tag = None
        if endpoint.steady and not values.get("rescore"):
            tag = entity_tag(self.instance, workspace, f"{asked.path}?{asked.query.decode()}", known)
            if matches(tag, asked.known):
                return Response(status_code=304, headers={**KEPT, "ETag": tag})
        result = operation.run(workspace, values)
        headers = {**KEPT, "ETag": tag} if tag is not None and not is_passing(result) else UNKEPT
        links = next_link(endpoint, values, result, workspace, asked.query)
        return json_response(answer(operation, values, result, workspace, lambda _: known), {**headers, **links})

    def freshness(self, endpoint: Endpoint, workspace: "Workspace") -> tuple[Freshness, ...]:
        """How fresh the projects are, where the answer tells it."""
        tells = endpoint.operation.surface is not None and Capability.READ in workspace.principal.capabilities
        return self.fresh.get(workspace) if tells else ()


def json_response(value: Any, headers: dict[str, str], status: int = 200) -> Response:
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return Response(body, status, headers, JSON)
