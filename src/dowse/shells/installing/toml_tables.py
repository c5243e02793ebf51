"""How is an entry put into a TOML file, or taken out, so that every other character stays?

The text is cut into its statements, each with the whole path it speaks of; the standard library's reader says what they mean. A
library that keeps the formatting would be one more thing to install for one agent's file.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dowse.errors import StorageError

# Quotes first, the long before the short: what they enclose has no meaning here.
_PIECE = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|\'\'\'.*?\'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|\#[^\n]*|\n|[\[\]{}=]|[^\"'#\n\[\]{}=]+",
    re.DOTALL,
)

Keys = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A header or a "key = value", without the comment after it. ``equals``: where the value begins; None of a header."""

    start: int
    end: int
    path: Keys
    equals: int | None


def read(text: str) -> Any:
    """The value of the text.

    >>> read('a.b = 1')
    {'a': {'b': 1}}
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StorageError(f"{error}.") from error


def put(text: str, path: Keys, value: Any) -> str:
    """The text with the value at that path: an entry as a table at the end, a single key where it stands.

    >>> print(put('[a]\\nb = 1 # one\\n', ("a", "b"), "x"), end="")
    [a]
    b = "x" # one
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    if isinstance(value, dict):
        return _appended(drop(text, path), path, value, newline)
    statements = tuple(_statements(text))
    exact = next((item for item in statements if item.path == path and item.equals is not None), None)
    if exact is not None:
        return f"{text[: exact.equals]} {_written(value)}{text[exact.end :]}"
    header = next((item for item in statements if item.path == path[:-1] and item.equals is None), None)
    if header is None:
        raise StorageError(f"{'.'.join(path[:-1])} is not written as a table of its own; change it by hand.")
    end = _line_end(text, header.end)
    lead = "" if text[:end].endswith("\n") else newline
    return f"{text[:end]}{lead}{path[-1]} = {_written(value)}{newline}{text[end:]}"


def drop(text: str, path: Keys) -> str:
    """The text without the statements that speak of that path or of what is in it.

    >>> drop('a = 1\\n\\n[b]\\nc = 2\\n', ("b",))
    'a = 1\\n'
    """
    for item in reversed(tuple(_statements(text))):
        if item.path[: len(path)] == path:
            start = text.rfind("\n", 0, item.start) + 1
            if item.equals is None:
                start = _before_blank_line(text, start)
            text = text[:start] + text[_line_end(text, item.end) :]
    return text


def _statements(text: str) -> Iterator[Statement]:
    table: Keys = ()
    for start, end, equals in _spans(text):
        if text[start] == "[":
            table = _path_in(tomllib.loads(text[start:end]))
            yield Statement(start, end, table, None)
        elif equals is not None:
            yield Statement(start, end, table + _path_in(tomllib.loads(f"{text[start:equals]} 0")), equals)


def _spans(text: str) -> Iterator[tuple[int, int, int | None]]:
    """Where each statement starts and ends, and where its value begins."""
    start: int | None = None
    equals: int | None = None
    end = depth = 0
    for piece in _PIECE.finditer(text):
        word = piece[0]
        if word == "\n" and depth == 0:
            if start is not None:
                yield start, end, equals
            start = equals = None
        elif word.strip() and not word.startswith("#"):
            start = piece.end() - len(word.lstrip()) if start is None else start
            end = piece.start() + len(word.rstrip())
            depth += (word in ("[", "{")) - (word in ("]", "}"))
            equals = piece.end() if word == "=" and equals is None and depth == 0 else equals
    if start is not None:
        yield start, end, equals


def _path_in(value: Any) -> Keys:
    path = []
    while isinstance(value, dict) and value:
        ((key, value),) = value.items()
        path.append(key)
    return tuple(path)


def _appended(text: str, path: Keys, entry: dict[str, Any], newline: str) -> str:
    lead = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
    lines = [f"[{'.'.join(path)}]", *(f"{key} = {_written(value)}" for key, value in entry.items())]
    return text + lead + newline.join(lines) + newline


def _written(value: Any) -> str:
    # Strings and lists of strings are written alike in both languages.
    return json.dumps(value, ensure_ascii=False)


def _line_end(text: str, at: int) -> int:
    newline = text.find("\n", at)
    return len(text) if newline < 0 else newline + 1


def _before_blank_line(text: str, start: int) -> int:
    """Where the line above begins if it is blank: an entry is set off by one."""
    above = text.rfind("\n", 0, max(start - 1, 0)) + 1
    return above if start and not text[above:start].strip() else start
