"""How do the page's own files reach a browser? From the package, once each, unless the browser has them already."""

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

INDEX = "index.html"

_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
# The browser asks each time whether a file is still the same: after an update nobody sees an old page, and the answer is small.
_HEADERS = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}


@dataclass(frozen=True, slots=True)
class Asset:
    content: bytes
    type: str
    tag: str


def answer(request: Request, name: str) -> Response:
    """A file of the page, or that there is none of that name."""
    asset = _assets().get(name)
    if asset is None:
        return PlainTextResponse(f"The page has no file {name!r}.", 404)
    headers = {**_HEADERS, "ETag": asset.tag}
    if asset.tag in {tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")}:
        return Response(status_code=304, headers=headers)
    return Response(asset.content, media_type=asset.type, headers=headers)


@cache
def _assets() -> dict[str, Asset]:
    """Every file by name. A name is looked up here and never made a path, so that none leads out of the folder."""
    folder = resources.files("dowse.shells.http.page") / "static"
    found = {}
    for entry in sorted(folder.iterdir(), key=lambda item: item.name):
        ending = entry.name.rpartition(".")[2]
        if ending in _TYPES:
            content = entry.read_bytes()
            found[entry.name] = Asset(content, _TYPES[ending], f'"{hashlib.sha256(content).hexdigest()[:20]}"')
    return found
