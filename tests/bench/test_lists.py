"""The fusion beside the lists it is made of."""

import pytest
from bench.lists import compare, render_lists

from dowse.app.dissecting import NO_GRAPH, WORDS


def test_the_best_single_list_is_what_a_fusion_is_held_against() -> None:
    found = compare("set", [0.5, 0.5], {"text": [0.4, 0.4], "vectors": [0.6, 0.6], WORDS: [0.9, 0.9]})
    assert found.best == "vectors"
    assert found.against.mean == pytest.approx(-0.1)
    assert found.is_low
    assert "BELOW" in render_lists([found])


def test_links_that_hurt_are_told_and_those_that_do_not_are_not() -> None:
    hurt = compare("set", [0.5], {"text": [0.4], NO_GRAPH: [0.6]})
    fine = compare("set", [0.5], {"text": [0.4], NO_GRAPH: [0.504]})
    assert hurt.graph_hurts
    assert not fine.graph_hurts
    assert not fine.is_low
