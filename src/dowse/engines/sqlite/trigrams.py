"""Which three letters of a word do few other words hold? Whoever looks for words that contain a string asks for those alone.

How often letters stand beside each other is told by one table for all workspaces: it only decides how many words are looked at, not
which are found.
"""

from functools import lru_cache

LENGTH = 3
# So many of a string: one may be common after all, and every further one is a list more to read.
_ASKED = 2
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Twice the logarithm of how often each letter stands in the words of a million records (those of ``bench.growth``), and each pair
# of letters, a row for the first; a digit to 36. Last what is no letter of these.
_ONES = "soqqtoonrimqprrqjrsspnmnnjw"
_PAIRS = (
    "hikjdeiah8eljl9i9lkmgfdfg9h",
    "icechca8ge7ibaga6eebg776e6h",
    "kcgekdbjg6iidbld8hfkga98d6h",
    "jffhmfdbk9afefhf8ghfgccac7h",
    "kgllijhdh9ckjmgignolehgkf9i",
    "hcddgha8k66gabia6gefg997b5h",
    "gbdckcdfg79fdfdc6hgeea9697c",
    "jacbjb8ah68bcahb7edgc894b6c",
    "hfjjigi8b8bjinlh9hkkbg7f6gb",
    "b666e545867656c746b4a574548",
    "d9cbib9ae67babbb6bebb8b775b",
    "kdehmecal7aidcke7dhihdb6f7c",
    "kgddlba9i78dgcij7cgdfb89c7c",
    "jdjkkhkci9efegjf8ekmhgb9b8d",
    "fgijcff9f9fjjngi6mhijfhc98a",
    "kbeekcafg5bjcbjg8jfiga96g7d",
    "a5677656627c77666997h554449",
    "ldhhnfgbl6efiglf8jjjgfc7g7d",
    "hcielfdhk7fffeiidekoicd9g9e",
    "lfigohejm9cghfkhalkjhefbiaf",
    "fgedied7f68iijbh4ihj786857h",
    "i8c9k987h578b8c958aa677986c",
    "g8baf97ch57aade94fda7787559",
    "ebebfd77e4bbb99g59bh797ba5i",
    "dbecdca9d68deeci7cgfaab788b",
    "b577g666a34765b7458766668a8",
    "hhhimha9bc9abaac8bccaa9j8av",
)


def telling(text: str) -> list[str]:
    """The threes of a string that seem to be the rarest, in the order in which they stand.

    >>> telling("newcomer"), telling("workspace"), telling("abc")
    (['ewc', 'wco'], ['rks', 'ksp'], ['abc'])
    """
    threes = dict.fromkeys(text[start : start + LENGTH] for start in range(len(text) - LENGTH + 1))
    rarest = sorted(threes, key=_commonness)[:_ASKED]
    return [three for three in threes if three in rarest]


@lru_cache(maxsize=1 << 12)
def _commonness(three: str) -> int:
    """As if the third letter depended on the second alone."""
    first, second, third = (_LETTERS.find(letter) for letter in three)
    return int(_PAIRS[first][second], 36) + int(_PAIRS[second][third], 36) - int(_ONES[second], 36)
