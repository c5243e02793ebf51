"""How does a connection come to life? The one door to SQLite: every connection is born right, every error translated."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

import apsw

from dowse.errors import Busy, NotAWorkspace, StorageError

Connection: TypeAlias = apsw.Connection

# "dows" in ASCII: tells our files from anyone else's.
APPLICATION_ID = 0x646F7773
# Long enough for another process to finish a large batch; a user who waits longer is told who waits.
_BUSY_MILLISECONDS = 30_000
# Reads of blobs and postings come straight from the page cache of the system instead of being copied twice.
_MAPPED_BYTES = 1 << 30
_CACHE_KIBIBYTES = 32_768
# Who reads through the mapping needs a cache only for pages that are still in the log; a server has many such connections.
_MAPPED_CACHE_KIBIBYTES = 2_048
# So many further pages of the log are put into the file together, as SQLite does by itself.
_LOG_PAGES = 1000
# Pages after which the log must begin anew (32 MiB). By itself it does so only at a moment when nobody reads, and where many always
# do it would grow for ever; then readers are waited for, new ones meanwhile read the file.
_LOG_PAGES_AT_MOST = 8192
# The same for who writes little at a time and would notice (128 MiB): once nobody writes for as long as a search takes, the log
# begins anew without anyone waiting.
_LOG_PAGES_OF_LITTLE = 32768
# For so long at most: a backup reads for minutes.
_LOG_MILLISECONDS = 1000


class Garbled(ValueError):
    """Bytes that cannot be what was written."""


# Whatever SQLite refuses, and what reading a damaged page may end in.
REFUSED = apsw.Error
FAULTS = (apsw.CorruptError, apsw.NotADBError, apsw.IOError, apsw.SQLError, UnicodeDecodeError, Garbled)


@contextmanager
def translated(location: str) -> Iterator[None]:
    """SQLite's errors in our words: what was wrong, where, and what to do."""
    try:
        yield
    except apsw.NotADBError as error:
        raise NotAWorkspace(f"{location} is not a dowse workspace: it is some other kind of file. Name another path.") from error
    except (apsw.CorruptError, UnicodeDecodeError, Garbled) as error:
        # Nobody could have stored a text that is no text, so its bytes changed afterwards.
        raise NotAWorkspace(
            f"{location} is damaged ({error}). Run 'dowse doctor --repair', or 'dowse restore-backup' with a backup."
        ) from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise Busy(f"{location} is held by another process that has been writing for a long time. Try again.") from error
    except apsw.SQLError as error:
        # Our statements are right, so what they name is missing.
        raise StorageError(f"{location} is incomplete ({error}). Run 'dowse reindex' to make the search index again.") from error
    except apsw.ReadOnlyError as error:
        raise StorageError(f"{location} cannot be written: the file or its folder is read-only.") from error
    except apsw.FullError as error:
        raise StorageError(
            f"{location}: the disk is full. Nothing of this change was kept; free some room and try again."
        ) from error
    except apsw.CantOpenError as error:
        raise StorageError(f"{location} cannot be opened: {_why_not_openable(location)}") from error
    except apsw.IOError as error:
        raise StorageError(f"{location}: the disk failed to read or write ({error}).") from error


def connect(
    path: str, *, read_only: bool = False, mapped: bool = True, log_is_long: Callable[[], None] | None = None
) -> Connection:
    """A connection with our settings. The file need not exist unless ``read_only``.

    ``mapped`` false: for writers, who visit every page of a growing file once and would keep all of it in memory. ``log_is_long``
    is called after a commit that leaves a long log, and sees to it; without, the log is put into the file then and there.
    """
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    with translated(path):
        connection = apsw.Connection(path, flags=flags)
        try:
            _set_up(connection, path, read_only=read_only, mapped=mapped, log_is_long=log_is_long)
        except BaseException:
            connection.close()
            raise
    return connection


def connect_plainly(path: str, *, read_only: bool = False) -> Connection:
    """A connection without our settings, for a file that is still being made, or that must be read as it is."""
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    return apsw.Connection(path, flags=flags)


def log_was_lost(path: str) -> bool:
    """Whether someone took away the log with the last changes; to be asked before the file is opened.

    Both files beside a workspace come and go together, the log first and last.
    """
    return os.path.exists(f"{path}-shm") and not os.path.exists(f"{path}-wal")


@contextmanager
def writing(connection: Connection) -> Iterator[None]:
    """All or nothing; nested use becomes a savepoint. Takes the write lock at once, so that no work is done in vain."""
    if connection.in_transaction:
        with connection:
            yield
        return
    connection.execute("begin immediate")
    try:
        yield
        # Inside: a commit that fails may leave its transaction open, and all later ones would become part of it and be lost.
        connection.execute("commit")
    except BaseException:
        with suppress(apsw.Error):
            connection.execute("rollback")
        raise


