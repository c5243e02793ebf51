"""What can be done with a workspace that cannot be opened? It can be examined, repaired, or replaced by a backup."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from dowse.engines.sqlite.backing_up import SIDES, aside, copy_in, free_name, publish
from dowse.engines.sqlite.driver import APPLICATION_ID
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.engines.sqlite.repairing import alone, rewrite
from dowse.errors import DowseError, NewerWorkspace
from dowse.model.change import Applied, Change
from dowse.model.schema import Schema
from dowse.ports import Backup, Copying, Embedder, Finding, Opening, Preparer, Status, View

# Where a SQLite file says whose it is.
_WHOSE = slice(68, 72)


class UnopenedEngine:
    """An engine without a store: it says why, to whoever wants to read or write. ``error``: why it cannot be opened."""

    def __init__(self, path: str, schema: Schema, error: DowseError) -> None:
        self._path = Path(path)
        self._schema = schema
        self._error = error

    def preparer(self, embedder: Embedder | None = None) -> Preparer | None:
        del embedder
        self._refuse()

    def opening(self) -> Opening | None:
        self._refuse()

    def apply(self, changes: Iterable[Change]) -> Applied:
        del changes
        self._refuse()

    def view(self) -> AbstractContextManager[View]:
        self._refuse()

    def reindex(self) -> int:
        self._refuse()

    def status(self) -> Status:
        self._refuse()

    def back_up(self, path: str, report: Callable[[Copying], None] | None = None) -> Backup:
        del path, report
        self._refuse()

    def examine(self) -> tuple[Finding, ...]:
        if not self._path.exists():
            self._refuse()
        if isinstance(self._error, NewerWorkspace):
            repair = "upgrade dowse"
        else:
            repair = "dowse doctor --repair, or dowse restore-backup" if self._is_ours else "name another file"
        return (Finding("file", False, str(self._error), repair),)

    def repair(self) -> tuple[Finding, ...]:
        """Saves what can be read into a new file. What is not ours, or not ours to understand, is left alone."""
        if isinstance(self._error, NewerWorkspace) or not self._is_ours:
            self._refuse()
        saved = rewrite(self._path, self._schema)
        engine = SqliteEngine(self._path, self._schema, create=False)
        try:
            return (*saved, *engine.examine())
        finally:
            engine.close()

    def take_over(self, path: str, report: Callable[[Copying], None] | None = None) -> Backup:
        """A copy of the backup takes the name; whatever had it before is kept under another."""
        with alone(self._path), aside(self._path) as part:
            whole = copy_in(Path(path), part, report)
            kept = self._move_away()
            publish(part, self._path)
        return replace(whole, path=str(self._path), kept=kept)

    def close(self) -> None:
        """Nothing is open."""

    @property
    def _is_ours(self) -> bool:
        if not self._path.is_file():
            return False
        with self._path.open("rb") as file:
            return file.read(100)[_WHOSE] == APPLICATION_ID.to_bytes(4)

    def _move_away(self) -> str:
        if not self._path.exists():
            return ""
        kept = free_name(self._path, "before-restore")
        for side in (*SIDES, ""):
            if (beside := Path(f"{self._path}{side}")).exists():
                beside.rename(f"{kept}{side}")
        return str(kept)

    def _refuse(self) -> NoReturn:
        raise self._error
