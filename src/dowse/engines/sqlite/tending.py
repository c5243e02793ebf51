"""What is done behind a writer's back? The log is put into the file: else one write in some dozens would wait for the disk."""

import threading

from dowse.engines.sqlite.driver import REFUSED, connect_plainly, put_into_file, value

# Who reads an older state keeps what came after it in the log. Tried again after so many seconds, so that the log can begin anew
# with the next write; whoever reads for longer than that reads for minutes.
_AGAIN = (0.1, 0.3, 1.0, 3.0)


class Tending:
    """Looks after one file, in a thread that ends when there is nothing left to do. What fails is tried after a later write."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._is_long = False

    def log_is_long(self) -> None:
        """Called after a commit that leaves a long log."""
        with self._lock:
            self._is_long = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._tend, name="dowse tending", daemon=True)
                self._thread.start()

    def finish(self) -> None:
        """Ends what has begun."""
        self._stop.set()
        thread = self._thread
        if thread is not None:
            thread.join()
        self._stop.clear()

    def _tend(self) -> None:
        while self._is_wanted():
            for pause in _AGAIN:
                # Who writes much makes the log long again meanwhile: to wait longer would leave it to them to put it into the file.
                if _put_log_into_file(self._path) or self._stop.wait(pause) or self._is_long:
                    break

    def _is_wanted(self) -> bool:
        with self._lock:
            wanted, self._is_long = self._is_long, False
            if not wanted:
                # Whoever comes from now on begins another one.
                self._thread = None
            return wanted


def _put_log_into_file(path: str) -> bool:
    """Whether all of it is there, or nothing can be done."""
    try:
        # Without our settings, which would wait for others; whoever else is at it does the same work.
        connection = connect_plainly(path)
    except REFUSED:
        return True
    try:
        # Who has read nothing does not know of a log.
        value(connection, "select 1 from sqlite_schema")
        return put_into_file(connection)
    except REFUSED:
        return True
    finally:
        connection.close()
