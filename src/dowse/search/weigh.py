"""Which declared reasons move a hit? Factors on the scores of the best hits, within a window of fixed size."""

from collections.abc import Sequence
from dataclasses import dataclass

from dowse.model.ranking import Handles, Signal
from dowse.model.request import Boost, Scope
from dowse.model.terms import Query
from dowse.ports import Selection, View
from dowse.text.folding import fold

# How many hits are looked at closely. Fixed: the order must not depend on how many the caller wants to see.
WINDOW = 50


@dataclass(frozen=True, slots=True)
class Weighed:
    score: float
    signals: tuple[Signal, ...]


def weigh(view: View, handles: Handles, scores: Sequence[float], boosts: Sequence[Boost], query: Query) -> list[Weighed]:
    """The scores after every reason that applies."""
    tests = [(Signal(boost.name, boost.factor), _applying(view, handles, boost, query)) for boost in boosts]
    weighed = []
    for at, score in enumerate(scores):
        signals = tuple(signal for signal, applying in tests if applying[at])
        for signal in signals:
            score *= signal.factor
        weighed.append(Weighed(score, signals))
    return weighed


def wanted(boosts: Sequence[Boost], query: Query) -> tuple[Boost, ...]:
    """The reasons that count for a query: who asks for tests wants tests."""
    words = {word for term in query.terms for word in term.words}
    return tuple(boost for boost in boosts if words.isdisjoint(boost.unless))


def telling(view: View, boosts: Sequence[Boost]) -> tuple[Boost, ...]:
    """The reasons that hold for any record at all: where nothing is a test, nobody needs to look for tests among the hits."""
    return tuple(boost for boost in boosts if boost.when == "title" or _having(view, boost).size)


def _having(view: View, boost: Boost) -> Selection:
    return view.select(Scope(facets={boost.facet: (boost.value,)}))


def _applying(view: View, handles: Handles, boost: Boost, query: Query) -> list[bool]:
    if boost.when == "title":
        named = fold(query.text).strip()
        return [fold(record.title).strip() == named for record in view.fetch(handles)]
    having = _having(view, boost)
    return [view.holds(having, int(handle)) for handle in handles]
