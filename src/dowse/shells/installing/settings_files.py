"""How is a settings file of somebody else's read and changed, so that nothing in it is ever lost?"""

import copy
import difflib
import os
import shutil
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dowse.errors import StorageError
from dowse.shells.installing import jsonc, toml_tables
from dowse.shells.installing.agents import Format

_BOM = b"\xef\xbb\xbf"
_BACKUP = ".bak"
_ANYONE_WRITES = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, slots=True)
class _Editor:
    read: Callable[[str], Any]
    put: Callable[[str, tuple[str, ...], Any], str]
    drop: Callable[[str, tuple[str, ...]], str]


_EDITORS = {
    Format.JSON: _Editor(jsonc.read, jsonc.put, jsonc.drop),
    Format.TOML: _Editor(toml_tables.read, toml_tables.put, toml_tables.drop),
}


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """A file as it was read; ``content`` is None if there is none."""

    path: Path
    format: Format
    content: bytes | None

    @property
    def text(self) -> str:
        try:
            return (self.content or b"").removeprefix(_BOM).decode()
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise StorageError(f"line {line}: not UTF-8.") from error

    def encoded(self, text: str) -> bytes:
        return (_BOM if (self.content or b"").startswith(_BOM) else b"") + text.encode()


def load(path: Path, format: Format) -> SettingsFile:
    try:
        return SettingsFile(path, format, path.read_bytes())
    except FileNotFoundError:
        return SettingsFile(path, format, None)


def value_at(text: str, format: Format, path: tuple[str, ...]) -> Any:
    """What the text says there; None if nothing."""
    value = _EDITORS[format].read(text)
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def put(text: str, format: Format, path: tuple[str, ...], value: Any) -> str:
    editor = _EDITORS[format]
    wanted = copy.deepcopy(editor.read(text))
    changed = editor.put(text, path, value)
    inner = wanted
    for key in path[:-1]:
        inner = inner.setdefault(key, {})
        if not isinstance(inner, dict):
            raise StorageError(f"{key} is not a table.")
    inner[path[-1]] = value
    return _checked(changed, editor, wanted)


def drop(text: str, format: Format, path: tuple[str, ...]) -> str:
    editor = _EDITORS[format]
    wanted = copy.deepcopy(editor.read(text))
    inner = wanted
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    changed = editor.drop(text, path)
    if format is Format.TOML and not inner:
        # A table that only the entry's own header made goes with it.
        wanted = _without_empty(wanted, path[:-1], editor.read(changed))
    return _checked(changed, editor, wanted)


def save(file: SettingsFile, text: str) -> None:
    """Writes the text in one step, keeping permissions and links; what was there first is kept beside it."""
    # A link stays a link: what it leads to is what changes.
    target = file.path.resolve()
    if file.content is None:
        target.parent.mkdir(parents=True, exist_ok=True)
    elif not target.stat().st_mode & _ANYONE_WRITES:
        raise StorageError("The file is read-only; make it writable (chmod u+w), or add the entry by hand.")
    elif file.content:
        _back_up(file)
    fresh = target.with_name(f".{target.name}.dowse")
    try:
        _write(fresh, file.encoded(text))
        if file.content is not None:
            shutil.copymode(target, fresh)
        # The agent may be running and have saved its own settings in between.
        if load(file.path, file.format).content != file.content:
            raise StorageError("The file was changed by another program just now; try again.")
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)


def difference(file: SettingsFile, text: str) -> str:
    """A unified diff from the file to the text; line ends do not show."""
    before, after = file.text.splitlines(), text.splitlines()
    name = str(file.path)
    old = "/dev/null" if file.content is None else name
    return "\n".join(difflib.unified_diff(before, after, old, name, lineterm=""))


def _checked(text: str, editor: _Editor, wanted: Any) -> str:
    # The edit is by characters; that it means what it should is not left to trust.
    if editor.read(text) != wanted:
        raise StorageError("The file is written in a way that cannot be changed safely; change it by hand.")
    return text


def _without_empty(wanted: Any, path: tuple[str, ...], there: Any) -> Any:
    for depth in range(len(path), 0, -1):
        inner, actual = wanted, there
        for key in path[: depth - 1]:
            inner, actual = inner[key], actual.get(key, {})
        if not inner[path[depth - 1]] and path[depth - 1] not in actual:
            del inner[path[depth - 1]]
    return wanted


def _back_up(file: SettingsFile) -> None:
    backup = file.path.with_name(file.path.name + _BACKUP)
    if not backup.exists():
        shutil.copy2(file.path, backup)


def _write(path: Path, content: bytes) -> None:
    path.unlink(missing_ok=True)
    with path.open("xb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
