"""Do the words of the query stand close together? Read off the text itself, for the few records that are looked at closely."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from dowse.engines.opensearch.lanes import words_of
from dowse.model.ranking import CLOSE, IN_ORDER
from dowse.model.record import Record
from dowse.model.schema import COLUMNS, Schema


def numbered(forms: Sequence[frozenset[str]]) -> dict[str, tuple[int, ...]]:
    """For each word the numbers of the terms that it counts as."""
    found: dict[str, tuple[int, ...]] = {}
    for number, words in enumerate(forms):
        for word in words:
            found[word] = (*found.get(word, ()), number)
    return found


def nearness(numbers: Mapping[str, tuple[int, ...]], worths: Sequence[float], schema: Schema, record: Record) -> float:
    """What it is worth that neighbouring words of the query are neighbours in the record. ``numbers``: which words count as which.

    Of all occurrences in a text, each is compared with the next. Two neighbouring words of the query count once for the record if
    they so stand within ``CLOSE`` words, and once more if they stand in the order of the query within ``IN_ORDER``; each time with
    the worth of the lesser word.
    """
    held: set[tuple[str, int]] = set()
    columns = words_of(schema, record)
    for column in COLUMNS:
        words = columns.get(column, "").split()
        places = [(at, number) for at, word in enumerate(words) if word in numbers for number in numbers[word]]
        for (here, one), (there, other) in pairwise(places):
            if abs(other - one) == 1 and there - here <= CLOSE:
                held.add(("close", min(one, other)))
            if other - one == 1 and there - here <= IN_ORDER:
                held.add(("ordered", one))
    return sum(min(worths[pair], worths[pair + 1]) for _, pair in sorted(held))
