"""What is asked of a set depends on the model."""

from bench.targets import target


def test_a_model_with_more_to_load_must_reach_more() -> None:
    small, large = target("scifact", "static", 0.694), target("scifact", "onnx:some-model", 0.694)
    assert small is not None
    assert large is not None
    assert (small.value, large.value) == (0.70, 0.735)


def test_the_small_model_must_be_above_the_best_by_words_where_nothing_else_is_asked() -> None:
    wanted = target("med", "static", 0.713)
    assert wanted is not None
    assert not wanted.is_met(0.7134)
    assert wanted.is_met(0.7136)


def test_a_target_is_met_as_the_number_is_printed() -> None:
    wanted = target("beads-links", "static", 0.304)
    assert wanted is not None
    assert wanted.is_met(0.3996)
    assert not wanted.is_met(0.3994)


def test_a_set_that_is_measured_against_its_own_lists_has_none() -> None:
    assert target("chunkeval", "static", None) is None
