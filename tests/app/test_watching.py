"""Is an edited file found without anyone asking for it?"""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import Empty, Queue

import pytest

import dowse
from dowse.app.locking import alone
from dowse.app.watching import updates
from dowse.errors import Conflict, NotFound
from dowse.model.run import Summary

# Far longer than any of it takes: a test that waits so long has failed.
PATIENCE = 30


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "saltmarsh"
    root.mkdir()
    (root / "reed.md").write_text("# Bittern\n")
    return root


@contextmanager
def watched(watch: Callable[[threading.Event], Iterator[Summary]]) -> Iterator["Queue[Summary]"]:
    """What a watch in another thread tells, until the block ends; a watch that fails fails the test."""
    told: Queue[Summary] = Queue()
    stop = threading.Event()
    failed: list[BaseException] = []

    def run() -> None:
        try:
            for summary in watch(stop):
                told.put(summary)
        except BaseException as error:
            failed.append(error)
            raise

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield told
    finally:
        stop.set()
        thread.join(PATIENCE)
    assert not thread.is_alive()
    assert failed == []


@contextmanager
def watching(path: Path) -> Iterator["Queue[Summary]"]:
    def watch(stop: threading.Event) -> Iterator[Summary]:
        with dowse.open(path) as workspace:
            yield from workspace.watch(stop)

    with watched(watch) as told:
        yield told


def test_an_edited_file_is_found_without_asking(root: Path, tmp_path: Path) -> None:
    with dowse.open(tmp_path / "test.dowse") as workspace:
        workspace.index(root)
        (root / "reed.md").write_text("# Wigeon\n")
        with watching(tmp_path / "test.dowse") as told:
            first = told.get(timeout=PATIENCE)
            assert (first.space, first.changed) == ("saltmarsh", 1)
            (root / "reed.md").write_text("# Sandpiper\n")
            assert told.get(timeout=PATIENCE).changed == 1
            assert workspace.search("sandpiper").total > 0
            (root / "knot.md").write_text("# Knot\n")
            assert told.get(timeout=PATIENCE).added == 1
            (root / "reed.md").unlink()
            assert told.get(timeout=PATIENCE).gone == 1
            assert workspace.search("sandpiper").total == 0


def test_a_workspace_among_the_files_does_not_wake_its_own_watch(root: Path, tmp_path: Path) -> None:
    (tmp_path / "knot.md").write_text("# Knot\n")
    rounds: Queue[None] = Queue()
    with dowse.open(root / "own.dowse") as workspace:
        workspace.index(root)

    def watch(stop: threading.Event) -> Iterator[Summary]:
        with dowse.open(root / "own.dowse") as workspace:

            def update() -> tuple[Summary, ...]:
                rounds.put(None)
                return workspace.refresh()

            yield from updates((root,), update, stop, own=root / "own.dowse")

    with watched(watch) as told:
        rounds.get(timeout=PATIENCE)
        (tmp_path / "knot.md").rename(root / "knot.md")
        assert told.get(timeout=PATIENCE).added == 1
        rounds.get(timeout=PATIENCE)
        # What the update wrote into the workspace must not be taken for the next change.
        with pytest.raises(Empty):
            rounds.get(timeout=1)


def test_a_project_inside_a_folder_that_tools_keep_is_watched_all_the_same(tmp_path: Path) -> None:
    root = tmp_path / "node_modules" / "saltmarsh"
    root.mkdir(parents=True)
    (root / "reed.md").write_text("# Bittern\n")
    with dowse.open(tmp_path / "test.dowse") as workspace:
        workspace.index(root)
        (root / "reed.md").write_text("# Wigeon\n")
        with watching(tmp_path / "test.dowse") as told:
            told.get(timeout=PATIENCE)
            (root / "reed.md").write_text("# Sandpiper\n")
            assert told.get(timeout=PATIENCE).changed == 1


def test_a_watch_outlives_someone_elses_indexing(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "test.dowse"
    refused = threading.Event()
    with dowse.open(path) as workspace:
        workspace.index(root)
        (root / "reed.md").write_text("# Wigeon\n")

    def watch(stop: threading.Event) -> Iterator[Summary]:
        with dowse.open(path) as workspace:

            def update() -> tuple[Summary, ...]:
                try:
                    return workspace.refresh()
                except Conflict:
                    refused.set()
                    raise

            yield from updates((root,), update, stop)

    with ExitStack() as someone:
        someone.enter_context(alone(path))
        with watched(watch) as told:
            assert refused.wait(PATIENCE)
            assert told.empty()
            someone.close()
            assert told.get(timeout=PATIENCE).changed == 1


def test_while_nothing_changes_a_watch_makes_ready_step_by_step(root: Path) -> None:
    steps: Queue[str] = Queue()

    def ready() -> Iterator[None]:
        for name in ("readers of Python", "readers of Markdown"):
            steps.put(name)
            yield

    def watch(stop: threading.Event) -> Iterator[Summary]:
        yield from updates((root,), lambda: (), stop, ready=ready())

    with watched(watch):
        assert [steps.get(timeout=PATIENCE), steps.get(timeout=PATIENCE)] == ["readers of Python", "readers of Markdown"]


def test_without_a_project_there_is_nothing_to_watch() -> None:
    with dowse.open(":memory:") as workspace, pytest.raises(NotFound, match="Index one first"):
        workspace.watch(threading.Event())


def test_a_watch_that_is_stopped_before_it_began_ends(root: Path) -> None:
    stop = threading.Event()
    stop.set()
    with dowse.open(":memory:") as workspace:
        workspace.index(root)
        assert list(workspace.watch(stop)) == []
