"""Libraries as tests need them: repositories, packages and archives that are really made."""

import io
import subprocess
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

GUIDE = "# Rocket\n\n## Launch\n\nTo launch it, call launch.\n\n```python\nlaunch()\n```\n"
METADATA = "Metadata-Version: 2.1\nName: rocket\nVersion: 1.4\nSummary: Flies.\nDescription-Content-Type: text/markdown\n\n" + GUIDE


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false")
    done = subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True, text=True)
    return done.stdout


def repository(folder: Path, *versions: tuple[str, Mapping[str, str]]) -> Path:
    """A repository with a commit and a tag a version; a version without a name has no tag."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    for tag, files in versions:
        write(folder, files)
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", tag or "more")
        if tag:
            git(folder, "tag", tag)
    return folder


def wheel(path: Path, members: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name, text in members.items():
            made.writestr(name, text)
    return path


def sdist(path: Path, members: Mapping[str, str], links: Mapping[str, str] | None = None) -> Path:
    with tarfile.open(path, "w:gz") as made:
        for name, text in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            made.addfile(info, io.BytesIO(text.encode()))
        for name, target in (links or {}).items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, target
            made.addfile(info)
    return path
