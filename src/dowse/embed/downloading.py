"""How does a model get here? From the hub, only when a user asks: resumed where it stopped, checked, then put in place at once."""

import errno
import hashlib
import os
import shutil
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from email.message import Message
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, urlsplit

from dowse.embed.locating import models_folder
from dowse.embed.profiles import known, named
from dowse.errors import EmbeddingFailed
from dowse.model.declaring import dataclass
from dowse.version import __version__

HUB_VARIABLE = "DOWSE_HUB"
HUB = "https://huggingface.co"

# Of silence, before a connection counts as lost.
TIMEOUT = 30.0

CHUNK = 1 << 18

Progress = Callable[[int, int], None]
"""Bytes that are here, and bytes there are; 0 where the hub does not tell."""


@dataclass(frozen=True, slots=True)
class _Offer:
    """What the hub says of a file: how long it is in all (0: it does not say) and its checksum (empty: it does not say)."""

    total: int
    checksum: str
    begins: int


def download(
    name: str,
    into: Path | None = None,
    progress: Progress = lambda _done, _total: None,
    *,
    base_url: str | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Path:
    """Fetches a known model; the folder it now lies in. What is there already is not fetched again."""
    model = named(name)
    if model is None:
        raise EmbeddingFailed(f"there is no known model {name!r}; known are {', '.join(each.name for each in known())}")
    folder = (into or models_folder(environment)) / model.name
    hub = _usable(base_url or environment.get(HUB_VARIABLE) or HUB)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, target in ((model.tokenizer, folder / "tokenizer.json"), (model.model, folder / "model.onnx")):
            if not target.exists():
                url = f"{hub}/{model.repository}/resolve/{quote(model.revision)}/{quote(file)}"
                _fetch(url, target, dict(model.checksums).get(file, ""), progress)
    except OSError as error:
        raise EmbeddingFailed(_unwritable(folder, error)) from error
    return folder


def _fetch(url: str, target: Path, pinned: str, progress: Progress) -> None:
    part = target.with_name(target.name + ".part")
    offer = _bring(url, part, progress)
    size = part.stat().st_size
    if offer.total and size < offer.total:
        cut = f"the connection to {_host(url)} was cut after {size} of {offer.total} bytes"
        raise EmbeddingFailed(f"{cut}; the same command goes on from there")
    expected = pinned or offer.checksum
    if (offer.total and size > offer.total) or (expected and not _fits(part, expected)):
        part.unlink()
        raise EmbeddingFailed(f"what came from {url} is not what the hub announced (checksum); it was removed, try again")
    part.replace(target)


def _bring(url: str, part: Path, progress: Progress) -> _Offer:
    have = part.stat().st_size if part.exists() else 0
    seen = _Announced()
    opener = urllib.request.build_opener(seen)
    request = urllib.request.Request(url, headers={"User-Agent": f"dowse/{__version__}", "Accept-Encoding": "identity"})
    if have:
        request.add_header("Range", f"bytes={have}-")
    try:
        with opener.open(request, timeout=TIMEOUT) as answer:
            offer = _offer(answer.status, answer.headers, seen)
            _pour(answer, part, offer, progress)
            return offer
    except urllib.error.HTTPError as error:
        with error:
            if error.code == 416 and have:
                return _beyond(url, part, progress, error.headers, seen)
            raise EmbeddingFailed(_refused(url, error.code)) from error
    except urllib.error.URLError as error:
        raise EmbeddingFailed(f"{_host(url)} cannot be reached: {error.reason}") from error
    except (HTTPException, TimeoutError, ConnectionError, ssl.SSLError) as error:
        told = str(error) or type(error).__name__
        raise EmbeddingFailed(f"the connection to {_host(url)} was lost ({told}); the same command goes on from there") from error


def _beyond(url: str, part: Path, progress: Progress, headers: "Message[str, str]", seen: "_Announced") -> _Offer:
    """Nothing lies behind what is here: it is whole, or it is something else and we begin anew."""
    total = _total(headers.get("Content-Range"))
    if total == part.stat().st_size:
        return _Offer(total, _checksum(headers, seen), total)
    part.unlink()
    return _bring(url, part, progress)


def _pour(answer: Any, part: Path, offer: _Offer, progress: Progress) -> None:
    room = shutil.disk_usage(part.parent).free
    if offer.total - offer.begins > room:
        raise OSError(errno.ENOSPC, f"{offer.total - offer.begins} bytes are to come, {room} are free")
    done = offer.begins
    with part.open("ab" if offer.begins else "wb") as file:
        progress(done, offer.total)
        while chunk := answer.read(CHUNK):
            file.write(chunk)
            done += len(chunk)
            progress(done, offer.total)


def _offer(status: int, headers: HTTPMessage, seen: "_Announced") -> _Offer:
    if status == 206:
        told = headers.get("Content-Range") or ""
        begins = told.removeprefix("bytes ").partition("-")[0]
        return _Offer(_total(told), _checksum(headers, seen), int(begins) if begins.isdigit() else 0)
    length = headers.get("Content-Length") or ""
    return _Offer(int(length) if length.isdigit() else 0, _checksum(headers, seen), 0)


def _total(content_range: str | None) -> int:
    total = (content_range or "").rpartition("/")[2]
    return int(total) if total.isdigit() else 0


class _Announced(urllib.request.HTTPRedirectHandler):
    """Follows the hub to where large files lie, and remembers the checksum it announced before it sent us there."""

    def __init__(self) -> None:
        self.checksum = ""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        self.checksum = self.checksum or _bare(headers.get("X-Linked-ETag"))
        if urlsplit(req.full_url).scheme == "https" and urlsplit(newurl).scheme != "https":
            raise EmbeddingFailed(f"{_host(req.full_url)} sends us to {newurl}, which is not encrypted")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _checksum(headers: "Message[str, str]", seen: _Announced) -> str:
    return seen.checksum or _bare(headers.get("X-Linked-ETag")) or _bare(headers.get("ETag"))


def _bare(tag: str | None) -> str:
    told = (tag or "").removeprefix("W/").strip('"').lower()
    return told if len(told) in (40, 64) and set(told) <= set("0123456789abcdef") else ""


def _fits(path: Path, checksum: str) -> bool:
    """Large files are announced by their sha256, small ones by the name git gives them."""
    digest = hashlib.sha256() if len(checksum) == 64 else hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest() == checksum


def _usable(hub: str) -> str:
    if urlsplit(hub).scheme not in ("http", "https"):
        raise EmbeddingFailed(f"{hub!r} is no hub; it must begin with https:// or http://")
    return hub.rstrip("/")


def _host(url: str) -> str:
    return urlsplit(url).hostname or url


def _refused(url: str, status: int) -> str:
    # The hub answers 401 for repositories that do not exist, so as not to tell which exist in private.
    if status in (401, 403, 404):
        return f"there is no {url} (the hub answers {status})"
    return f"{_host(url)} answers {status} for {url}; try again later"


def _unwritable(folder: Path, error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return f"the disk is full: {error.strerror}; make room for {folder}, the same command goes on from there"
    return f"cannot write to {folder}: {error.strerror or error}"
