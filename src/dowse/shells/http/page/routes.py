"""Which addresses does the page have? Its files, and answers to what it asks, made of the same operations as everywhere."""

from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from dowse.app.workspace import Workspace
from dowse.errors import InvalidRequest
from dowse.shells.http.page import assets
from dowse.shells.http.page.finding import found, why
from dowse.shells.http.page.overseeing import health, overview, status
from dowse.shells.http.page.reading import read
from dowse.shells.http.page.surrounding import around, links

# An answer is good for one moment and one caller.
_UNKEPT = {"Cache-Control": "no-store"}


def routes() -> list[BaseRoute]:
    """Everything that belongs to the page, for the application to mount."""
    return [
        Route("/", _index),
        Route("/page/static/{name}", _asset),
        Route("/page/search", _answering(lambda workspace, request: found(workspace, request.query_params.multi_items()))),
        Route(
            "/page/why", _answering(lambda workspace, request: why(workspace, _key(request), request.query_params.multi_items()))
        ),
        Route("/page/record", _answering(lambda workspace, request: read(workspace, _key(request), at_home=_at_home(request)))),
        Route("/page/around", _answering(lambda workspace, request: around(workspace, _key(request)))),
        Route("/page/links", _answering(lambda workspace, request: links(workspace, _key(request)))),
        Route("/page/overview", _answering(lambda workspace, _: overview(workspace))),
        Route("/page/status", _answering(lambda workspace, _: status(workspace))),
        Route("/page/health", _answering(lambda workspace, _: health(workspace))),
    ]


def _answering(make: Callable[[Workspace, Request], Any]) -> Callable[[Request], Any]:
    """Asks the workspace in a thread: it waits for the disk, and others must not wait with it."""

    async def answer(request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(make, request.state.workspace, request), headers=_UNKEPT)

    return answer


async def _index(request: Request) -> Response:
    return assets.answer(request, assets.INDEX)


async def _asset(request: Request) -> Response:
    return assets.answer(request, request.path_params["name"])


def _key(request: Request) -> str:
    key = request.query_params.get("key", "")
    if not key:
        raise InvalidRequest("Which record? Name it with key.")
    return key


def _at_home(request: Request) -> bool:
    """Whether the owner asks, from this machine: then a link into an editor opens one here."""
    return bool(getattr(request.state, "owner", False))
