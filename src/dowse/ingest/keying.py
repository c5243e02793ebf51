"""Under which keys do the parts of a file stand, so that no two are alike and none is too long?"""

from hashlib import blake2b

from dowse.model.record import LONGEST_KEY

_DIGEST = 8


def cut(key: str, room: int = LONGEST_KEY) -> str:
    """The key, or its beginning and a short hash of all of it.

    >>> cut("acme:a"), len(cut("a" * 2000))
    ('acme:a', 1024)
    """
    if len(key) <= room:
        return key
    return f"{key[: room - _DIGEST - 1]}-{digest(key)}"


def digest(text: str) -> str:
    """A short hash that is the same everywhere and always."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=_DIGEST // 2).hexdigest()


class Keys:
    """Keys that were given out in a file: the second of a name gets ``~2``, the third ``~3``."""

    __slots__ = ("_counts", "_taken")

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}

    def take(self, key: str) -> str:
        """
        >>> keys = Keys()
        >>> keys.take("a"), keys.take("a"), keys.take("a")
        ('a', 'a~2', 'a~3')
        """
        free, count = cut(key), self._counts.get(key, 1)
        while free in self._taken:
            count += 1
            mark = f"~{count}"
            free = cut(key, LONGEST_KEY - len(mark)) + mark
        self._taken.add(free)
        # Where the count stands is remembered: a file may have a thousand parts of one name.
        self._counts[key] = count
        return free
