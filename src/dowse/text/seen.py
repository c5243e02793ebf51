"""Which words were not seen before? Asked of texts by the megabyte, as the lanes store them: words joined by single spaces."""

from typing import Protocol

try:
    from dowse.text import _seen as compiled
except ImportError:
    compiled = None  # type: ignore[assignment]  # no compiler was there when dowse was installed


class SeenWords(Protocol):
    """Words, and whoever asks adds to them."""

    def take(self, texts: list[str], /) -> list[str]:
        """The words that are new, which from now on they are not."""

    def __len__(self) -> int: ...


class PlainSeenWords:
    """The same in Python alone."""

    def __init__(self) -> None:
        self._words: set[str] = set()

    def take(self, texts: list[str], /) -> list[str]:
        new = set(" ".join(texts).split()) - self._words
        self._words |= new
        return list(new)

    def __len__(self) -> int:
        return len(self._words)


def none_seen() -> SeenWords:
    return PlainSeenWords() if compiled is None else compiled.SeenWords()
