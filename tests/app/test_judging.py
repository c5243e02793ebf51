"""Measures, as their definitions say."""

import math
import random

import pytest

from dowse.app.judging import difference, measures, ndcg, ranks
from dowse.model.record import Record


def symbol(path: str, line: int, end: int, space: str = "acme") -> Record:
    return Record(f"{space}:{path}#f{line}", "symbol", fields={"path": path}, space=space, facets={"line": line, "lineEnd": end})


def test_a_record_is_found_by_its_id_a_file_by_any_of_its_parts() -> None:
    hits = [symbol("a.py", 1, 9), symbol("a.py", 10, 19), symbol("b.py", 1, 5)]
    assert ranks(["b.py", "acme:b.py", "acme:a.py#f10", "c.py"], hits) == (3, 3, 2, None)


def test_lines_are_found_where_a_hit_overlaps_them() -> None:
    hits = [symbol("a.py", 1, 9), symbol("a.py", 10, 19)]
    assert ranks(["a.py:15-30", "a.py:9", "a.py:20-30"], hits) == (2, 1, None)


def test_a_file_without_lines_does_not_answer_for_some_of_its_lines() -> None:
    assert ranks(["a.py:1-5", "a.py"], [Record("acme:a.py", "codefile", fields={"path": "a.py"}, space="acme")]) == (None, 1)


def test_an_example_shows_the_section_it_stands_in_where_that_is_said() -> None:
    example = Record("acme:a.md#use/code", "snippet", parent="acme:a.md#use")
    assert ranks(["acme:a.md#use"], [example], inner=("snippet",)) == (1,)
    assert ranks(["acme:a.md#use"], [example]) == (None,)


def test_ndcg_is_full_when_everything_expected_stands_first() -> None:
    assert ndcg((2, 1, 3)) == pytest.approx(1.0)


def test_ndcg_counts_a_place_by_the_logarithm_and_nothing_past_the_tenth() -> None:
    assert ndcg((3,)) == pytest.approx(1 / math.log2(4))
    assert ndcg((11,)) == 0.0
    assert ndcg((1, None)) == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_more_expected_than_are_shown_can_still_be_answered_fully() -> None:
    assert ndcg((*range(1, 11), None, None)) == pytest.approx(1.0)


def test_means_are_taken_over_questions() -> None:
    found = measures([(1,), (None, 50), (12,)])
    assert found.ndcg == pytest.approx(1 / 3)
    assert found.mrr == pytest.approx(1 / 3)
    assert found.recall == pytest.approx((1 + 0.5 + 1) / 3)


def test_no_questions_measure_nothing() -> None:
    assert measures([]).ndcg == 0.0
    assert difference([], []).mean == 0.0


def test_the_interval_of_a_difference_is_the_same_every_time_and_holds_the_mean() -> None:
    draw = random.Random(1)
    ours, theirs = [draw.random() for _ in range(200)], [draw.random() for _ in range(200)]
    found = difference(ours, theirs)
    assert found == difference(ours, theirs)
    assert found.low < found.mean < found.high


def test_the_same_gain_everywhere_leaves_no_doubt() -> None:
    found = difference([0.7] * 50, [0.5] * 50)
    assert (found.low, found.high) == (pytest.approx(0.2), pytest.approx(0.2))
