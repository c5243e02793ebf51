"""How does a table read in a terminal and in Markdown alike?"""

from collections.abc import Sequence

Cell = str | float | int | None


def table(head: Sequence[str], rows: Sequence[Sequence[Cell]], digits: int = 3) -> str:
    """A Markdown table whose columns line up; the first column is text, the others are numbers.

    >>> print(table(["set", "nDCG"], [["med", 0.7], ["all", None]]))
    | set | nDCG  |
    |:----|------:|
    | med | 0.700 |
    | all |     – |
    """
    cells = [list(head), *([_shown(cell, digits) for cell in row] for row in rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(head))]
    rule = "|".join([":" + "-" * (widths[0] + 1), *("-" * (width + 1) + ":" for width in widths[1:])])
    lines = [_line(cells[0], widths, right=False), f"|{rule}|", *(_line(row, widths, right=True) for row in cells[1:])]
    return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int], *, right: bool) -> str:
    padded = [
        cell.rjust(width) if right and at else cell.ljust(width) for at, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return f"| {' | '.join(padded)} |"


def _shown(cell: Cell, digits: int) -> str:
    if cell is None:
        return "–"
    return f"{cell:.{digits}f}" if isinstance(cell, float) else f"{cell:,}" if isinstance(cell, int) else cell
