"""How does one find text that contains a string, knowing only which words each text holds?

A string is taken apart into *pieces*: what it demands of the words of a text. ``er_by`` demands a word that ends in "er" and one
that begins with "by". Pieces narrow the candidates; only a string inside one word needs no look at the text itself.
"""

from dataclasses import dataclass
from enum import StrEnum

from dowse.text.folding import fold
from dowse.text.words import LONGEST_WORD, is_paired, plain_spans


class Place(StrEnum):
    """Where in a word a piece stands."""

    INSIDE = "contains"
    END = "suffix"
    START = "prefix"
    WHOLE = "word"


# By whether the piece touches the begin and the end of the string: there, the text's word may go on.
_PLACES = {(True, True): Place.INSIDE, (True, False): Place.END, (False, True): Place.START, (False, False): Place.WHOLE}


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Demand:
    """What a string demands. ``certain``: the pieces alone decide. No pieces: only the text can tell."""

    literal: str
    pieces: tuple[Piece, ...]
    certain: bool


def demand(string: str) -> Demand:
    """The pieces of a string.

    >>> [(p.text, p.place.value) for p in demand("User_by.ID").pieces]
    [('user', 'suffix'), ('by', 'word'), ('id', 'prefix')]
    >>> demand("embed").certain, demand("->").pieces
    (True, ())
    """
    literal = fold(string)
    pieces = []
    for span in plain_spans(literal):
        if len(span.word) > LONGEST_WORD // 2:
            pieces.append(Piece(span.word[: LONGEST_WORD // 2], Place.INSIDE))
        elif is_paired(span.word):
            pieces.append(Piece(span.word, Place.WHOLE if len(span.word) > 1 else Place.INSIDE))
        else:
            pieces.append(Piece(span.word, _PLACES[span.start == 0, span.end == len(literal)]))
    certain = len(pieces) == 1 and pieces[0] == Piece(literal, Place.INSIDE) and not is_paired(literal)
    return Demand(literal, tuple(pieces), certain)


def count_in(literal: str, text: str) -> int:
    """How often a folded string occurs in a text as a reader sees it."""
    return fold(text).count(literal)
