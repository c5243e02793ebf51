"""Which words may be meant by one that nobody wrote?"""

from collections.abc import Iterable
from itertools import pairwise

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


def pieces(word: str, most: int) -> list[tuple[int, str]]:
    """The word in so many pieces that no ``most`` slips spoil all of them, each with where it begins: who is spelt like the word
    holds one of them, at most ``most`` letters from there. One slip spoils two at most, where letters changed places between them.

    >>> pieces("websokets", 2), pieces("client", 1)
    ([(0, 'w'), (1, 'eb'), (3, 'so'), (5, 'ke'), (7, 'ts')], [(0, 'cl'), (2, 'ie'), (4, 'nt')])
    """
    count = 2 * most + 1
    starts = [len(word) * number // count for number in range(count + 1)]
    return [(start, word[start:end]) for start, end in pairwise(starts) if end > start]


def distance(one: str, other: str, most: int) -> int:
    """How many letters are missing, too many, wrong, or have changed places with the next; 0 for more than ``most``, or none.

    >>> distance("yeild", "yield", 2), distance("dependancy", "dependency", 2), distance("harbour", "hat", 2)
    (1, 1, 0)
    """
    return next((slips for slips in range(1, most + 1) if one != other and _within(one, other, slips)), 0)


def _within(one: str, other: str, slips: int) -> bool:
    """Whether so many slips make one of the other. What is alike at the beginning needs none."""
    same = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        same += 1
    one, other = one[same:], other[same:]
    if abs(len(one) - len(other)) > slips or not slips:
        return one == other
    if not (one and other):
        return True
    if slips == 1:
        swapped = one[:2] == other[1::-1] and len(other) > 1 and one[2:] == other[2:]
        return one[1:] == other[1:] or one[1:] == other or one == other[1:] or swapped
    return (
        _within(one[1:], other[1:], slips - 1)
        or _within(one[1:], other, slips - 1)
        or _within(one, other[1:], slips - 1)
        or (one[:2] == other[1::-1] and len(other) > 1 and _within(one[2:], other[2:], slips - 1))
    )
