"""Is what the caller has still true? Told by the index's generation, before anything is searched."""

import hashlib
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

from dowse.app.operations import Values
from dowse.model.page import Listing, Page
from dowse.shells.http.routing import Endpoint

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

# Every caller has an answer of their own, and asks each time whether it still holds.
KEPT = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Accept-Encoding"}
UNKEPT = {"Cache-Control": "no-store"}


def entity_tag(instance: str, workspace: "Workspace", address: str, further: Any) -> str:
    """What an answer depends on. Weak, because an encoding may be laid around it.

    ``instance``: this run of the server, for a workspace may be replaced by another that counts from one again. ``further``: what
    the answer tells beside the index. The generation is read first, so an answer is never older than its tag says.
    """
    depends = repr((instance, workspace.principal.name, _told(workspace), address, further))
    return f'W/"{workspace.generation}-{hashlib.blake2b(depends.encode("utf-8", "surrogatepass"), digest_size=9).hexdigest()}"'


def matches(tag: str, if_none_match: str | None) -> bool:
    """Whether one of the caller's tags is this one. A star would need to know whether there is an answer, and finds none here."""
    if if_none_match is None:
        return False
    given = [item.strip().removeprefix("W/") for item in if_none_match.split(",")]
    return tag.removeprefix("W/") in given


def is_passing(result: Any) -> bool:
    """Whether the same question may be answered better in a moment, without anyone writing."""
    return bool(getattr(result, "degraded", ())) and bool(getattr(result, "passing", True))


def next_link(endpoint: Endpoint, values: Values, result: Any, workspace: "Workspace", query: bytes) -> dict[str, str]:
    """Where the next page is, if there is one and it can be asked for."""
    following = result.next_offset if isinstance(result, Page | Listing) else None
    if following is None or endpoint.operation.parameter("offset") is None:
        return {}
    surface = workspace.surface(endpoint.operation.surface(values)) if endpoint.operation.surface is not None else None
    if surface is not None and not any(item.into == "offset" for item in surface.parameters):
        return {}
    kept = [pair for pair in parse_qsl(query.decode(), keep_blank_values=True) if pair[0] != "offset"]
    return {"Link": f'<{endpoint.path}?{urlencode([*kept, ("offset", following)])}>; rel="next"'}


def _told(workspace: "Workspace") -> Any:
    principal = workspace.principal
    return sorted(principal.capabilities), principal.reach, principal.roots
