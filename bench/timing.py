"""How long does an answer take? All systems in turn in one process, so that noise hits all alike."""

import gc
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from bench.questions import Asked, Shape
from bench.systems import Session, System

# Each question is asked so often when warm; its median counts, so that one interruption is not taken for the system's own.
ROUNDS = 3

# By system and shape, the seconds of each question.
Times = dict[tuple[str, Shape], list[float]]
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Latency:
    median: float
    p99: float
    count: int


def cold(systems: Sequence[System], asked: Sequence[Asked], clock: Clock = time.perf_counter) -> Times:
    """A new connection and empty caches of its own for every single question, opening included. The system's file cache is warm."""
    times: Times = {}
    with _quiet():
        for number, question in enumerate(asked):
            for system in _in_turn(systems, number, question):
                start = clock()
                session = system.open()
                session.ask(question)
                times.setdefault((system.name, question.shape), []).append(clock() - start)
                session.close()
                del session
            gc.collect()
    return times


def warm(systems: Sequence[System], asked: Sequence[Asked], clock: Clock = time.perf_counter) -> tuple[Times, dict[str, int]]:
    """After every question was asked once. Each is asked of every system in turn: the processor's caches are as another left them.

    Also how many questions found nothing, by system.
    """
    return _warm(systems, asked, clock, lambda turn: _turns(systems, turn, asked))


def warm_in_a_row(systems: Sequence[System], asked: Sequence[Asked], clock: Clock = time.perf_counter) -> Times:
    """The same, but each system answers all questions before the next one begins: as it does where nothing else runs."""
    return _warm(systems, asked, clock, lambda turn: _rows(systems, turn, asked))[0]


def _warm(
    systems: Sequence[System], asked: Sequence[Asked], clock: Clock, order: Callable[[int], Iterator[tuple[System, int]]]
) -> tuple[Times, dict[str, int]]:
    sessions = {system.name: system.open() for system in systems}
    empty = _once(systems, sessions, asked)
    taken: dict[tuple[str, int], list[float]] = {}
    with _quiet():
        for turn in range(ROUNDS):
            for system, number in order(turn):
                ask, question = sessions[system.name].ask, asked[number]
                start = clock()
                ask(question)
                taken.setdefault((system.name, number), []).append(clock() - start)
            gc.collect()
    times: Times = {}
    for (name, number), seconds in taken.items():
        times.setdefault((name, asked[number].shape), []).append(statistics.median(seconds))
    for session in sessions.values():
        session.close()
    return times, empty


def _turns(systems: Sequence[System], turn: int, asked: Sequence[Asked]) -> Iterator[tuple[System, int]]:
    for number, question in enumerate(asked):
        yield from ((system, number) for system in _in_turn(systems, number + turn, question))


def _rows(systems: Sequence[System], turn: int, asked: Sequence[Asked]) -> Iterator[tuple[System, int]]:
    start = turn % len(systems)
    for system in [*systems[start:], *systems[:start]]:
        yield from ((system, number) for number, question in enumerate(asked) if question.shape in system.shapes)


def latency(times: Times, name: str, shapes: Sequence[Shape]) -> Latency | None:
    """Median and 99th percentile over the questions of these shapes; None if the system does not answer all of them."""
    if any((name, shape) not in times for shape in shapes):
        return None
    seconds = sorted(second for shape in shapes for second in times[name, shape])
    # The nearest rank: with fewer than a hundred questions that is the worst one.
    return Latency(statistics.median(seconds), seconds[-(-len(seconds) * 99 // 100) - 1], len(seconds))


def _once(systems: Sequence[System], sessions: Mapping[str, Session], asked: Sequence[Asked]) -> dict[str, int]:
    empty = dict.fromkeys(sessions, 0)
    for number, question in enumerate(asked):
        for system in _in_turn(systems, number, question):
            empty[system.name] += not sessions[system.name].ask(question)
    return {name: count for name, count in empty.items() if count}


def _in_turn(systems: Sequence[System], number: int, question: Asked) -> Iterator[System]:
    """Those that answer such a question, another one first each time: nobody always runs in the cache someone else left behind."""
    start = number % len(systems)
    return (system for system in [*systems[start:], *systems[:start]] if question.shape in system.shapes)


@contextmanager
def _quiet() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        sys.stderr.flush()
