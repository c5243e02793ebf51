"""Do the words of the query stand close together? Read off the text itself, for the few records that are looked at closely."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from dowse.engines.opensearch.lanes import Stemmer, words_of
from dowse.engines.opensearch.matching import is_single
from dowse.model.ranking import CLOSE, IN_ORDER
from dowse.model.record import Record
from dowse.model.schema import COLUMNS, Schema
from dowse.model.terms import Term


def nearness(terms: Sequence[tuple[Term, float]], schema: Schema, record: Record, stemmer: Stemmer) -> float:
    """What it is worth that neighbouring words of the query are neighbours in the record. ``terms``: each with its worth.

    Of all occurrences in a text, each is compared with the next. Two neighbouring words of the query count once for the record if
    they so stand within ``CLOSE`` words, and once more if they stand in the order of the query within ``IN_ORDER``; each time with
    the worth of the lesser word.
    """
    worths = [worth for _, worth in terms]
    tests = [_test(term, stemmer) for term, _ in terms]
    held: set[tuple[str, int]] = set()
    columns = words_of(schema, record)
    numbers: dict[str, list[int]] = {}
    for column in COLUMNS:
        words = columns.get(column, "").split()
        for word in set(words) - numbers.keys():
            numbers[word] = [number for number, test in enumerate(tests) if test(word)]
        places = [(at, number) for at, word in enumerate(words) if numbers[word] for number in numbers[word]]
        for (here, one), (there, other) in pairwise(places):
            if abs(other - one) == 1 and there - here <= CLOSE:
                held.add(("close", min(one, other)))
            if other - one == 1 and there - here <= IN_ORDER:
                held.add(("ordered", one))
    return sum(min(worths[pair], worths[pair + 1]) for _, pair in sorted(held))


def _test(term: Term, stemmer: Stemmer) -> Callable[[str], bool]:
    wanted = term.words[0]
    if term.prefix:
        return lambda word: word.startswith(wanted)
    if is_single(wanted):
        return lambda word: wanted in word
    if term.exact:
        return lambda word: word == wanted
    stem = stemmer.one(wanted)
    return lambda word: stemmer.one(word) == stem
