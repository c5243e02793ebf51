"""What does an llms.txt lead to? Its own words, and the documents it links to: beside it, or on the same host."""

import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO
from urllib.parse import unquote, urljoin, urlparse

from dowse.errors import InvalidRequest, NotFound
from dowse.ingest.libraries.folders import entry_file
from dowse.ingest.libraries.material import LARGEST_FILE, Edition, LibraryFile, Material, given
from dowse.ingest.libraries.offering import plain_name, shortened
from dowse.ingest.recognising import is_document, recognise
from dowse.ingest.walking import measured
from dowse.model.run import Message

NAMES = ("llms.txt", "llms-full.txt")
_SECONDS = 20
_MOST_DOCUMENTS = 500
_TITLE = re.compile(r"^#[ \t]+(.+)$", re.MULTILINE)
_SUMMARY = re.compile(r"^>[ \t]*(.+(?:\n>[ \t]*.+)*)", re.MULTILINE)
_LINK = re.compile(r"\[[^\]]*\]\(([^()\s]+)[^)]*\)")
_AGENT = {"User-Agent": "dowse (library add)", "Accept": "text/markdown, text/plain, text/html;q=0.8"}
_LANGUAGES = {"text/html": "html", "application/xhtml+xml": "html", "text/markdown": "markdown", "text/x-markdown": "markdown"}


def is_llms(place: str) -> bool:
    """Whether a path or URL is that of an llms.txt; such a file may also be a page of a site that answers in text."""
    name = (
        urlparse(place).path.rpartition("/")[2].lower() if _is_web(place) else place.replace("\\", "/").rpartition("/")[2].lower()
    )
    return name in NAMES or (_is_web(place) and name.endswith((".txt", ".md")))


def llms(place: str) -> Material:
    """The library that an llms.txt describes."""
    if _is_web(place):
        data, _ = _fetched(place, place)
        linked = _from_host(place, data)
        default = urlparse(place).hostname or "library"
    else:
        path = Path(place)
        data = path.read_bytes()
        linked = _from_folder(path, data)
        default = path.resolve().parent.name
    return _material(data, default, linked)


_Linked = Iterator[LibraryFile | Message]


def _material(data: bytes, default: str, linked: _Linked) -> Material:
    text = data[:LARGEST_FILE].decode("utf-8", "replace")
    title = _TITLE.search(text)
    summary = _SUMMARY.search(text)
    name = " ".join(title[1].split()) if title else default
    found = list(linked)
    # Whatever the file is called, it is written in Markdown.
    files = {"llms.txt": given("llms.txt", data, "markdown")} | {item.path: item for item in found if isinstance(item, LibraryFile)}
    return Material(
        name=plain_name(name),
        title=name,
        editions=(Edition("", tuple(files[path] for path in sorted(files))),),
        description=shortened(re.sub(r"^>[ \t]*", "", summary[1], flags=re.MULTILINE)) if summary else "",
        problems=tuple(item for item in found if isinstance(item, Message)),
    )


def _links(data: bytes) -> list[str]:
    text = data[:LARGEST_FILE].decode("utf-8", "replace")
    return list(dict.fromkeys(link.partition("#")[0] for link in _LINK.findall(text) if not link.startswith("#")))[:_MOST_DOCUMENTS]


def _from_folder(path: Path, data: bytes) -> _Linked:
    """Documents beside the file or below its folder; nothing is fetched, and nothing outside is read."""
    root = path.resolve().parent
    for link in _links(data):
        try:
            found = _beside(root, link)
        except (OSError, RuntimeError, ValueError) as error:
            # A link may be anything: no address, no name that a file can have, a circle of links on the disk.
            yield Message(link, f"left out: it leads nowhere ({error})")
            continue
        if found is not None:
            yield found


def _beside(root: Path, link: str) -> LibraryFile | Message | None:
    if urlparse(link).scheme or link.startswith("//"):
        return None
    location = (root / unquote(link).lstrip("/")).resolve()
    if not location.is_relative_to(root):
        return Message(link, "left out: it leads out of the folder")
    if not location.is_file():
        return Message(link, "left out: there is no such file")
    if not is_document(recognise(location.name)) or location.stat().st_size > LARGEST_FILE:
        return None
    return entry_file(location.relative_to(root).as_posix(), location)


def _from_host(url: str, data: bytes) -> _Linked:
    for link in _links(data):
        try:
            target = urljoin(url, link)
            if not _is_web(target) or _host(target) != _host(url) or target == url:
                continue
            content, language = _fetched(target, url)
        except (NotFound, InvalidRequest, ValueError) as error:
            yield Message(link, f"left out: {error}")
            continue
        path = unquote(urlparse(target).path).strip("/") or "index"
        own = recognise(path)
        yield given(path, content, language if language == "html" or not is_document(own) else own)


class _SameHost(urllib.request.HTTPRedirectHandler):
    """Follows a redirection only where the user's own address leads."""

    def __init__(self, host: str) -> None:
        self._host = host

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        if not _is_web(newurl) or _host(newurl) != self._host:
            raise InvalidRequest(f"{req.full_url} leads to another host, {_host(newurl)}.")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _fetched(url: str, given_url: str) -> tuple[bytes, str]:
    """The content at a URL, and the language its type tells."""
    opener = urllib.request.build_opener(_SameHost(_host(given_url)))
    try:
        with opener.open(urllib.request.Request(url, headers=_AGENT), timeout=_SECONDS) as answer:
            data: bytes = answer.read(LARGEST_FILE + 1)
            language = _LANGUAGES.get(answer.headers.get_content_type(), "markdown")
    except urllib.error.HTTPError as error:
        error.close()
        raise NotFound(f"{url} answers {error.code} {error.reason}.") from error
    except (urllib.error.URLError, OSError, HTTPException, ValueError) as error:
        raise NotFound(f"{url} cannot be reached: {getattr(error, 'reason', error)}.") from error
    if len(data) > LARGEST_FILE:
        raise InvalidRequest(f"{url} has more than {measured(LARGEST_FILE)}.")
    return data, language


def _is_web(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))


def _host(url: str) -> str:
    return urlparse(url).netloc.rpartition("@")[2].lower()
