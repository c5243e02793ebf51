"""Does an address of a cluster go wherever a file goes?"""

import sys
from pathlib import Path

import pytest

import dowse
from dowse.app import settings
from dowse.errors import InvalidRequest, StorageError

ADDRESS = "opensearch://127.0.0.1:9,127.0.0.1:10/team"


def test_an_address_that_is_named_is_the_workspace_to_use(tmp_path: Path) -> None:
    found = settings.locate(ADDRESS, tmp_path, {})
    assert found is not None
    assert settings.is_there(found)
    assert settings.absolute(found) == found
    assert settings.locate(None, tmp_path, {settings.VARIABLE: ADDRESS}) == found


def test_a_file_is_there_when_it_exists(tmp_path: Path) -> None:
    assert not settings.is_there(tmp_path / "workspace.dowse")
    (tmp_path / "workspace.dowse").touch()
    assert settings.is_there(tmp_path / "workspace.dowse")


@pytest.mark.parametrize("given", [ADDRESS, Path(ADDRESS)])
def test_a_cluster_that_cannot_be_reached_is_named(given: str | Path) -> None:
    with pytest.raises(StorageError, match=r"No node of opensearch://127\.0\.0\.1:9,127\.0\.0\.1:10/team can be reached"):
        dowse.open(given)


def test_an_address_that_names_no_workspace_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="names no workspace"):
        dowse.open("opensearch://127.0.0.1:9")


def test_without_the_client_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [
        name for name in sys.modules if name.startswith(("dowse.engines.opensearch.engine", "dowse.engines.opensearch.driver"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "opensearchpy", None)
    with pytest.raises(StorageError, match=r"Install 'dowse\[cluster\]'"):
        dowse.open(ADDRESS)
