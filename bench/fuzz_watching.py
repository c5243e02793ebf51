"""How did the inputs of a campaign fare? How many, the slowest, the growth of memory, and every failure with its input."""

import ctypes
import gc
import hashlib
import mmap
import resource
import struct
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bench.fuzz_campaign import Try

# Inputs are a few kilobytes. With a parser whose every step is counted, a hundredth of this is much.
SLOW_SECONDS = 10.0
# More memory for one such input is out of all proportion.
LARGE_BYTES = 256 << 20
_ROOM = 1 << 20
# Inputs between two looks at what is kept in memory; each look takes a moment.
_BETWEEN_LOOKS = 500
_HEAD = struct.Struct("<QQ")
_OURS = "/dowse/"


@dataclass(slots=True)
class Failure:
    """What went wrong, where, how often, and in which file the first input lies that shows it."""

    what: str
    where: str
    count: int = 0
    file: str = ""


@dataclass(slots=True)
class Tally:
    """What a run counted."""

    inputs: int = 0
    cpu: float = 0.0
    slowest: float = 0.0
    slowest_file: str = ""
    growth: int = 0
    paths: int = 0
    failures: dict[str, Failure] = field(default_factory=dict)

    @property
    def json(self) -> dict[str, Any]:
        return asdict(self)


class Watch:
    """Tries inputs one by one. The one under way lies in a file, so that it is known even if it takes the process with it."""

    def __init__(self, attempt: Try, folder: Path, tally: Tally, *, slow: float = SLOW_SECONDS) -> None:
        self._attempt = attempt
        self._folder = folder
        self._slow = slow
        self.tally = tally
        self._at_first: int | None = None
        folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, data: bytes) -> None:
        before, began = _peak(), time.process_time()
        try:
            self._attempt(data)
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            self.fail(f"{type(error).__name__}: {error}"[:300], _where(error), data)
        took, grew = time.process_time() - began, _peak() - before
        tally = self.tally
        tally.inputs += 1
        if took > tally.slowest:
            tally.slowest = took
            tally.slowest_file = self._kept("slowest", data)
        if took > self._slow:
            self.fail(f"took {took:.1f} s", "slow", data)
        if grew > LARGE_BYTES:
            self.fail(f"took {grew >> 20} MB", "memory", data)
        if tally.inputs % _BETWEEN_LOOKS == 0:
            kept = _kept_memory()
            # What everyone needs once is no growth: the first inputs load the parsers.
            self._at_first = kept if self._at_first is None else self._at_first
            tally.growth = max(tally.growth, kept - self._at_first)

    def fail(self, what: str, where: str, data: bytes) -> None:
        failure = self.tally.failures.setdefault(where, Failure(what, where))
        failure.count += 1
        if not failure.file:
            failure.file = self._kept(f"failure-{hashlib.blake2b(where.encode(), digest_size=5).hexdigest()}", data)

    def _kept(self, name: str, data: bytes) -> str:
        path = self._folder / name
        path.write_bytes(data)
        return str(path)


class Current:
    """A file that another process reads to learn which input is being tried, and the how-manieth it is."""

    def __init__(self, path: Path) -> None:
        self._path = path
        if not path.exists():
            path.write_bytes(bytes(_HEAD.size + _ROOM))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _HEAD.size + _ROOM)

    def note(self, number: int, data: bytes) -> None:
        kept = data[:_ROOM]
        self._map[_HEAD.size : _HEAD.size + len(kept)] = kept
        self._map[: _HEAD.size] = _HEAD.pack(number, len(kept))

    def read(self) -> tuple[int, bytes]:
        number, length = _HEAD.unpack(self._map[: _HEAD.size])
        return number, self._map[_HEAD.size : _HEAD.size + length]

    def close(self) -> None:
        self._map.close()


@contextmanager
def noted(path: Path, attempt: Try) -> Iterator[Try]:
    """The same attempt, that leaves a note of each input before it begins."""
    current = Current(path)
    count = 0

    def noting(data: bytes) -> None:
        nonlocal count
        count += 1
        current.note(count, data)
        attempt(data)

    try:
        yield noting
    finally:
        current.close()


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _kept_memory() -> int:
    """What is in use, without what waits to be collected, or was given back and is held by the allocator for the next one."""
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return _peak()


def _where(error: BaseException) -> str:
    """The innermost place in our own code, by which failures are told apart; else the innermost of all."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if _OURS in frame.filename] or list(frames)
    last = ours[-1]
    place = f"{last.filename.rpartition('/dowse/')[2].rpartition('/src/')[2]}:{last.lineno} {last.name}"
    return f"{type(error).__name__} at {place}"
