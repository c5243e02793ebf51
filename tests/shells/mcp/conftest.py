"""What the tests of the MCP shell start from: a workspace of the sample records, and a small project."""

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from running_mcp import SAMPLE

import dowse
from dowse.app.workspace import Workspace

_COURIER = '''"""Brings alerts to people."""

LIMIT = 5


def capped_backoff(attempt: int) -> float:
    """Seconds to wait before the next attempt; grows, and is capped."""
    return min(2.0**attempt, 16.0)


class Courier:
    """Sends alerts."""

    def deliver(self, alert: str) -> bool:
        """Tries until the alert arrives or the attempts are used up."""
        for attempt in range(LIMIT):
            if self.send(alert, capped_backoff(attempt)):
                return True
        return False

    def send(self, alert: str, pause: float) -> bool:
        return bool(alert) and pause > 0
'''
_GUIDE = """# Delivery

How alerts reach people.

## Retries

Retries are capped at five, see `capped_backoff`.
"""


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test stands in a folder of its own, with nothing said by the environment."""
    monkeypatch.chdir(tmp_path)
    for name in ("DOWSE_WORKSPACE", "DOWSE_MODEL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def _imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample") / "workspace.dowse"
    with dowse.open(path) as workspace:
        workspace.import_file(SAMPLE)
    return path


@pytest.fixture
def sample(_imported: Path, tmp_path: Path) -> Iterator[Workspace]:
    """A workspace with the sample records, whose clock ticks a second at every look."""
    path = tmp_path / "sample.dowse"
    shutil.copy(_imported, path)
    with dowse.open(path, clock=map(float, itertools.count(2_000_000_000)).__next__) as workspace:
        yield workspace


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder that people work on."""
    folder = tmp_path / "saltmarsh"
    (folder / ".git").mkdir(parents=True)
    (folder / "courier.py").write_text(_COURIER, encoding="utf-8")
    (folder / "guide.md").write_text(_GUIDE, encoding="utf-8")
    return folder


@pytest.fixture
def indexed(project: Path, tmp_path: Path) -> Iterator[Workspace]:
    """A workspace in which that folder is indexed."""
    with dowse.open(tmp_path / "project.dowse") as workspace:
        workspace.index(project, jobs=1)
        yield workspace
