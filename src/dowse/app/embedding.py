"""Who gives the records of a workspace their vectors, and when? A fast model while they are written, any other one afterwards."""

import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dowse.app.catching_up import RETRY, Worker
from dowse.app.models import NONE, Choice, full, is_remote
from dowse.app.rescoring import SecondModel
from dowse.errors import EmbeddingFailed, InvalidRequest
from dowse.model.declaring import dataclass
from dowse.model.passage import Profile, Vectors
from dowse.ports import Embedder, Engine, Finding, Opening, Preparer, Status, View

if TYPE_CHECKING:
    from dowse.model.change import Applied, Change

# Texts that are embedded and committed at once: few enough that stopping loses seconds, many enough that batches are full.
_AT_ONCE = 256
# For the worker, whose batch at hand keeps a closing workspace waiting: about a second of a slow model.
_AT_ONCE_BEHIND = 32
# Passages a fast model gives new vectors before the write at hand: a moment. What goes beyond is the worker's.
_RIGHT_NOW = 2048
# A text that no model refuses.
_EASY = "text"

Report = Callable[[int, int], None]
"""Is told how many passages have their vectors and how many there are."""


class EmbeddingEngine:
    """An engine whose records get vectors. The model is opened when something is first written or asked by meaning.

    ``background``: a thread makes the vectors of a slow model. One that fails is put away, so that the next use begins anew: what
    was broken or out of reach may be there again.
    """

    def __init__(self, engine: Engine, choice: Choice, *, background: bool = False, retry: float = RETRY) -> None:
        self._engine = engine
        self._choice = choice
        self._lock = threading.Lock()
        self._opened: tuple[str, Embedder | None] | None = None
        self._ready: Embedder | None = None
        self._second: tuple[str, Embedder] | None = None
        self._worker = Worker(self._behind, retry=retry) if background else None

    @property
    def choice(self) -> Choice:
        return self._choice

    @property
    def worker(self) -> Worker | None:
        return self._worker

    @property
    def store(self) -> Engine:
        """The engine itself, without what gives it vectors."""
        return self._engine

    def begin_anew(self) -> None:
        """The store holds something else now: whose vectors it keeps is looked at again."""
        self._ready = None
        self.carry_on()

    @property
    def embedder(self) -> Embedder | None:
        """The model, opened; None where none is to be used. Raises ``EmbeddingFailed`` if it cannot be opened."""
        return self.open(self._specification())

    def asked(self, view: View) -> Embedder | None:
        """The model for a question, opened only if the question is about meaning."""
        specification = self._choice.specification(view)
        return Asked(self, specification) if specification != NONE else None

    def second(self, specification: str | None) -> Embedder | None:
        """A model that scores the best hits of some questions anew; the last one that was asked for is kept."""
        if specification is None:
            return None
        with self._lock:
            if self._second is None or self._second[0] != specification:
                self._second = (specification, SecondModel(self._opened_anew(specification)))
            return self._second[1]

    def open(self, specification: str) -> Embedder | None:
        """The model of a specification; the one of another specification is closed."""
        with self._lock:
            if self._opened is not None and self._opened[0] == specification:
                return self._opened[1]
            before, self._opened = self._opened, None
            embedder = self._choice.open(specification)
            self._opened = (specification, embedder)
        if before is not None and before[1] is not None:
            before[1].close()
        return embedder

    def put_away(self) -> None:
        """The model failed: the next use opens it anew."""
        with self._lock:
            before, self._opened = self._opened, None
        if before is not None and before[1] is not None:
            before[1].close()

    def make_ready(self) -> Embedder | None:
        """Sees to it that the store keeps this model's vectors, and returns it. Without a model things stay as they are."""
        embedder = self.embedder
        if embedder is None or embedder is self._ready:
            return embedder
        with self._engine.view() as view:
            stored = view.embedding.profile
        if _identity(stored) != _identity(embedder.profile):
            from dowse.model.change import UseModel  # searching writes nothing

            self._engine.apply([UseModel(embedder.profile)])
        self._ready = embedder
        return embedder

    def catch_up(self, report: Report | None = None, stop: threading.Event | None = None) -> int:
        """Makes the vectors that are missing, in committed batches; returns how many texts were embedded."""
        if self._worker is None:
            return self._try_to_catch_up(_AT_ONCE, report, stop)
        with self._worker.resting():
            return self._try_to_catch_up(_AT_ONCE, report, stop)

    def carry_on(self) -> None:
        """Leaves what is missing to the worker."""
        if self._worker is not None:
            self._worker.wake()

    def with_failure(self, degraded: tuple[str, ...]) -> tuple[str, ...]:
        """What an answer lacks and, where passages wait for vectors that cannot be made for now, why."""
        failure = self._worker.failure if self._worker is not None else ""
        told = not failure or any(failure in text for text in degraded)
        return degraded if told else (*degraded, f"vectors: making them fails: {failure}")

    # What an engine does

    def preparer(self, embedder: Embedder | None = None) -> Preparer | None:
        return self._engine.preparer(embedder or self._swift(self._specification()))

    def opening(self) -> Opening | None:
        return self._engine.opening()

    def apply(self, changes: "Iterable[Change]") -> "Applied":
        from dowse.model.change import Put

        specification = self._specification()
        swift = self._swift(specification)
        prepare = self._engine.preparer(swift) if swift is not None else None
        if prepare is not None:
            changes = list(changes)
            bare = [change for change in changes if isinstance(change, Put) and change.prepared is None]
            made = iter(prepare([change.record for change in bare]))
            changes = [
                replace(change, prepared=next(made)) if isinstance(change, Put) and change.prepared is None else change
                for change in changes
            ]
        applied = self._engine.apply(changes)
        if swift is None and specification != NONE:
            self.carry_on()
        return applied

    def view(self) -> AbstractContextManager[View]:
        return self._engine.view()

    def reindex(self) -> int:
        return self._engine.reindex()

    def status(self) -> Status:
        status = self._engine.status()
        specification = self._specification()
        failure = self._worker.failure if self._worker is not None else ""
        return replace(status, embedding=replace(status.embedding, specification=specification, failure=failure))

    def examine(self) -> tuple[Finding, ...]:
        return self._engine.examine()

    def close(self) -> None:
        if self._worker is not None:
            self._worker.stop()
        self.put_away()
        if self._second is not None:
            self._second[1].close()
        self._engine.close()

    def _opened_anew(self, specification: str) -> Embedder:
        try:
            embedder = self._choice.open(full(specification))
        except EmbeddingFailed as error:
            raise InvalidRequest(f"The best hits cannot be scored anew: {error}") from error
        if embedder is None:
            raise InvalidRequest(f"The best hits cannot be scored anew by {specification!r}, which is no model.")
        return embedder

    def _specification(self) -> str:
        if self._choice.named is not None:
            return self._choice.named
        with self._engine.view() as view:
            return self._choice.specification(view)

    def _swift(self, specification: str) -> Embedder | None:
        """The model, if it is fast enough to be asked while a record is written, and can be asked at all."""
        if specification == NONE or is_remote(specification):
            return None
        try:
            before, embedder = self._ready, self.make_ready()
            if embedder is None or not embedder.profile.swift:
                return None
            if embedder is not before and self._catch_up(embedder, most=_RIGHT_NOW) >= _RIGHT_NOW:
                self.carry_on()
            return embedder
        except EmbeddingFailed:
            self.put_away()
            return None

    def _behind(self, stop: threading.Event) -> None:
        self._try_to_catch_up(_AT_ONCE_BEHIND, None, stop)

    def _try_to_catch_up(self, at_once: int, report: Report | None, stop: threading.Event | None) -> int:
        try:
            embedder = self.make_ready()
            return self._catch_up(embedder, at_once, report, stop) if embedder is not None else 0
        except EmbeddingFailed:
            self.put_away()
            raise

    def _catch_up(
        self,
        embedder: Embedder,
        at_once: int = _AT_ONCE,
        report: Report | None = None,
        stop: threading.Event | None = None,
        most: int | None = None,
    ) -> int:
        from dowse.model.change import KeepVectors

        done = 0
        before: list[tuple[bytes, str]] = []
        while most is None or done < most:
            with self._engine.view() as view:
                waiting = view.unembedded(at_once)
                state = view.embedding
            if report is not None:
                report(state.done, state.done + state.waiting)
            # The same again: someone else gave the store another model, and takes nothing from us.
            if not waiting or waiting == before or _identity(state.profile) != _identity(embedder.profile):
                break
            vectors = _embedded(embedder, [text for _, text in waiting])
            self._engine.apply([KeepVectors(embedder.profile.fingerprint, tuple(digest for digest, _ in waiting), vectors)])
            done += len(waiting)
            before = waiting
            if stop is not None and stop.is_set():
                break
        return done


