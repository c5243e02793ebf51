"""Which words may be meant by one that nobody wrote?"""

from collections.abc import Iterable

# Of shorter words every slip is another word. Of the shortest here only two letters that changed places are taken for one: all of
# its letters are there, and chance does that seldom (docs/ranking.md).
_SHORTEST = 5
_LONG = 9


def slips(word: str) -> int:
    """How many slips are looked for in a word: none in a short one, or in one with digits, which may be a number or a version.

    >>> slips("teh"), slips("yeild"), slips("websokets"), slips("v1234567")
    (0, 1, 2, 0)
    """
    if len(word) < _SHORTEST or not word.isalpha():
        return 0
    return 1 if len(word) < _LONG else 2


def spelt_like(word: str, known: Iterable[str]) -> list[str]:
    """The known words that one may have meant who typed this one, in order. The first letter is one that people hit.

    >>> spelt_like("websokets", ["websockets", "web", "sockets"]), spelt_like("yeild", ["yield", "wield", "yells"])
    (['websockets'], ['yield'])
    """
    most = slips(word)
    if not most:
        return []
    near = [other for other in known if other[:1] == word[:1] and abs(len(other) - len(word)) <= most]
    if len(word) == _SHORTEST:
        near = [other for other in near if sorted(other) == sorted(word)]
    return sorted(other for other in near if distance(word, other, most))


def distance(one: str, other: str, most: int) -> int:
    """How many letters are missing, too many, wrong, or have changed places with the next; 0 for more than ``most``, or none.

    >>> distance("yeild", "yield", 2), distance("dependancy", "dependency", 2), distance("harbour", "hat", 2)
    (1, 1, 0)
    """
    return next((slips for slips in range(1, most + 1) if one != other and _within(one, other, slips)), 0)


def _within(one: str, other: str, slips: int) -> bool:
    """Whether so many slips make one of the other. What is alike at the beginning needs none."""
    same = next((at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), min(len(one), len(other)))
    one, other = one[same:], other[same:]
    if abs(len(one) - len(other)) > slips or not slips:
        return one == other
    if not (one and other):
        return True
    return (
        _within(one[1:], other[1:], slips - 1)
        or _within(one[1:], other, slips - 1)
        or _within(one, other[1:], slips - 1)
        or (one[:2] == other[1::-1] and len(other) > 1 and _within(one[2:], other[2:], slips - 1))
    )
