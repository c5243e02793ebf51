import json
from pathlib import Path

import pytest
from making_libraries import GUIDE, repository, wheel, write

from dowse.errors import InvalidRequest
from dowse.ingest.libraries.origins import From, tell


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("https://github.com/acme/rocket", From.GIT),
        ("git@example.org:acme/rocket.git", From.GIT),
        ("ssh://git@example.org/acme/rocket", From.GIT),
        ("git:https://example.org/acme/rocket.txt", From.GIT),
        ("https://example.org/llms.txt", From.LLMS),
        ("rich", From.PYPI),
        ("pypi:rich", From.PYPI),
        ("plain", From.FOLDER),
        ("versioned", From.GIT),
        ("file:versioned", From.FOLDER),
        ("node", From.NPM),
        ("rocket.whl", From.ARCHIVE),
        ("plain/llms.txt", From.LLMS),
    ],
)
def test_sources_are_told_apart(tmp_path: Path, source: str, kind: From) -> None:
    write(tmp_path / "plain", {"README.md": GUIDE, "llms.txt": "# R\n"})
    write(tmp_path / "node", {"package.json": json.dumps({"name": "kit", "version": "1.0.0"})})
    repository(tmp_path / "versioned", ("", {"README.md": GUIDE}))
    wheel(tmp_path / "rocket.whl", {"README.md": GUIDE})
    assert tell(source, tmp_path, {}).kind is kind


def test_a_package_json_without_a_version_makes_no_package(tmp_path: Path) -> None:
    write(tmp_path / "site", {"package.json": "{}", "README.md": GUIDE})
    assert tell("site", tmp_path, {}).kind is From.FOLDER


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": GUIDE})
    with pytest.raises(InvalidRequest, match="name its folder instead"):
        tell("a.md", tmp_path, {})
