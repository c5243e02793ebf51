"""What does a client hear beside its answers? What could not be done, if it wants to; the same goes to the server's own log."""

import logging
from typing import Any, get_args

import mcp_types as types
from mcp.server.connection import allowed_log_levels
from mcp.server.lowlevel import Server

from dowse.shells.mcp.running import Context

_LEVELS: tuple[types.LoggingLevel, ...] = get_args(types.LoggingLevel)
_log = logging.getLogger(__name__)
_NAME = "dowse"
# Sessions whose wish is remembered; a server that runs for months forgets the oldest.
_SESSIONS = 1000
_SESSION_HEADER = "mcp-session-id"


class ClientLog:
    """Sends messages at or above the level a client asked for; newer clients say with each request whether they want any."""

    def __init__(self) -> None:
        self._least: dict[str, types.LoggingLevel] = {}

    def serve(self, server: Server[Any]) -> None:
        server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, self._set_level)

    async def tell(self, context: Context, level: types.LoggingLevel, message: str) -> None:
        _log.log(logging.ERROR if level == "error" else logging.WARNING, "%s", message)
        least = self._least.get(_session(context), _LEVELS[0])
        if level not in allowed_log_levels(context.protocol_version, context.meta) or _LEVELS.index(level) < _LEVELS.index(least):
            return
        params = types.LoggingMessageNotificationParams(level=level, logger=_NAME, data=message)
        await context.session.send_notification(types.LoggingMessageNotification(params=params), context.request_id)

    async def _set_level(self, context: Context, params: types.SetLevelRequestParams) -> types.EmptyResult:
        if len(self._least) >= _SESSIONS:
            del self._least[next(iter(self._least))]
        self._least[_session(context)] = params.level
        return types.EmptyResult()


def _session(context: Context) -> str:
    """The session a request belongs to; over standard input there is only one."""
    return context.request.headers.get(_SESSION_HEADER, "") if context.request is not None else ""
