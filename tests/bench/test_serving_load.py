"""Does the load on a server count what it should?"""

from pathlib import Path

import pytest
from bench.loading import WAYS, Load, load_server

import dowse
from bench import serving


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with dowse.open(tmp_path / "workspace.dowse") as workspace:
        workspace.put(kind="page", title="Tides", content="High water comes twice a day.")
    return tmp_path / "workspace.dowse"


def test_a_load_asks_by_every_way_and_writes_and_counts(path: Path) -> None:
    with serving._serving(path, 0) as server:
        for way in WAYS:
            load = load_server(server.port, way, ["high water", "twice a day"] * 20, 2, 0.3, 0.05)
            assert load.errors == 0
            assert len(load.times) == len(load.asked) > 0
            assert load.written > 0


def test_a_question_is_repeated_while_its_page_is_among_the_last() -> None:
    assert serving._repeated([1, 2, 1, 2]) == 0.5
    assert serving._repeated([*range(1000), 0]) == 0
    assert serving._repeated([]) == 0


def test_a_row_tells_the_middle_and_the_worst_of_all_rounds() -> None:
    times = [0.001 * number for number in range(1, 101)]
    loads = [Load(times[::2], list(range(50)), 1, 3, 5.0), Load(times[1::2], list(range(50)), 0, 4, 5.0)]
    assert serving._row(loads) == pytest.approx([10.0, 51.0, 100.0, 7, 1])
