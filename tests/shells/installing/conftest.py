"""What tests of installing start from: a machine of somebody's, and a project."""

from pathlib import Path

import pytest
from a_computer import Computer


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    return Computer(tmp_path)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder
