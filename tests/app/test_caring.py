"""Who may copy, replace and repair a workspace, and with which files?"""

from pathlib import Path

import pytest

import dowse
from dowse.app.opening import open_for_care
from dowse.app.permissions import Capability, Principal, Reach
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.engines.memory.engine import MemoryEngine
from dowse.errors import Forbidden, InvalidRequest, NotFound

ALL = frozenset(Capability)


@pytest.fixture
def copy(workspace: Workspace, tmp_path: Path) -> Path:
    workspace.put(kind="page", key="tide", title="Tide")
    workspace.backup(tmp_path / "copy.dowse")
    return tmp_path / "copy.dowse"


def test_whoever_sees_only_a_part_neither_copies_nor_replaces_the_whole(workspace: Workspace, copy: Path) -> None:
    acting = workspace.acting_as(Principal("part", ALL, Reach(spaces=("open",))))
    with pytest.raises(Forbidden, match="back up the workspace"):
        acting.backup(copy.with_name("other.dowse"))
    with pytest.raises(Forbidden, match="restore a backup"):
        acting.restore_backup(copy, force=True)
    with pytest.raises(Forbidden, match="repair the workspace"):
        acting.repair()


def test_paths_outside_the_roots_are_neither_written_nor_read(workspace: Workspace, copy: Path, tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    acting = workspace.acting_as(Principal("remote", ALL, roots=(tmp_path / "inside",)))
    with pytest.raises(Forbidden, match="outside the folders"):
        acting.backup(tmp_path / "other.dowse")
    with pytest.raises(Forbidden, match="outside the folders"):
        acting.restore_backup(copy, force=True)
    assert acting.backup(tmp_path / "inside" / "other.dowse").records == 1
    assert acting.restore_backup(tmp_path / "inside" / "other.dowse", force=True).records == 1


def test_after_a_restore_the_model_of_the_backup_is_the_one_in_use(workspace: Workspace, copy: Path) -> None:
    workspace.use_model("none")
    workspace.restore_backup(copy, force=True)
    workspace.put(kind="page", key="reed", title="Reed beside the water")
    state = workspace.status().embedding
    assert (state.specification, state.waiting) == ("static", 0)
    assert all(finding.ok for finding in workspace.doctor())


def test_pages_that_were_remembered_are_not_answered_after_a_restore(workspace: Workspace, copy: Path) -> None:
    workspace.put(kind="page", key="later", title="Tide later")
    assert {hit.record.key for hit in workspace.search("tide").hits} == {"tide", "later"}
    workspace.restore_backup(copy, force=True)
    assert {hit.record.key for hit in workspace.search("tide").hits} == {"tide"}


def test_a_workspace_that_is_no_file_says_so(tmp_path: Path) -> None:
    with Workspace(MemoryEngine(SCHEMA, str)) as workspace, pytest.raises(InvalidRequest, match="no file of ours"):
        workspace.backup(tmp_path / "copy.dowse")


def test_a_workspace_in_memory_can_be_backed_up(tmp_path: Path) -> None:
    with dowse.open(":memory:") as workspace:
        workspace.put(kind="page", key="tide", title="Tide")
        assert workspace.backup(tmp_path / "copy.dowse").records == 1


def test_what_needs_an_open_workspace_says_why_there_is_none(tmp_path: Path) -> None:
    with open_for_care(tmp_path / "none.dowse") as workspace:
        for wish in (workspace.status, workspace.reindex, workspace.doctor, lambda: workspace.search("tide")):
            with pytest.raises(NotFound, match="There is no workspace at"):
                wish()
        with pytest.raises(NotFound, match="There is no workspace at"):
            workspace.backup(tmp_path / "copy.dowse")
