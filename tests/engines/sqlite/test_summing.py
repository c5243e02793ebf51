"""Is the front of a list what adding up everything would put there? Against a plain sum, record by record."""

from collections.abc import Collection

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from dowse.engines.sqlite import summing
from dowse.engines.sqlite.summing import Found, Part, Sums, add_up, add_up_of, front, in_order
from dowse.model.request import Front

SIZE = 400


@st.composite
def queries(draw: st.DrawFn) -> list[Part]:
    """Terms as they come: a few rare ones that tell much and common ones that tell little, some of them not required."""
    chance = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    parts = []
    for number in range(draw(st.integers(2, 5))):
        share = draw(st.sampled_from((0.02, 0.05, 0.1, 0.3, 0.7)))
        ids = np.flatnonzero(chance.random(SIZE) < share)
        worth = float(-np.log(share))
        # Few different gifts, so that many records score the same.
        gifts = 2 * worth * chance.choice(draw(st.sampled_from(((0.5, 0.75, 1.0), (0.9, 0.95, 1.0)))), len(ids))
        required = draw(st.booleans()) or number < 2
        parts.append(Part(summing.given(ids, gifts, SIZE), draw(st.sampled_from((0.25, 0.5, 1.0))), worth * required))
    return in_order(parts)


def plainly(parts: list[Part], bound: float) -> dict[int, tuple[float, float]]:
    """For each record that holds enough its score and what it holds."""
    sums: dict[int, tuple[float, float]] = {}
    for part in parts:
        for identity, gift in zip(part.given.ids.tolist(), part.given.gifts.tolist(), strict=True):
            score, held = sums.get(identity, (0.0, 0.0))
            sums[identity] = (score + part.weight * gift, held + part.worth)
    return {identity: (score, held) for identity, (score, held) in sums.items() if held >= bound}


def as_dict(sums: Sums) -> dict[int, tuple[float, float]]:
    return {
        int(identity): (score, held)
        for identity, score, held in zip(sums.ids, sums.scores.tolist(), sums.held.tolist(), strict=True)
    }


@given(queries(), st.floats(0.05, 0.6))
@settings(max_examples=100, deadline=None, database=None, derandomize=True)
def test_adding_up_is_the_plain_sum_whichever_way_it_is_done(parts: list[Part], share: float) -> None:
    bound = share * sum(part.worth for part in parts)
    expected = plainly(parts, bound)
    every = np.arange(SIZE)
    for sums in (summing._sum_dense(parts, bound, SIZE), summing._sum_sparse(parts, bound), add_up_of(parts, bound, every)):
        found = as_dict(sums)
        assert found.keys() == expected.keys()
        for number in (0, 1):
            assert [found[key][number] for key in expected] == pytest.approx(
                [item[number] for item in expected.values()], rel=1e-12
            )
        assert (np.diff(sums.ids) > 0).all()
    # What is looked up for some records is to the last bit what was added up for all.
    assert as_dict(add_up_of(parts, bound, every)) == as_dict(summing._sum_dense(parts, bound, SIZE))


@given(queries(), st.floats(0.05, 0.3), st.integers(1, 30), st.integers(1, 10), st.booleans(), st.integers(0, 2**32 - 1))
@settings(max_examples=300, deadline=None, database=None, derandomize=True)
def test_the_front_holds_everyone_who_stands_there_and_counts_the_others(
    parts: list[Part], share: float, wanted: int, enough: int, masked: bool, seed: int
) -> None:
    total = sum(part.worth for part in parts)
    bound, whole = share * total, total * (1 - 1e-9)
    chance = np.random.default_rng(seed)
    within = chance.random(SIZE) < 0.8 if masked else None
    also = np.flatnonzero(chance.random(SIZE) < 0.03)
    gains = chance.choice((0.0, 1.0, 3.0, np.inf), len(also))
    found = front(parts, bound, SIZE, within, Front(wanted, enough, also, gains))
    event("pruned" if found is not None else "whole")
    if found is None:
        return
    everyone = {key: item for key, item in as_dict(add_up(parts, bound, SIZE)).items() if within is None or within[key]}
    listed = as_dict(found.sums)
    complete = {identity for identity, (_, held) in everyone.items() if held >= whole}
    assert len(listed) + found.more == len(everyone)
    assert {identity for identity, (_, held) in listed.items() if held >= whole} == complete & listed.keys()
    assert len(complete & listed.keys()) + found.more_whole == len(complete)
    # To the last bit: pages further back are made of the whole sum, and must go on where this one ends.
    assert {identity: score for identity, (score, _) in listed.items()} == {key: everyone[key][0] for key in listed}
    gained = dict.fromkeys(everyone, 0.0) | {
        key: gain for key, gain in zip(also.tolist(), gains.tolist(), strict=True) if key in everyone
    }
    for among in (everyone.keys(), complete):
        line = nth_best(everyone, among, wanted)
        assert {key for key in among if everyone[key][0] + gained[key] >= line} <= listed.keys()
    if enough <= len(complete) < len(everyone):
        line = nth_best(everyone, complete, enough)
        assert {key for key in everyone if everyone[key][0] + gained[key] >= line} <= listed.keys()


def nth_best(sums: dict[int, tuple[float, float]], among: Collection[int], wanted: int) -> float:
    scores = sorted((sums[key][0] for key in among), reverse=True)
    return scores[min(wanted, len(scores)) - 1] if scores else 0.0


def test_a_question_with_a_rare_word_is_not_added_up_for_everyone() -> None:
    found = rare_and_common(np.arange(0, SIZE, 2))
    assert found is not None
    assert len(found.sums.ids) < 20
    assert found.more > SIZE // 3


def test_two_common_words_are_added_up_for_everyone() -> None:
    common = summing.given(np.arange(SIZE), np.ones(SIZE), SIZE)
    assert front([Part(common, 1.0, 1.0)] * 2, 0.1, SIZE, None, Front(5, 3)) is None


def rare_and_common(common: summing.Ids) -> Found | None:
    rare = summing.given(np.arange(0, SIZE, 25), np.full(SIZE // 25, 9.0), SIZE)
    parts = in_order([Part(summing.given(common, np.ones(len(common)), SIZE), 1.0, 0.7), Part(rare, 1.0, 4.0)])
    return front(parts, 0.5, SIZE, None, Front(5, 3))


def test_what_is_worth_as_much_as_the_bound_is_not_left_to_rounding() -> None:
    assert summing._levels([0.1, 0.2, 0.3], 0.1 + 0.2) is None
