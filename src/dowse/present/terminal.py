"""What can be written on a terminal, and how? Colours where there are any, and nothing that would steer it."""

from typing import IO

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from dowse.present.styled import Styled

# Where there is no terminal nothing is cut off: whoever reads the lines next sees all of them.
_UNCUT = 100_000


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


def coloured(item: Styled) -> Text | Padding:
    """A line in its colours; one that is indented keeps its indent where it wraps."""
    text = Text.assemble(*item.pieces)
    return Padding(text, (0, 0, 0, item.indent), expand=False) if item.indent else text
