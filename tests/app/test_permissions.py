"""Who may name which paths, and what is refused to those who see only a part?"""

from pathlib import Path

import pytest

from dowse.app.permissions import OWNER, Capability, Principal, Reach
from dowse.errors import Forbidden

ALL = frozenset(Capability)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inside" / "deep").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "inside-too").mkdir()
    (tmp_path / "inside" / "way-out").symlink_to(tmp_path / "outside")
    (tmp_path / "outside" / "way-in").symlink_to(tmp_path / "inside")
    return tmp_path


@pytest.mark.parametrize("path", ["inside", "inside/deep", "inside/not-there-yet", "inside/deep/..", "outside/way-in/deep"])
def test_a_path_that_leads_into_a_root_may_be_named(folder: Path, path: str) -> None:
    Principal("remote", ALL, roots=(folder / "inside",)).require_path(folder / path)


@pytest.mark.parametrize(
    "path",
    ["", "outside", "inside/..", "inside/../outside", "inside/way-out", "inside/way-out/x", "inside-too", "/", "inside\0"],
)
def test_a_path_that_leads_elsewhere_may_not(folder: Path, path: str) -> None:
    with pytest.raises(Forbidden, match="outside the folders in which remote may name paths"):
        Principal("remote", ALL, roots=(folder / "inside",)).require_path(f"{folder}/{path}" if path != "/" else path)


def test_a_root_may_itself_be_a_link(folder: Path) -> None:
    Principal("remote", ALL, roots=(folder / "outside" / "way-in",)).require_path(folder / "inside" / "deep")


def test_nobody_without_roots_names_any_path_and_the_owner_names_all(folder: Path) -> None:
    OWNER.require_path(folder / "outside")
    OWNER.require_address("https://127.0.0.1/")
    with pytest.raises(Forbidden):
        Principal("remote", ALL, roots=()).require_path(folder / "inside")
    with pytest.raises(Forbidden, match="nothing outside this machine"):
        Principal("remote", ALL, roots=()).require_address("https://127.0.0.1/")


def test_what_concerns_everything_is_refused_to_those_who_see_a_part() -> None:
    OWNER.require_everything("rename a tag")
    with pytest.raises(Forbidden, match=r"guest may not rename a tag: .* \(spaces 'a'; kinds 'page', 'item'\)"):
        Principal("guest", ALL, Reach(spaces=("a",), kinds=("page", "item"))).require_everything("rename a tag")


def test_a_reach_covers_a_space_only_if_nothing_in_it_is_left_out() -> None:
    assert Reach().covers("a")
    assert Reach(spaces=("a", "b")).covers("a")
    assert not Reach(spaces=("b",)).covers("a")
    assert not Reach(spaces=("a",), kinds=("page",)).covers("a")
    assert not Reach(under=("x",)).covers("a")
