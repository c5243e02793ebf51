r"""What does a line of an ignore file match? What git says it does.

Git compares bytes, so texts here hold one character a byte (Latin-1): ``?`` is half of an "é", as it is for git.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Trailing spaces do not count unless a backslash stands before them.
_TRIMMED = re.compile(r"((?:\\.|[^\\])*?) *", re.DOTALL)
_WILD = re.compile(r"[*?\[\\]")
_STARS = re.compile(r"\*{2,}")
_POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t-\\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_CLASS = re.compile(r"\[:([^\]]*):\]")
# What an unclosed bracket or a backslash at the end comes to.
_NEVER = "(?!)"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One rule. ``glob`` is without the marks that its flags stand for."""

    glob: str
    line: int
    negated: bool = False
    folders_only: bool = False
    anchored: bool = False
    """It is compared with the whole path below the folder of its file, not with the name alone."""

    @property
    def is_literal(self) -> bool:
        return not _WILD.search(self.glob)

    @property
    def is_particular(self) -> bool:
        """Whether it means some names and not all, as ``.*`` does and ``*`` does not."""
        return self.spells_a_name or self.glob.rpartition("/")[2][:1] not in ("*", "?", "[")

    @property
    def spells_a_name(self) -> bool:
        """Whether a part of a name is written out, as in ``.env*`` and not in ``.*``."""
        return any(char.isalpha() for char in self.glob.rpartition("/")[2])

    @property
    def regex(self) -> str:
        return _path_regex(self.glob) if self.anchored else _segment_regex(self.glob)

    def __str__(self) -> str:
        rooted = self.anchored and "/" not in self.glob
        return "!" * self.negated + "/" * rooted + self.glob + "/" * self.folders_only


def parse_patterns(text: str) -> Iterator[Pattern]:
    r"""The rules of an ignore file, in its order.

    >>> [str(pattern) for pattern in parse_patterns("# logs\n*.log\n!keep.log\nbuild/  \n")]
    ['*.log', '!keep.log', 'build/']
    """
    for number, line in enumerate(text.split("\n"), 1):
        if line and not line.startswith("#"):
            pattern = _parse_line(line.removesuffix("\r"), number)
            if pattern.glob:
                yield pattern


def _parse_line(line: str, number: int) -> Pattern:
    trimmed = _TRIMMED.fullmatch(line)
    glob = trimmed[1] if trimmed else line
    negated = glob.startswith("!")
    glob = glob.removeprefix("!")
    folders_only = glob.endswith("/")
    glob = glob.removesuffix("/")
    return Pattern(glob.removeprefix("/"), number, negated, folders_only, anchored="/" in glob)


def _path_regex(glob: str) -> str:
    """Between two ``**`` the leftmost fit is as good as any other: atomic groups keep a hostile pattern from being slow."""
    runs: list[list[str]] = [[]]
    for segment in _segments(glob):
        if _STARS.fullmatch(segment):
            runs.append([])
        else:
            runs[-1].append(_segment_regex(segment))
    first, *others = runs
    if not others:
        return "/".join(first)
    head = "".join(f"{segment}/" for segment in first)
    for run in others[:-1]:
        # Two `**` in a row say no more than one.
        head += f"(?>(?:[^/]*/)*?{''.join(f'{segment}/' for segment in run)})" if run else ""
    last = others[-1]
    return head + (f"(?:[^/]*/)*?{'/'.join(last)}" if last else "(?s:.*)")


def _segments(glob: str) -> Iterator[str]:
    """What stands between the slashes; one within brackets separates nothing."""
    segment = ""
    at = 0
    while at < len(glob):
        end = _bracket_regex(glob, at + 1)[1] if glob[at] == "[" else at + 1 + (glob[at] == "\\")
        token = glob[at:end]
        at = end
        if token in ("/", "\\/"):
            yield segment
            segment = ""
        else:
            segment += token
    yield segment


def _segment_regex(glob: str) -> str:
    chunks = [""]
    at = 0
    while at < len(glob):
        char = glob[at]
        at += 1
        if char == "*":
            chunks.append("")
        elif char == "?":
            chunks[-1] += "[^/]"
        elif char == "\\":
            chunks[-1] += re.escape(glob[at]) if at < len(glob) else _NEVER
            at += 1
        elif char == "[":
            bracket, at = _bracket_regex(glob, at)
            chunks[-1] += bracket
        else:
            chunks[-1] += re.escape(char)
    head, *rest = chunks
    if not rest:
        return head
    *middle, tail = rest
    return head + "".join(f"(?>[^/]*?{chunk})" for chunk in middle if chunk) + "[^/]*" + tail


def _bracket_regex(glob: str, at: int) -> tuple[str, int]:
    """The set that begins at ``at``, and where it ends."""
    negated = glob[at : at + 1] in ("!", "^")
    at += negated
    start = at
    members: list[str] = []
    while at < len(glob) and (glob[at] != "]" or at == start):
        named = _CLASS.match(glob, at)
        if named:
            if named[1] not in _POSIX:
                return _NEVER, len(glob)
            members.append(_POSIX[named[1]])
            at = named.end()
            continue
        low, at = _member(glob, at)
        if glob[at : at + 1] == "-" and glob[at + 1 : at + 2] not in ("", "]"):
            high, at = _member(glob, at + 1)
            # A range that runs backwards holds only its first character.
            members.append(f"{re.escape(low)}-{re.escape(high)}" if low <= high else re.escape(low))
        else:
            members.append(re.escape(low))
    if at >= len(glob):
        return _NEVER, len(glob)
    body = "".join(members)
    return (f"[^/{body}]" if negated else f"(?!/)[{body}]"), at + 1


def _member(glob: str, at: int) -> tuple[str, int]:
    if glob[at] == "\\" and at + 1 < len(glob):
        at += 1
    return glob[at], at + 1
