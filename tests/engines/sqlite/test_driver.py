"""Every way a path can be wrong is told apart and told clearly; many may read and write at once."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import pytest

from dowse.engines.sqlite import driver
from dowse.engines.sqlite.driver import APPLICATION_ID, connect, stem_words, writing
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.errors import NotAWorkspace, NotFound, StorageError
from dowse.model.change import Put
from dowse.model.record import Record
from dowse.model.request import Lane, ListPlan, Scope
from dowse.model.schema import Schema
from dowse.model.terms import Query, Term
from dowse.ports import Engine

# Writes pairs of records, each pair in one batch. Run in a process of its own.
WRITER = """
import sys
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.model.change import Put
from dowse.model.record import Record
from dowse.model.schema import Field, Kind, Schema

path, name, pairs = sys.argv[1:]
engine = SqliteEngine(path, Schema({"note": Kind("note", (Field("body"),))}, {}))
for number in range(int(pairs)):
    bodies = ("left", "right")
    engine.apply([Put(Record(f"{name}/{number}/{body}", "note", fields={"body": body})) for body in bodies])
engine.close()
"""


def pair(name: str) -> list[Put]:
    return [Put(Record(f"{name}/{body}", "note", fields={"body": body})) for body in ("left", "right")]


def counts(engine: Engine) -> tuple[int, int, int]:
    """How many records say left, how many say right, and how many there are: all at one moment."""
    with engine.view() as view:
        everywhere = view.select(Scope())
        plan = ListPlan("words", Lane.WORDS)
        left, right = (len(view.match(Query("", (Term((word,)),)), plan, everywhere).handles) for word in ("left", "right"))
        return left, right, everywhere.size


def is_even(engine: Engine) -> bool:
    left, right, both = counts(engine)
    return left == right and left + right == both


@pytest.fixture
def workspace(tmp_path: Path, schema: Schema) -> Path:
    path = tmp_path / "w.dowse"
    engine = SqliteEngine(path, schema)
    engine.apply(pair("first"))
    engine.close()
    return path


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users can reach."""
    with TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)
        os.chmod(folder, 0o755)


@pytest.fixture
def as_anybody() -> Iterator[Callable[[], None]]:
    """Gives up the rights of an administrator, who may write what is read-only, until the test ends."""
    mine = os.geteuid()
    yield lambda: os.seteuid(65534) if mine == 0 else None
    os.seteuid(mine)


