"""Is someone who searches told when what they find may be old, and only then?"""

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import dowse
from dowse.app.workspace import Workspace
from dowse.model.run import Freshness

LONG_AGO = 1_000_000_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project in which nothing has happened for years."""
    root = tmp_path / "saltmarsh"
    for path in ("reed.md", "src/deep/eel.md"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("# Bittern\n")
    for place in (*root.rglob("*"), root):
        os.utime(place, (LONG_AGO, LONG_AGO))
    return root


@pytest.fixture
def workspace(tmp_path: Path, root: Path) -> Iterator[Workspace]:
    """The project was indexed a day after anyone touched it, which is years ago by now."""
    with dowse.open(tmp_path / "test.dowse", clock=lambda: LONG_AGO + 86_400.0) as workspace:
        workspace.index(root)
        yield workspace


def changed(workspace: Workspace) -> int | None:
    (project,) = workspace.freshness()
    return project.changed


def test_a_project_that_nobody_touched_is_fresh(workspace: Workspace, root: Path) -> None:
    assert workspace.freshness() == (Freshness("saltmarsh", str(root), LONG_AGO + 86_400.0, 0),)


def test_a_file_that_was_edited_counts(workspace: Workspace, root: Path) -> None:
    with (root / "reed.md").open("a") as file:
        file.write("More.\n")
    assert changed(workspace) == 1


def test_a_file_of_the_same_size_and_another_time_counts(workspace: Workspace, root: Path) -> None:
    (root / "reed.md").write_text("# Wigeon.\n")
    assert changed(workspace) == 1


def test_a_new_file_counts_by_its_folder(workspace: Workspace, root: Path) -> None:
    (root / "src/deep/knot.md").write_text("# Knot\n")
    assert changed(workspace) == 1


def test_a_file_in_a_new_folder_counts_wherever_that_is(workspace: Workspace, root: Path) -> None:
    (root / "src/other").mkdir()
    (root / "src/other/knot.md").write_text("# Knot\n")
    assert changed(workspace) == 1


def test_a_deleted_file_counts_as_does_its_folder(workspace: Workspace, root: Path) -> None:
    (root / "src/deep/eel.md").unlink()
    assert changed(workspace) == 2


def test_a_folder_in_the_place_of_a_file_counts(workspace: Workspace, root: Path) -> None:
    (root / "reed.md").unlink()
    (root / "reed.md").mkdir()
    os.utime(root, (LONG_AGO, LONG_AGO))
    assert changed(workspace) == 1


def test_refreshing_brings_every_project_up_to_date(tmp_path: Path, root: Path) -> None:
    with dowse.open(tmp_path / "test.dowse") as workspace:
        workspace.index(root)
        (tmp_path / "other").mkdir()
        (tmp_path / "other/tern.md").write_text("# Tern\n")
        workspace.index(tmp_path / "other")
        (root / "reed.md").write_text("# Sandpiper\n")
        assert [(summary.space, summary.changed) for summary in workspace.refresh()] == [("other", 0), ("saltmarsh", 1)]
        assert workspace.search("sandpiper").hits[0].record.space == "saltmarsh"
        assert [item.changed for item in workspace.freshness()] == [0, 0]


def test_a_folder_that_is_not_there_is_told_and_what_is_known_stays(workspace: Workspace, root: Path) -> None:
    shutil.rmtree(root)
    assert [item.missing for item in workspace.freshness()] == [True]
    assert workspace.refresh() == ()
    assert workspace.search("bittern").total > 0


def test_a_workspace_moved_along_with_its_project_is_still_fresh(root: Path, tmp_path: Path) -> None:
    (root / ".dowse").mkdir()
    os.utime(root, (LONG_AGO, LONG_AGO))
    with dowse.open(root / ".dowse/workspace.dowse") as workspace:
        workspace.index(root)
    moved = root.rename(tmp_path / "elsewhere")
    with dowse.open(moved / ".dowse/workspace.dowse") as workspace:
        (project,) = workspace.freshness()
        assert (project.space, project.root, project.changed, project.missing) == ("saltmarsh", str(moved), 0, False)
        (moved / "reed.md").write_text("# Sandpiper\n")
        assert [summary.changed for summary in workspace.refresh()] == [1]
        assert workspace.index(moved).space == "saltmarsh"


def test_a_project_moved_away_from_its_workspace_is_missing(workspace: Workspace, root: Path, tmp_path: Path) -> None:
    root.rename(tmp_path / "elsewhere")
    assert [(item.root, item.missing) for item in workspace.freshness()] == [(str(root), True)]


def test_a_workspace_that_lies_among_the_files_does_not_make_them_look_changed(root: Path) -> None:
    with dowse.open(root / "own.dowse") as workspace:
        workspace.index(root)
    # Its files come and go; that was long after.
    later = time.time() + 1000
    os.utime(root, (later, later))
    with dowse.open(root / "own.dowse") as workspace:
        assert changed(workspace) == 0
        (root / "reed.md").write_text("# Sandpiper and more\n")
        assert changed(workspace) == 1


def test_a_file_that_was_written_as_it_was_read_is_told_by_its_size(root: Path) -> None:
    with dowse.open(":memory:") as workspace:
        (root / "reed.md").write_text("# Sandpiper\n")
        workspace.index(root)
        assert changed(workspace) == 0
        (root / "reed.md").write_text("# Sandpipers\n")
        assert changed(workspace) == 1


def test_in_a_memory_workspace_projects_are_known_by_their_place(root: Path) -> None:
    with dowse.open(":memory:") as workspace:
        workspace.index(root)
        assert [project.root for project in workspace.projects()] == [root]
