"""What is installed is what was tried: the locks hold everything that pyproject asks for, in versions it allows, by hash."""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "locks"))

from licences import FOLDER, is_free, licence_of, locked  # noqa: E402 - it stands beside the locks

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
GROUPS: dict[str, list[str]] = PROJECT["dependency-groups"]
OWN: list[str] = PROJECT["project"]["dependencies"]
# Each lock with what it must hold.
LOCKS = {
    "run": [*OWN, *GROUPS["build"], *PROJECT["build-system"]["requires"]],
    "test": [*OWN, *GROUPS["build"], *GROUPS["test"], *(item for extra in EXTRAS.values() for item in extra)],
    "bench": GROUPS["bench"],
    "care": GROUPS["care"],
}
# Packages that say nothing in their metadata; what the licence that comes with them is was read.
READ = {"axe-playwright-python": "MIT"}


def entries(lock: str) -> Iterator[tuple[str, str]]:
    """Each locked package with its line and the hashes below it."""
    for entry in re.findall(r"^[a-z0-9].*(?:\n    .*)*", (FOLDER / f"{lock}.txt").read_text(), re.MULTILINE):
        yield entry.partition("==")[0], entry


def unmet(wanted: Iterable[str], lock: str) -> list[str]:
    found: dict[str, list[str]] = {}
    for name, version in locked(lock):
        found.setdefault(canonicalize_name(name), []).append(version)
    asked = [Requirement(item) for item in wanted]
    # Where Pythons get different versions, each must be allowed.
    return [
        str(item)
        for item in asked
        if not found.get(canonicalize_name(item.name))
        or not all(item.specifier.contains(version, prereleases=True) for version in found[canonicalize_name(item.name)])
    ]


@pytest.mark.parametrize("lock", sorted(LOCKS))
def test_a_lock_holds_everything_that_is_asked_for_in_versions_that_are_allowed(lock: str) -> None:
    assert unmet(LOCKS[lock], lock) == []


@pytest.mark.parametrize("lock", sorted(LOCKS))
def test_nothing_is_locked_without_a_hash_and_nothing_says_where_it_came_from(lock: str) -> None:
    for name, entry in entries(lock):
        assert "--hash=sha256:" in entry, name
    text = (FOLDER / f"{lock}.txt").read_text()
    assert not re.search(r"://|--(extra-)?index-url|--find-links|--trusted-host|@ file", text)


def test_a_package_has_the_same_version_in_every_lock() -> None:
    versions: dict[str, set[tuple[str, ...]]] = {}
    for lock in LOCKS:
        mine: dict[str, list[str]] = {}
        for name, version in locked(lock):
            mine.setdefault(name, []).append(version)
        for name, several in mine.items():
            versions.setdefault(name, set()).add(tuple(sorted(several)))
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


def test_a_lock_serves_every_python_that_is_supported() -> None:
    lowest = Requirement(f"python{PROJECT['project']['requires-python']}").specifier
    for minor in (11, 12, 13, 14):
        assert lowest.contains(f"3.{minor}")
        environment = {
            "python_version": f"3.{minor}",
            "python_full_version": f"3.{minor}.1",
            "implementation_version": f"3.{minor}.1",
        }
        chosen = {name for name, entry in entries("run") if _applies(entry, environment)}
        assert {canonicalize_name(Requirement(item).name) for item in OWN} <= chosen


def test_every_locked_package_is_free_to_use_and_its_licence_is_listed() -> None:
    listed = dict(line.split(": ", 1) for line in (FOLDER / "licences.txt").read_text().splitlines())
    assert listed.keys() <= {f"{name} {version}" for name, version in locked("test")}
    for name, version in locked("test"):
        licence = READ.get(name) or listed.get(f"{name} {version}") or licence_of(name)
        # None: it is for another system than the one where they were listed, and than this one.
        assert licence is None or is_free(licence), f"{name}: {licence}"


def _applies(entry: str, environment: dict[str, str]) -> bool:
    found = re.match(r"[^;\n]*; ([^\\\n]*)", entry)
    return found is None or Marker(found[1].strip()).evaluate(environment)
