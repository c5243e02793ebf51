"""Who makes the vectors that a slow model left to be made? One thread behind the workspace, for as long as it is open."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dowse.errors import EmbeddingFailed, StorageError

# Seconds until work that failed is tried again: a server that was down comes back, and asking it costs next to nothing.
RETRY = 30.0
# How long closing waits for the batch at hand. Who waits for a server that does not answer is not kept from leaving.
_PATIENCE = 10.0

Work = Callable[[threading.Event], object]
"""Works until nothing is left or the event is set, and then still finishes the batch at hand."""


class Worker:
    """Works whenever it is woken. What went wrong is remembered, said to whoever asks, and tried again."""

    def __init__(self, work: Work, *, retry: float = RETRY) -> None:
        self._work = work
        self._retry = retry
        self._changed = threading.Condition()
        self._halt = threading.Event()
        self._thread: threading.Thread | None = None
        self._wanted = self._busy = self._stopping = False
        self._resting = 0
        self._failure = ""

    @property
    def failure(self) -> str:
        """Why the last try failed; empty if it did not."""
        return self._failure

    def wake(self) -> None:
        """There is something to do. The thread starts with the first call."""
        with self._changed:
            if self._stopping:
                return
            self._wanted = True
            if self._thread is None or not self._thread.is_alive():
                # A daemon, so that a program that forgets to close a workspace can end; batches are committed or not there.
                self._thread = threading.Thread(target=self._run, name="dowse-embedding", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Meanwhile nothing is done behind the caller's back: who works himself would do everything twice."""
        with self._changed:
            self._resting += 1
            self._halt.set()
            self._changed.wait_for(lambda: not self._busy)
        try:
            yield
        finally:
            with self._changed:
                self._resting -= 1
                if not (self._resting or self._stopping):
                    self._halt.clear()
                self._changed.notify_all()

    def settled(self, timeout: float) -> bool:
        """Waits until nothing is left to do, or until it cannot be done for now; says whether that came in time."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._wanted or self._busy), timeout)

    def stop(self) -> None:
        """Ends the thread after the batch at hand; what was just asked for gets its first batch."""
        with self._changed:
            self._stopping = True
            self._halt.set()
            self._changed.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(_PATIENCE)

    def _run(self) -> None:
        while self._is_needed():
            failure = "the thread that makes them ended with an error of dowse's own"
            try:
                self._work(self._halt)
                failure = ""
            except (EmbeddingFailed, StorageError) as error:
                failure = str(error)
            finally:
                with self._changed:
                    self._failure = failure
                    self._busy = False
                    self._changed.notify_all()

    def _is_needed(self) -> bool:
        """Waits for something to do; False when there will be nothing any more."""
        with self._changed:
            while not (self._wanted and not self._resting):
                if self._stopping:
                    return False
                in_time = self._changed.wait(self._retry if self._failure else None)
                self._wanted = self._wanted or not in_time
            self._wanted = False
            self._busy = True
            return True
