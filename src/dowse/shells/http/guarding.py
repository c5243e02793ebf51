"""May this request come in? Its host, its origin, its size and its caller are looked at before anything else is."""

import ipaddress
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dowse.shells.http.callers import Callers
from dowse.shells.http.limits import Limits
from dowse.shells.http.problems import Refused
from dowse.shells.http.routing import ENDPOINTS

# What tells of the workspace; the rest is the page's own files, the same for everyone.
_GUARDED = ("/api", "/mcp", "/metrics", "/page")
_OPEN = ("/page/static/",)
_LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
_ALLOWED_METHODS = "GET, POST, DELETE"
_ALLOWED_HEADERS = "Authorization, Content-Type, Prefer, If-None-Match, Last-Event-ID, Mcp-Session-Id, Mcp-Protocol-Version"
_EXPOSED_HEADERS = "ETag, Link, Location, Retry-After, Dowse-Answer, Mcp-Session-Id"
# A browser asks again after this many seconds.
_PREFLIGHT_SECONDS = "600"
_LONGEST_LENGTH = 20


class Guard:
    """Lets in who may come in; ``state.workspace`` is then the workspace as the caller sees it."""

    def __init__(
        self, app: ASGIApp, callers: Callers, *, hosts: Iterable[str] = (), origins: Iterable[str] = (), limits: Limits
    ) -> None:
        self._app = app
        self._callers = callers
        self._hosts = frozenset(name.lower().strip("[]") for name in (*_LOCAL_NAMES, *hosts))
        self._origins = frozenset(origin.lower().rstrip("/") for origin in origins)
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        path: str = scope["path"]
        self._check_host(headers.get("host", ""), scope)
        origin = self._check_origin(headers, scope)
        if origin is not None:
            send = _with_origin(send, origin)
            if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
                await _preflight(send)
                return
        most = self._check_size(headers, path, scope)
        caller = await self._callers.identify(headers.get("authorization"), scope["client"][0] if scope["client"] else "")
        state = scope.setdefault("state", {})
        if caller is not None:
            state["workspace"] = caller.workspace
        elif is_guarded(path):
            raise self._callers.demand()
        state["owner"] = caller is not None and caller.owner
        await self._app(scope, _counted(receive, most), send)

    def _check_host(self, host: str, scope: Scope) -> None:
        """A name nobody gave this server may be one that leads here to let a foreign page read it (DNS rebinding)."""
        name = _hostname(host)
        own = (scope.get("server") or ("",))[0]
        if name in self._hosts or (name == own and _is_address(name)):
            return
        raise Refused(421, f"This server does not go by the name {name!r}. Allow it with --allow-host.")

    def _check_origin(self, headers: Mapping[str, str], scope: Scope) -> str | None:
        """The foreign origin that may call, if one does; any other is refused. Links may lead to the page, not into the API."""
        origin = headers.get("origin", "").lower()
        if origin and _place(origin) != headers.get("host", "").lower():
            if origin in self._origins:
                return origin
            raise Refused(403, f"Pages of {origin} may not call this server. Allow them with --allow-origin.")
        if not origin and headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            visiting = headers.get("sec-fetch-mode") == "navigate" and scope["method"] in ("GET", "HEAD")
            if not visiting or is_guarded(scope["path"]):
                raise Refused(403, "Another site's page sent this request.")
        return None

    def _check_size(self, headers: Mapping[str, str], path: str, scope: Scope) -> int:
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > self._limits.address_bytes:
            raise Refused(
                414, f"The address is longer than {self._limits.address_bytes:,} bytes. Send long values with POST, in a JSON body."
            )
        found = ENDPOINTS.get(path)
        most = self._limits.file_bytes if found is not None and found.takes is not None else self._limits.json_bytes
        length = headers.get("content-length", "0")
        # More digits than any length has; Python refuses to read very many.
        if not length.isdecimal() or len(length) > _LONGEST_LENGTH:
            raise Refused(400, "Content-Length is no number.")
        if int(length) > most:
            raise _too_large(most)
        return most


def is_guarded(path: str) -> bool:
    """Whether only someone who is known may ask for it."""
    return any(path == part or path.startswith(f"{part}/") for part in _GUARDED) and not path.startswith(_OPEN)


def _counted(receive: Receive, most: int) -> Receive:
    """The same body, unless more comes than may; a sender need not say beforehand how much it is."""
    so_far = 0

    async def receive_counted() -> Message:
        nonlocal so_far
        message = await receive()
        so_far += len(message.get("body", b""))
        if so_far > most:
            raise _too_large(most)
        return message

    return receive_counted


def _too_large(most: int) -> Refused:
    return Refused(413, f"The body is larger than {most:,} bytes, the most that is taken here.", {"Connection": "close"})


def _with_origin(send: Send, origin: str) -> Send:
    allowed = [
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-expose-headers", _EXPOSED_HEADERS.encode()),
        (b"vary", b"Origin"),
    ]

    async def send_allowed(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *allowed]
        await send(message)

    return send_allowed


async def _preflight(send: Send) -> None:
    headers = [
        (b"access-control-allow-methods", _ALLOWED_METHODS.encode()),
        (b"access-control-allow-headers", _ALLOWED_HEADERS.encode()),
        (b"access-control-max-age", _PREFLIGHT_SECONDS.encode()),
    ]
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def _place(origin: str) -> str:
    """The host and port that an origin names; nothing where it is no address at all."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _hostname(host: str) -> str:
    """The name in a Host header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower().rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
