"""Who gives the records of a workspace their vectors, and when? A fast model while they are written, any other one afterwards."""

import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace

from dowse.errors import EmbeddingFailed
from dowse.model.change import Applied, Change, KeepVectors, Put, UseModel
from dowse.ports import Embedder, Engine, Finding, Preparer, Status, View

# Texts that are embedded and committed at once: few enough that stopping loses seconds, many enough that batches are full.
_AT_ONCE = 256

Report = Callable[[int, int], None]
"""Is told how many passages have their vectors and how many there are."""


class EmbeddingEngine:
    """An engine whose records get vectors. The model is opened when something is first written or asked by meaning."""

    def __init__(self, engine: Engine, open_embedder: Callable[[], Embedder | None]) -> None:
        self._engine = engine
        self._open = open_embedder
        self._lock = threading.Lock()
        self._opened = False
        self._embedder: Embedder | None = None
        self._ready = False

    @property
    def embedder(self) -> Embedder | None:
        with self._lock:
            if not self._opened:
                self._embedder = self._open()
                self._opened = True
            return self._embedder

    def use(self, embedder: Embedder | None) -> None:
        """Another model from now on; every passage waits for its vector."""
        with self._lock:
            before, self._embedder, self._opened, self._ready = self._embedder, embedder, True, False
        if before is not None:
            before.close()
        self.make_ready()

    def make_ready(self) -> None:
        """Sees to it that the store keeps this model's vectors. A model that cannot be opened leaves things as they are."""
        if self._ready:
            return
        try:
            embedder = self.embedder
            profile = embedder.profile if embedder is not None else None
        except EmbeddingFailed:
            return
        with self._engine.view() as view:
            stored = view.embedding.profile
        if (stored and stored.fingerprint) != (profile and profile.fingerprint):
            self._engine.apply([UseModel(profile)])
            if profile is not None and profile.swift:
                self.catch_up()
        self._ready = True

    def catch_up(self, report: Report | None = None, stop: threading.Event | None = None) -> int:
        """Makes the vectors that are missing, in committed batches; returns how many texts were embedded."""
        self.make_ready()
        embedder = self.embedder
        done = 0
        while embedder is not None and not (stop and stop.is_set()):
            with self._engine.view() as view:
                waiting = view.unembedded(_AT_ONCE)
                state = view.embedding
            if report is not None:
                report(state.done, state.done + state.waiting)
            if not waiting:
                break
            vectors = embedder.embed([text for _, text in waiting])
            self._engine.apply([KeepVectors(embedder.profile.fingerprint, tuple(digest for digest, _ in waiting), vectors)])
            done += len(waiting)
        return done

    # What an engine does

    def preparer(self, embedder: Embedder | None = None) -> Preparer | None:
        self.make_ready()
        return self._engine.preparer(embedder or self._swift())

    def apply(self, changes: Iterable[Change]) -> Applied:
        self.make_ready()
        swift = self._swift()
        prepare = self._engine.preparer(swift) if swift is not None else None
        if prepare is None:
            return self._engine.apply(changes)
        return self._engine.apply(
            replace(change, prepared=prepare(change.record)) if isinstance(change, Put) and change.prepared is None else change
            for change in changes
        )

    def view(self) -> AbstractContextManager[View]:
        return self._engine.view()

    def reindex(self) -> int:
        return self._engine.reindex()

    def status(self) -> Status:
        return self._engine.status()

    def examine(self) -> tuple[Finding, ...]:
        return self._engine.examine()

    def close(self) -> None:
        if self._embedder is not None:
            self._embedder.close()
        self._engine.close()

    def _swift(self) -> Embedder | None:
        """The model, if it is fast enough to be asked while a record is written, and can be asked at all."""
        try:
            return self.embedder if self._ready and self.embedder is not None and self.embedder.profile.swift else None
        except EmbeddingFailed:
            return None
