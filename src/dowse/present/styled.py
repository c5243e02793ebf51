"""What is a line before it is known where it is shown? Its words with their styles, and nothing that would steer a terminal."""

import os
from collections.abc import Iterable
from typing import IO, NamedTuple

DIM, MARKED, TITLE, KIND = "dim", "bold yellow", "bold", "cyan"
# Text comes from anywhere: what would steer the terminal is shown as a character instead.
_CONTROLS = dict.fromkeys((*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)), "�")
CLEAN = _CONTROLS | {ord("\n"): "\n", ord("\t"): "\t"}
_CLEAN_LINE = _CONTROLS | {ord(character): " " for character in "\n\r\t"}
# By these someone asks for colours although nobody seems to sit at the other end.
_ASKING_FOR_COLOURS = ("FORCE_COLOR", "TTY_COMPATIBLE")


class Styled(NamedTuple):
    """A line as pieces of text, each with its style."""

    pieces: tuple[tuple[str, str], ...]
    indent: int = 0

    @property
    def text(self) -> str:
        return " " * self.indent + "".join(text for text, _ in self.pieces)


def is_plain(stream: IO[str]) -> bool:
    """Whether a stream surely takes no colours, told without the library that would make them."""
    return not stream.isatty() and not any(os.environ.get(name) for name in _ASKING_FOR_COLOURS)


def write_plain(stream: IO[str], lines: Iterable[Styled]) -> None:
    """Whole lines, without blanks at their ends."""
    for item in lines:
        stream.write("".join(f"{row.rstrip()}\n" for row in item.text.splitlines()))


def line(text: str) -> str:
    """A text on one line that cannot steer the terminal.

    >>> line("a" + chr(27) + "[31m" + chr(10) + "b")
    'a�[31m b'
    """
    return text.translate(_CLEAN_LINE)
