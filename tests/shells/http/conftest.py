"""What the tests of the server start from: a workspace with the sample records, and a client at the same machine."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from every_operation import SAMPLE, prepare
from running_http import calling
from starlette.testclient import TestClient

import dowse
from dowse.app.workspace import Workspace
from dowse.shells.http.app import App, Serving


@pytest.fixture(scope="session")
def _sample_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample") / "workspace.dowse"
    with dowse.open(path) as workspace:
        workspace.import_file(SAMPLE)
    return path


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own, in which the server stands; its files may be named."""
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def stored(_sample_file: Path, place: Path) -> Iterator[Workspace]:
    """A workspace with the sample records."""
    path = place / "workspace.dowse"
    shutil.copy(_sample_file, path)
    with dowse.open(path) as workspace:
        yield workspace


@pytest.fixture
def client(stored: Workspace, place: Path) -> Iterator[TestClient]:
    """Someone at this machine."""
    with calling(App(stored, Serving(roots=(place,)))) as made:
        yield made