@dataclass(frozen=True, slots=True)
class Asked:
    """A model that is opened when it is first asked something."""

    engine: EmbeddingEngine
    specification: str

    @property
    def profile(self) -> Profile:
        return self._opened().profile

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        try:
            vectors = self._opened().embed(texts, query=query)
        except EmbeddingFailed:
            self.engine.put_away()
            raise
        # It answers: what failed behind may be tried again before its time.
        if self.engine.worker is not None and self.engine.worker.failure:
            self.engine.carry_on()
        return vectors

    def close(self) -> None:
        pass

    def _opened(self) -> Embedder:
        embedder = self.engine.open(self.specification)
        if embedder is None:
            raise EmbeddingFailed(f"{self.specification} is no model.")
        return embedder


def _embedded(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Their vectors. A text that the model refuses while it takes others gets zeros, so that nothing waits behind it for ever."""
    try:
        return embedder.embed(texts)
    except EmbeddingFailed:
        # Fails as well if it is the model that is in trouble, and not a text.
        embedder.embed([_EASY])
    if len(texts) == 1:
        return np.zeros((1, embedder.profile.dimension), np.float32)
    half = len(texts) // 2
    return np.concatenate((_embedded(embedder, texts[:half]), _embedded(embedder, texts[half:])))


def _identity(profile: Profile | None) -> tuple[str, int] | None:
    """What decides whether vectors can be compared."""
    return (profile.fingerprint, profile.dimension) if profile is not None else None
