from pathlib import Path

import pytest

from dowse.app.settings import home, locate, prepare
from dowse.errors import NotFound


def test_nothing_named_and_nothing_near_is_none(tmp_path: Path) -> None:
    assert locate(None, tmp_path, {}) is None


def test_the_nearest_folder_wins(tmp_path: Path) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "a"):
        prepare(folder).touch()
    assert locate(None, below, {}) == home(tmp_path / "a").resolve()


def test_a_name_beats_the_environment_which_beats_the_folder(tmp_path: Path) -> None:
    prepare(tmp_path).touch()
    assert locate("x.dowse", tmp_path, {"DOWSE_WORKSPACE": "y.dowse"}) == Path("x.dowse")
    assert locate(None, tmp_path, {"DOWSE_WORKSPACE": "y.dowse"}) == Path("y.dowse")


def test_a_folders_own_ignore_file_is_kept(tmp_path: Path) -> None:
    prepare(tmp_path)
    (tmp_path / ".dowse" / ".gitignore").write_text("mine\n")
    prepare(tmp_path)
    assert (tmp_path / ".dowse" / ".gitignore").read_text() == "mine\n"


def test_a_folder_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        prepare(tmp_path / "nowhere")
