"""What takes long, how far is it, and how is it stopped? Every operation that reports progress runs as a job."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from dowse.app.permissions import Capability, Principal
from dowse.present.answers import answer_json
from dowse.shells.http.problems import Problem, Refused
from dowse.shells.http.routing import Lane
from dowse.shells.http.working import Lanes

# Finished jobs that are remembered, for callers who come back for the answer.
_KEPT = 100
# Unfinished jobs, running or waiting; more are refused, not queued without end.
_MOST = 32
# Seconds between two events about the same job: a bar moves smoothly, and no listener drowns.
_EVERY = 0.2


class State(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    CANCELLING = "cancelling"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        return self in (State.DONE, State.FAILED, State.CANCELLED)


class Cancelled(Exception):
    """Raised inside the work by the callback that reports, once someone wants it to stop. Committed batches stay."""


Work = Callable[[Callable[..., None]], Any]
"""Does it, telling the callback how far it is; returns the answer as JSON values."""


@dataclass(slots=True)
class Job:
    """One run of an operation. Written by the loop alone, but for ``progress``, which the worker sets as a whole."""

    id: str
    operation: str
    principal: Principal
    started: float
    done: "asyncio.Future[None]"
    state: State = State.WAITING
    finished: float | None = None
    progress: Any = None
    answer: Any = None
    error: BaseException | None = None
    problem: Problem | None = None
    told: float = float("-inf")
    stop: threading.Event = field(default_factory=threading.Event)
    running: "Future[Any] | None" = None

    def visible_to(self, principal: Principal) -> bool:
        """Whoever started it sees it, and an administrator of the whole workspace."""
        # Which folders someone may name changes with the projects; who they are does not.
        same = replace(principal, roots=None) == replace(self.principal, roots=None)
        return same or (Capability.ADMIN in principal.capabilities and principal.reach.is_everything)

    @property
    def json(self) -> dict[str, Any]:
        whole = {
            "id": self.id,
            "operation": self.operation,
            "state": self.state.value,
            "started": self.started,
            "finished": self.finished,
            "progress": self.progress,
        }
        if self.state is State.DONE:
            whole["answer"] = self.answer
        if self.problem is not None:
            whole["problem"] = self.problem.json
        return whole


class Jobs:
    """The jobs of a server. ``tell`` hears of every change worth an event; ``describe`` makes a problem of an error."""

    def __init__(
        self,
        lanes: Lanes,
        *,
        tell: Callable[[Job], None],
        describe: Callable[[BaseException], Problem],
        new_id: Callable[[], str],
        clock: Callable[[], float],
        now: Callable[[], float],
    ) -> None:
        self._lanes = lanes
        self._tell = tell
        self._describe = describe
        self._new_id = new_id
        self._clock = clock
        self._now = now
        self._jobs: dict[str, Job] = {}

    def start(self, operation: str, principal: Principal, work: Work) -> Job:
        """Begins it as soon as a thread is free."""
        if sum(not job.state.is_final for job in self._jobs.values()) >= _MOST:
            raise Refused(503, f"{_MOST} jobs are running or waiting already. Try again when one is done.", {"Retry-After": "10"})
        loop = asyncio.get_running_loop()
        job = Job(self._new_id(), operation, principal, self._now(), loop.create_future())
        self._jobs[job.id] = job
        job.running = self._lanes.submit(Lane.LONG, lambda: self._run(job, work, loop))
        self._tell(job)
        return job

    def get(self, id: str, principal: Principal) -> Job:
        job = self._jobs.get(id)
        if job is None or not job.visible_to(principal):
            raise Refused(404, f"There is no job {id!r}. Those you may see are listed at /api/jobs.")
        return job

    def listed(self, principal: Principal) -> list[Job]:
        """The jobs someone may see, the latest first."""
        return [job for job in reversed(self._jobs.values()) if job.visible_to(principal)]

    def counted(self) -> Mapping[State, int]:
        return {state: sum(job.state is state for job in self._jobs.values()) for state in State}

    def cancel(self, job: Job) -> None:
        """Stops it at its next report. One that waits never begins; one that is finished stays as it is."""
        if job.state.is_final:
            return
        job.stop.set()
        job.state = State.CANCELLING
        if job.running is not None and job.running.cancel():
            self._end(job, Cancelled())
        else:
            self._tell(job)

    def cancel_all(self) -> None:
        for job in list(self._jobs.values()):
            self.cancel(job)

    def _run(self, job: Job, work: Work, loop: asyncio.AbstractEventLoop) -> None:
        def report(*progress: Any) -> None:
            if job.stop.is_set():
                raise Cancelled
            job.progress = _progress_json(progress)
            _call(loop, self._moved, job)

        _call(loop, self._begin, job)
        try:
            answer, error = work(report), None
        except BaseException as caught:  # noqa: BLE001 - whatever ends a job is its outcome, told to whoever waits for it
            answer, error = None, caught
        _call(loop, self._end, job, error, answer)

    def _begin(self, job: Job) -> None:
        if job.state is State.WAITING:
            job.state = State.RUNNING
            self._tell(job)

    def _moved(self, job: Job) -> None:
        if self._clock() - job.told >= _EVERY and not job.state.is_final:
            job.told = self._clock()
            self._tell(job)

    def _end(self, job: Job, error: BaseException | None, answer: Any = None) -> None:
        if job.state.is_final:
            return
        job.finished = self._now()
        if error is None:
            job.state, job.answer = State.DONE, answer
        elif isinstance(error, Cancelled):
            job.state = State.CANCELLED
        else:
            job.state, job.error, job.problem = State.FAILED, error, self._describe(error)
        if not job.done.done():
            job.done.set_result(None)
        self._tell(job)
        self._forget()

    def _forget(self) -> None:
        finished = [job.id for job in self._jobs.values() if job.state.is_final]
        for id in finished[: max(0, len(finished) - _KEPT)]:
            del self._jobs[id]


def _progress_json(progress: tuple[Any, ...]) -> Any:
    """What operations report: a noun of their own, or how many of how many."""
    return answer_json(progress[0]) if len(progress) == 1 else dict(zip(("done", "total"), progress, strict=True))


def _call(loop: asyncio.AbstractEventLoop, call: Callable[..., None], *values: Any) -> None:
    # A job that ends after its server has nobody left to tell.
    if not loop.is_closed():
        loop.call_soon_threadsafe(call, *values)
