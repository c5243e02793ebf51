"""Where do large bodies and large answers stay meanwhile? In files of ours that go when they have been used."""

import asyncio
import hashlib
import io
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import IO, TypeVar

from starlette.types import Receive

T = TypeVar("T")
# What an answer may hold in memory before it goes to disk.
_IN_MEMORY = 4 << 20
# Read and written at once: large enough that going to a thread for it costs nothing beside it.
_PIECE = 1 << 20
_NAME = "body"


async def received(receive: Receive) -> bytes:
    """A body as a whole; how large it may be was seen to before."""
    parts = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


class Spooled:
    """A body as a file. The same content gives a file that looks the same, so that a stopped import of it goes on."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="dowse-")).resolve()
        self.path = self.folder / _NAME

    async def fill(self, receive: Receive) -> None:
        digest, waiting = hashlib.sha256(), bytearray()
        with self.path.open("wb") as file:
            more = True
            while more:
                message = await receive()
                more = message.get("more_body", False)
                waiting += message.get("body", b"")
                if len(waiting) >= _PIECE or not more:
                    piece, waiting = bytes(waiting), bytearray()
                    digest.update(piece)
                    await asyncio.to_thread(file.write, piece)
        # An import knows its file by beginning, size and time; a time made of all of it tells every content from every other.
        moment = int.from_bytes(digest.digest()[:6])
        os.utime(self.path, ns=(moment, moment))

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def written(write: Callable[[IO[str]], T]) -> tuple[T, IO[bytes]]:
    """What was written as text, from its beginning, and what the writing returned."""
    # Whoever reads it closes it.
    file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
    try:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="\n")
        result = write(text)
        text.flush()
        text.detach()
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return result, file


async def pieces(file: IO[bytes]) -> AsyncIterator[bytes]:
    """A file's content, read as fast as the caller takes it."""
    try:
        while piece := await asyncio.to_thread(file.read, _PIECE):
            yield piece
    finally:
        file.close()
