"""How are engines held against each other? Which take part, over how many examples, and how exactly they must agree."""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from hypothesis import HealthCheck, settings

from dowse.model.request import Lane
from dowse.ports import Engine

Opened = Callable[[str], AbstractContextManager[Engine]]
# For a lane the records it answers with, by key, each with its score and its coverage.
Said = dict[str, tuple[float, float]]

CLUSTER = "opensearch"
_HAS_CLUSTER = bool(os.environ.get("DOWSE_TEST_OPENSEARCH"))
# The cluster takes part where there is one to test with. Memory is the oracle of the others.
ENGINES = ("memory", "sqlite", *((CLUSTER,) if _HAS_CLUSTER else ()))
OTHERS = ENGINES[1:]
# Examples where a cluster takes part: each commit of each asks real nodes.
_FEW = 15


def modest(examples: int = 60) -> settings:
    """The same examples on every machine; each opens a workspace of its own, which is what takes the time."""
    return settings(
        max_examples=_FEW if _HAS_CLUSTER else examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
    )


def same(name: str, ours: dict[str, Said], oracle: dict[str, Said]) -> None:
    """Whether an engine says of every lane what the oracle does."""
    for lane in oracle:
        assert sorted(ours[lane]) == sorted(oracle[lane]), lane
        for key, (score, coverage) in oracle[lane].items():
            assert ours[lane][key][1] == pytest.approx(coverage, abs=1e-6), (lane, key)
            # A cluster's scores have seven digits. Of strings it counts every place, where others count words that hold them.
            if name != CLUSTER:
                assert ours[lane][key][0] == pytest.approx(score, abs=1e-6), (lane, key)
            elif not lane.startswith(Lane.SUBSTRING):
                assert ours[lane][key][0] == pytest.approx(score, rel=1e-5, abs=1e-6), (lane, key)
