"""Which pieces of a vocabulary is a text made of?"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

# The words of names are words: getUserById, HTTPServer, snake_case and URLs fall apart as a reader would take them apart.
_ASCII = r"[A-Z]?[a-z]+|[A-Z]+s?(?![a-z])|[0-9]+"
ASCII_WORD = re.compile(_ASCII)
WORD = re.compile(_ASCII + r"|\d+|[^\W\d_a-zA-Z]+")

# What stands over a letter once it is written apart: café is cafe.
ACCENT = re.compile("[\u0300-\u036f]+")

# What marks a piece that continues a word.
CONTINUES = "##"

# Words whose pieces are remembered; beyond, remembering starts anew. A large project has fewer different words than this.
REMEMBERED = 200_000

# A longer "word" is a key, a hash or base64: it would cost much and say nothing.
LONGEST_WORD = 40


def words(text: str, longest: int) -> list[str]:
    """The first words of a text, in lower case, names taken apart.

    >>> words("getUserById, HTTP_status of URLs", 512)
    ['get', 'user', 'by', 'id', 'http', 'status', 'of', 'urls']
    """
    # A word has about six letters and no text is all gaps: what stands far behind need not be read.
    text = text[: longest * 24]
    # Nearly all text is ASCII, and found a third faster when nothing else is looked for.
    found = ASCII_WORD.findall(text) if text.isascii() else WORD.findall(ACCENT.sub("", unicodedata.normalize("NFKD", text)))
    found = found[:longest]
    return "\n".join(found).lower().split("\n") if found else []


class Pieces:
    """A vocabulary, and how words are put together from it: whole if it has the word, else by the longest pieces that fit."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._vocabulary = vocabulary
        self._remembered: dict[str, tuple[int, ...]] = {}
        self._longest = max(map(len, vocabulary), default=0)

    def count(self, found: Sequence[str]) -> tuple[list[int], list[int]]:
        """The pieces of some words, and beside each how often its word occurs. A piece of two words is there twice."""
        remembered = self._remembered
        pieces: list[int] = []
        times: list[int] = []
        for word, occurs in Counter(found).items():
            parts = remembered.get(word)
            if parts is None:
                parts = self._remember(word)
            pieces += parts
            times += (occurs,) * len(parts)
        return pieces, times

    def of(self, word: str) -> tuple[int, ...]:
        """The pieces of one word; none if any part of it is unknown."""
        whole = self._vocabulary.get(word)
        if whole is not None:
            return (whole,)
        pieces: list[int] = []
        start = 0
        while start < len(word) <= LONGEST_WORD:
            found = self._longest_piece(word, start)
            if found is None:
                return ()
            piece, start = found
            pieces.append(piece)
        return tuple(pieces)

    def _longest_piece(self, word: str, start: int) -> tuple[int, int] | None:
        mark = CONTINUES if start else ""
        for end in range(min(len(word), start + self._longest), start, -1):
            piece = self._vocabulary.get(mark + word[start:end])
            if piece is not None:
                return piece, end
        return None

    def _remember(self, word: str) -> tuple[int, ...]:
        if len(self._remembered) >= REMEMBERED:
            self._remembered.clear()
        pieces = self._remembered[word] = self.of(word)
        return pieces
