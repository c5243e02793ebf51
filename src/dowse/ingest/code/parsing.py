"""How long may a parser take? Where a grammar makes nothing of a text, that grows with the square of its errors, or never ends."""

import time
from collections.abc import Callable

import tree_sitter

# The slowest grammar, Kotlin's, takes a quarter of a second for a hundred kilobytes, others a tenth of that. Of a text that is
# none, a parser fills two hundred megabytes a second.
_SECONDS_A_BYTE = 4e-6
_SECONDS_AT_LEAST = 1.0
# The parser takes the text piece by piece, and one that goes round in circles takes the same again and again; every now and
# then the clock is looked at. Smaller pieces cost time, larger ones may hold a whole circle.
_PIECE = 1024
# Pieces after which it is: to ask the system how long a thread has run costs more than to cut a piece.
_PIECES = 16


def parse(parser: tree_sitter.Parser, source: bytes, clock: Callable[[], float] = time.thread_time) -> tree_sitter.Tree | None:
    """The tree of a text; None where it would take much longer than texts of its size do, in this thread's own time."""
    end = clock() + _SECONDS_AT_LEAST + len(source) * _SECONDS_A_BYTE
    taken, is_over, is_read = 0, False, False

    def piece(at: int, _: object) -> bytes:
        nonlocal taken, is_over
        taken += 1
        # It cannot be stopped, but a text that ends is soon read. A query looks at texts later, when there is no hurry.
        if is_over or (taken % _PIECES == 0 and not is_read and clock() > end):
            is_over = True
            return b""
        return source[at : at + _PIECE]

    tree = parser.parse(piece)
    is_read = True
    return None if is_over else tree
