"""People and tools name places of files; whatever takes an id takes them too, and a search stays within a folder."""

from pathlib import Path

import pytest

import dowse
from dowse.app.permissions import Capability, Principal, Reach
from dowse.app.workspace import Workspace
from dowse.errors import AmbiguousId, NotFound

COURIER = """\
class Courier:
    def carry(self):
        return "parcel"

    def drop(self):
        return None


def tally():
    return 0
"""


@pytest.fixture(autouse=True)
def root(workspace: Workspace, tmp_path: Path) -> Path:
    folder = tmp_path / "marsh"
    for place, text in {
        "src/courier.py": COURIER,
        "src/deep/gauge.py": "def carry_gauge():\n    return 1\n",
        "srcs/other.py": "def carry_other():\n    return 2\n",
        "docs/carrying.md": "# Carrying\n\nHow to carry a parcel.\n",
    }.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text, encoding="utf-8")
    workspace.index(folder)
    return folder


def paths(workspace: Workspace, query: str, under: str) -> set[str]:
    return {hit.record.path for hit in workspace.search(query, under=under).hits}


@pytest.mark.parametrize(
    ("place", "key"),
    [
        ("src/courier.py", "marsh:src/courier.py"),
        ("./src/courier.py", "marsh:src/courier.py"),
        ("src/courier.py:3", "marsh:src/courier.py#Courier.carry"),
        ("src/courier.py:3:9", "marsh:src/courier.py#Courier.carry"),
        ("src/courier.py#L9-L10", "marsh:src/courier.py#tally"),
        ("src/courier.py:7", "marsh:src/courier.py"),
    ],
)
def test_a_place_of_a_file_is_the_smallest_record_there(workspace: Workspace, root: Path, place: str, key: str) -> None:
    assert workspace.get(place).key == key
    assert workspace.get(str(root / place)).key == key


def test_whatever_takes_an_id_takes_a_place(workspace: Workspace) -> None:
    assert workspace.related("src/courier.py:9").key == "marsh:src/courier.py#tally"
    assert workspace.tree("src/courier.py:1").record.title == "Courier"
    assert workspace.why_not("docs/carrying.md", "carrying").found
    assert workspace.list(parent="src/courier.py").total == 2


def test_lines_of_several_records_are_no_single_one(workspace: Workspace) -> None:
    with pytest.raises(AmbiguousId, match=r"#Courier'.* and .*#tally'"):
        workspace.get("src/courier.py:1-10")
    records, lines = workspace.at_place("src/courier.py:2-6")
    assert ([record.title for record in records], lines) == (["carry", "drop"], (2, 6))


def test_a_place_in_two_projects_is_told(workspace: Workspace, tmp_path: Path) -> None:
    other = tmp_path / "fen"
    (other / "src").mkdir(parents=True)
    (other / "src" / "courier.py").write_text(COURIER, encoding="utf-8")
    workspace.index(other)
    with pytest.raises(AmbiguousId, match=r"fen:src/courier\.py"):
        workspace.get("src/courier.py")
    with pytest.raises(AmbiguousId, match="folder of several projects"):
        workspace.search("carry", under="src")
    assert paths(workspace, "carry", "fen:src") == {"src/courier.py"}
    assert workspace.get(str(other / "src" / "courier.py")).space == "fen"


@pytest.mark.parametrize("folder", ["src", "src/", "./src", "marsh:src", "marsh:src/"])
def test_a_search_stays_within_a_folder(workspace: Workspace, root: Path, folder: str) -> None:
    assert paths(workspace, "carry", folder) == {"src/courier.py", "src/deep/gauge.py"}
    assert paths(workspace, "carry", str(root / "src" / "deep")) == {"src/deep/gauge.py"}


def test_lists_and_contexts_stay_within_a_folder_too(workspace: Workspace) -> None:
    assert {record.path for record in workspace.list(under="src/deep").records} == {"src/deep/gauge.py"}
    assert {piece.path for piece in workspace.context("carry a parcel", under="docs").pieces} == {"docs/carrying.md"}


def test_what_is_nowhere_is_told_as_such(workspace: Workspace) -> None:
    for name in ("src/nowhere.py", "nowhere.py:3", "sr", "src/courier.py/x"):
        with pytest.raises(NotFound, match="and no indexed file that path"):
            workspace.get(name)
        with pytest.raises(NotFound):
            workspace.search("carry", under=name)


def test_who_does_not_see_a_project_finds_no_place_in_it(workspace: Workspace) -> None:
    workspace.put(kind="page", key="open", title="Open", space="public")
    stranger = workspace.acting_as(
        Principal("stranger", frozenset({Capability.SEARCH_USE, Capability.READ}), Reach(spaces=("public",)))
    )
    for name in ("src/courier.py", "src/courier.py:3", "marsh:src/courier.py"):
        with pytest.raises(NotFound):
            stranger.get(name)
    for folder in ("src", "marsh:src/"):
        with pytest.raises(NotFound):
            stranger.search("carry", under=folder)


def test_the_id_of_a_record_goes_before_a_place(workspace: Workspace) -> None:
    workspace.put(kind="page", key="src/courier.py", title="A page of that name")
    assert workspace.get("src/courier.py").title == "A page of that name"


def test_the_package_opens_without_places(tmp_path: Path) -> None:
    with dowse.open(tmp_path / "w.dowse") as opened, pytest.raises(NotFound):
        opened.get("src/courier.py:3")
