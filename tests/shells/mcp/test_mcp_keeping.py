"""Does an agent see what it has just written, whoever else is indexing?"""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client
from running_mcp import talk, text_of

from dowse.app.locking import alone
from dowse.app.permissions import Capability, Principal, Reach
from dowse.app.workspace import Workspace
from dowse.shells.mcp.keeping import Keeper


class _Clock:
    """Stands still until someone moves it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> _Clock:
    return _Clock()


@pytest.fixture
def keeper(indexed: Workspace, tmp_path: Path, clock: _Clock) -> Iterator[Keeper]:
    opened = Keeper(indexed, tmp_path / "project.dowse", lambda _: None, clock)
    yield opened
    opened.close()


def _found(workspace: Workspace, keeper: Keeper, query: str) -> str:
    return text_of(talk(workspace, lambda client: client.call_tool("search", {"query": query}), keeper=keeper))


def _write(path: Path, text: str) -> None:
    """Writes a file whose time differs from any other's, however coarse the clock of the disk is."""
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(1, len(text)))


def test_an_edit_is_found_by_the_next_search(indexed: Workspace, keeper: Keeper, project: Path, clock: _Clock) -> None:
    assert "1. zeppelin_moor" not in _found(indexed, keeper, "zeppelin_moor")
    clock.now = 1.0
    _write(project / "courier.py", "def zeppelin_moor():\n    return 1\n")
    assert "1. zeppelin_moor (symbol, function) courier.py:1-2" in _found(indexed, keeper, "zeppelin_moor")


def test_files_are_not_looked_at_again_before_it_is_time(keeper: Keeper, indexed: Workspace, project: Path, clock: _Clock) -> None:
    keeper.catch_up()
    _write(project / "courier.py", "def zeppelin_moor():\n    return 1\n")
    keeper.catch_up()
    assert indexed.freshness()[0].changed
    clock.now = 60.0
    keeper.catch_up()
    assert not indexed.freshness()[0].changed


def test_many_changes_are_left_to_who_follows_them_and_told(
    keeper: Keeper, indexed: Workspace, project: Path, clock: _Clock
) -> None:
    for number in range(60):
        _write(project / f"module_{number}.py", f"NUMBER = {number}\n")
    indexed.index(project, jobs=1)
    for number in range(60):
        _write(project / f"module_{number}.py", f"NUMBER = {number}{number}\n")
    clock.now = 60.0
    assert "files or folders of saltmarsh changed since it was indexed" in _found(indexed, keeper, "courier")


def test_while_another_process_indexes_searches_go_on(keeper: Keeper, indexed: Workspace, project: Path, tmp_path: Path) -> None:
    _write(project / "courier.py", "def zeppelin_moor():\n    return 1\n")
    with alone(tmp_path / "project.dowse"):
        assert "capped_backoff" in _found(indexed, keeper, "capped_backoff")


def test_a_new_project_is_indexed_while_tools_answer_and_say_how_far_it_is(workspace: Workspace, project: Path) -> None:
    entered, go_on = threading.Event(), threading.Event()

    class Slow(Keeper):
        def _heed(self, progress: object) -> None:
            entered.set()
            go_on.wait()
            super()._heed(progress)  # type: ignore[arg-type]

    keeper = Slow(workspace, None, lambda _: None, first=0)
    keeper.start(project, watch=False)
    entered.wait()
    early = _found(workspace, keeper, "capped_backoff")
    assert early.startswith("The project is being indexed, 0 % so far (looking for files that changed)")

    async def told(client: Client) -> str:
        return client.instructions or ""

    assert "The project is being indexed" in talk(workspace, told, keeper=keeper)
    go_on.set()
    keeper._threads[0].join()
    assert "1. capped_backoff (symbol, function)" in _found(workspace, keeper, "capped_backoff")
    assert keeper.notes() == []
    keeper.close()


def test_the_first_question_waits_for_the_first_index(workspace: Workspace, project: Path) -> None:
    asked = threading.Event()

    class Late(Keeper):
        def _heed(self, progress: object) -> None:
            asked.wait()
            super()._heed(progress)  # type: ignore[arg-type]

        def catch_up(self) -> None:
            asked.set()
            super().catch_up()

    keeper = Late(workspace, None, lambda _: None, first=60)
    keeper.start(project, watch=False)
    assert "1. capped_backoff (symbol, function)" in _found(workspace, keeper, "capped_backoff")
    keeper.close()


def test_closing_stops_an_index_that_runs_and_what_was_committed_is_well(workspace: Workspace, project: Path) -> None:
    entered = threading.Event()

    class Closing(Keeper):
        def _heed(self, progress: object) -> None:
            entered.set()
            self._stop.wait()
            super()._heed(progress)  # type: ignore[arg-type]

    keeper = Closing(workspace, None, lambda _: None)
    keeper.start(project, watch=True)
    entered.wait()
    keeper.close()
    assert all(finding.ok for finding in workspace.doctor())
    assert workspace.index(project, jobs=1).files == 2


def test_changes_are_followed_while_nobody_asks(indexed: Workspace, project: Path, tmp_path: Path) -> None:
    read = threading.Event()
    said: list[str] = []

    def say(message: str) -> None:
        said.append(message)
        read.set()

    keeper = Keeper(indexed, tmp_path / "project.dowse", say)
    (project / "new.py").write_text("def zeppelin_moor():\n    return 1\n", encoding="utf-8")
    keeper.start(None, watch=True)
    assert read.wait(60)
    keeper.close()
    assert said[0].startswith("saltmarsh: 1 files read")
    assert [hit.record.title for hit in indexed.search("zeppelin_moor", kinds=["symbol"]).hits] == ["zeppelin_moor"]


def test_who_sees_no_project_is_told_of_none(keeper: Keeper, indexed: Workspace) -> None:
    reach = Reach(spaces=("elsewhere",))
    stranger = indexed.acting_as(Principal("stranger", frozenset({Capability.SEARCH_USE, Capability.READ}), reach))
    assert keeper.freshness(indexed)
    assert keeper.freshness(stranger) == ()


def test_a_folder_that_cannot_be_indexed_is_told(workspace: Workspace, tmp_path: Path) -> None:
    said: list[str] = []
    keeper = Keeper(workspace, None, said.append)
    keeper.start(tmp_path / "nowhere", watch=False)
    keeper._threads[0].join()
    assert keeper.notes()[0].startswith("The project could not be indexed: There is no folder")
    assert said
    keeper.close()