class TestWrongPaths:
    @pytest.mark.parametrize("content", [b"xy", b"plain text\n" * 500, b"SQLite format 2\0" * 100, bytes(5000)])
    def test_a_file_of_another_kind_is_refused_and_left_alone(self, tmp_path: Path, schema: Schema, content: bytes) -> None:
        path = tmp_path / "notes.txt"
        path.write_bytes(content)
        with pytest.raises(NotAWorkspace, match=r"notes\.txt is not a dowse workspace"):
            SqliteEngine(path, schema)
        assert path.read_bytes() == content
        assert [item.name for item in tmp_path.iterdir()] == ["notes.txt"]

    @pytest.mark.parametrize("journal", ["delete", "wal"])
    def test_a_database_of_someone_else_is_refused_and_left_alone(self, tmp_path: Path, schema: Schema, journal: str) -> None:
        path = tmp_path / "theirs.db"
        connection = apsw.Connection(str(path))
        connection.pragma("journal_mode", journal)
        connection.execute("create table theirs (x)")
        connection.close()
        before = path.read_bytes()
        with pytest.raises(NotAWorkspace, match=r"theirs\.db is a SQLite database, but not a dowse workspace"):
            SqliteEngine(path, schema)
        assert path.read_bytes() == before

    def test_a_damaged_workspace_is_told_from_a_foreign_file(self, workspace: Path, schema: Schema) -> None:
        content = bytearray(workspace.read_bytes())
        content[4096:20480] = b"\xa5" * 16384
        workspace.write_bytes(content)
        with pytest.raises(NotAWorkspace, match=r"w\.dowse is damaged"):
            SqliteEngine(workspace, schema)
        assert workspace.read_bytes() == content

    def test_a_folder_is_no_workspace(self, tmp_path: Path, schema: Schema) -> None:
        with pytest.raises(StorageError, match=rf"{tmp_path.name} cannot be opened: it is a folder"):
            SqliteEngine(tmp_path, schema)

    def test_a_missing_folder_is_named_and_not_made(self, tmp_path: Path, schema: Schema) -> None:
        with pytest.raises(StorageError, match=r"w\.dowse cannot be opened: the folder .*nowhere does not exist"):
            SqliteEngine(tmp_path / "nowhere" / "w.dowse", schema)
        assert list(tmp_path.iterdir()) == []

    def test_a_missing_workspace_is_made_only_on_demand(self, tmp_path: Path, schema: Schema) -> None:
        with pytest.raises(NotFound, match=r"no workspace at .*w\.dowse"):
            SqliteEngine(tmp_path / "w.dowse", schema, create=False)
        assert list(tmp_path.iterdir()) == []

    def test_an_empty_file_becomes_a_workspace_only_on_demand(self, tmp_path: Path, schema: Schema) -> None:
        path = tmp_path / "w.dowse"
        path.touch()
        with pytest.raises(NotAWorkspace, match=r"w\.dowse is empty"):
            SqliteEngine(path, schema, create=False)
        assert path.read_bytes() == b""
        SqliteEngine(path, schema).close()
        assert connect(str(path)).pragma("application_id") == APPLICATION_ID

    def test_a_read_only_file_is_read_and_refuses_writes(
        self, open_folder: Path, workspace: Path, schema: Schema, as_anybody: Callable[[], None]
    ) -> None:
        path = open_folder / "w.dowse"
        before = workspace.read_bytes()
        path.write_bytes(before)
        path.chmod(0o444)
        # SQLite needs to write beside the file, even to read it.
        open_folder.chmod(0o777)
        as_anybody()
        engine = SqliteEngine(path, schema)
        assert is_even(engine)
        with pytest.raises(StorageError, match=r"w\.dowse cannot be written: the file or its folder is read-only"):
            engine.apply(pair("second"))
        engine.close()
        assert path.read_bytes() == before

    def test_a_read_only_folder_is_told(
        self, open_folder: Path, workspace: Path, schema: Schema, as_anybody: Callable[[], None]
    ) -> None:
        path = open_folder / "w.dowse"
        path.write_bytes(workspace.read_bytes())
        path.chmod(0o666)
        open_folder.chmod(0o555)
        as_anybody()
        with pytest.raises(StorageError, match=r"w\.dowse cannot be written: the file or its folder is read-only"):
            SqliteEngine(path, schema).apply(pair("second"))
        with pytest.raises(StorageError, match=r"new\.dowse cannot be opened"):
            SqliteEngine(open_folder / "new.dowse", schema)


class TestConnections:
    def test_a_connection_is_born_with_our_settings(self, workspace: Path) -> None:
        connection = connect(str(workspace))
        names = ("journal_mode", "foreign_keys", "synchronous")
        assert [connection.pragma(name) for name in names] == ["wal", 1, 1]
        connection.close()

    def test_nested_writing_is_lost_with_what_is_around_it(self, tmp_path: Path) -> None:
        connection = connect(str(tmp_path / "w.dowse"))
        connection.execute("create table t (x)")
        with suppress(ZeroDivisionError), writing(connection):
            with writing(connection):
                connection.execute("insert into t values (1)")
            raise ZeroDivisionError
        assert list(connection.execute("select x from t")) == []
        connection.close()

    def test_nested_writing_that_fails_takes_only_itself_back(self, tmp_path: Path) -> None:
        connection = connect(str(tmp_path / "w.dowse"))
        connection.execute("create table t (x)")
        with writing(connection):
            connection.execute("insert into t values (1)")
            with suppress(ZeroDivisionError), writing(connection):
                connection.execute("insert into t values (2)")
                raise ZeroDivisionError
        assert list(connection.execute("select x from t")) == [(1,)]
        connection.close()

    def test_words_of_any_script_have_a_stem_each(self) -> None:
        words = ["running", "東京", "café", "데이터", "x" * 128]
        assert stem_words(connect(":memory:"), words) == ["run", *words[1:]]


