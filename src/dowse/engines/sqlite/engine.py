"""One SQLite file as an engine: truth, lanes and caches behind the verbs of the port."""

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.engines.sqlite import keeping, lanes, rows
from dowse.engines.sqlite.counting import counted, counted_in_truth
from dowse.engines.sqlite.doubting import Doubt
from dowse.engines.sqlite.driver import (
    Connection,
    connect,
    generation_of,
    log_was_lost,
    reading,
    translated,
    value,
    writing,
)
from dowse.engines.sqlite.learning import Learned
from dowse.engines.sqlite.lending import Lender
from dowse.engines.sqlite.meaning import SHORTLIST
from dowse.engines.sqlite.migrating import migrate
from dowse.engines.sqlite.postings import DEFAULT_CACHE_BYTES, PostingsCache
from dowse.engines.sqlite.preparing import prepare
from dowse.engines.sqlite.reading import Reader
from dowse.engines.sqlite.tending import Tending
from dowse.engines.sqlite.vectors import VectorCache
from dowse.engines.sqlite.viewing import SqliteView
from dowse.errors import Busy, NotAWorkspace, NotFound, StorageError
from dowse.model.schema import Schema
from dowse.ports import Backup, Copying, Embedder, Finding, Opening, Preparer, Status

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

    from dowse.model.change import Applied, Change

MEMORY = ":memory:"
# Connections that wait for the next reader. Each keeps two files open and some memory; a new one is there within a millisecond, and
# more readers than that are at it at once for moments only.
_MOST_IDLE = 4


