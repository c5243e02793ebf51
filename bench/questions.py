"""What is asked when speed is measured? Common and rare words in a mix, from texts that hold them together."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bench.texts import Piece

PER_CLASS = 50
_SEED = 20_240_501
# A word in more than one of twenty records is common, in less than one of a thousand rare. Once or twice is a slip of the pen.
_COMMON = 0.05
_RARE = 0.001
_LEAST = 3
_WORD = re.compile(r"[a-z]{3,24}")
_QUESTION = "how does the {} of {} {} and {} when {} {}"
_SHORTEST_PART, _LONGEST_PART = 4, 8


class Shape(StrEnum):
    WORD = "one word"
    FIVE = "five words"
    QUESTION = "question of 12"
    SUBSTRING = "substring"


# What every system answers. Substrings stand apart.
WORD_SHAPES: tuple[Shape, ...] = (Shape.WORD, Shape.FIVE, Shape.QUESTION)


@dataclass(frozen=True, slots=True)
class Asked:
    shape: Shape
    text: str


class _Bands:
    """The words of the texts by how common they are."""

    def __init__(self, sample: Sequence[Piece]) -> None:
        counts: Counter[str] = Counter()
        for piece in sample:
            counts.update(set(_WORD.findall(piece.text.lower())))
        self.common = sorted(word for word, count in counts.items() if count > _COMMON * len(sample))
        self.rare = sorted(word for word, count in counts.items() if _LEAST <= count < max(_RARE * len(sample), _LEAST + 1))
        known = {*self.common, *self.rare}
        self.middle = sorted(word for word, count in counts.items() if count >= _LEAST and word not in known)

    def of(self, piece: Piece) -> tuple[list[str], list[str], list[str]]:
        held = set(_WORD.findall(piece.text.lower()))
        return _within(self.common, held), _within(self.middle, held), _within(self.rare, held)


def questions(sample: Sequence[Piece], per_class: int = PER_CLASS) -> list[Asked]:
    """The same questions for the same texts: ``per_class`` of each shape, the shapes in turn."""
    chance = random.Random(_SEED)
    bands = _Bands(sample)
    bundles = _bundles(bands, sample, chance)
    asked = []
    for number in range(per_class):
        band = (bands.common, bands.middle, bands.middle, bands.rare)[number % 4]
        asked.append(Asked(Shape.WORD, chance.choice(band)))
        common, middle, rare = next(bundles)
        asked.append(Asked(Shape.FIVE, " ".join(_shuffled([*common[:2], *middle[:2], *rare[:1]], chance))))
        common, middle, rare = next(bundles)
        asked.append(Asked(Shape.QUESTION, _QUESTION.format(*_shuffled([*common[:2], *middle[:3], *rare[:1]], chance))))
        asked.append(Asked(Shape.SUBSTRING, _inner_part(band, chance)))
    return asked


def _bundles(bands: _Bands, sample: Sequence[Piece], chance: random.Random) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """Common, middle and rare words that stand together in one text."""
    while True:
        common, middle, rare = bands.of(chance.choice(sample))
        if len(common) >= 2 and len(middle) >= 3 and rare:
            yield _shuffled(common, chance), _shuffled(middle, chance), _shuffled(rare, chance)


def _inner_part(words: list[str], chance: random.Random) -> str:
    """A stretch from inside a word, without its first and last letter."""
    long = [word for word in words if len(word) >= _SHORTEST_PART + 2]
    word = chance.choice(long)
    length = chance.randint(_SHORTEST_PART, min(_LONGEST_PART, len(word) - 2))
    start = chance.randint(1, len(word) - 1 - length)
    return word[start : start + length]


def _within(words: list[str], held: set[str]) -> list[str]:
    return [word for word in words if word in held]


def _shuffled(words: list[str], chance: random.Random) -> list[str]:
    return chance.sample(words, len(words))
