"""A run that grows is told from one that goes up and down."""

import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from bench.endur_samples import MEASURES, Held, Measure, Sample, from_json, held, held_by_helpers, shown, verdict

OWN = next(measure for measure in MEASURES if measure.path == "server.own")


def sample(seconds: float, own: float) -> Sample:
    server = Held(own=own, resident=own + 50, handles=30, threads=5, cpu=seconds / 10)
    watcher = Held(own=50, resident=80, handles=12, threads=3, cpu=seconds / 20)
    rest = {"database": 30.0, "log": 4.0, "free": 1.0, "records": 16000, "commits": int(seconds), "requests": 50}
    helpers = Held(own=60, resident=90, handles=10, threads=1, cpu=seconds / 10)
    return Sample(seconds, server, helpers, watcher, **rest, p50=40.0, p99=300.0, cost=20.0, load=1.0, errors=0)  # type: ignore[arg-type]


def hour(own: list[float]) -> list[Sample]:
    return [sample(3600 * at / len(own), number) for at, number in enumerate(own)]


def test_memory_that_rises_slowly_and_steadily_is_growing() -> None:
    assert verdict(OWN, hour([150 + at / 10 for at in range(240)]))[1] == "growing"


def test_memory_that_goes_up_and_down_is_flat() -> None:
    slope, word = verdict(OWN, hour([150 + 20 * math.sin(at / 3) for at in range(240)]))
    assert (word, abs(slope) < 8) == ("flat", True)


def test_what_fills_in_the_first_minutes_is_no_growth() -> None:
    assert verdict(OWN, hour([min(100 + at * 2, 200) for at in range(240)]))[1] == "flat"


def test_a_short_run_says_nothing_of_an_hour() -> None:
    assert verdict(OWN, [sample(at, 100 + at) for at in range(120)])[1] == "too short to tell"


def test_every_number_of_a_run_has_its_row_and_its_rule() -> None:
    told = shown(hour([150.0] * 40))
    assert all(measure.name in told for measure in MEASURES)
    assert "least squares" in told


def test_moments_without_an_answer_are_left_out() -> None:
    run = [sample(at * 60, 150) for at in range(60)]
    quiet = [from_json({**asdict(item), "p99": None}) if at % 2 else item for at, item in enumerate(run)]
    assert verdict(Measure("p99", "p99", 1), quiet)[1] == "flat"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells so")
def test_a_process_is_seen_with_what_it_holds() -> None:
    before = held(os.getpid())
    with open(os.devnull) as _:
        assert held(os.getpid()).handles == before.handles + 1
    assert before.own > 1
    assert before.threads >= 1


def test_who_waits_longer_on_a_busier_machine_is_no_growth_of_ours() -> None:
    p99 = next(measure for measure in MEASURES if measure.path == "p99")
    rising = [replace(sample(at * 60, 150), p99=300.0 + 50 * at) for at in range(60)]
    assert verdict(p99, rising)[1] == "growing"
    assert verdict(p99, [replace(item, load=1 + item.seconds / 600) for item in rising])[1] == "with the load"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="told by /proc")
def test_a_process_that_any_thread_started_is_counted_among_the_helpers() -> None:
    before = held_by_helpers(os.getpid()).threads
    with ThreadPoolExecutor(1) as threads:
        helper = threads.submit(subprocess.Popen, [sys.executable, "-c", "input()"], stdin=subprocess.PIPE).result()
        try:
            assert held_by_helpers(os.getpid()).threads == before + 1
        finally:
            helper.communicate(b"\n")
