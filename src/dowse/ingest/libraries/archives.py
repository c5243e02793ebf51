"""What does a wheel, a source archive or an npm tarball hold? Read in memory: nothing of it is ever written or run."""

import bz2
import gzip
import io
import lzma
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from dowse.errors import InvalidRequest
from dowse.ingest.libraries.material import LARGEST_FILE, LOCAL, Edition, LibraryFile, Material, given
from dowse.ingest.libraries.offering import Offer, described, documents, npm_package, plain_name, python_package
from dowse.ingest.recognising import recognise
from dowse.ingest.walking import measured, shown
from dowse.model.run import Message

ENDINGS = (".whl", ".zip", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar")
# A package with more is none that anyone reads; or it was made to fill a memory.
_MOST_MEMBERS = 100_000
_LARGEST_WHOLE = 256 * 1024 * 1024
# To pass over what is not read, an archive is unpacked all the same.
_LARGEST_UNPACKED = 4 * 1024 * 1024 * 1024
# What a tar tells of a member is read at once: some hundred bytes, and as many as someone likes.
_LARGEST_READ = 16 * 1024 * 1024
_PACKED: dict[bytes, Callable[..., Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
_LONGEST_MARK = 6
_READ = frozenset("markdown mdx rst asciidoc html notebook text python typescript json toml".split())
_METADATA = ("METADATA", "PKG-INFO")
# What a damaged archive makes its reader raise, besides the reader's own errors: places before the beginning of the file, broken
# names, streams of another kind.
_UNREADABLE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    lzma.LZMAError,
    struct.error,
    zlib.error,
)

_Member = tuple[str, bytes | None, str]
"""The path of a file, its content, or else why it is refused."""


def is_archive(path: Path) -> bool:
    return path.name.lower().endswith(ENDINGS)


def archive(path: Path) -> Material:
    """A package in an archive. Members that lead out of it, are links or are too large are refused, and told."""
    files: dict[str, LibraryFile] = {}
    metadata: dict[str, bytes] = {}
    problems: list[Message] = []
    for name, data, refused in _bounded(path):
        if data is None:
            problems.append(Message(name, refused))
        elif name.rpartition("/")[2] in _METADATA:
            metadata[name] = data
        else:
            files[name] = given(name, data)
    offer, fallback = _offer(files, metadata), _stem(path)
    return Material(
        name=plain_name(offer.name or fallback),
        title=offer.config.title or offer.name or fallback,
        editions=(Edition(offer.version, offer.files),),
        description=offer.description or described(offer.files),
        rules=offer.config.rules,
        problems=tuple(problems),
        owner=plain_name(offer.owner) if offer.owner else LOCAL,
    )


def _offer(files: dict[str, LibraryFile], metadata: dict[str, bytes]) -> Offer:
    top = _only_folder([*files, *metadata])
    inside = {path.removeprefix(top): LibraryFile(path.removeprefix(top), file.digest, file.load) for path, file in files.items()}
    if metadata:
        # The one nearest to the root is that of the package itself.
        return python_package(inside, metadata[min(metadata, key=lambda path: (path.count("/"), path))])
    return npm_package(inside) if "package.json" in inside else documents(inside)


def _only_folder(paths: list[str]) -> str:
    """The folder that everything is in, as in source archives."""
    tops = {path.partition("/")[0] if "/" in path else "" for path in paths}
    return f"{tops.pop()}/" if len(tops) == 1 and "" not in tops and not any(_is_package(path) for path in paths) else ""


def _is_package(path: str) -> bool:
    """A wheel of one package without metadata has it at its root, and its name is part of what is imported."""
    return path.count("/") == 1 and path.endswith("/__init__.py")


def _bounded(path: Path) -> Iterator[_Member]:
    read = 0
    for members, member in enumerate(_members(path), 1):
        read += len(member[1] or b"")
        if members > _MOST_MEMBERS or read > _LARGEST_WHOLE:
            raise InvalidRequest(
                f"{path.name} holds more than {_MOST_MEMBERS:,} files or {measured(_LARGEST_WHOLE)} of text; it is not read."
            )
        yield member


def _members(path: Path) -> Iterator[_Member]:
    try:
        yield from _zipped(path) if zipfile.is_zipfile(path) else _tarred(path)
    except _UNREADABLE as error:
        raise InvalidRequest(f"{path.name} is no archive that can be read: {error}.") from error


def _zipped(path: Path) -> Iterator[_Member]:
    with zipfile.ZipFile(path) as opened:
        for info in opened.infolist():
            if info.is_dir():
                continue
            name = shown(info.filename)
            refused = _refused(name, stat.S_ISLNK(info.external_attr >> 16), info.file_size)
            if refused or not _is_read(name):
                yield from ((name, None, refused),) if refused else ()
                continue
            with opened.open(info) as member:
                yield _within_limit(name, member.read(LARGEST_FILE + 1))


def _tarred(path: Path) -> Iterator[_Member]:
    with _unpacked(path) as stream, tarfile.TarFile(fileobj=_Bounded(stream)) as opened:
        for info in opened:
            if info.isdir():
                continue
            name = shown(info.name.removeprefix("./"))
            refused = _refused(name, not info.isreg(), info.size)
            if refused or not _is_read(name):
                yield from ((name, None, refused),) if refused else ()
                continue
            member = opened.extractfile(info)
            yield _within_limit(name, member.read(LARGEST_FILE + 1) if member is not None else b"")


def _unpacked(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        head = file.read(_LONGEST_MARK)
    opener = next((opener for mark, opener in _PACKED.items() if head.startswith(mark)), open)
    stream: IO[bytes] = opener(path, "rb")
    return stream


class _Bounded(io.RawIOBase):
    """A stream of which not all that its packed bytes stand for can be had: neither at once nor in the end."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _LARGEST_READ:
            raise tarfile.ReadError(f"one of its heads has more than {measured(_LARGEST_READ)}")
        self._check(self._stream.tell() + size)
        return self._stream.read(size)

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        self._check(place)
        return self._stream.seek(place, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def _check(self, place: int) -> None:
        if place > _LARGEST_UNPACKED:
            raise tarfile.ReadError(f"it unpacks to more than {measured(_LARGEST_UNPACKED)}")


def _is_read(name: str) -> bool:
    return name.rpartition("/")[2] in _METADATA or recognise(name) in _READ


def _refused(name: str, is_link: bool, size: int) -> str:
    parts = name.replace("\\", "/").split("/")
    if name.startswith(("/", "\\")) or ":" in parts[0] or ".." in parts:
        return "refused: its path leads out of the archive"
    if is_link:
        return "refused: it is a link or no plain file"
    if size > LARGEST_FILE and _is_read(name):
        return f"refused: it has {measured(size)}, the limit is {measured(LARGEST_FILE)}"
    return ""


def _within_limit(name: str, data: bytes) -> _Member:
    """An archive may lie about the size of what it holds."""
    if len(data) > LARGEST_FILE:
        return name, None, f"refused: it is larger than it says, and than {measured(LARGEST_FILE)}"
    return name, data, ""


def _stem(path: Path) -> str:
    name = path.name
    return next((name[: -len(ending)] for ending in ENDINGS if name.lower().endswith(ending)), name)
