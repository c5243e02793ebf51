"""What must every engine answer? The promises of the port kept plainly: dictionaries, and a look at every text.

This is the oracle of the contract tests. Nothing here is fast, so that everything can be seen to be right.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial

from dowse.engines.embedding import embed
from dowse.engines.memory.meaning import Passages, remember
from dowse.engines.memory.store import Store, is_live
from dowse.engines.memory.view import MemoryView, Stem
from dowse.errors import StorageError
from dowse.model.change import Applied, Change
from dowse.model.schema import Schema
from dowse.ports import Embedder, Finding, Opening, Preparer, Status


class MemoryEngine:
    """Records for as long as the process lives. ``stem`` gives the stem of a word: engines that share it rank alike."""

    def __init__(self, schema: Schema, stem: Stem, clock: Callable[[], float] = time.time) -> None:
        self._schema = schema
        self._stem = cache(stem)
        self._clock = clock
        self._lock = threading.Lock()
        self._store: Store | None = Store()

    def preparer(self, embedder: Embedder | None = None) -> Preparer | None:
        return partial(embed, self._schema, embedder=embedder) if embedder is not None else None

    def opening(self) -> Opening | None:
        return None

    def apply(self, changes: Iterable[Change]) -> Applied:
        listed = list(changes)
        with self._lock:
            before = self._open_store()
            after = before.copy()
            for change in listed:
                after.fold_in(change)
            embedded = remember(after, self._schema, listed)
            records, edges = after.differences(before)
            if records or edges or embedded:
                after.generation += 1
            if records or edges:
                after.updated = max(after.updated, self._clock())
            self._store = after
            return Applied(after.generation, records, edges)

    @contextmanager
    def view(self) -> Iterator["MemoryView"]:
        yield MemoryView(self._open_store(), self._schema, self._stem)

    def reindex(self) -> int:
        """Nothing is derived here, so nothing is made again; returns how many records can be found."""
        with self._lock:
            store = self._store = self._open_store().copy()
            store.generation += 1
            return sum(map(is_live, store.records.values()))

    def status(self) -> Status:
        store = self._open_store()
        records = list(store.records.values())
        return Status(
            generation=store.generation,
            updated=store.updated,
            records=_counts(record.kind for record in records if not record.deleted),
            deleted=sum(record.deleted for record in records),
            edges=_counts(edge.kind for edge in store.edges.values()),
            spaces=len({record.space for record in records}),
            words=len(MemoryView(store, self._schema, self._stem).vocabulary()),
            bytes=0,
            location="memory",
            embedding=Passages(store, self._schema).embedding,
        )

    def examine(self) -> tuple[Finding, ...]:
        self._open_store()
        return (Finding("index", True, "every answer is read from the records themselves"),)

    def close(self) -> None:
        self._store = None

    def _open_store(self) -> "Store":
        if self._store is None:
            raise StorageError("The workspace in memory is closed.")
        return self._store


def _counts(names: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in sorted(names):
        found[name] = found.get(name, 0) + 1
    return found
