"""Which of two versions is newer?"""

import re
from collections.abc import Iterable

_VERSION = re.compile(r"(?:^|.*[^\d.])?(?<![\d.])v?(\d+(?:\.\d+)*)([-_.+]?[0-9A-Za-z.+_-]*)$", re.IGNORECASE)
_PRERELEASE = re.compile(r"^[-_.]?(?:a|b|c|rc|alpha|beta|pre|preview|dev|next|canary|nightly|snapshot|m)[-_.]?\d*", re.IGNORECASE)

Order = tuple[tuple[int, ...], bool, tuple[tuple[int, str], ...]]


def order_of(tag: str) -> Order | None:
    """What versions are sorted by; None for a tag that names no version.

    >>> sorted(["v1.10", "v1.9.2", "v2.0rc1", "v2.0"], key=order_of)
    ['v1.9.2', 'v1.10', 'v2.0rc1', 'v2.0']
    >>> order_of("nightly") is None
    True
    """
    match = _VERSION.match(tag)
    if match is None:
        return None
    numbers = [int(part[:18]) for part in match[1].split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    rest = match[2].partition("+")[0]
    pieces = tuple(
        (int(piece[:18]), "") if piece.isdigit() else (-1, piece.lower()) for piece in re.findall(r"\d+|[A-Za-z]+", rest)
    )
    return tuple(numbers), not _PRERELEASE.match(rest), pieces


def newest(tags: Iterable[str], count: int) -> tuple[str, ...]:
    """The newest versions first; those before a release only where there is no release at all.

    >>> newest(["v1.0", "v1.1", "v2.0b1", "latest"], 2)
    ('v1.1', 'v1.0')
    """
    ordered = [(order, tag) for tag in tags if (order := order_of(tag)) is not None]
    released = [item for item in ordered if item[0][1]]
    return tuple(tag for _, tag in sorted(released or ordered, reverse=True)[:count])


def find(wanted: str, tags: Iterable[str]) -> str | None:
    """The tag that a user means: as typed, or with the customary letter before it, or the only one of that number.

    >>> find("1.2", ["v1.2", "v1.2.1"]), find("2", ["v1"])
    ('v1.2', None)
    """
    known = list(tags)
    for spelled in (wanted, f"v{wanted}", f"V{wanted}", wanted.removeprefix("v")):
        if spelled in known:
            return spelled
    order = order_of(wanted)
    same = [tag for tag in known if order is not None and order_of(tag) == order]
    return same[0] if len(same) == 1 else None
