"""A disk that loses power: of what was written since the last sync, each piece reached it or did not, as chance has it."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

# What a disk writes as a whole.
_SECTOR = 512


class Ledger:
    """For every file what is on the disk for sure, and what was written since and may be."""

    def __init__(self) -> None:
        self.sure: dict[str, bytearray] = {}
        self.since: dict[str, list[tuple[int, bytes | None]]] = {}

    def opened(self, name: str) -> None:
        if name not in self.sure:
            path = Path(name)
            self.sure[name] = bytearray(path.read_bytes() if path.exists() else b"")
            self.since[name] = []

    def wrote(self, name: str, offset: int, data: bytes | None) -> None:
        """``data`` None: the file was cut there."""
        self.since[name].append((offset, data))

    def synced(self, name: str) -> None:
        for offset, data in self.since[name]:
            _put(self.sure[name], offset, data)
        self.since[name] = []

    def gone(self, name: str) -> None:
        self.sure.pop(name, None)
        self.since.pop(name, None)

    def cut(self, rng: random.Random) -> dict[str, bytes]:
        """The files as they are found when the power is back."""
        found = {}
        for name, sure in sorted(self.sure.items()):
            data = bytearray(sure)
            for offset, written in self.since[name]:
                if written is None:
                    if rng.random() < 0.5:
                        _put(data, offset, None)
                    continue
                for start in range(0, len(written), _SECTOR):
                    if rng.random() < 0.5:
                        _put(data, offset + start, written[start : start + _SECTOR])
            found[name] = bytes(data)
        return found


def _put(data: bytearray, offset: int, written: bytes | None) -> None:
    if written is None:
        del data[offset:]
        return
    if len(data) < offset:
        data.extend(bytes(offset - len(data)))
    data[offset : offset + len(written)] = written


class _File(apsw.VFSFile):
    def __init__(self, below: str, name: Any, flags: list[int], ledger: Ledger) -> None:
        self._name = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        self._ledger = ledger
        ledger.opened(self._name)
        super().__init__(below, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's names
        self._ledger.wrote(self._name, offset, bytes(data))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._ledger.wrote(self._name, newsize, None)
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self._ledger.synced(self._name)


class _Powered(apsw.VFS):
    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._below = apsw.vfs_names()[0]
        super().__init__("powered", self._below, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> _File:  # noqa: N802
        return _File(self._below, name, flags, self._ledger)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        self._ledger.gone(filename)


@contextmanager
def powered() -> Iterator[Ledger]:
    ledger = Ledger()
    vfs = _Powered(ledger)
    try:
        yield ledger
    finally:
        vfs.unregister()
