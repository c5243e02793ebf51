"""However postings are put together, they are what counting one by one gives."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.engines.sqlite import tallying
from dowse.engines.sqlite.tallying import COLUMN_BITS, PLACE_BITS, Postings, among, tallied

Told = list[tuple[int, np.ndarray]]


@st.composite
def told(draw: st.DrawFn) -> Told:
    """Of some columns which records hold a word, and how often: few and far apart, or most there are; some several times."""
    chance = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    parts = []
    for column in draw(st.permutations(range(6)))[: draw(st.integers(0, 3))]:
        size = draw(st.sampled_from((1, 200, 5000, 2**31)))
        count = draw(st.integers(0, 300))
        records = chance.integers(0, size, count)
        often = chance.integers(1, draw(st.sampled_from((2, 90, 70_000))), count)
        parts.append((column, records << PLACE_BITS | often))
    return parts


def plainly(parts: Told) -> dict[int, int]:
    sums: Counter[int] = Counter()
    for column, numbers in parts:
        for number in numbers.tolist():
            sums[(number >> PLACE_BITS) << COLUMN_BITS | column] += number & ((1 << PLACE_BITS) - 1)
    return dict(sorted(sums.items()))


@pytest.fixture(params=["compiled", "not"])
def _either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "not":
        monkeypatch.setattr(tallying, "compiled", None)
    elif tallying.compiled is None:
        pytest.skip("nothing is compiled here")


@pytest.mark.usefixtures("_either")
class TestEither:
    @given(told())
    def test_every_cell_has_what_was_told_of_it(self, parts: Told) -> None:
        found = tallied(parts)
        assert dict(zip(found.cells.tolist(), found.counts.tolist(), strict=True)) == plainly(parts)
        assert found.cells.tolist() == sorted(found.cells.tolist())
        few = not len(found.cells) or (max(found.cells) < 2**32 and max(found.counts) < 256)
        assert (found.cells.itemsize, found.counts.itemsize) == ((4, 1) if few else (8, 4))

    @given(told(), st.lists(st.sampled_from((0.0, 0.5, 1.0, 3.7)), min_size=6, max_size=6))
    def test_a_record_has_the_sum_of_its_columns_as_they_weigh(self, parts: Told, weights: list[float]) -> None:
        ids, sums = tallied(parts).frequencies(weights)
        expected: dict[int, float] = {}
        for cell, count in plainly(parts).items():
            record, column = cell >> COLUMN_BITS, cell & 7
            expected[record] = expected.get(record, 0.0) + count * weights[column]
        assert ids.tolist() == list(expected)
        assert sums.tolist() == list(expected.values())

    @given(st.sets(st.integers(0, 2**40)), st.randoms())
    def test_it_is_told_which_records_are_among_others(self, records: set[int], chance: random.Random) -> None:
        ids = sorted(records)
        others = [record for record in ids if chance.random() < 0.5]
        marks = among(np.array(ids, np.int64), np.array(others, np.int64))
        assert [record for record, mark in zip(ids, marks, strict=True) if mark] == others


def test_what_cannot_be_is_refused() -> None:
    if tallying.compiled is None:
        pytest.skip("only what is compiled must be told")
    numbers = np.array([5 << PLACE_BITS | 1])
    with pytest.raises(ValueError, match="beyond"):
        tallying.compiled.counted([(numbers, 0, 5)], COLUMN_BITS, PLACE_BITS)
    with pytest.raises(TypeError):
        tallying.compiled.counted([(numbers, 9, 0)], COLUMN_BITS, PLACE_BITS)
    with pytest.raises(ValueError, match="no weight"):
        Postings(np.array([7], np.uint32), np.array([1], np.uint8)).frequencies([1.0])
    with pytest.raises(TypeError):
        tallying.compiled.frequencies(np.ones(3, np.uint32), np.ones(2, np.uint8), np.ones(8), COLUMN_BITS)
