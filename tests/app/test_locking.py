"""Is a second indexer told at once that there is a first, and is nobody kept waiting by one that is gone?"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import dowse
from dowse.app.locking import alone
from dowse.errors import Conflict

pytest.importorskip("fcntl", reason="Windows locks differently")

HOLDER = """
import sys
from pathlib import Path
from dowse.app.locking import alone

with alone(Path(sys.argv[1])):
    print("holding", flush=True)
    sys.stdin.read()
"""
SOURCE = Path(dowse.__file__).resolve().parents[1]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "test.dowse"


@pytest.fixture
def holder(path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Another process that indexes, for as long as its input is open."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "holding\n"
        yield process
        process.kill()


def test_a_second_indexer_is_told_who_indexes(path: Path, holder: "subprocess.Popen[str]", tmp_path: Path) -> None:
    with dowse.open(path) as workspace, pytest.raises(Conflict, match=rf"\(process {holder.pid}\) is indexing {path} right now"):
        workspace.index(tmp_path)


@pytest.mark.usefixtures("holder")
def test_meanwhile_everyone_can_search_and_try_what_indexing_would_do(path: Path, tmp_path: Path) -> None:
    (tmp_path / "reed.md").write_text("# Bittern\n")
    with dowse.open(path) as workspace:
        assert workspace.search("bittern").hits == ()
        assert workspace.index(tmp_path, dry_run=True).added == 1


@pytest.mark.usefixtures("holder")
def test_forgetting_a_project_waits_for_nobody_either(path: Path) -> None:
    with dowse.open(path) as workspace, pytest.raises(Conflict, match="is indexing"):
        workspace.forget("saltmarsh")


def test_the_right_to_index_goes_with_the_process_whatever_happens_to_it(
    path: Path, holder: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    holder.kill()
    holder.wait()
    (tmp_path / "saltmarsh").mkdir()
    with dowse.open(path) as workspace:
        assert workspace.index(tmp_path / "saltmarsh").files == 0


def test_a_run_that_failed_leaves_the_right_to_the_next(path: Path) -> None:
    with pytest.raises(ZeroDivisionError), alone(path):
        raise ZeroDivisionError
    with alone(path):
        pass


def test_two_workspaces_are_indexed_side_by_side(path: Path) -> None:
    with alone(path), alone(path.with_name("other.dowse")):
        pass


def test_a_workspace_in_memory_is_nobody_elses() -> None:
    with alone(None), alone(None):
        pass
