"""Is closeness worth the same, whichever way it is told?"""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.engines.sqlite import nearness as module
from dowse.engines.sqlite.nearness import nearness
from dowse.engines.sqlite.postings import RECORD_SHIFT

SIZE = 40


@st.composite
def words(draw: st.DrawFn) -> list[tuple[np.ndarray, float]]:
    """The places of some words in a few records, many of them close together; two words may stand at one place."""
    chance = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    found = []
    for _ in range(draw(st.integers(0, 5))):
        count = draw(st.integers(0, 60))
        column = chance.integers(0, 3, count) << 24
        places = np.unique((chance.integers(0, SIZE, count) << RECORD_SHIFT) | column | chance.integers(0, 30, count))
        found.append((places, draw(st.sampled_from((0.1, 0.7, 1.3, 3.1)))))
    return found


@given(words(), st.sets(st.integers(0, SIZE - 1)))
@settings(max_examples=300, deadline=None, database=None, derandomize=True)
def test_closeness_is_worth_the_same_whichever_way_it_is_told(found: list[tuple[np.ndarray, float]], among: set[int]) -> None:
    records = np.array(sorted(among), np.int64)
    plainly = module._nearness(records, found, SIZE) if len(found) > 1 else np.zeros(len(records))
    assert nearness(records, found, SIZE).tolist() == plainly.tolist()


def test_neighbours_in_the_order_of_the_query_count_twice() -> None:
    def at(*places: int) -> np.ndarray:
        return np.array([(1 << RECORD_SHIFT) | place for place in places], np.int64)

    records = np.array([0, 1], np.int64)
    assert nearness(records, [(at(4), 1.0), (at(5), 2.0)], SIZE).tolist() == [0.0, 2.0]
    assert nearness(records, [(at(5), 1.0), (at(4), 2.0)], SIZE).tolist() == [0.0, 1.0]
    assert nearness(records, [(at(4), 1.0), (at(40), 2.0)], SIZE).tolist() == [0.0, 0.0]
