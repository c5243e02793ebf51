"""What is indexed when indexing is measured? Sources and documents of many languages that lie on the machine."""

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_SUFFIXES = frozenset(
    """.py .pyi .js .mjs .cjs .ts .tsx .c .h .cpp .hpp .cc .pyx .rs .go .java .rb .sh .sql .md .rst .txt .html .ipynb .css
    .toml .yaml .json""".split()
)
# Larger files are tables that a program wrote, and would be left out anyway.
_LARGEST = 1 << 20
_SKIPPED = frozenset({"__pycache__", "test", "tests", "idlelib", ".git"})


@dataclass(frozen=True, slots=True)
class Origin:
    """A folder of the machine, and how many megabytes of it are taken."""

    name: str
    folder: Path
    megabytes: float


def origins(megabytes: float) -> list[Origin]:
    """The standard library, the headers of Python and of the system, what npm ships, and installed packages."""
    paths = sysconfig.get_paths()
    stdlib = Path(paths["stdlib"])
    found = [
        Origin("stdlib", stdlib, 0.4 * megabytes),
        Origin("headers", Path("/usr/include"), 0.1 * megabytes),
        *(Origin("npm", folder, 0.15 * megabytes) for folder in _npm()),
        Origin("packages", Path(paths["purelib"]), megabytes),
    ]
    return [origin for origin in found if origin.folder.is_dir()]


def gather(target: Path, megabytes: float, extra: list[Path]) -> tuple[int, int]:
    """Copies so much into a folder, in the order of the paths; returns how many files and bytes."""
    files = size = 0
    for origin in [*(Origin(path.name, path, megabytes) for path in extra), *origins(megabytes)]:
        taken = 0
        for path in _files(origin.folder):
            if taken >= origin.megabytes * 1e6 or size >= megabytes * 1e6:
                break
            place = target / origin.name / path.relative_to(origin.folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, place)
            length = path.stat().st_size
            files, size, taken = files + 1, size + length, taken + length
    return files, size


def _files(folder: Path) -> Iterator[Path]:
    installed = folder.name in ("site-packages", "dist-packages")
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED and (installed or name != "site-packages"))
        for name in sorted(names):
            path = Path(parent) / name
            if path.suffix in _SUFFIXES and path.is_file() and not path.is_symlink() and path.stat().st_size <= _LARGEST:
                yield path


def _npm() -> list[Path]:
    npm = shutil.which("npm")
    if npm is None:
        return []
    found = subprocess.run([npm, "root", "--global"], capture_output=True, text=True, check=False).stdout.strip()
    return [Path(found)] if found else []
