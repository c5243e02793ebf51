"""Which declared reasons move a hit? Factors on the scores of the best hits, within a window of fixed size."""

from collections.abc import Sequence
from dataclasses import dataclass

from dowse.model.ranking import Signal
from dowse.model.record import Record
from dowse.model.request import Boost
from dowse.model.terms import Query
from dowse.text.folding import fold

# How many hits are looked at closely. Fixed: the order must not depend on how many the caller wants to see.
WINDOW = 50


@dataclass(frozen=True, slots=True)
class Weighed:
    score: float
    signals: tuple[Signal, ...]


def weigh(record: Record, score: float, boosts: Sequence[Boost], query: Query) -> Weighed:
    """The score after every reason that applies."""
    signals = tuple(Signal(boost.name, boost.factor) for boost in boosts if _applies(boost, record, query))
    for signal in signals:
        score *= signal.factor
    return Weighed(score, signals)


def _applies(boost: Boost, record: Record, query: Query) -> bool:
    if boost.when == "title":
        return fold(record.title).strip() == fold(query.text).strip()
    value = record.facets.get(boost.facet)
    return value is not None and str(value) == boost.value
