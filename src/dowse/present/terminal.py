"""What can be written on a terminal, and how? Colours where there are any, and nothing that would steer it."""

from typing import IO

from rich.console import Console, RenderableType
from rich.text import Text

# Where there is no terminal nothing is cut off: whoever reads the lines next sees all of them.
_UNCUT = 100_000
DIM, MARKED, TITLE, KIND = "dim", "bold yellow", "bold", "cyan"
# Text comes from anywhere: what would steer the terminal is shown as a character instead.
_CONTROLS = dict.fromkeys((*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)), "�")
CLEAN = _CONTROLS | {ord("\n"): "\n", ord("\t"): "\t"}
_CLEAN_LINE = _CONTROLS | {ord(character): " " for character in "\n\r\t"}


def console(stream: IO[str]) -> Console:
    """Colours and the width of the terminal where there is one; plain whole lines elsewhere."""
    plain = Console(file=stream, highlight=False, markup=False, emoji=False)
    return plain if plain.is_terminal else Console(file=stream, width=_UNCUT, highlight=False, markup=False, emoji=False)


def emit(out: Console, part: RenderableType) -> None:
    """Writes a part; where there is no terminal, without the blanks that fill up a table's lines."""
    if out.is_terminal:
        # Text is someone's own lines: code and Markdown stay as they are.
        out.print(part, soft_wrap=isinstance(part, Text))
        return
    with out.capture() as captured:
        out.print(part)
    out.file.write("".join(f"{row.rstrip()}\n" for row in captured.get().splitlines()))


def line(text: str) -> str:
    """A text on one line that cannot steer the terminal.

    >>> line("a" + chr(27) + "[31m" + chr(10) + "b")
    'a�[31m b'
    """
    return text.translate(_CLEAN_LINE)