class SqliteEngine:
    """Reads scale over threads (a connection each, reused); writes take turns."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        schema: Schema,
        *,
        create: bool = True,
        cache_bytes: int = DEFAULT_CACHE_BYTES,
        shortlist: int = SHORTLIST,
        clock: Callable[[], float] = time.time,
        notify: Callable[[str], None] | None = None,
    ) -> None:
        # Readers have connections of their own, so "in memory" is a file of ours that goes when the engine closes.
        self._folder = _temporary_folder() if os.fspath(path) == MEMORY else None
        self._path = os.fspath(path) if self._folder is None else str(Path(self._folder.name) / "workspace.dowse")
        self._schema = schema
        self._clock = clock
        self._cache_bytes = cache_bytes
        self._cache = PostingsCache(cache_bytes)
        self._columns = Lender()
        self._vectors = VectorCache()
        self._shortlist = shortlist
        self._doubt = Doubt(self._path, self.examine)
        self._write_lock = threading.Lock()
        self._learned = Learned()
        self._tending = Tending(self._path)
        self._idle: deque[Reader] = deque()
        """The one that was used last is used next: what each keeps in memory is kept by few."""
        self._taken = 0
        self._taken_lock = threading.Lock()
        self._closed = False
        if not create and self._folder is None:
            _expect_there(self._path)
        self._log_was_lost = log_was_lost(self._path)
        # Most processes only read: the first connection checks the file and then serves readers; writing opens its own.
        self._writer_now: Connection | None = None
        first = connect(self._path)
        try:
            with translated(self._path):
                migrate(first, self._path)
                current = value(first, "select value from meta where name = 'fingerprint'")
                outdated = self._is_outdated(first)
        except BaseException:
            # Who keeps the error would keep the file open with it.
            first.close()
            raise
        self._idle.append(Reader(self._path, first))
        if outdated:
            if current is not None and notify is not None:
                notify(
                    f"{self._path} was indexed by another version of dowse; its search index is made again. This may take a while."
                )
            # Of several who open it at once, the first does it, and the others find it done when it is their turn.
            self._rebuild(lambda: self._is_outdated(self._writer))

    def preparer(self, embedder: Embedder | None = None) -> Preparer:
        return partial(prepare, self._schema, embedder)

    def opening(self) -> Opening:
        return partial(SqliteEngine, self._path, self._schema, create=False)

    def apply(self, changes: "Iterable[Change]") -> "Applied":
        from dowse.engines.sqlite import applying  # most processes only ask, and would wait for it

        listed = list(changes)
        with self._write_lock, self._doubt.doubted(), translated(self._path):
            self._refuse_closed()
            return applying.apply(self._writer, self._schema, listed, self._clock(), self._learned)

    def view(self) -> "Opened":
        return Opened(self)

    def begin(self) -> SqliteView:
        """A view that is to be ended with ``end``."""
        if self._closed:
            self._refuse_closed()
        reader = self._take()
        try:
            snapshot = reader.begin()
        except BaseException as error:
            self._give(reader, error)
            raise
        return SqliteView(reader, self._schema, snapshot, self._cache, self._columns, self._vectors, self._shortlist)

    def end(self, view: SqliteView, error: BaseException | None = None) -> None:
        """``error``: what went wrong meanwhile."""
        try:
            view.end()
        finally:
            self._give(view.reader, error)

    def reindex(self) -> int:
        """Makes every lane again from the records, aside, and swaps it in; returns how many records can be found.

        Passages are cut again as well; the vectors of those that stay as they are stay.
        """
        return self._rebuild(lambda: True)

    def status(self) -> Status:
        self._refuse_closed()
        with self._doubt.doubted(), translated(self._path):
            reader = self._take()
            try:
                return self._status(reader.connection)
            finally:
                self._give(reader)

    def examine(self) -> tuple[Finding, ...]:
        from dowse.engines.sqlite.examining import examine, lost_log

        with translated(self._path):
            # A new one: a connection that has searched before remembers how the lanes lay then, and where others have written
            # since, SQLite's own check takes that for damage.
            connection = connect(self._path)
            try:
                found = examine(connection, self._schema)
            finally:
                connection.close()
        return (*found, lost_log()) if self._log_was_lost else found

    def back_up(self, path: str, report: Callable[[Copying], None] | None = None) -> Backup:
        from dowse.engines.sqlite import backing_up  # loads much that searching never needs

        self._refuse_closed()
        with translated(self._path):
            # Its own, and not mapped: every page passes once, and none of them should stay.
            connection = connect(self._path, mapped=False)
            try:
                return backing_up.back_up(connection, Path(path), report)
            finally:
                connection.close()

    def take_over(self, path: str, report: Callable[[Copying], None] | None = None) -> Backup:
        from dowse.engines.sqlite import backing_up

        self._refuse_closed()
        own = Path(self._path)
        kept = backing_up.free_name(own, "before-restore")
        with backing_up.aside(own) as part, self._write_lock, translated(self._path):
            whole = backing_up.copy_in(Path(path), part, report)
            self._learned = Learned()
            # Kept while nobody can write, so that every change is either in what is kept or in what comes.
            backing_up.replace_contents(self._writer, part, lambda: self.back_up(str(kept)), self._derive)
            with reading(self._writer):
                now = backing_up.contents(self._writer, self._path)
        if now.digest != whole.digest:
            raise StorageError(f"{self._path} does not hold what {path} holds. What there was before is at {kept}.")
        return replace(now, kept=str(kept))

    def repair(self) -> tuple[Finding, ...]:
        """Derived things are made again in place; a damaged truth is read into a new file, and the old one kept."""
        from dowse.engines.sqlite.examining import damaged_truth

        with self._write_lock, translated(self._path):
            self._refuse_closed()
            damaged = damaged_truth(self._writer)
        # Once the index is made of what is there, nothing tells any more that it is not what was written.
        changed = tuple(finding for finding in self.examine() if finding.name == "records" and not finding.ok)
        self._log_was_lost = False
        saved: tuple[Finding, ...] = ()
        if damaged or not self._is_sound_once_reindexed():
            saved = self._rewrite()
        return (*changed, *saved, *self.examine())

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._tending.finish()
        with self._write_lock:
            self._close_connections()
        if self._folder is not None:
            self._folder.cleanup()

    def _rebuild(self, needed: Callable[[], bool]) -> int:
        with self._write_lock, translated(self._path):
            self._refuse_closed()
            with writing(self._writer):
                if not needed():
                    return 0
                generation = generation_of(self._writer) + 1
                count = self._derive(generation)
                self._writer.execute("update meta set value = ? where name = 'generation'", (generation,))
            return count

    def _is_outdated(self, connection: Connection) -> bool:
        made = value(connection, "select value from meta where name = 'fingerprint'")
        return bool(made != lanes.fingerprint(self._schema) or keeping.is_outdated(connection, self._schema))

    def _derive(self, generation: int) -> int:
        """Inside a transaction of the writer."""
        count = lanes.rebuild(self._writer, self._schema, rows.every(self._writer), generation)
        keeper = keeping.Keeper(self._writer, self._schema, generation)
        keeper.repair()
        keeper.finish()
        return count

    def _is_sound_once_reindexed(self) -> bool:
        """Whether making again what is derived was enough: what is so damaged that it cannot be dropped stays."""
        from dowse.engines.sqlite.examining import UNREADABLE

        try:
            self.reindex()
        except UNREADABLE:
            return False
        return all(finding.ok for finding in self.examine())

    def _rewrite(self) -> tuple[Finding, ...]:
        """Lets go of the file, so that another can take its place; whoever reads in this process must have finished."""
        from dowse.engines.sqlite import repairing

        self._tending.finish()
        with self._write_lock:
            if self._taken:
                raise Busy(f"{self._path} is being read right now. Try again when nobody else uses it.")
            self._close_connections()
            self._learned = Learned()
            saved = repairing.rewrite(Path(self._path), self._schema)
            self._cache, self._columns, self._vectors = PostingsCache(self._cache_bytes), Lender(), VectorCache()
            return saved

    def _status(self, connection: Connection) -> Status:
        with reading(connection):
            current = lanes.current(connection)
            generation = generation_of(connection)
            if current is not None:
                with self._columns.lent(connection, current, generation) as columns:
                    held = counted(connection, columns)
            else:
                held = counted_in_truth(connection)
            return Status(
                generation=generation,
                updated=value(connection, "select value from meta where name = 'updated'"),
                records=held.records,
                deleted=held.deleted,
                edges=dict(connection.execute("select kind, count(*) from edge group by kind order by kind")),
                spaces=held.spaces,
                words=value(connection, f"select count(*) from {current.vocabulary}") if current is not None else 0,
                bytes=value(connection, "select page_count * page_size from pragma_page_count, pragma_page_size"),
                location=self._path,
                embedding=keeping.embedding(connection),
            )

    @property
    def _writer(self) -> Connection:
        if self._writer_now is None:
            self._writer_now = connect(self._path, mapped=False, log_is_long=self._tending.log_is_long)
        return self._writer_now

    def _close_connections(self) -> None:
        """Those that nobody uses right now."""
        while self._idle:
            self._idle.pop().close()
        if self._writer_now is not None:
            self._writer_now.close()
            self._writer_now = None

    def _take(self) -> Reader:
        try:
            taken = self._idle.pop()
        except IndexError:
            taken = Reader(self._path)
        with self._taken_lock:
            self._taken += 1
        return taken

    def _give(self, reader: Reader, error: BaseException | None = None) -> None:
        """Ends what it reads. An error is told in our words, while what it was read from can still be looked at."""
        try:
            if isinstance(error, Exception):
                # Only here, for every search would wait for what few of them need.
                with self._doubt.doubted(), translated(self._path):
                    raise error
        finally:
            reader.end()
            with self._taken_lock:
                self._taken -= 1
            if self._closed or len(self._idle) >= _MOST_IDLE:
                reader.close()
            else:
                self._idle.append(reader)

    def _refuse_closed(self) -> None:
        if self._closed:
            raise StorageError(f"The workspace {self._path} is closed.")


class Opened:
    """A view for as long as a block lasts. No generator, for that takes as long as the rest of opening one."""

    __slots__ = ("_engine", "_view")

    def __init__(self, engine: SqliteEngine) -> None:
        self._engine = engine

    def __enter__(self) -> SqliteView:
        self._view = self._engine.begin()
        return self._view

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._engine.end(self._view, error)


def _expect_there(path: str) -> None:
    """SQLite takes an empty file for a new one; to who does not make a workspace it is one that lost everything."""
    if not os.path.exists(path):
        raise NotFound(f"There is no workspace at {path}. Create one with 'dowse init', or name another with --workspace.")
    if os.path.isfile(path) and not os.path.getsize(path):
        raise NotAWorkspace(
            f"{path} is empty: nothing of a workspace is left in it."
            " Run 'dowse restore-backup' with a backup, or delete it and begin anew with 'dowse init'."
        )


def _temporary_folder() -> "TemporaryDirectory[str]":
    from tempfile import TemporaryDirectory  # loads much that a workspace in a file never needs

    return TemporaryDirectory(prefix="dowse-")
