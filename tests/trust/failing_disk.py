"""A disk that fails when it is told to: every file of SQLite passes here."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import apsw


@dataclass
class Disk:
    """``fails``: what is raised, and at which calls. ``after``: how many of those calls still go well."""

    fails: type[apsw.Error] | None = None
    calls: tuple[str, ...] = ("write",)
    after: int = 0
    seen: int = 0

    def passes(self, call: str) -> None:
        if self.fails is None or call not in self.calls:
            return
        self.seen += 1
        if self.seen > self.after:
            raise self.fails(f"the disk fails to {call}")

    def break_down(self, fails: type[apsw.Error], *calls: str, after: int = 0) -> None:
        self.fails, self.calls, self.after, self.seen = fails, calls, after, 0

    def recover(self) -> None:
        self.fails = None


class _File(apsw.VFSFile):
    def __init__(self, below: str, name: Any, flags: list[int], disk: Disk) -> None:
        self._disk = disk
        super().__init__(below, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's names
        self._disk.passes("write")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.passes("sync")
        super().xSync(flags)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        self._disk.passes("read")
        return super().xRead(amount, offset)


class _Failing(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._below = apsw.vfs_names()[0]
        super().__init__("failing", self._below, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> _File:  # noqa: N802
        return _File(self._below, name, flags, self._disk)


@contextmanager
def failing_disk() -> Iterator[Disk]:
    """For as long as this lasts, every workspace that is opened lies on this disk."""
    disk = Disk()
    vfs = _Failing(disk)
    try:
        yield disk
    finally:
        disk.recover()
        vfs.unregister()
