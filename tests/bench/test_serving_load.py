"""Does the load on a server count what it should?"""

import pytest

import dowse
from bench import serving


def test_a_load_asks_and_writes_and_counts() -> None:
    with dowse.open(":memory:") as workspace:
        workspace.put(kind="page", title="Tides", content="High water comes twice a day.")
        with serving._served(workspace) as port:
            load = serving.load_server(port, ["high water", "twice a day"] * 20, 2, 0.3, 0.05, warm=0.0)
    assert load.errors == 0
    assert len(load.times) == len(load.asked) > 0
    assert load.written > 0


def test_a_question_is_repeated_while_its_page_is_among_the_last() -> None:
    assert serving._repeated([1, 2, 1, 2]) == 0.5
    assert serving._repeated([*range(1000), 0]) == 0
    assert serving._repeated([]) == 0


def test_a_row_tells_the_middle_and_the_worst() -> None:
    load = serving.Load([0.001 * number for number in range(1, 101)], list(range(100)), 0, 7, 10.0)
    name, *numbers = serving._row("x", load)
    assert name == "x"
    assert numbers == pytest.approx([10.0, 51.0, 100.0, 100.0, 0.0, 7, 0])