@contextmanager
def reading(connection: Connection) -> Iterator[None]:
    """One snapshot for all statements inside."""
    connection.execute("begin")
    try:
        yield
    finally:
        end_reading(connection)


def end_reading(connection: Connection) -> None:
    # A failing disk ends a transaction by itself; to end it again would be an error that hides the first one.
    if connection.in_transaction:
        connection.execute("rollback")


def value(connection: Connection, sql: str, bindings: tuple[Any, ...] = ()) -> Any:
    """The first column of the first row, or None."""
    for row in connection.execute(sql, bindings):
        return row[0]
    return None


def generation_of(connection: Connection, file: str = "main") -> int:
    """The number of the last commit, of the file itself or of one that is attached."""
    found = value(connection, f"select value from {file}.meta where name = 'generation'")
    if not isinstance(found, int):
        raise Garbled("the number of the last commit is gone")
    return found


def stem_words(connection: Connection, words: list[str]) -> list[str]:
    """The Porter stem of each word, by SQLite's own stemmer."""
    tokenizer = connection.fts5_tokenizer("porter", ["ascii"])
    text = "\n".join(words).encode()
    found = list(tokenizer(text, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False))
    if len(found) != len(words):
        raise StorageError(f"{len(words)} words gave {len(found)} stems; the words are not clean")
    return [str(stem) for stem in found]


def _set_up(connection: Connection, path: str, *, read_only: bool, mapped: bool, log_is_long: Callable[[], None] | None) -> None:
    connection.set_busy_timeout(_BUSY_MILLISECONDS)
    connection.pragma("mmap_size", _MAPPED_BYTES if mapped else 0)
    connection.pragma("cache_size", -(_MAPPED_CACHE_KIBIBYTES if mapped else _CACHE_KIBIBYTES))
    connection.pragma("temp_store", 2)
    connection.pragma("foreign_keys", True)
    if not read_only:
        _claim(connection, path)
        # WAL with synchronous=normal survives any crash of the process; only a power cut can undo the last commits.
        connection.pragma("journal_mode", "wal")
        connection.pragma("synchronous", 1)
        connection.set_wal_hook(_Log(log_is_long))


class _Log:
    """Keeps the log short. Called after each commit, when the lock is free again; what fails here is tried after a later one."""

    def __init__(self, is_long: Callable[[], None] | None) -> None:
        self._pages = self._put = self._tried = 0
        self._is_long = is_long

    def __call__(self, connection: Connection, database: str, pages: int) -> int:
        if pages < self._pages:
            self._pages = self._put = self._tried = 0
        little = self._is_long is not None and pages < self._pages + _LOG_PAGES
        self._pages = pages
        if pages >= self._tried + (_LOG_PAGES_OF_LITTLE if little else _LOG_PAGES_AT_MOST):
            connection.set_busy_timeout(_LOG_MILLISECONDS)
            begun_anew = put_into_file(connection, database, apsw.SQLITE_CHECKPOINT_TRUNCATE)
            connection.set_busy_timeout(_BUSY_MILLISECONDS)
            # Where someone reads for long, not again with every commit.
            self._tried = self._put = 0 if begun_anew else pages
        elif pages >= self._put + _LOG_PAGES:
            self._put = pages
            if self._is_long is not None:
                self._is_long()
            else:
                put_into_file(connection, database)
        return apsw.SQLITE_OK


def put_into_file(connection: Connection, database: str = "main", mode: int = apsw.SQLITE_CHECKPOINT_PASSIVE) -> bool:
    """Whether all of the log is there now. The commit is, whatever comes of this."""
    try:
        logged, put = connection.wal_checkpoint(database, mode)
    except apsw.Error:
        return False
    return logged == put


def _claim(connection: Connection, path: str) -> None:
    """Marks a new file as ours and refuses one that is not."""
    # Both are read at one moment: another process may be making the workspace right now.
    with reading(connection):
        ours = connection.pragma("application_id") == APPLICATION_ID
        used = value(connection, "select count(*) from sqlite_schema")
    if ours:
        return
    if used:
        raise NotAWorkspace(f"{path} is a SQLite database, but not a dowse workspace. Name another path.")
    connection.pragma("application_id", APPLICATION_ID)


def _why_not_openable(location: str) -> str:
    path = Path(location)
    if path.is_dir():
        return "it is a folder. Name a file, for example one inside it."
    if not path.parent.exists():
        return f"the folder {path.parent} does not exist. Create it first."
    if path.exists() and not os.access(path, os.R_OK):
        return "you may not read it. Check its permissions."
    return "check that it exists and that you may read and write it and its folder."
