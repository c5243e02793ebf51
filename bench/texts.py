"""What is searched when speed is measured? Pieces of about 1 kB of the Python sources and documents on the machine."""

import os
import random
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

PIECE = 1000
# A shorter rest of a file is left out: the records are to be alike.
_SHORTEST = 200
_SUFFIXES = frozenset({".py", ".pyi", ".md", ".rst", ".txt"})
# Larger files are tables that a program wrote.
_LARGEST = 1 << 20
_INSTALLED = ("site-packages", "dist-packages")


@dataclass(frozen=True, slots=True)
class Piece:
    key: str
    title: str
    text: str

    @property
    def bytes(self) -> int:
        return len(self.title.encode()) + len(self.text.encode())


def pieces(count: int) -> Iterator[Piece]:
    """The same pieces in the same order on the same machine, one file in memory at a time."""
    return islice(_endless(), count)


def _endless() -> Iterator[Piece]:
    found = False
    for key, title, path in _files():
        for piece in _cut(key, title, _lines(path)):
            found = True
            yield piece
    if not found:
        raise FileNotFoundError(f"no texts under {', '.join(map(str, _roots()))}")
    turn = 0
    while True:
        # Too little text for so many records: again, with the lines of each file shuffled, so that no record is there twice.
        turn += 1
        for key, title, path in _files():
            lines = _lines(path)
            random.Random(f"{turn}/{key}").shuffle(lines)
            yield from _cut(f"turn{turn}/{key}", title, [f"turn{turn}\n", *lines])


def _cut(key: str, title: str, lines: list[str]) -> Iterator[Piece]:
    number = 0
    held: list[str] = []
    size = 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size >= PIECE:
            yield Piece(f"{key}#{number}", title, "".join(held))
            number, held, size = number + 1, [], 0
    if size >= _SHORTEST:
        yield Piece(f"{key}#{number}", title, "".join(held))


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text("utf-8", errors="replace")
    except OSError:
        return []
    # A line without an end (minified, data) would make one huge record.
    return [part for line in text.splitlines(keepends=True) for part in _parts(line)]


def _parts(line: str) -> list[str]:
    return [line] if len(line) <= PIECE else [line[at : at + PIECE] for at in range(0, len(line), PIECE)]


def _files() -> Iterator[tuple[str, str, Path]]:
    """The standard library, then what is installed beside it: a key of its own for each file, a title, and where it is."""
    seen: set[Path] = set()
    for number, root in enumerate(_roots()):
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(name for name in folders if name not in _INSTALLED and name != "__pycache__")
            for name in sorted(files):
                path = Path(folder, name)
                if path.suffix in _SUFFIXES and path not in seen and path.is_file() and path.stat().st_size <= _LARGEST:
                    seen.add(path)
                    name = path.relative_to(root).as_posix()
                    # Two places may hold the same package; without the number the second would replace the first.
                    yield f"{number}:{name}", name.removesuffix(path.suffix), path


def _roots() -> list[Path]:
    library = Path(sysconfig.get_path("stdlib"))
    installed = [Path(sysconfig.get_path("purelib")), Path(sysconfig.get_path("platlib")), *(library / name for name in _INSTALLED)]
    return list(dict.fromkeys([library, *installed]))
