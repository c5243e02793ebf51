"""The bench of starting says whether its goals are met, and prints every command."""

from bench.starting import Taken, goals, render


def taken(version: float, words: float, vectors: float) -> dict[str, Taken]:
    seconds = {
        "import numpy": 0.1,
        "dowse --version": version,
        "dowse search WORD, words only": words,
        "dowse search WORD, with vectors": vectors,
        "grep -r WORD": 0.01,
    }
    return {name: Taken((value, value, 9.0), (value, value, value)) for name, value in seconds.items()}


def test_a_goal_is_met_by_the_median_above_what_numpy_takes() -> None:
    assert [goal.is_met for goal in goals(taken(0.13, 0.35, 0.36))] == [True, True, False]
    assert [goal.is_met for goal in goals(taken(0.14, 0.10, 0.10))] == [False, True, True]


def test_the_report_has_a_row_for_each_command_and_a_line_for_each_goal() -> None:
    times = taken(0.05, 0.30, 0.36)
    text = render(times, goals(times), 10_000, 3)
    assert all(f"| {name} " in text for name in times)
    assert "dowse search WORD, words only: 200 ms above import numpy (200 ms of the processor); goal ≤ 250 ms: met" in text
    assert "dowse search WORD, with vectors: 260 ms above import numpy (260 ms of the processor); goal ≤ 250 ms: NOT met" in text
