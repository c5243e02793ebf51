"""Which addresses does the page have? Its files, and answers to what it asks, made of the same operations as everywhere."""

from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from dowse.shells.http.asking import Ask
from dowse.shells.http.page import assets
from dowse.shells.http.page.asking import NAMES, PageAsked

# An answer is good for one moment and one caller.
_UNKEPT = {"Cache-Control": "no-store"}


def routes(ask: Ask) -> list[BaseRoute]:
    """Everything that belongs to the page, for the application to mount. ``ask``: who answers what only reads the index."""
    return [
        Route("/", _index),
        Route("/page/static/{name}", _asset),
        *(Route(f"/page/{name}", _answering(name, ask)) for name in NAMES),
    ]


def _answering(name: str, ask: Ask) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        asked = PageAsked(name, tuple(request.query_params.multi_items()), _at_home(request))
        workspace = request.state.workspace
        if asked.is_shared:
            body = await ask(workspace, lambda: asked)
        else:
            # In a thread: it waits for the disk, and others must not wait with it.
            body = await run_in_threadpool(asked.answer, workspace)
        return Response(body, headers=_UNKEPT, media_type="application/json")

    return answer


async def _index(request: Request) -> Response:
    return assets.answer(request, assets.INDEX)


async def _asset(request: Request) -> Response:
    return assets.answer(request, request.path_params["name"])


def _at_home(request: Request) -> bool:
    """Whether the owner asks, from this machine: then a link into an editor opens one here."""
    return bool(getattr(request.state, "owner", False))
