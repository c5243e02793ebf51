"""What the tests of the command line share: a way to run it, and a workspace of the sample records."""

import shutil
from pathlib import Path

import pytest
from running_cli import SAMPLE, Cli, Ran

import dowse
from dowse.shells.cli.main import run


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test stands in a folder of its own, with nothing said by the environment."""
    monkeypatch.chdir(tmp_path)
    for name in ("DOWSE_WORKSPACE", "DOWSE_MODEL", "DOWSE_MODELS", "DOWSE_HUB", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    def call(*arguments: str) -> Ran:
        capsys.readouterr()
        code = run(list(arguments))
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return call


@pytest.fixture(scope="session")
def _imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample") / "workspace.dowse"
    with dowse.open(path) as workspace:
        workspace.import_file(SAMPLE)
    return path


@pytest.fixture
def sample(_imported: Path, tmp_path: Path) -> Path:
    """The test's own workspace with the sample records."""
    path = tmp_path / ".dowse" / "workspace.dowse"
    path.parent.mkdir()
    shutil.copy(_imported, path)
    return path
