"""How do agents elsewhere reach the workspace? Over HTTP, each as the principal that the guard in front made of it."""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import Receive, Scope, Send

from dowse.shells.mcp.running import Context
from dowse.shells.mcp.server import Service
from dowse.shells.mcp.tool import TellFreshness

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace
    from dowse.shells.http.sharing import Readers

WorkspaceFor = Callable[[Scope], "Workspace"]
# An agent that says nothing for an hour has gone; when it comes back it begins anew.
_IDLE = 3600.0
_SESSIONS = 1000


class McpApp:
    """An ASGI application for the Streamable HTTP transport. A session belongs to the principal that began it."""

    def __init__(
        self,
        workspace_for: WorkspaceFor,
        surfaces: Iterable[str],
        tokens: int,
        freshness: TellFreshness | None = None,
        readers: "Readers | None" = None,
    ) -> None:
        self._workspace_for = workspace_for
        service = Service(self._workspace_of, surfaces, tokens, freshness=freshness, readers=readers)
        # Host and Origin are checked by the guard in front, which knows the names this server goes by.
        self._sessions = StreamableHTTPSessionManager(
            service.server(),
            security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
            session_idle_timeout=_IDLE,
            max_sessions=_SESSIONS,
        )

    @asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        """While it is open requests are answered; afterwards every session has ended."""
        async with self._sessions.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = self._workspace_for(scope).principal.name
        # The transport compares who asks with who began the session, and knows only its own kind of user.
        user = AuthenticatedUser(AccessToken(token="", client_id=name, scopes=[]))
        await self._sessions.handle_request({**scope, "user": user}, receive, send)

    def _workspace_of(self, context: Context) -> "Workspace":
        assert context.request is not None
        return self._workspace_for(context.request.scope)


def mcp_app(
    workspace_for: WorkspaceFor,
    surfaces: Iterable[str],
    tokens: int,
    freshness: TellFreshness | None = None,
    readers: "Readers | None" = None,
) -> McpApp:
    """The application; ``workspace_for`` gives, from the scope of a request, the workspace acting for its caller.

    ``freshness``: who tells how fresh a workspace's projects are, where a look at every answer would take too long. ``readers``:
    who answers what only reads; without them, threads of this process do.
    """
    return McpApp(workspace_for, surfaces, tokens, freshness, readers)
