"""A worker works when it is woken, remembers what went wrong, and ends when it is told to."""

import threading
from collections.abc import Callable

import pytest

from dowse.app.catching_up import Worker
from dowse.errors import EmbeddingFailed


def counting(calls: list[int]) -> Callable[[threading.Event], None]:
    return lambda _: calls.append(1)


def test_nothing_is_started_before_there_is_something_to_do() -> None:
    calls: list[int] = []
    worker = Worker(counting(calls))
    assert worker.settled(0)
    worker.stop()
    assert calls == []


def test_a_worker_that_is_woken_works() -> None:
    calls: list[int] = []
    worker = Worker(counting(calls))
    worker.wake()
    assert worker.settled(20)
    worker.wake()
    assert worker.settled(20)
    worker.stop()
    assert calls == [1, 1]


def test_what_was_asked_for_just_before_the_end_is_done() -> None:
    calls: list[int] = []
    worker = Worker(counting(calls))
    worker.wake()
    worker.stop()
    assert calls == [1]


def test_a_worker_that_was_stopped_is_not_woken_again() -> None:
    calls: list[int] = []
    worker = Worker(counting(calls))
    worker.stop()
    worker.wake()
    assert worker.settled(0)
    assert calls == []


def test_a_failure_is_remembered_until_the_work_succeeds() -> None:
    outcomes = [EmbeddingFailed("The server is asleep."), None]

    def work(_: threading.Event) -> None:
        outcome = outcomes.pop(0)
        if outcome is not None:
            raise outcome

    worker = Worker(work, retry=3600)
    worker.wake()
    assert worker.settled(20)
    assert worker.failure == "The server is asleep."
    worker.wake()
    assert worker.settled(20)
    assert worker.failure == ""
    worker.stop()


def test_work_that_failed_is_tried_again_after_a_while() -> None:
    tries: list[int] = []
    done = threading.Event()

    def work(_: threading.Event) -> None:
        tries.append(1)
        if len(tries) < 3:
            raise EmbeddingFailed("Not yet.")
        done.set()

    worker = Worker(work, retry=0.001)
    worker.wake()
    assert done.wait(20)
    worker.stop()
    assert len(tries) == 3


def test_while_it_rests_nothing_is_done_and_afterwards_everything() -> None:
    calls: list[int] = []
    worker = Worker(counting(calls))
    with worker.resting():
        worker.wake()
        assert not worker.settled(0)
        assert calls == []
    assert worker.settled(20)
    assert calls == [1]
    worker.stop()


def test_work_at_hand_is_told_to_end_when_it_shall_rest() -> None:
    begun = threading.Event()

    def work(stop: threading.Event) -> None:
        begun.set()
        assert stop.wait(20)

    worker = Worker(work)
    worker.wake()
    assert begun.wait(20)
    with worker.resting():
        pass
    worker.stop()


def test_what_is_a_fault_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda about: told.append(about.exc_type))

    def work(_: threading.Event) -> None:
        raise ZeroDivisionError

    worker = Worker(work)
    worker.wake()
    assert worker.settled(20)
    assert "an error of dowse's own" in worker.failure
    worker.stop()
    assert told == [ZeroDivisionError]
