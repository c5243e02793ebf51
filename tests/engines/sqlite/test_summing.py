"""Is the front of a list what adding up everything would put there? Against a plain sum, record by record."""

from collections.abc import Collection

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from dowse.engines.sqlite import giving, summing
from dowse.engines.sqlite.fronting import Found, front_of, levels_of
from dowse.engines.sqlite.giving import Part, Sums, add_up_of, in_order
from dowse.engines.sqlite.summing import front
from dowse.model.request import Front

SIZE = 400


def given_of(ids: giving.Ids, gifts: giving.Values, size: int) -> giving.Given:
    """A term that gives just this."""
    kept, numbers = gifts.astype(np.float32), ids.astype(np.int32)
    marks = giving.marked(numbers, size) if len(ids) * 16 > size else (None, None)
    to_many = float(np.sort(kept)[-giving.MANY]) if marks[0] is None and len(ids) >= giving.MANY else 0.0
    return giving.Given(numbers, kept, float(kept.max(initial=0.0)), *marks, to_many)


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
        parts.append(Part(given_of(ids, gifts, SIZE), draw(st.sampled_from((0.25, 0.5, 1.0))), worth * required))
    return in_order(parts)


def without_bits(parts: list[Part]) -> list[Part]:
    return [part._replace(given=part.given._replace(bits=None)) for part in parts]


def with_few_bits(parts: list[Part]) -> list[Part]:
    """As made when there were fewer records."""
    few = [item.bits[:16] if item.bits is not None else None for item in (part.given for part in parts)]
    return [part._replace(given=part.given._replace(bits=bits)) for part, bits in zip(parts, few, strict=True)]


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
    ways = [
        summing._sum_dense(parts, bound, SIZE),
        summing._sum_sparse(parts, bound),
        add_up_of(parts, bound, np.arange(SIZE)),
        add_up_of(with_few_bits(parts), bound, np.arange(SIZE)),
        summing.add_up(parts, bound, SIZE),
        # Where few of many are concerned, the compiled way goes from one to the next.
        summing.add_up(without_bits(parts), bound, 100 * SIZE),
        # Where most hold nothing, those that do are marked.
        summing.add_up(without_bits(parts), bound, 6 * SIZE),
    ]
    for sums in ways:
        # To the last bit.
        assert as_dict(sums) == expected
        assert (np.diff(sums.ids) > 0).all()


@given(queries(), st.floats(0.05, 0.6), st.integers(0, 2**32 - 1))
@settings(max_examples=50, deadline=None, database=None, derandomize=True)
def test_only_those_within_a_mask_are_added_up(parts: list[Part], share: float, seed: int) -> None:
    bound = share * sum(part.worth for part in parts)
    within = np.random.default_rng(seed).random(SIZE) < 0.5
    expected = {key: item for key, item in plainly(parts, bound).items() if within[key]}
    assert as_dict(summing.add_up(parts, bound, SIZE, within)) == expected


@given(queries(), st.floats(0.05, 0.3), st.integers(1, 30), st.integers(1, 10), st.booleans(), st.integers(0, 2**32 - 1))
@settings(max_examples=300, deadline=None, database=None, derandomize=True)
def test_the_front_holds_those_who_stand_there_and_counts_the_others(
    parts: list[Part], share: float, wanted: int, enough: int, masked: bool, seed: int
) -> None:
    chance = np.random.default_rng(seed)
    within = chance.random(SIZE) < 0.8 if masked else None
    also = np.flatnonzero(chance.random(SIZE) < 0.03)
    asked = Front(wanted, enough, also, chance.choice((0.0, 1.0, 3.0, np.inf), len(also)))
    for some in (parts, parts[:1]):
        total = sum(part.worth for part in some)
        bound, whole = share * total, total * (1 - 1e-9)
        everyone = {key: item for key, item in plainly(some, bound).items() if within is None or within[key]}
        complete = {identity for identity, (_, held) in everyone.items() if held >= whole}
        listed = in_front(everyone, complete, asked)
        ways = [front_of(some, bound, SIZE, within, asked)]
        event("pruned" if ways[0] is not None else "whole")
        ways.append(front(some, bound, whole, SIZE, within, asked))
        wide = within if within is None else np.append(within, np.zeros(99 * SIZE, np.bool_))
        ways.append(front(without_bits(some), bound, whole, 100 * SIZE, wide, asked))
        for found in ways:
            if found is not None:
                # To the last bit: pages further back are made of the whole sum, and must go on where this one ends.
                assert as_dict(found.sums) == listed
                assert found.more == len(everyone) - len(listed)
                assert found.more_whole == len(complete) - len(complete & listed.keys())


@given(st.integers(0, 2**32 - 1), st.integers(2, 7), st.booleans(), st.sampled_from((1, 40, 200)))
@settings(max_examples=60, deadline=None, database=None, derandomize=True)
def test_the_front_of_many_records_holds_those_who_stand_there(seed: int, count: int, masked: bool, wanted: int) -> None:
    """So many that they are gone through in blocks, as texts come: words that stand close together, and many that others name."""
    chance = np.random.default_rng(seed)
    size = int(chance.integers(5_000, 15_000))
    parts = in_order([part_of_many(chance, size, required=not number) for number in range(count)])
    total = sum(part.worth for part in parts)
    bound, whole = float(chance.uniform(0.05, 0.3)) * total, total * (1 - 1e-9)
    within = chance.random(size) < 0.8 if masked else None
    also = np.flatnonzero(chance.random(size) < chance.choice((0.001, 0.2)))
    asked = Front(wanted, 20, also, chance.choice((0.0, 1.0, 3.0, np.inf), len(also), p=(0.4, 0.4, 0.19, 0.01)))
    everyone = {key: item for key, item in plainly(parts, bound).items() if within is None or within[key]}
    complete = {identity for identity, (_, held) in everyone.items() if held >= whole}
    listed = in_front(everyone, complete, asked)
    for some in (parts, without_bits(parts), with_few_bits(parts)):
        found = front(some, bound, whole, size, within, asked)
        if found is not None:
            assert as_dict(found.sums) == listed
            assert (np.diff(found.sums.ids) > 0).all()
            assert found.more == len(everyone) - len(listed)
            assert found.more_whole == len(complete) - len(complete & listed.keys())


