"""What does every answer have in common? Headers that keep browsers careful, a problem for every error, and a count."""

from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dowse.shells.http.metrics import Metrics
from dowse.shells.http.problems import Problem, problem_response

# The page is made of its own files alone, talks to its own server alone, and stands in no other page.
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'none'",
    )
)
SECURITY: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Facing:
    """The outermost part: nothing leaves the server but through it."""

    def __init__(
        self, app: ASGIApp, metrics: Metrics, describe: Callable[[BaseException], Problem], clock: Callable[[], float]
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._describe = describe
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = self._clock()
        status = 0

        async def send_facing(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                given = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(item for item in SECURITY if item[0] not in given)]
            await send(message)

        scope.setdefault("state", {})
        self._metrics.in_flight += 1
        try:
            await self._app(scope, receive, send_facing)
        except Exception as error:
            # The last place: an error becomes a problem, or ends an answer half-way.
            problem = self._describe(error)
            if status:
                raise
            await problem_response(problem)(scope, receive, send_facing)
        finally:
            self._metrics.in_flight -= 1
            operation = scope["state"].get("operation", "other")
            self._metrics.count(operation, _method(scope), status, self._clock() - began)


def _method(scope: Scope) -> str:
    """Anyone can invent methods; they are not counted one by one."""
    return scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "DELETE", "OPTIONS") else "other"
