"""Does a folder become the project its user means, and leave without a trace?"""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import dowse
from dowse.app.workspace import Workspace
from dowse.errors import Conflict, InvalidRequest, NotFound

Found = Callable[[str], list[str]]


@pytest.fixture
def found(workspace: Workspace) -> Found:
    """The files in which something is found."""

    def search(query: str) -> list[str]:
        return sorted({hit.record.key.partition("#")[0] for hit in workspace.search(query).hits})

    return search


def project(root: Path, **files: str) -> Path:
    """A folder with a file for each word: its name is the word, and it says what is given."""
    for name, text in files.items():
        place = root / f"{name}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"# {text}\n", encoding="utf-8")
    return root


def spaces(workspace: Workspace) -> dict[str, Path]:
    return {item.space: item.root for item in workspace.projects()}


class TestSpaces:
    def test_a_project_is_called_like_its_folder(self, workspace: Workspace, tmp_path: Path) -> None:
        root = project(tmp_path / "saltmarsh", reed="Reed")
        assert workspace.index(root).space == "saltmarsh"
        assert spaces(workspace) == {"saltmarsh": root}
        assert workspace.get("saltmarsh:reed.md").space == "saltmarsh"

    def test_a_second_folder_of_that_name_gets_a_name_that_is_free(self, workspace: Workspace, tmp_path: Path) -> None:
        one, other, third = (project(tmp_path / place / "saltmarsh", reed="Reed") for place in "abc")
        assert [workspace.index(root).space for root in (one, other, third)] == ["saltmarsh", "saltmarsh-2", "saltmarsh-3"]
        assert [workspace.index(root).space for root in (third, one)] == ["saltmarsh-3", "saltmarsh"]

    def test_a_project_can_be_given_a_name_and_keeps_it(self, workspace: Workspace, tmp_path: Path) -> None:
        root = project(tmp_path / "saltmarsh", reed="Reed")
        assert workspace.index(root, space="marsh").space == "marsh"
        assert workspace.index(root).space == "marsh"

    def test_a_name_that_another_project_has_is_refused_with_its_folder(self, workspace: Workspace, tmp_path: Path) -> None:
        one, other = project(tmp_path / "a", reed="Reed"), project(tmp_path / "b", reed="Reed")
        workspace.index(one, space="marsh")
        with pytest.raises(Conflict, match=f"'marsh' holds the project in {one}"):
            workspace.index(other, space="marsh")
        assert spaces(workspace) == {"marsh": one}

    def test_a_folder_is_not_taken_in_twice_under_two_names(self, workspace: Workspace, tmp_path: Path) -> None:
        root = project(tmp_path / "saltmarsh", reed="Reed")
        workspace.index(root)
        with pytest.raises(Conflict, match="in the workspace as 'saltmarsh'"):
            workspace.index(root, space="marsh")
        workspace.forget("saltmarsh")
        assert workspace.index(root, space="marsh").added == 1

    @pytest.mark.parametrize("jobs", [0, -3])
    def test_nobody_reading_is_refused(self, workspace: Workspace, tmp_path: Path, jobs: int) -> None:
        with pytest.raises(InvalidRequest, match=f"jobs is {jobs}"):
            workspace.index(project(tmp_path / "saltmarsh", reed="Reed"), jobs=jobs)

    @pytest.mark.parametrize("name", ["a:b", "a#b", "", " "])
    def test_a_name_that_would_break_ids_is_refused(self, workspace: Workspace, tmp_path: Path, name: str) -> None:
        with pytest.raises(InvalidRequest, match="without ':' and '#'"):
            workspace.index(project(tmp_path / "a", reed="Reed"), space=name)

    def test_a_folder_whose_name_would_break_ids_gets_one_that_does_not(self, workspace: Workspace, tmp_path: Path) -> None:
        assert workspace.index(project(tmp_path / "a:b#c", reed="Reed")).space == "a-b-c"

    def test_a_folder_whose_name_is_no_valid_unicode_is_shown_and_stays_fresh(self, tmp_path: Path) -> None:
        root = project(Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")), reed="Reed")
        with open(os.fsencode(root) + b"/d\xe9j\xe0.md", "wb") as file:
            file.write(b"# Vu\n")
        with dowse.open(":memory:") as workspace:
            assert workspace.index(root).space == "caf\\xe9"
            assert [item.changed for item in workspace.freshness()] == [0]
            assert workspace.index(root).unchanged == 2

    def test_a_folder_inside_a_project_stands_for_the_project(self, workspace: Workspace, tmp_path: Path) -> None:
        root = project(tmp_path / "saltmarsh", reed="Reed", **{"deep/down/eel": "Eel"})
        workspace.index(root)
        summary = workspace.index(root / "deep" / "down")
        assert (summary.space, summary.root, summary.files) == ("saltmarsh", str(root), 2)

    def test_a_folder_inside_a_project_can_be_one_of_its_own_by_name(self, workspace: Workspace, tmp_path: Path) -> None:
        root = project(tmp_path / "saltmarsh", reed="Reed", **{"deep/eel": "Eel"})
        workspace.index(root)
        assert workspace.index(root / "deep", space="deep").files == 1
        assert workspace.index(root / "deep").space == "deep"
        assert spaces(workspace) == {"deep": root / "deep", "saltmarsh": root}

    def test_two_projects_of_one_workspace_are_searched_together_or_apart(
        self, workspace: Workspace, found: Found, tmp_path: Path
    ) -> None:
        workspace.index(project(tmp_path / "a", reed="Bittern"))
        workspace.index(project(tmp_path / "b", reed="Bittern"))
        assert found("bittern") == ["a:reed.md", "b:reed.md"]
        assert [record.key for record in workspace.list(spaces=["b"], kinds=["document"]).records] == ["b:reed.md"]

    def test_a_link_to_a_folder_is_the_folder(self, workspace: Workspace, tmp_path: Path) -> None:
        root = project(tmp_path / "saltmarsh", reed="Reed")
        (tmp_path / "alias").symlink_to(root, target_is_directory=True)
        workspace.index(root)
        assert workspace.index(tmp_path / "alias").space == "saltmarsh"

    def test_there_must_be_a_folder(self, workspace: Workspace, tmp_path: Path) -> None:
        with pytest.raises(NotFound, match="There is no folder"):
            workspace.index(tmp_path / "nowhere")
        with pytest.raises(NotFound, match="There is no folder"):
            workspace.index(project(tmp_path, reed="Reed") / "reed.md")
        assert workspace.projects() == ()

    def test_a_dry_run_makes_no_project(self, workspace: Workspace, tmp_path: Path) -> None:
        assert workspace.index(project(tmp_path / "a", reed="Reed"), dry_run=True).added == 1
        assert workspace.projects() == ()


class TestExcludes:
    def test_what_is_excluded_once_stays_excluded(self, workspace: Workspace, tmp_path: Path) -> None:
        root = project(tmp_path / "a", reed="Reed", eel="Eel")
        assert workspace.index(root, excludes=["eel.*"]).files == 1
        assert workspace.index(root).files == 1

    def test_other_excludes_take_the_place_of_the_first(self, workspace: Workspace, tmp_path: Path, found: Found) -> None:
        root = project(tmp_path / "a", reed="Reed", eel="Eel")
        workspace.index(root, excludes=["eel.*"])
        workspace.index(root, excludes=["reed.*"])
        assert (found("eel"), found("reed")) == (["a:eel.md"], [])
        assert workspace.index(root, excludes=[]).files == 2

    @pytest.mark.parametrize("name", ["own.dowse", "my [own] #1!.db", "deep/own.dowse"])
    def test_a_workspace_among_the_files_is_no_file_of_the_project(self, tmp_path: Path, name: str) -> None:
        project(tmp_path, reed="Reed", **{"deep/eel": "Eel"})
        with dowse.open(tmp_path / name) as workspace:
            assert workspace.index(tmp_path).files == 2
            assert workspace.index(tmp_path).unchanged == 2
            assert workspace.projects()[0].excludes == ()


class TestForgetting:
    def test_a_forgotten_project_leaves_nothing_behind_and_others_stay(
        self, workspace: Workspace, found: Found, tmp_path: Path
    ) -> None:
        workspace.index(project(tmp_path / "a", reed="Bittern", eel="Eel"))
        workspace.index(project(tmp_path / "b", reed="Bittern"))
        assert workspace.forget("a") == 2
        assert list(spaces(workspace)) == ["b"]
        assert found("bittern") == ["b:reed.md"]
        assert workspace.list(spaces=["a"]).total == workspace.list(spaces=["a"], deleted=True).total == 0

    def test_a_forgotten_project_can_come_back(self, workspace: Workspace, found: Found, tmp_path: Path) -> None:
        root = project(tmp_path / "a", reed="Bittern")
        workspace.index(root)
        workspace.forget("a")
        assert workspace.index(root).added == 1
        assert found("bittern") == ["a:reed.md"]

    def test_records_that_people_made_in_its_space_stay(self, workspace: Workspace, tmp_path: Path) -> None:
        workspace.index(project(tmp_path / "a", reed="Bittern"))
        workspace.put(kind="page", key="mine", title="My bittern", space="a")
        workspace.forget("a")
        assert workspace.get("mine").title == "My bittern"

    def test_a_project_whose_folder_is_gone_can_be_forgotten(self, workspace: Workspace, tmp_path: Path) -> None:
        root = project(tmp_path / "a", reed="Bittern")
        workspace.index(root)
        (root / "reed.md").unlink()
        root.rmdir()
        assert workspace.forget("a") == 1

    def test_an_unknown_project_is_refused_with_those_there_are(self, workspace: Workspace, tmp_path: Path) -> None:
        with pytest.raises(NotFound, match="there are: none"):
            workspace.forget("a")
        workspace.index(project(tmp_path / "a", reed="Bittern"))
        with pytest.raises(NotFound, match="no project in the space 'b'; there are: a"):
            workspace.forget("b")


class TestRepositories:
    @pytest.fixture
    def git(self) -> Callable[..., None]:
        def run(folder: Path, *arguments: str) -> None:
            own = [
                "user.name=a",
                "user.email=a@b",
                "init.defaultBranch=main",
                "core.hooksPath=/dev/null",
                "protocol.file.allow=always",
            ]
            settings = [word for setting in own for word in ("-c", setting)]
            subprocess.run(["git", *settings, *arguments], cwd=folder, check=True, capture_output=True)

        return run

    @pytest.fixture
    def repository(self, tmp_path: Path, git: Callable[..., None]) -> Path:
        root = project(tmp_path / "main", reed="Bittern")
        git(root, "init", "-q")
        git(root, "add", "-A")
        git(root, "commit", "-qm", "first")
        return root

    def test_a_worktree_is_a_project_like_any_other(
        self, workspace: Workspace, found: Found, repository: Path, git: Callable[..., None], tmp_path: Path
    ) -> None:
        git(repository, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "other")
        project(tmp_path / "tree", eel="Eel")
        workspace.index(tmp_path / "tree")
        assert found("bittern") == ["tree:reed.md"]
        assert found("eel") == ["tree:eel.md"]

    def test_a_worktree_inside_a_project_is_left_out(
        self, workspace: Workspace, found: Found, repository: Path, git: Callable[..., None]
    ) -> None:
        git(repository, "worktree", "add", "-q", "tree", "-b", "other")
        summary = workspace.index(repository)
        assert summary.skipped["other worktree"] == 1
        assert found("bittern") == ["main:reed.md"]

    def test_a_submodule_is_part_of_the_project(
        self, workspace: Workspace, found: Found, repository: Path, git: Callable[..., None], tmp_path: Path
    ) -> None:
        outer = project(tmp_path / "outer", eel="Eel")
        git(outer, "init", "-q")
        git(outer, "submodule", "--quiet", "add", str(repository), "lib")
        workspace.index(outer)
        assert found("bittern") == ["outer:lib/reed.md"]

    def test_a_worktree_ignores_what_its_repository_ignores(
        self, workspace: Workspace, repository: Path, git: Callable[..., None], tmp_path: Path
    ) -> None:
        (repository / ".git" / "info").mkdir(exist_ok=True)
        (repository / ".git" / "info" / "exclude").write_text("eel.md\n")
        git(repository, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "other")
        project(tmp_path / "tree", eel="Eel")
        assert workspace.index(tmp_path / "tree").files == 1


class TestSecrets:
    KEY = "AKIA" + "ABCDEFGHIJKLMNOP"

    def texts(self, workspace: Workspace) -> str:
        return repr([workspace.get(record.key) for record in workspace.list(limit=100).records])

    def test_secrets_are_left_out_where_that_was_chosen_once(self, workspace: Workspace, tmp_path: Path, found: Found) -> None:
        root = project(tmp_path / "pond", reed="tall reeds")
        (root / "settings.py").write_text(f'RIVER = "{self.KEY}"\n', encoding="utf-8")
        workspace.index(root)
        assert self.KEY in self.texts(workspace)
        workspace.index(root, hide_secrets=True)
        assert self.KEY not in self.texts(workspace)
        assert found("RIVER") == ["pond:settings.py"]
        (root / "settings.py").write_text(f'SPRING = "{self.KEY}"\n', encoding="utf-8")
        workspace.refresh()
        assert found("SPRING") == ["pond:settings.py"]
        assert self.KEY not in self.texts(workspace)

    def test_they_are_kept_again_where_that_is_chosen(self, workspace: Workspace, tmp_path: Path) -> None:
        root = project(tmp_path / "pond", reed=f"tall reeds {self.KEY}")
        workspace.index(root, hide_secrets=True)
        workspace.index(root, hide_secrets=False)
        assert self.KEY in self.texts(workspace)
