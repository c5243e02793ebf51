"""Every campaign of ``bench.fuzzing`` for a moment, from the same seed every time; the long runs stand in docs/reliability.md."""

import json
import random
from pathlib import Path

import pytest
from bench.fuzz_campaign import Campaign, Try, chosen
from bench.fuzz_campaigns import CAMPAIGNS
from bench.fuzz_mutating import mutated
from bench.fuzz_running import run_blindly
from bench.fuzz_watching import Current, Tally, Watch
from bench.fuzzing import NAMES, Progress, table

# Each so many that the campaign takes a second or two.
_INPUTS = {"queries": 300, "formats": 100, "requests": 200, "messages": 200, "imports": 80, "damage": 20}


@pytest.mark.parametrize("name", NAMES)
def test_no_input_of_a_campaign_fails(name: str, tmp_path: Path) -> None:
    tally = run_blindly(CAMPAIGNS[name], tmp_path, random.Random(f"{name} 1"), inputs=_INPUTS[name])
    assert tally.inputs == _INPUTS[name]
    assert {where: failure.what for where, failure in tally.failures.items()} == {}


def test_every_campaign_has_its_moment() -> None:
    assert set(CAMPAIGNS) == set(NAMES) == set(_INPUTS)


@pytest.mark.parametrize("name", NAMES)
def test_changes_of_samples_are_the_same_for_the_same_seed(name: str) -> None:
    campaign = CAMPAIGNS[name]
    samples = list(campaign.samples())

    def made() -> list[bytes]:
        rng = random.Random(7)
        return [mutated(rng, samples, campaign.words, campaign.longest) for _ in range(50)]

    assert made() == made()
    assert len(set(made())) > 40


def test_a_failure_is_counted_and_its_first_input_kept(tmp_path: Path) -> None:
    def attempt(data: bytes) -> None:
        if data.startswith(b"bad"):
            raise KeyError(data)

    watch = Watch(attempt, tmp_path, Tally())
    for data in (b"good", b"bad one", b"bad two"):
        watch(data)
    (failure,) = watch.tally.failures.values()
    assert (watch.tally.inputs, failure.count) == (3, 2)
    assert failure.what.startswith("KeyError")
    assert Path(failure.file).read_bytes() == b"bad one"


def test_an_input_that_takes_too_long_is_a_failure(tmp_path: Path) -> None:
    watch = Watch(lambda _: None, tmp_path, Tally(), slow=-1.0)
    watch(b"any")
    assert list(watch.tally.failures) == ["slow"]


def test_the_input_under_way_can_be_read_from_outside(tmp_path: Path) -> None:
    writing = Current(tmp_path / "current")
    writing.note(3, b"the one that ended it")
    reading = Current(tmp_path / "current")
    assert reading.read() == (3, b"the one that ended it")
    writing.close()
    reading.close()


def test_counts_add_up_over_runs_and_are_printed(tmp_path: Path) -> None:
    tally = {"inputs": 5, "cpu": 1.0, "slowest": 0.25, "growth": 1 << 20, "failures": {}}
    failed = {**tally, "failures": {"here": {"what": "KeyError", "where": "here", "count": 2, "file": "f"}}}
    Progress(tmp_path / "progress.json").add("queries", tally, 10, 3)
    again = Progress(tmp_path / "progress.json")
    again.add("queries", failed, 12, 2)
    assert json.loads((tmp_path / "progress.json").read_text())["queries"]["inputs"] == 10
    head, row, failure = table(again).splitlines()
    assert head.split()[:3] == ["campaign", "inputs", "CPU"]
    assert row.split() == ["queries", "10", "0.0", "12", "3", "250", "1", "1"]
    assert failure == "queries: KeyError (here), 2 times, first in f"


def test_a_campaign_is_ready_for_any_bytes_at_all(tmp_path: Path) -> None:
    """What chance or another campaign makes must not fail in the reading of its choices."""
    odd = (b"", b"\x00", b"\xff" * 40, chosen(255, 255, 255, then="\ud800"), bytes(range(256)))
    for name, campaign in CAMPAIGNS.items():
        _expect_fine(campaign, tmp_path / name, odd)


def _expect_fine(campaign: Campaign, folder: Path, inputs: tuple[bytes, ...]) -> None:
    folder.mkdir()
    attempt: Try
    with campaign.ready(folder) as attempt:
        for data in inputs:
            attempt(data)
