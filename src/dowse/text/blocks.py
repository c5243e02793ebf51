"""Where can a long text be cut so that each piece still makes sense? At blank lines, else where indentation falls back."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A screenful and a half: what a reader takes in at once, and what an excerpt is cut from.
MOST_LINES = 60
MOST_CHARACTERS = 3000
# A line that is longer is no line anybody wrote: minified code, data, base64.
LONGEST_LINE = 4000
# A cut in the first part of a block would leave crumbs.
_LEAST_SHARE = 0.4

_BREAKS = re.compile(r"[\s,;:.!?)\]}>|]")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a text. Its lines count from 1, both included."""

    text: str
    line: int
    line_end: int


def cut_blocks(text: str, *, first_line: int = 1, lines: int = MOST_LINES, characters: int = MOST_CHARACTERS) -> tuple[Block, ...]:
    r"""The blocks of a text in order; together they hold every word of it, and none is blank.

    >>> [(block.text, block.line) for block in cut_blocks("a\nb\n\nc\nd\n", lines=3)]
    [('a\nb', 1), ('c\nd', 4)]
    """
    rows = text.split("\n")
    blocks: list[Block] = []
    start = 0
    while start < len(rows):
        end = _end(rows, start, lines, characters)
        blocks += _trimmed(rows[start:end], first_line + start)
        start = end
    return tuple(blocks)


def cut_line(line: str, longest: int = LONGEST_LINE) -> Iterator[str]:
    """The pieces of a line that is too long, cut after white space or punctuation where there is any.

    >>> list(cut_line("one two three", 8))
    ['one two ', 'three']
    """
    start = 0
    while len(line) - start > longest:
        end = start + longest
        breaks = [match.end() for match in _BREAKS.finditer(line, start + longest // 2, end)]
        end = breaks[-1] if breaks else end
        yield line[start:end]
        start = end
    yield line[start:]


def _end(rows: list[str], start: int, lines: int, characters: int) -> int:
    """The row after the last of the block that begins at ``start``: as many as fit, back to the best place for a cut."""
    fits = start
    size = 0
    while fits < len(rows) and fits - start < lines and (size := size + len(rows[fits]) + 1) <= characters:
        fits += 1
    if fits == len(rows):
        return fits
    if fits == start:
        return start + 1
    least = start + max(1, int((fits - start) * _LEAST_SHARE))
    return _blank(rows, least, fits) or _dedent(rows, least, fits) or fits


def _blank(rows: list[str], least: int, most: int) -> int:
    """The row after the last blank one of the range, or 0."""
    return next((row + 1 for row in range(most - 1, least - 1, -1) if not rows[row].strip()), 0)


def _dedent(rows: list[str], least: int, most: int) -> int:
    """The last row of the range that is indented least, if it is indented less than the one before it; else 0."""
    depths = [(len(row) - len(row.lstrip()), -number) for number, row in enumerate(rows[least : most + 1], least)]
    depth, number = min(depths)
    return -number if any(depth < other for other, _ in depths) else 0


def _trimmed(rows: list[str], line: int) -> Iterator[Block]:
    """The rows as a block without the blank ones around them; a single row that is too long as several blocks."""
    first = next((number for number, row in enumerate(rows) if row.strip()), None)
    if first is None:
        return
    last = next(number for number in range(len(rows) - 1, -1, -1) if rows[number].strip())
    if first == last and len(rows[first]) > LONGEST_LINE:
        yield from (Block(piece, line + first, line + first) for piece in cut_line(rows[first]) if piece.strip())
    else:
        yield Block("\n".join(rows[first : last + 1]), line + first, line + last)
