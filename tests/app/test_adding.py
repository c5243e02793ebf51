"""Libraries come in from where they are, stay current at the price of what changed, and never stop answering."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import dowse
from dowse.app.workspace import Workspace
from dowse.errors import Conflict, DowseError, InvalidRequest, NotFound

# What makes libraries lies beside the tests of reading them.
sys.path.insert(0, str(Path(__file__).parents[1] / "ingest" / "libraries"))
from making_libraries import GUIDE, METADATA, git, repository, wheel, write

OLD = "# Old\n\nThe valves of old were opened by hand.\n"
NEW = "# New\n\nThe valves of today open by themselves.\n"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.chdir(tmp_path)
    with dowse.open(tmp_path / "test.dowse") as opened:
        yield opened


@pytest.fixture
def rocket(tmp_path: Path) -> Path:
    return repository(tmp_path / "rocket", ("v1", {"README.md": GUIDE, "docs/valves.md": OLD}), ("v2", {"docs/valves.md": NEW}))


def keys(workspace: Workspace, query: str, library: str = "/local/rocket", version: str | None = None) -> list[str]:
    page = workspace.search(query, surface="docs", repositoryId=library, versionId=version)
    return [hit.record.key for hit in page.hits]


@pytest.mark.requirement("R-02")
def test_each_tag_is_a_version_that_answers_alone(workspace: Workspace, rocket: Path) -> None:
    workspace.add_library(str(rocket), versions=2)
    assert keys(workspace, "valves", version="v1") == ["/local/rocket@v1#docs/valves.md#old/info"]
    assert keys(workspace, "valves", version="v2") == keys(workspace, "valves") == ["/local/rocket@v2#docs/valves.md#new/info"]


def test_a_file_that_is_the_same_in_two_versions_is_parsed_once(workspace: Workspace, rocket: Path) -> None:
    both = workspace.add_library(str(rocket), versions=2)
    assert [(item.version, item.files, item.parsed, item.shared) for item in both.versions] == [("v2", 2, 2, 0), ("v1", 2, 1, 1)]


def test_that_holds_for_a_version_that_is_added_later_too(workspace: Workspace, rocket: Path) -> None:
    workspace.add_library(str(rocket), version=["v2"])
    (later,) = workspace.add_library(str(rocket), version=["v1"]).versions
    assert (later.parsed, later.shared) == (1, 1)
    assert keys(workspace, "launch", version="v1") == ["/local/rocket@v1#README.md#launch/code"]
    (entry,) = workspace.libraries()
    assert (entry.versions, entry.default_version, entry.snippets) == (("v1", "v2"), "v2", 4)


def test_what_did_not_change_writes_nothing(workspace: Workspace, rocket: Path) -> None:
    workspace.add_library(str(rocket))
    before = workspace.status().generation
    (again,) = workspace.update_library()
    assert (again.changed, again.versions[0].parsed, workspace.status().generation) == (False, 0, before)


def test_an_update_writes_only_what_changed(workspace: Workspace, tmp_path: Path) -> None:
    folder = write(tmp_path / "kit", {"README.md": GUIDE, "docs/valves.md": OLD, "docs/gone.md": "# Gone\n\nIt goes away soon.\n"})
    workspace.add_library(str(folder))
    write(folder, {"docs/valves.md": NEW})
    (folder / "docs" / "gone.md").unlink()
    ((version,),) = [summary.versions for summary in workspace.update_library("/local/kit")]
    assert (version.files, version.parsed, version.written, version.removed) == (2, 1, 1, 2)
    assert keys(workspace, "valves", "/local/kit") == ["/local/kit#docs/valves.md#new/info"]


@pytest.mark.requirement("R-08")
def test_the_old_answers_while_the_new_is_prepared(workspace: Workspace, rocket: Path) -> None:
    workspace.add_library(str(rocket))
    write(rocket, {"docs/valves.md": OLD})
    git(rocket, "commit", "--quiet", "--all", "--message", "back")
    seen: list[tuple[str, bool, list[str], list[str]]] = []

    def look(_: object) -> None:
        (entry,) = workspace.libraries()
        resolved = [match.library.key for match in workspace.resolve_library("rocket")]
        seen.append((entry.state, entry.ready, keys(workspace, "valves"), resolved))

    workspace.update_library("/local/rocket", report=look)
    assert set(map(str, seen)) == {str(("indexing", True, ["/local/rocket#docs/valves.md#new/info"], ["/local/rocket"]))}
    assert keys(workspace, "valves") == ["/local/rocket#docs/valves.md#old/info"]
    assert workspace.libraries()[0].state == "indexed"


@pytest.mark.requirement("R-08")
def test_an_error_keeps_the_old_and_is_told(workspace: Workspace, rocket: Path) -> None:
    workspace.add_library(str(rocket))
    (rocket / "context7.json").write_text('{"folders": 3}')
    git(rocket, "add", "--all")
    git(rocket, "commit", "--quiet", "--message", "bad config")
    with pytest.raises(InvalidRequest, match=r"context7\.json: folders must be a list of texts"):
        workspace.update_library("/local/rocket")
    (entry,) = workspace.libraries()
    assert (entry.state, entry.ready) == ("error", True)
    assert "folders must be" in entry.error
    assert keys(workspace, "valves") == ["/local/rocket#docs/valves.md#new/info"]
    (rocket / "context7.json").unlink()
    git(rocket, "commit", "--quiet", "--all", "--message", "good again")
    workspace.update_library("/local/rocket")
    assert [(item.state, item.error) for item in workspace.libraries()] == [("indexed", "")]


def test_one_library_that_fails_does_not_stop_the_others(workspace: Workspace, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path / name, {"README.md": GUIDE})
        workspace.add_library(name)
    (tmp_path / "a" / "README.md").unlink()
    (tmp_path / "a").rmdir()
    write(tmp_path / "b", {"docs/new.md": NEW})
    first, second = workspace.update_library()
    assert "There is no folder" in first.error
    assert (second.error, second.changed) == ("", True)


@pytest.mark.requirement("R-12", "R-13")
def test_trust_counts_stars_and_is_counted_anew(workspace: Workspace, tmp_path: Path) -> None:
    write(tmp_path / "kit", {"README.md": GUIDE})
    assert workspace.add_library("kit").trust == 1.0
    write(tmp_path / "kit", {"dowse.library.json": json.dumps({"description": "Flies."})})
    assert workspace.add_library("kit", stars=99).trust == 4.0
    assert workspace.update_library("/local/kit")[0].trust == 4.0


def test_rules_title_and_description_are_those_of_the_config(workspace: Workspace, tmp_path: Path) -> None:
    config = 'title = "Kit"\ndescription = "Flies."\nrules = ["Fuel first."]\n'
    write(tmp_path / "kit", {"README.md": GUIDE, "dowse.library.toml": config})
    workspace.add_library("kit")
    assert workspace.query_docs("/local/kit", "launch").startswith("## Library Rules\n- Fuel first.\n\n---\n\n### Launch\n")
    assert workspace.get("/local/kit").text("description") == "Flies."


@pytest.mark.requirement("R-11")
def test_an_installed_package_answers_with_its_readme_and_docstrings(workspace: Workspace) -> None:
    added = workspace.add_library("rich")
    assert added.versions[0].snippets > 100
    page = workspace.search("add a row to a table", surface="docs", repositoryId="/local/rich", type="code")
    assert any(hit.record.title == "rich.table.Table.add_row" for hit in page.hits)
    assert not any("._" in hit.record.title for hit in page.hits)


def test_two_wheels_are_two_versions_of_one_library(workspace: Workspace, tmp_path: Path) -> None:
    for version in ("1.4", "1.10"):
        metadata = METADATA.replace("1.4", version)
        wheel(tmp_path / f"rocket-{version}.whl", {f"rocket-{version}.dist-info/METADATA": metadata})
        workspace.add_library(f"rocket-{version}.whl")
    (entry,) = workspace.libraries()
    assert (entry.versions, entry.default_version) == (("1.10", "1.4"), "1.10")


def test_an_npm_package_answers_with_its_declarations(workspace: Workspace, tmp_path: Path) -> None:
    package = json.dumps({"name": "@acme/rocket", "version": "2.0.0", "description": "Flies."})
    declared = "/** Launches the rocket to a place. */\nexport declare function launch(to: string): void;\n"
    write(tmp_path / "node_modules/@acme/rocket", {"package.json": package, "README.md": GUIDE, "dist/index.d.ts": declared})
    workspace.add_library("npm:@acme/rocket")
    assert "function launch(to: string): void" in workspace.query_docs("/acme/rocket", "launch place")


def test_secrets_are_not_shown_unless_they_are_wanted(workspace: Workspace, tmp_path: Path) -> None:
    key = "AKIA" + "ABCDEFGHIJKLMNOP"
    write(tmp_path / "kit", {"README.md": f"# Kit\n\nSet the key:\n\n```sh\nexport KEY={key}\n```\n"})
    workspace.add_library("kit")
    assert "KEY=[secret]" in workspace.query_docs("/local/kit", "key")
    workspace.add_library("kit", keep_secrets=True)
    assert f"KEY={key}" in workspace.query_docs("/local/kit", "key")
    assert workspace.update_library("/local/kit")[0].changed is False


def test_another_source_does_not_take_the_place_of_a_library(workspace: Workspace, tmp_path: Path, rocket: Path) -> None:
    workspace.add_library(str(rocket))
    write(tmp_path / "other" / "rocket", {"README.md": OLD})
    with pytest.raises(Conflict, match="/local/rocket is here already, from git:"):
        workspace.add_library("other/rocket")
    assert workspace.add_library("other/rocket", key="/other/rocket").library == "/other/rocket"


def test_a_version_and_then_the_library_can_go(workspace: Workspace, rocket: Path) -> None:
    workspace.add_library(str(rocket), versions=2)
    assert workspace.remove_library("/local/rocket", version="v2") == 2
    assert keys(workspace, "valves") == ["/local/rocket@v1#docs/valves.md#old/info"]
    assert workspace.remove_library("/local/rocket") == 2
    assert workspace.libraries() == ()
    assert workspace.add_library(str(rocket), versions=2).versions[0].parsed == 2


@pytest.mark.parametrize(
    ("source", "options", "error", "said"),
    [
        ("nowhere", {}, NotFound, "nowhere is no folder, file, git repository or installed package here"),
        ("pypi:no-such-package", {}, NotFound, "No Python package 'no-such-package' is installed"),
        ("npm:no-such-package", {}, NotFound, "No npm package"),
        ("git:.", {}, NotFound, "is no git repository"),
        ("rich", {"versions": 2}, InvalidRequest, "Only a git repository has versions"),
        ("rich", {"versions": 0}, InvalidRequest, "versions is 0"),
        ("rich", {"key": "rich"}, InvalidRequest, "is /owner/name, not 'rich'"),
        ("rich", {"stars": -1}, InvalidRequest, "stars is -1"),
        ("--upload-pack=x", {}, InvalidRequest, "is no source"),
        ("ext::sh -c id", {}, NotFound, "is no folder"),
    ],
)
def test_what_cannot_be_added_is_told_and_leaves_nothing(
    workspace: Workspace, source: str, options: dict[str, object], error: type[DowseError], said: str
) -> None:
    with pytest.raises(error, match=said):
        workspace.add_library(source, **options)  # type: ignore[arg-type]
    assert workspace.libraries() == ()
