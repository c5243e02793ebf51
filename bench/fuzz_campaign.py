"""What is a campaign? Samples to begin with, words of the format, and what tries one input and raises if it went wrong."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from dowse.errors import DowseError

ROOT = Path(__file__).resolve().parents[1]
# A code is what programs go by: one that nobody declared is as bad as an exception that nobody expected.
CODES = frozenset(
    """error invalid_request invalid_query invalid_scope invalid_record not_found ambiguous_id conflict forbidden embedding_failed
    storage not_a_workspace newer_workspace busy""".split()
)

Try = Callable[[bytes], None]
"""Tries one input; whatever it raises is a failure."""

Item = TypeVar("Item")


class Wrong(AssertionError):
    """Something was answered, and the answer is not as it must be."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """``ready``: what it is tried against, for as long as the campaign lasts. ``words``: what inputs are made of."""

    name: str
    about: str
    samples: Callable[[], Sequence[bytes]]
    ready: Callable[[Path], AbstractContextManager[Try]]
    words: tuple[bytes, ...] = ()
    longest: int = 8192


class Given:
    """An input read from its beginning: choices first, the text last."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def number(self, below: int) -> int:
        """One byte as a number; 0 where there is none."""
        taken = self._data[self._at : self._at + 1]
        self._at += 1
        return taken[0] % below if taken else 0

    def choice(self, items: Sequence[Item]) -> Item:
        return items[self.number(min(len(items), 256))]

    def chance(self, of: int) -> bool:
        return self.number(of) == of - 1

    def rest(self) -> bytes:
        taken, self._at = self._data[self._at :], len(self._data)
        return taken

    def text(self) -> str:
        """What is left, as text. Now and then with halves of characters where its bytes are none, since JSON can carry such."""
        errors = "surrogateescape" if self.chance(8) else "replace"
        return self.rest().decode("utf-8", errors)


def chosen(*choices: int, then: bytes | str = b"") -> bytes:
    """A sample: the choices as ``Given`` reads them, then the text."""
    return bytes(choices) + (then.encode("utf-8", "surrogatepass") if isinstance(then, str) else then)


def declared(error: DowseError) -> None:
    """An error on purpose, with a stable code and something to read."""
    if error.code not in CODES:
        raise Wrong(f"{type(error).__name__} has the unknown code {error.code!r}")
    if not str(error).strip():
        raise Wrong(f"{type(error).__name__} says nothing")


def expect(fact: bool, message: str) -> None:
    if not fact:
        raise Wrong(message)
