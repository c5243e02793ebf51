"""Fusion: what lists together say of a record."""

from collections.abc import Mapping
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.model.ranking import Ranking
from dowse.model.request import Fusion, Lane, ListPlan
from dowse.search.fuse import COMPLETE_BONUS, RRF_K, Fused, contributions, fuse, ranks
from dowse.search.retrieve import ENOUGH, Retrieved


def listed(
    scores: Mapping[int, float],
    coverage: Mapping[int, float] | None = None,
    *,
    name: str = "list",
    weight: float = 1.0,
    tier: int = 0,
) -> Retrieved:
    """A list that gives these handles these scores."""
    handles = sorted(scores)
    held = [(coverage or {}).get(handle, 1.0) for handle in handles]
    ranking = Ranking(np.array(handles, np.int64), np.array([scores[h] for h in handles], np.float64), np.array(held, np.float64))
    return Retrieved(ListPlan(name, Lane.STEMS, weight=weight, tier=tier), ranking)


def scores_of(fused: Fused) -> dict[int, float]:
    return dict(zip(fused.handles.tolist(), fused.scores.tolist(), strict=True))


def tiers_of(fused: Fused) -> dict[int, int]:
    return dict(zip(fused.handles.tolist(), fused.tiers.tolist(), strict=True))


@pytest.mark.requirement("T-06", "I-10", "I-11")
def test_ranks_from_one_give_reciprocal_shares_that_add_up() -> None:
    fused = fuse([listed({1: 9.0, 2: 4.0}), listed({1: 1.0, 3: 2.0})], Fusion.RRF, np.sort)
    assert scores_of(fused) == pytest.approx({1: 1 / 61 + 1 / 62, 2: 1 / 62, 3: 1 / 61})
    assert round(scores_of(fused)[1], 4) == 0.0325
    assert round(scores_of(fused)[2], 4) == 0.0161


@pytest.mark.requirement("T-07")
@given(st.integers(1, 500))
def test_two_lists_beat_one_at_equal_rank(place: int) -> None:
    first = {handle: -float(handle) for handle in range(1, place)}
    both = fuse([listed(first | {1000: -999.0}), listed(first | {1000: -999.0})], Fusion.RRF, np.sort)
    alone = fuse([listed(first | {1000: -999.0})], Fusion.RRF, np.sort)
    assert scores_of(both)[1000] == pytest.approx(2 * scores_of(alone)[1000]) == pytest.approx(2 / (RRF_K + place))


def test_scores_are_added_by_the_weights_of_their_lists() -> None:
    fused = fuse([listed({1: 2.0, 2: 1.0}), listed({2: 4.0}, weight=0.5)], Fusion.SCORE, np.sort)
    bonus = COMPLETE_BONUS * 3.0
    best = 1.0 + 0.5 * 4.0 + bonus
    assert scores_of(fused) == pytest.approx({1: (2.0 + bonus) / best, 2: 1.0})
    assert fused.unit == pytest.approx(best)


@pytest.mark.requirement("U-02")
def test_equals_are_ranked_in_the_order_of_their_keys() -> None:
    backwards = {1: "c", 2: "b", 3: "a"}
    places = ranks(listed({1: 5.0, 2: 5.0, 3: 5.0}), lambda handles: np.array(sorted(handles, key=lambda h: backwards[int(h)])))
    assert places.tolist() == [3, 2, 1]


@pytest.mark.requirement("U-04")
def test_complete_records_stand_before_others_whatever_their_scores() -> None:
    item = listed({1: 9.0, 2: 1.0}, {1: 0.5})
    assert ranks(item, np.sort).tolist() == [2, 1]
    fused = fuse([item], Fusion.RRF, np.sort)
    assert tiers_of(fused)[2] < tiers_of(fused)[1]
    assert fused.relaxed


@pytest.mark.requirement("U-04")
def test_enough_complete_records_leave_no_room_for_others() -> None:
    complete = dict.fromkeys(range(1, ENOUGH + 1), 1.0)
    fused = fuse([listed(complete | {99: 0.5}, {99: 0.6})], Fusion.RRF, np.sort)
    assert 99 not in scores_of(fused)
    assert not fused.relaxed
    few = fuse([listed({1: 1.0, 99: 0.5}, {99: 0.6})], Fusion.RRF, np.sort)
    assert 99 in scores_of(few)
    assert few.relaxed


@pytest.mark.requirement("R-05")
def test_a_record_found_only_by_a_lesser_list_stands_in_a_lower_tier() -> None:
    fused = fuse([listed({1: 1.0}), listed({1: 50.0, 2: 99.0}, tier=1)], Fusion.SCORE, np.sort)
    assert tiers_of(fused) == {1: 0, 2: 1}


@pytest.mark.requirement("G-09")
def test_the_ceiling_is_what_the_lists_that_ran_could_give() -> None:
    found = [listed({1: 3.0}), listed({2: 1.0}, weight=0.5)]
    assert fuse(found, Fusion.RRF, np.sort).ceiling == pytest.approx(1.5 / 61)
    assert fuse(found[:1], Fusion.RRF, np.sort).ceiling == pytest.approx(1 / 61)


@pytest.mark.parametrize("fusion", list(Fusion))
def test_no_lists_and_empty_lists_give_nothing(fusion: Fusion) -> None:
    for found in ([], [listed({})], [listed({}), listed({})]):
        fused = fuse(found, fusion, np.sort)
        assert (len(fused.handles), fused.relaxed) == (0, False)


_LISTS = st.lists(st.dictionaries(st.integers(1, 30), st.floats(0.01, 100), max_size=12), max_size=4)


@given(_LISTS, st.sampled_from(Fusion))
def test_the_score_is_the_sum_of_what_each_list_adds(lists: list[dict[int, float]], fusion: Fusion) -> None:
    found = [listed(scores) for scores in lists]
    expected: dict[int, float] = {}
    for item in found:
        for handle, share in zip(item.ranking.handles.tolist(), contributions(item, fusion, np.sort).tolist(), strict=True):
            expected[handle] = expected.get(handle, 0.0) + share
    if fusion is Fusion.SCORE:
        bonus = COMPLETE_BONUS * max(expected.values(), default=0.0)
        best = max(expected.values(), default=0.0) + bonus or 1.0
        expected = {handle: (score + bonus) / best for handle, score in expected.items()}
    fused = fuse(found, fusion, np.sort)
    assert scores_of(fused) == pytest.approx(expected)
    assert fused.handles.tolist() == sorted(expected)


@given(_LISTS.filter(lambda lists: len(lists) > 1), st.randoms(use_true_random=False))
def test_the_order_of_the_lists_does_not_matter(lists: list[dict[int, float]], random: Random) -> None:
    shuffled = list(lists)
    random.shuffle(shuffled)
    one, other = (fuse([listed(scores) for scores in some], Fusion.RRF, np.sort) for some in (lists, shuffled))
    assert scores_of(one) == pytest.approx(scores_of(other))