class TestManyAtOnce:
    def test_threads_that_read_see_whole_batches_of_threads_that_write(self, workspace: Path, schema: Schema) -> None:
        engine = SqliteEngine(workspace, schema)
        written = threading.Event()

        def write(name: str) -> None:
            for number in range(12):
                engine.apply(pair(f"{name}/{number}"))

        def read() -> list[bool]:
            seen = [is_even(engine)]
            while not written.is_set():
                seen.append(is_even(engine))
            return seen

        with ThreadPoolExecutor(4) as pool:
            readers = [pool.submit(read) for _ in range(2)]
            writers = [pool.submit(write, name) for name in ("one", "two")]
            try:
                for writer in writers:
                    writer.result()
            finally:
                written.set()
            seen = [even for reader in readers for even in reader.result()]
        assert all(seen)
        assert counts(engine) == (25, 25, 50)
        engine.close()

    def test_processes_that_write_wait_for_each_other_while_others_read(self, workspace: Path, schema: Schema) -> None:
        # Another schema would make the lanes anew at each opening; the processes use this one throughout.
        schema = Schema({"note": schema.kinds["note"]}, {})
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        engine = SqliteEngine(workspace, schema)
        writers = [
            subprocess.Popen([sys.executable, "-c", WRITER, str(workspace), name, "12"], env=environment) for name in ("one", "two")
        ]
        seen = []
        while any(writer.poll() is None for writer in writers):
            seen.append(is_even(engine))
        assert [writer.returncode for writer in writers] == [0, 0]
        assert all(seen)
        assert counts(engine) == (25, 25, 50)
        engine.close()

    def test_processes_that_make_the_same_new_workspace_share_it(self, tmp_path: Path, schema: Schema) -> None:
        path = tmp_path / "w.dowse"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        writers = [
            subprocess.Popen([sys.executable, "-c", WRITER, str(path), name, "2"], env=environment)
            for name in ("one", "two", "three")
        ]
        assert [writer.wait() for writer in writers] == [0, 0, 0]
        engine = SqliteEngine(path, schema)
        assert counts(engine) == (6, 6, 12)
        engine.close()


def test_the_log_stays_short_although_someone_always_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "_LOG_PAGES", 20)
    monkeypatch.setattr(driver, "_LOG_PAGES_AT_MOST", 100)
    path = tmp_path / "w.dowse"
    writer = connect(str(path), mapped=False)
    writer.execute("create table filler (content blob)")
    done = threading.Event()
    reader = threading.Thread(target=_read_without_a_gap, args=(str(path), done))
    reader.start()
    longest = 0
    try:
        for _ in range(100):
            with writing(writer):
                writer.execute("insert into filler values (zeroblob(40000))")
            longest = max(longest, Path(f"{path}-wal").stat().st_size)
    finally:
        done.set()
        reader.join()
    writer.close()
    # 1,000 pages were written: without a new beginning all of them would be in it.
    assert longest < 500 * 4096


class TestTheLog:
    """The file of the log stays as long as it ever was, until the log begins anew."""

    @pytest.fixture
    def written(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], tuple[list[int], list[int]]]:
        """How many pages the log has after each of thirty writes of so many bytes, and how many whenever it was said to be long."""
        monkeypatch.setattr(driver, "_LOG_PAGES", 20)
        monkeypatch.setattr(driver, "_LOG_PAGES_AT_MOST", 60)
        path = str(tmp_path / "w.dowse")

        def pages() -> int:
            return Path(f"{path}-wal").stat().st_size // 4096

        def write(size: int) -> tuple[list[int], list[int]]:
            told: list[int] = []
            after: list[int] = []
            writer = connect(path, mapped=False, log_is_long=lambda: told.append(pages()))
            writer.execute("create table filler (content blob)")
            for _ in range(30):
                with writing(writer):
                    writer.execute("insert into filler values (zeroblob(?))", (size,))
                after.append(pages())
            writer.close()
            return after, told

        return write

    def test_that_it_is_long_is_said_once_for_so_many_pages(self, written: Callable[[int], tuple[list[int], list[int]]]) -> None:
        _, told = written(20_000)
        assert len(told) >= 3
        assert all(later - earlier >= 20 for earlier, later in pairwise(told))

    def test_who_writes_little_at_a_time_does_not_wait_for_it(self, written: Callable[[int], tuple[list[int], list[int]]]) -> None:
        after, _ = written(20_000)
        assert after == sorted(after)
        assert after[-1] > 120

    def test_who_writes_much_keeps_it_short(self, written: Callable[[int], tuple[list[int], list[int]]]) -> None:
        after, _ = written(200_000)
        assert max(after) < 180


def _read_without_a_gap(path: str, done: threading.Event) -> None:
    """One of two snapshots is always there: each begins before the other ends."""
    one, other = connect(path, read_only=True), connect(path, read_only=True)
    one.execute("begin; select count(*) from filler")
    while not done.is_set():
        other.execute("begin")
        other.execute("select count(*) from filler").fetchall()
        one.execute("rollback")
        one, other = other, one
    one.close()
    other.close()