def part_of_many(chance: np.random.Generator, size: int, required: bool) -> Part:
    share = float(chance.choice((0.005, 0.05, 0.2, 0.6)))
    crowd = np.zeros(size)
    middle = int(chance.integers(size))
    crowd[max(0, middle - size // 4) : middle + size // 4] = 1.0
    ids = np.flatnonzero(chance.random(size) < share * (0.5 + crowd))
    worth = float(-np.log(share))
    gifts = 2 * worth * np.round(chance.uniform(0.3, 1.0, len(ids)), int(chance.integers(1, 4)))
    return Part(given_of(ids, gifts, size), float(chance.choice((0.25, 1.0))), worth * (required or bool(chance.random() < 0.9)))


def in_front(everyone: dict[int, tuple[float, float]], complete: set[int], asked: Front) -> dict[int, tuple[float, float]]:
    """The front as its declaration says, told from everyone."""
    gained = dict.fromkeys(everyone, 0.0)
    gained |= {key: gain for key, gain in zip(asked.also.tolist(), asked.gains.tolist(), strict=True) if key in everyone}
    certain = {key: (score + (gained[key] if gained[key] < np.inf else 0.0), held) for key, (score, held) in everyone.items()}
    line = nth_best(certain, certain.keys(), asked.wanted)
    if asked.enough <= len(complete) < len(everyone):
        line = min(line, nth_best(certain, complete, asked.enough))
    last_complete = nth_best(certain, complete, asked.wanted)
    reached = {key: everyone[key][0] + gained[key] for key in everyone}
    return {key: everyone[key] for key in everyone if reached[key] >= line or (key in complete and reached[key] >= last_complete)}


def nth_best(sums: dict[int, tuple[float, float]], among: Collection[int], wanted: int) -> float:
    scores = sorted((sums[key][0] for key in among), reverse=True)
    return scores[min(wanted, len(scores)) - 1] if scores else 0.0


def test_a_question_with_a_rare_word_is_not_added_up_for_everyone() -> None:
    found = rare_and_common(np.arange(0, SIZE, 2))
    assert found is not None
    assert len(found.sums.ids) < 20
    assert found.more > SIZE // 3


def test_two_common_words_are_added_up_for_everyone() -> None:
    common = given_of(np.arange(SIZE), np.ones(SIZE), SIZE)
    assert front_of([Part(common, 1.0, 1.0)] * 2, 0.1, SIZE, None, Front(5, 3)) is None


def rare_and_common(common: giving.Ids) -> Found | None:
    rare = given_of(np.arange(0, SIZE, 25), np.full(SIZE // 25, 9.0), SIZE)
    parts = in_order([Part(given_of(common, np.ones(len(common)), SIZE), 1.0, 0.7), Part(rare, 1.0, 4.0)])
    return front_of(parts, 0.5, SIZE, None, Front(5, 3))


def test_what_is_worth_as_much_as_the_bound_is_not_left_to_rounding() -> None:
    assert levels_of([0.1, 0.2, 0.3], 0.1 + 0.2) is None


@pytest.mark.parametrize(
    ("ids", "gifts", "error"),
    [
        (np.array([3, 9], np.int32), np.ones(2, np.float32), ValueError),
        (np.array([3, -1], np.int32), np.ones(2, np.float32), ValueError),
        (np.array([3, 2], np.int32), np.ones(2, np.float32), ValueError),
        (np.array([3, 2], np.int32), np.ones(3, np.float32), ValueError),
        (np.array([3, 2]), np.ones(2, np.float32), TypeError),
    ],
    ids=["beyond", "negative", "descending", "without a gift", "of another type"],
)
def test_numbers_that_cannot_be_are_refused(ids: np.ndarray, gifts: np.ndarray, error: type[Exception]) -> None:
    if summing.compiled is None:
        pytest.skip("only what is compiled must be told")
    part = Part(giving.Given(ids, gifts, 1.0, None, None), 1.0, 1.0)
    with pytest.raises(error):
        summing.compiled.everyone([part], 0.5, 8, None)


@given(st.integers(0, 2**32 - 1), st.floats(0.05, 0.9), st.booleans())
@settings(max_examples=25, deadline=None, database=None, derandomize=True)
def test_those_who_hold_something_are_added_up_alike_wherever_they_lie(seed: int, share: float, masked: bool) -> None:
    chance, size = np.random.default_rng(seed), 20_000
    counts = (2500, 1500, 700)
    parts = [
        Part(given_of(np.sort(chance.choice(size, count, replace=False)), chance.random(count), size), weight, worth)
        for count, weight, worth in zip(counts, (1.0, 0.5, 1.0), (1.0, 2.0, 3.0), strict=True)
    ]
    within = chance.random(size) < 0.5 if masked else None
    expected = plainly(parts, share * 6)
    kept = {identity: sums for identity, sums in expected.items() if within is None or within[identity]}
    assert as_dict(summing.add_up(parts, share * 6, size, within)) == kept
