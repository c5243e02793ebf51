"""The page: exact for any offset and limit."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.search.cut import cut, foremost

_ENTRIES = st.lists(st.tuples(st.sampled_from([0.0, 0.5, 0.5, 1.0, 2.0, 3.25]), st.integers(0, 2)), max_size=40)


def ordered(handles: np.ndarray, keys: dict[int, int]) -> np.ndarray:
    return np.array(sorted(handles.tolist(), key=lambda handle: keys[handle]), np.int64)


@pytest.mark.requirement("U-02", "T-24")
@given(_ENTRIES, st.integers(0, 45), st.integers(1, 45), st.randoms(use_true_random=False))
def test_a_page_is_that_slice_of_the_whole_order(entries: list[tuple[float, int]], offset: int, limit: int, random: Random) -> None:
    handles = np.arange(10, 10 + len(entries))
    names = list(range(len(entries)))
    random.shuffle(names)
    keys = dict(zip(handles.tolist(), names, strict=True))
    scores = np.array([score for score, _ in entries], np.float64)
    tiers = np.array([tier for _, tier in entries], np.int64)
    places = cut(handles, scores, tiers, lambda some: ordered(np.asarray(some), keys), offset, limit)
    whole = sorted(range(len(entries)), key=lambda at: (tiers[at], -scores[at], keys[int(handles[at])]))
    assert places.tolist() == whole[offset : offset + limit]


def test_a_page_past_the_end_is_empty() -> None:
    one = np.array([1])
    assert cut(one, np.array([1.0]), np.array([0]), np.sort, 5, 10).tolist() == []


@given(st.integers(1, 4000), st.integers(1, 300), st.sampled_from([3, 50, 1_000_000]), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_the_foremost_are_the_first_of_the_whole_order(count: int, wanted: int, levels: int, tiers: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    handles, names = np.arange(10, 10 + count), chance.permutation(count)
    scores, several = chance.integers(0, levels, count) / levels, chance.integers(0, tiers, count).astype(np.int8)
    found = foremost(handles, scores, several, lambda some: np.asarray(some)[np.argsort(names[np.asarray(some) - 10])], wanted)
    assert found.tolist() == np.sort(np.lexsort((names, -scores, several))[:wanted]).tolist()
