import json
import zipfile
from pathlib import Path

import pytest
from making_libraries import GUIDE, METADATA, sdist, wheel

from dowse.errors import InvalidRequest
from dowse.ingest.libraries.archives import archive

MODULE = '"""Rockets that fly far."""\n\n\ndef launch(to: str) -> None:\n    """Launch it to a place."""\n'


def test_a_wheel_gives_its_readme_and_public_modules(tmp_path: Path) -> None:
    members = {
        "rocket/__init__.py": MODULE,
        "rocket/_hidden.py": MODULE,
        "rocket/tests/test_a.py": MODULE,
        "rocket-1.4.dist-info/METADATA": METADATA,
        "rocket-1.4.dist-info/LICENSE.md": "x",
    }
    material = archive(wheel(tmp_path / "rocket-1.4-py3-none-any.whl", members))
    assert (material.name, material.description, material.editions[0].version) == ("rocket", "Flies.", "1.4")
    assert [file.path for file in material.editions[0].files] == ["README.md", "rocket/__init__.py"]


def test_a_source_archive_gives_its_documents_by_its_config(tmp_path: Path) -> None:
    members = {
        "rocket-1.4/PKG-INFO": METADATA,
        "rocket-1.4/README.md": GUIDE,
        "rocket-1.4/docs/guide.md": GUIDE,
        "rocket-1.4/docs/draft/a.md": GUIDE,
        "rocket-1.4/src/rocket/api.py": MODULE,
        "rocket-1.4/setup.py": MODULE,
        "rocket-1.4/dowse.library.toml": 'title = "The Rocket"\nexclude_folders = ["draft"]\n',
    }
    material = archive(sdist(tmp_path / "rocket-1.4.tar.gz", members))
    assert material.title == "The Rocket"
    assert [file.path for file in material.editions[0].files] == ["README.md", "docs/guide.md", "src/rocket/api.py"]


def test_an_npm_tarball_is_an_npm_package(tmp_path: Path) -> None:
    package = json.dumps({"name": "@acme/rocket", "version": "2.0.0", "description": "Flies."})
    members = {
        "package/package.json": package,
        "package/README.md": GUIDE,
        "package/dist/index.d.ts": "export declare const a: 1;\n",
    }
    material = archive(sdist(tmp_path / "acme-rocket-2.0.0.tgz", members))
    assert (material.owner, material.name, material.editions[0].version) == ("acme", "rocket", "2.0.0")
    assert [file.path for file in material.editions[0].files] == ["README.md", "dist/index.d.ts"]


def test_members_that_lead_out_are_refused_and_told(tmp_path: Path) -> None:
    bad = {"../evil.md": "# Evil\n", "/etc/evil.md": "# Evil\n", "a/../../evil.md": "# Evil\n", "C:/evil.md": "# Evil\n"}
    zipped = archive(wheel(tmp_path / "bad.whl", {**bad, "README.md": GUIDE}))
    tarred = archive(sdist(tmp_path / "bad.tar.gz", {**bad, "README.md": GUIDE}, {"link.md": "/etc/passwd"}))
    for material in (zipped, tarred):
        assert [file.path for file in material.editions[0].files] == ["README.md"]
        assert {problem.path for problem in material.problems} >= set(bad)
    assert "link.md" in {problem.path for problem in tarred.problems}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.tar.gz", "bad.whl"]


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.zip"
    with zipfile.ZipFile(path, "w") as made:
        info = zipfile.ZipInfo("link.md")
        info.external_attr = 0o120777 << 16
        made.writestr(info, "/etc/passwd")
        made.writestr("README.md", GUIDE)
    material = archive(path)
    assert [problem.path for problem in material.problems] == ["link.md"]


def test_a_member_that_swells_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("docs/bomb.md", b"a" * 50_000_000)
        made.writestr("README.md", GUIDE)
    material = archive(path)
    assert [(problem.path, problem.text[:7]) for problem in material.problems] == [("docs/bomb.md", "refused")]


def test_what_is_no_archive_is_told(tmp_path: Path) -> None:
    path = tmp_path / "broken.tar.gz"
    path.write_bytes(b"not an archive at all")
    with pytest.raises(InvalidRequest, match=r"broken\.tar\.gz is no archive that can be read"):
        archive(path)
