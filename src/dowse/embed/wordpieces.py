"""Which pieces of a vocabulary is a text made of?"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

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

# So few texts are counted one by one: a question does not wait for what makes thousands cheap.
_FEW = 4

# A word has about six letters and no text is all gaps: what stands farther behind than this many for each word need not be read.
LETTERS_A_WORD = 24

# A longer "word" is a key, a hash or base64: it would cost much and say nothing.
LONGEST_WORD = 40

Numbers = npt.NDArray[np.int64]

# For each ASCII character: itself if it is a letter or a digit, else a space.
_ASCII_RUNS = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))


def words(text: str, longest: int) -> list[str]:
    """The first words of a text, in lower case, names taken apart.

    >>> words("getUserById, HTTP_status of URLs", 512)
    ['get', 'user', 'by', 'id', 'http', 'status', 'of', 'urls']
    """
    text = text[: longest * LETTERS_A_WORD]
    if text.isascii():
        return _ascii_words(text)[:longest]
    found = WORD.findall(ACCENT.sub("", unicodedata.normalize("NFKD", text)))[:longest]
    return "\n".join(found).lower().split("\n") if found else []


def _ascii_words(text: str) -> list[str]:
    """Nearly all text is ASCII, and no word goes beyond letters and digits: what stands between spaces is taken apart once."""
    return list(chain.from_iterable(map(_taken_apart.__getitem__, text.translate(_ASCII_RUNS).split())))


class _TakenApart(dict[str, tuple[str, ...]]):
    """What names and words fall into. Threads may write to it at once: all of them write the same."""

    def __missing__(self, run: str) -> tuple[str, ...]:
        parts = tuple([word.lower() for word in ASCII_WORD.findall(run)])
        if len(run) <= LONGEST_WORD:
            if len(self) >= REMEMBERED:
                self.clear()
            self[run] = parts
        return parts


_taken_apart = _TakenApart()


class Pieces:
    """A vocabulary, and how words are put together from it: whole if it has the word, else by the longest pieces that fit."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._vocabulary = vocabulary
        self._remembered: dict[str, tuple[int, ...]] = {}
        self._longest = max(map(len, vocabulary), default=0)

    def count(self, found: Sequence[list[str]]) -> tuple[Numbers, Numbers, list[int]]:
        """The pieces of some texts, one text after the other, beside each how often its word occurs, and where each text ends.

        A piece of two words of a text is there twice. Within a text pieces follow their words, in the order of the words' letters.
        """
        if len(found) <= _FEW:
            return self._count_each(found)
        every = list(chain.from_iterable(found))
        spelled = sorted(set(every))
        numbers = dict(zip(spelled, range(len(spelled)), strict=True))
        lengths = np.fromiter(map(len, found), np.int64, len(found))
        first = np.repeat(np.arange(len(found)) * len(spelled), lengths)
        occurring, times = _counted(first + np.fromiter(map(numbers.__getitem__, every), np.int64, len(every)))
        texts, words = np.divmod(occurring, max(1, len(spelled)))
        pieces = [self._known(word) for word in spelled]
        sizes = np.fromiter(map(len, pieces), np.int64, len(pieces))
        flat = np.fromiter(chain.from_iterable(pieces), np.int64, int(sizes.sum()))
        taken = sizes[words]
        starts = np.cumsum(sizes) - sizes
        # For each word its pieces lie side by side: where they begin, and how far into them each place is.
        inside = np.arange(int(taken.sum())) - np.repeat(np.cumsum(taken) - taken, taken)
        ends = np.bincount(np.repeat(texts, taken), minlength=len(found)).cumsum()
        return flat[np.repeat(starts[words], taken) + inside], np.repeat(times, taken), ends.tolist()

    def _count_each(self, found: Sequence[list[str]]) -> tuple[Numbers, Numbers, list[int]]:
        pieces: list[int] = []
        times: list[int] = []
        ends = []
        for text in found:
            for word, occurs in sorted(Counter(text).items()):
                parts = self._known(word)
                pieces += parts
                times += (occurs,) * len(parts)
            ends.append(len(pieces))
        return np.array(pieces, np.int64), np.array(times, np.int64), ends

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

    def _known(self, word: str) -> tuple[int, ...]:
        pieces = self._remembered.get(word)
        if pieces is None:
            if len(self._remembered) >= REMEMBERED:
                self._remembered.clear()
            pieces = self._remembered[word] = self.of(word)
        return pieces


def _counted(numbers: Numbers) -> tuple[Numbers, Numbers]:
    """The distinct ones in rising order, and how often each occurs; as ``np.unique``, without the questions it asks first."""
    ordered = np.sort(numbers)
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1]))) if len(ordered) else ordered
    return ordered[starts], np.diff(starts, append=len(ordered))
