"""Does a rule decide about this path? The last match of the nearest file wins, as in git."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from dowse.ingest.walking.patterns import Pattern, parse_patterns

# No rules are longer than this; something else got the name.
_LONGEST_FILE = 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_DOWSE, _IGNORE, _GIT = ".dowseignore", ".ignore", ".gitignore"
RULE_FILES = (_DOWSE, _IGNORE, _GIT)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The rule that decided, and the file it stands in."""

    pattern: Pattern
    source: str

    @property
    def ignores(self) -> bool:
        return not self.pattern.negated

    def __str__(self) -> str:
        text = str(self.pattern).encode("latin-1").decode("utf-8", "backslashreplace")
        return f"{self.source}:{self.pattern.line}: {text}"


class Rules:
    """The rules of one file. ``base`` is how much of a path lies above the file's folder.

    Nearly no file is named by any rule: that is told by two set look-ups, one suffix test and at most two searches.
    """

    __slots__ = ("_anchored", "_base", "_literal_names", "_literal_paths", "_named", "_patterns", "_source", "_suffixes")

    def __init__(self, patterns: Iterable[Pattern], source: str, base: int = 0) -> None:
        self._source = source
        self._base = base
        ordered = list(patterns)
        names = [pattern for pattern in ordered if not pattern.anchored]
        paths = [pattern for pattern in ordered if pattern.anchored]
        wild = [pattern for pattern in names if not pattern.is_literal]
        # `*.log` and its like are most of all rules that have a wildcard.
        ending = [pattern for pattern in wild if pattern.glob[0] == "*" and replace(pattern, glob=pattern.glob[1:]).is_literal]
        self._literal_names = frozenset(pattern.glob for pattern in names if pattern.is_literal)
        self._literal_paths = frozenset(pattern.glob for pattern in paths if pattern.is_literal)
        self._suffixes = tuple(pattern.glob[1:] for pattern in ending)
        self._named = _any_of(pattern.regex for pattern in wild if pattern not in ending)
        self._anchored = _any_of(pattern.regex for pattern in paths if not pattern.is_literal)
        self._patterns = tuple((pattern, re.compile(pattern.regex, re.DOTALL)) for pattern in reversed(ordered))

    def verdict(self, path: str, name: str, folder: bool) -> Verdict | None:
        """What the rules say about ``path``, which ends with ``name``; ``None`` if nothing."""
        below = path[self._base :]
        if (
            name in self._literal_names
            or below in self._literal_paths
            or name.endswith(self._suffixes)
            or (self._named is not None and self._named.fullmatch(name))
            or (self._anchored is not None and self._anchored.fullmatch(below))
        ):
            return self._last_match(below, name, folder)
        return None

    def _last_match(self, below: str, name: str, folder: bool) -> Verdict | None:
        for pattern, regex in self._patterns:
            if (folder or not pattern.folders_only) and regex.fullmatch(below if pattern.anchored else name):
                return Verdict(pattern, self._source)
        return None


@dataclass(frozen=True, slots=True)
class Ignoring:
    """All rules that hold in a folder, of each sort the deepest first. Paths are as ``matchable`` gives them."""

    excludes: tuple[Rules, ...] = ()
    dowse: tuple[Rules, ...] = ()
    ignore: tuple[Rules, ...] = ()
    git: tuple[Rules, ...] = ()
    repository: tuple[Rules, ...] = ()
    """What git keeps apart from the tree: the repository's exclude file, then the user's."""

    def excluded(self, path: str, name: str, folder: bool) -> Verdict | None:
        """What the caller's own patterns say."""
        return _first(self.excludes, path, name, folder)

    def chosen(self, path: str, name: str, folder: bool) -> Verdict | None:
        """What was said to dowse itself: it goes before everything else."""
        return _first(self.dowse, path, name, folder)

    def ignored(self, path: str, name: str, folder: bool) -> Verdict | None:
        """What was said to other tools."""
        return (
            _first(self.ignore, path, name, folder)
            or _first(self.git, path, name, folder)
            or _first(self.repository, path, name, folder)
        )

    def below(self, name: str, rules: Rules) -> "Ignoring":
        """With the rules of one more file, which is named ``name``."""
        if name == _DOWSE:
            return replace(self, dowse=(rules, *self.dowse))
        if name == _IGNORE:
            return replace(self, ignore=(rules, *self.ignore))
        return replace(self, git=(rules, *self.git))

    def anew(self, repository: tuple[Rules, ...]) -> "Ignoring":
        """Within another repository, where the rules of the outer one do not hold."""
        return replace(self, git=(), repository=repository)


def read_rules(location: str, source: str, base: int = 0) -> Rules | None:
    """The rules of a file; ``None`` if there are none or they cannot be read."""
    # Opening a pipe would wait for a writer.
    if not os.path.isfile(location):
        return None
    try:
        with open(location, "rb") as file:
            data = file.read(_LONGEST_FILE)
    except OSError:
        return None
    patterns = tuple(parse_patterns(data.removeprefix(_BOM).decode("latin-1")))
    return Rules(patterns, source, base) if patterns else None


def matchable(name: str) -> str:
    """A file name as rules are compared with it: one character a byte."""
    return name if name.isascii() else os.fsencode(name).decode("latin-1")


def _any_of(regexes: Iterable[str]) -> re.Pattern[str] | None:
    joined = "|".join(f"(?:{regex})" for regex in regexes)
    return re.compile(joined, re.DOTALL) if joined else None


def _first(rules: tuple[Rules, ...], path: str, name: str, folder: bool) -> Verdict | None:
    for each in rules:
        verdict = each.verdict(path, name, folder)
        if verdict is not None:
            return verdict
    return None
