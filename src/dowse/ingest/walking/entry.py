"""What does a walk find? Files to read, and what was left out with the reason why."""

import re
from dataclasses import dataclass
from enum import StrEnum

_MIB = 1024 * 1024

# A shown path that already reads like an escaped byte; its backslash is escaped, so that no two files share a path.
_LOOKS_ESCAPED = re.compile(r"\\(?=x[0-9a-f]{2})")


class Reason(StrEnum):
    """Why something was not read."""

    IGNORED = "ignored"
    """By a rule in .dowseignore, .ignore, .gitignore or git's own exclude files."""
    EXCLUDED = "excluded"
    """By a pattern the caller gave."""
    HIDDEN = "hidden"
    SECRET = "secret"
    REPOSITORY = "repository"
    """What a version control system or dowse itself keeps."""
    VENDORED = "vendored"
    GENERATED = "generated"
    MINIFIED = "minified"
    BINARY = "binary"
    TOO_LARGE = "too large"
    UNREADABLE = "unreadable"
    VANISHED = "vanished"
    SYMLINK = "symlink"
    """It leads to something that is found under its own name."""
    LOOP = "symlink loop"
    OUTSIDE = "outside"
    WORKTREE = "other worktree"
    SPECIAL = "special"
    """A pipe, a socket or a device."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file to read. ``path`` is for people and keys, ``location`` is what opens it."""

    path: str
    location: str
    size: int
    modified: int
    """In nanoseconds, as the file system says."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was left out. A whole folder is one of these, and its path ends with ``/``.

    A file of the project whose content is not worth reading has a time: it can still be found by its path.
    """

    path: str
    reason: Reason
    detail: str = ""
    size: int = 0
    modified: int | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a file may be, in bytes."""

    text: int = 2 * _MIB
    # Notebooks carry their pictures and PDFs their fonts: the words in them are a small part.
    document: int = 20 * _MIB


def shown(name: str) -> str:
    r"""A file name as valid Unicode: a byte that is no UTF-8 becomes ``\xNN``. No two names are shown alike.

    >>> shown("caf\udce9.py")
    'caf\\xe9.py'
    >>> shown("caf\\xe9.py")
    'caf\\x5cxe9.py'
    """
    if name.isascii() and "\\" not in name:
        return name
    escaped = _LOOKS_ESCAPED.sub(r"\\x5c", name)
    # On Windows a name may hold surrogates that stand for no byte.
    return "".join(_visible(char) if "\ud800" <= char <= "\udfff" else char for char in escaped)


def measured(size: int) -> str:
    """A size for people.

    >>> measured(512), measured(3 * 1024 * 1024 + 200_000)
    ('512 B', '3.2 MiB')
    """
    if size < 1024:
        return f"{size} B"
    power = min((size.bit_length() - 1) // 10, 3)
    return f"{size / 1024**power:.1f}".removesuffix(".0") + " " + ("KiB", "MiB", "GiB")[power - 1]


def _visible(surrogate: str) -> str:
    code = ord(surrogate)
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"
