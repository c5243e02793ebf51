"""What is done behind a writer's back? The log is put into the file, and what small writes left in many pieces is put together.

Both would make one write in some dozens wait for tens of milliseconds. FTS5 puts pieces together by itself, but a lot at once:
every 64 writes, 64 pages of each level. Where that is done before, in small portions, it finds nothing to do.
"""

import threading
from collections.abc import Callable
from contextlib import suppress

from dowse.engines.sqlite.driver import REFUSED, Connection, connect_plainly, put_into_file, value, writing
from dowse.engines.sqlite.lanes import Lanes

# After so many small writes there are pieces to put together.
_WRITES = 16
# What one portion reads and writes, at most: a few milliseconds, for which a writer may have to wait.
_PAGES = 16
# Between portions, so that writers come first.
_PAUSE = 0.005
# A portion that did anything changes more rows than this.
_NOTHING_DONE = 2


class Tending:
    """Looks after one file, in a thread that ends when there is nothing left to do. What fails is tried after a later write.

    ``merge`` puts some pieces of one of so many ``tables`` together and tells whether there were any; it is called again and
    again.
    """

    def __init__(self, path: str, merge: Callable[[int], bool], tables: int) -> None:
        self._path = path
        self._merge = merge
        self._tables = tables
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._is_long = False
        self._written = 0

    def log_is_long(self) -> None:
        """Called after a commit that leaves a long log."""
        with self._lock:
            self._is_long = True
            self._begin()

    def little_was_written(self) -> None:
        with self._lock:
            self._written += 1
            if self._written >= _WRITES:
                self._begin()

    def finish(self) -> None:
        """Ends what has begun. Not to be called by who holds what ``merge`` waits for."""
        self._stop.set()
        thread = self._thread
        if thread is not None:
            thread.join()
        self._stop.clear()

    def _begin(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._tend, name="dowse tending", daemon=True)
            self._thread.start()

    def _tend(self) -> None:
        while self._take_log() or self._take_merging():
            pass

    def _take_log(self) -> bool:
        with self._lock:
            wanted, self._is_long = self._is_long, False
        if wanted:
            _put_log_into_file(self._path)
        return wanted

    def _take_merging(self) -> bool:
        with self._lock:
            wanted = self._written >= _WRITES and not self._stop.is_set()
            if not wanted:
                # Whoever comes from now on begins another one.
                self._thread = None
                return False
            self._written = 0
        with suppress(REFUSED):
            while self._merge_some():
                self._take_log()
        return True

    def _merge_some(self) -> bool:
        """A portion of each table; whether there is more to do, and time for it."""
        done = False
        for number in range(self._tables):
            done = self._merge(number) or done
            if self._stop.wait(_PAUSE):
                return False
        return done


def merged(lanes: Lanes) -> tuple[str, ...]:
    """The tables that small writes leave in pieces."""
    return (*(source.table for source in (*lanes.text, *lanes.names)), lanes.contains)


def merge_some(connection: Connection, table: str) -> bool:
    """Puts a few pages of it together; whether there were any."""
    before = connection.total_changes()
    with writing(connection):
        connection.execute(f"insert into {table} ({table}, rank) values ('merge', ?)", (_PAGES,))
    return connection.total_changes() - before >= _NOTHING_DONE


def _put_log_into_file(path: str) -> None:
    try:
        # Without our settings, which would wait for others; whoever else is at it does the same work.
        connection = connect_plainly(path)
    except REFUSED:
        return
    try:
        # Who has read nothing does not know of a log.
        value(connection, "select 1 from sqlite_schema")
        put_into_file(connection)
    except REFUSED:
        return
    finally:
        connection.close()
