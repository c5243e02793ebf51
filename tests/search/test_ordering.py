"""What a search does with many scores: compiled and in Python the same, to the last bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.search import ordering
from dowse.search.ordering import Adding, United

_SEEDS = st.integers(0, 2**32 - 1)
_SETTINGS = settings(max_examples=200, deadline=None, database=None, derandomize=True)

pytestmark = pytest.mark.skipif(
    ordering.compiled is None, reason="nothing was compiled; tests/test_compiled.py says whether it should be"
)


def some_scores(chance: np.random.Generator, count: int) -> ordering.Floats:
    levels = int(chance.choice((2, 40, 1_000_000)))
    return chance.integers(0, levels, count) / levels


def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordering, "compiled", None)


@given(_SEEDS, st.integers(0, 600), st.sampled_from((1, 20)), st.integers(0, 50))
@_SETTINGS
def test_lists_are_united_alike(seed: int, count: int, enough: int, further: int) -> None:
    chance = np.random.default_rng(seed)
    handles = np.sort(chance.choice(5000, count, replace=False)).astype(np.int64)
    coverage = chance.choice((0.3, 0.7, 1.0), count)
    adding: Adding = [adding_list(chance) for _ in range(int(chance.integers(0, 3)))]
    asked = (handles, some_scores(chance, count), coverage, 0.7, adding, further, further // 2, enough, 0.05)
    compiled = ordering.unite(*asked)
    with pytest.MonkeyPatch.context() as patched:
        plainly(patched)
        plain = ordering.unite(*asked)
    assert told(compiled) == told(plain)
    assert compiled.handles.tolist() == plain.handles.tolist()
    assert compiled.scores.tolist() == plain.scores.tolist()


def adding_list(chance: np.random.Generator) -> tuple[ordering.Ids, ordering.Floats, float]:
    count = int(chance.choice((0, 3, 900)))
    named = np.sort(chance.choice(5000, count, replace=False)).astype(np.int64)
    return named, chance.random(count), 0.4


def told(united: United) -> tuple[object, ...]:
    return united.unit, united.bonus, united.whole, united.least, united.narrow


@given(_SEEDS, st.integers(1, 1500), st.integers(1, 300), st.integers(1, 4))
@_SETTINGS
def test_the_first_and_the_foremost_are_alike(seed: int, count: int, wanted: int, several: int) -> None:
    chance = np.random.default_rng(seed)
    scores, tiers = some_scores(chance, count), chance.integers(0, several, count).astype(np.int8)
    places, equal = ordering.first(scores, tiers, wanted)
    foremost = [some.tolist() for some in ordering.foremost(scores, tiers, wanted)]
    with pytest.MonkeyPatch.context() as patched:
        plainly(patched)
        in_order, _ = ordering.first(scores, tiers, wanted)
        assert places[:wanted].tolist() == in_order[:wanted].tolist()
        assert foremost == [some.tolist() for some in ordering.foremost(scores, tiers, wanted)]
    pairs = [(int(tiers[at]), float(scores[at])) for at in places.tolist()]
    assert equal == (len(set(pairs)) < len(pairs))


@pytest.mark.parametrize(
    ("scores", "tiers", "error"),
    [(np.ones(3, np.float32), np.zeros(3, np.int8), TypeError), (np.ones(3), np.zeros(2, np.int8), ValueError)],
    ids=["of another type", "not as many"],
)
def test_arrays_that_do_not_belong_together_are_refused(scores: np.ndarray, tiers: np.ndarray, error: type[Exception]) -> None:
    with pytest.raises(error):
        ordering.compiled.first(scores, tiers, 1)
    with pytest.raises(error):
        ordering.compiled.foremost(scores, tiers, 1)
    with pytest.raises(error):
        ordering.compiled.unite(np.arange(3), scores, np.ones(len(tiers)), 1.0, [], 0, 0, 1, 0.1)
