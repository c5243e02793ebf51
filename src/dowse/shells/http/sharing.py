"""Who answers what only reads? Helping processes, as many as there is work for; this one where they are busy or not there.

Ranking holds an interpreter's lock for most of its time, so further threads answer hardly more; further processes do.
"""

import asyncio
import logging
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from dowse.shells.http.asking import Question
from dowse.shells.http.helping import Gone, Helper

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

_log = logging.getLogger("dowse.http")
# Threads that answer here while nobody helps: a few, for what NumPy and SQLite do without the interpreter's lock.
_HERE = 2
# With helpers this process has requests to take and writes to do; it answers one question at a time where all others are busy.
_BESIDE_HELPERS = 1
# Each helper has the index in its memory. More than so many are for someone to ask for.
_MOST = 8
# Helpers that could not start, one after the other, before no further one is tried.
_TRIALS = 3
# Seconds that a helper has to end what it is answering when the server stops.
_PATIENCE = 10.0


def sensible(workspace: "Workspace") -> int:
    """How many helpers are worth it: one for every core but this process's own, where the workspace is a file."""
    if workspace.location is None:
        return 0
    return min(_MOST, usable_cores() - 1)


def usable_cores() -> int:
    """The cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(eq=False, slots=True)
class _Task:
    """Something to answer. ``make``: looks at what the question tells of the moment, so it may take a moment itself."""

    workspace: "Workspace"
    make: Callable[[], Question]
    done: "Future[Any]" = field(default_factory=Future)


class Readers:
    """Answers questions. A helper starts when a question comes while another is being answered; until it is ready, and where it
    has gone, this process answers."""

    def __init__(self, whole: "Workspace", helpers: int) -> None:
        self._place = (_place(whole) if helpers else "", whole.embedding.choice.named)
        self._most = helpers
        self._pool = ThreadPoolExecutor(_HERE + helpers, thread_name_prefix="dowse-read")
        self._changed = threading.Condition()
        self._waiting: deque[_Task] = deque()
        self._here = 0
        self._called: list[Helper | None] = []
        self._ready: list[Helper] = []
        self._idle: list[Helper] = []
        self._failures = 0
        self._resting = 0
        self._closed = False
        self.helped = 0
        """Questions that were answered by helpers."""

    @property
    def helpers(self) -> tuple[int, ...]:
        """The ids of the processes that are ready to help."""
        with self._changed:
            return tuple(helper.id for helper in self._ready)

    @property
    def idle(self) -> int:
        """How many of them have nothing to do."""
        with self._changed:
            return len(self._idle)

    async def ask(self, workspace: "Workspace", make: Callable[[], Question]) -> Any:
        """The answer, for who the workspace acts as. Who stops waiting before it is begun is not answered."""
        task = _Task(workspace, make)
        if workspace.embedding.with_failure(()):
            # Why vectors cannot be made is known in this process alone, and part of the answer.
            self._pool.submit(lambda: _answered(task, None)[1]())
        else:
            with self._changed:
                if self._closed:
                    task.done.cancel()  # nobody is left who could answer
                else:
                    self._waiting.append(task)
                    self._assign()
        return await asyncio.wrap_future(task.done)

    @contextmanager
    def resting(self, patience: float | None = None) -> Iterator[None]:
        """Meanwhile no other process has the workspace open on our behalf. ``patience``: seconds until those are ended that still
        answer; None: they are waited for."""
        with self._changed:
            self._resting += 1
            idle, self._idle = self._idle, []
        for helper in idle:
            self._part(helper)
        with self._changed:
            if not self._changed.wait_for(lambda: not self._called, patience):
                for late in self._called:
                    if late is not None:
                        late.stop()
            self._changed.wait_for(lambda: not self._called)
        try:
            yield
        finally:
            with self._changed:
                self._resting -= 1

    def close(self) -> None:
        """Answers what is being answered, and ends every helper; one that is stuck keeps no server from stopping."""
        with self._changed:
            self._closed = True
            for task in self._waiting:
                task.done.cancel()
            self._waiting.clear()
            starting = [helper for helper in self._called if helper is not None and helper not in self._ready]
        for helper in starting:
            helper.stop()
        with self.resting(_PATIENCE):
            self._pool.shutdown(wait=True)

    # With the lock held

    def _assign(self) -> None:
        while self._waiting and not self._closed:
            if self._here or (self._ready and not self._idle):
                self._call_another()
            if self._idle:
                self._pool.submit(self._serve, self._idle.pop(), self._waiting.popleft())
            elif self._here < self._most_here:
                self._here += 1
                self._pool.submit(self._serve_here, self._waiting.popleft())
            else:
                return

    def _call_another(self) -> None:
        may = not self._resting and self._failures < _TRIALS
        if may and len(self._called) < min(self._most, len(self._ready) + len(self._waiting)):
            self._called.append(None)
            self._pool.submit(self._begin)

    @property
    def _most_here(self) -> int:
        return _BESIDE_HELPERS if self._ready and not self._resting else _HERE

    def _take(self) -> _Task | None:
        return self._waiting.popleft() if self._waiting else None

    # In threads

    def _begin(self) -> None:
        """Starts a helper, and lets it help as soon as it can."""
        try:
            helper = Helper(*self._place)
        except OSError as error:
            self._fail(None, error)
            return
        with self._changed:
            self._called[self._called.index(None)] = helper
            if self._closed:
                helper.stop()
        try:
            helper.wait_until_ready()
        except Exception as error:  # noqa: BLE001 - whatever kept it from opening: who is never let go would be waited for for ever
            self._fail(helper, error)
            return
        with self._changed:
            self._failures = 0
            self._ready.append(helper)
            task = self._take() if not self._resting else None
            if task is None and not self._resting:
                self._idle.append(helper)
                return
        self._serve(helper, task)

    def _fail(self, helper: Helper | None, error: Exception) -> None:
        with self._changed:
            if not self._closed:
                self._failures += 1
                _log.warning("A process that helps to answer could not start: %s", error or "it ended")
        self._part(helper)

    def _serve(self, helper: Helper, task: _Task | None) -> None:
        """Has a helper answer one question after the other, until there is none."""
        while task is not None:
            stays, finish = _answered(task, helper)
            with self._changed:
                self.helped += stays
                task = self._take() if stays and not self._resting else None
                rests = task is None and stays and not self._resting
                if rests:
                    self._idle.append(helper)
            # Only now: who has this answer may ask again at once, and must find the helper that is free.
            finish()
            if rests:
                return
        self._part(helper)

    def _serve_here(self, task: _Task | None) -> None:
        while task is not None:
            _, finish = _answered(task, None)
            with self._changed:
                task = self._take() if self._here <= self._most_here else None
                if task is None:
                    self._here -= 1
            finish()

    def _part(self, helper: Helper | None) -> None:
        """Lets a helper go; what waits may have to be answered here."""
        if helper is not None:
            helper.end()
        with self._changed:
            self._called.remove(helper)
            if helper in self._ready:
                self._ready.remove(helper)
            self._changed.notify_all()
            self._assign()


def _place(whole: "Workspace") -> str:
    return str(whole.location.resolve()) if whole.location is not None else whole.status().location


def _answered(task: _Task, helper: Helper | None) -> tuple[bool, Callable[[], None]]:
    """Answers a question, by the helper or here; what is returned then tells who waits. False: the helper has gone, and the
    question was answered here instead."""
    if not task.done.set_running_or_notify_cancel():
        return True, lambda: None
    stays = True
    try:
        question = task.make()
        try:
            answer = helper.ask(task.workspace.principal, question) if helper is not None else question.answer(task.workspace)
        except Gone:
            stays = False
            answer = question.answer(task.workspace)
    except BaseException as error:  # noqa: BLE001 - raised again where the answer is waited for
        return stays, partial(task.done.set_exception, error)
    return stays, partial(task.done.set_result, answer)
