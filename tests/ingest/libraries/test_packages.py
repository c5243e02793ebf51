import json
from pathlib import Path

from making_libraries import GUIDE, METADATA, write

from dowse.ingest.libraries import packages

MODULE = '"""Rockets that fly far."""\n'


def installed(folder: Path, version: str, record: str, files: dict[str, str]) -> Path:
    about = f"rocket-{version}.dist-info"
    metadata = METADATA.replace("1.4", version)
    return write(folder, {f"{about}/METADATA": metadata, f"{about}/RECORD": record, **files})


def test_the_environment_beside_the_project_goes_before_our_own(tmp_path: Path) -> None:
    place = tmp_path / ".venv" / "lib" / "python3.12" / "site-packages"
    record = "rocket/__init__.py,,\nrocket/_a.py,,\n../../../bin/rocket.py,,\n"
    installed(place, "3.1", record, {"rocket/__init__.py": MODULE, "rocket/_a.py": MODULE})
    write(tmp_path / ".venv" / "bin", {"rocket.py": MODULE})
    found = packages.find("rocket", tmp_path, {})
    assert found is not None
    material = packages.package(found)
    assert (material.name, material.description, material.editions[0].version) == ("rocket", "Flies.", "3.1")
    assert [file.path for file in material.editions[0].files] == ["README.md", "rocket/__init__.py"]


def test_an_editable_installation_is_read_where_it_is_written(tmp_path: Path) -> None:
    write(tmp_path / "work", {"README.md": GUIDE, "src/rocket/__init__.py": MODULE, "docs/guide.md": GUIDE})
    told = json.dumps({"url": (tmp_path / "work").as_uri(), "dir_info": {"editable": True}})
    place = tmp_path / "env" / "lib" / "python3.12" / "site-packages"
    installed(place, "1.4", "_rocket.pth,,\n", {"rocket-1.4.dist-info/direct_url.json": told})
    found = packages.find("rocket", tmp_path, {"VIRTUAL_ENV": str(tmp_path / "env")})
    assert found is not None
    assert [file.path for file in packages.package(found).editions[0].files] == ["README.md", "docs/guide.md", "rocket/__init__.py"]


def test_a_module_is_found_by_the_name_it_is_imported_by(tmp_path: Path) -> None:
    found = packages.find("yaml", tmp_path, {})
    assert found is not None
    assert found.metadata["Name"].lower() == "pyyaml"


def test_a_module_of_python_itself_has_pythons_version(tmp_path: Path) -> None:
    assert packages.find("json", tmp_path, {}) is None
    place = packages.find_module("json")
    assert place is not None
    material = packages.module("json", place)
    assert "json/decoder.py" in [file.path for file in material.editions[0].files]
    assert material.editions[0].version.startswith("3.")


def test_what_is_no_name_is_not_looked_for(tmp_path: Path) -> None:
    assert packages.find("../rich", tmp_path, {}) is None
    assert packages.find_module("a.b") is None
