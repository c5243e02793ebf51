"""What does an installed Python package say? Found by name among what is installed here, and read without importing it."""

import importlib.metadata
import importlib.util
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import Distribution
from pathlib import Path
from urllib.parse import unquote, urlparse

from dowse.ingest.libraries.folders import entry_file, tree_below
from dowse.ingest.libraries.material import LARGEST_FILE, Edition, LibraryFile, Material
from dowse.ingest.libraries.offering import Tree, described, plain_name, python_package

_ENDINGS = (".py", ".pyi", ".md", ".rst", ".mdx", ".adoc")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def find(name: str, folder: Path, environment: Mapping[str, str] = os.environ) -> Distribution | None:
    """The distribution of that name, or the one that a module of that name belongs to.

    The project's own environment goes before the one that dowse runs in: its version is the one that is asked about.
    """
    if not _NAME.fullmatch(name):
        return None
    for paths in (*_environments(folder, environment), sys.path):
        found = next(iter(importlib.metadata.distributions(name=name, path=list(paths))), None)
        if found is not None:
            return found
    owners = importlib.metadata.packages_distributions().get(name, [])
    return importlib.metadata.distribution(sorted(owners)[0]) if owners else None


def find_module(name: str) -> Path | None:
    """The folder or file of a module that belongs to no distribution, such as one of Python's own."""
    if not name.isidentifier():
        return None
    spec = importlib.util.find_spec(name)
    if spec is None:
        return None
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations)))
    return Path(spec.origin) if spec.has_location and spec.origin and spec.origin.endswith(".py") else None


def package(distribution: Distribution) -> Material:
    """An installed distribution."""
    return _material(_tree(distribution), _metadata(distribution))


def module(name: str, place: Path) -> Material:
    """A module without a distribution; what ships with Python has Python's version."""
    tree = {f"{name}/{path}": _under(name, file) for path, file in tree_below(place).items()} if place.is_dir() else {}
    tree = tree or {place.name: entry_file(place.name, place)}
    version = ".".join(map(str, sys.version_info[:2])) if name in sys.stdlib_module_names else ""
    return _material(tree, f"Name: {name}\nVersion: {version}\n".encode())


def _material(tree: Tree, metadata: bytes) -> Material:
    offer = python_package(tree, metadata)
    return Material(
        name=plain_name(offer.name),
        title=offer.config.title or offer.name,
        editions=(Edition(offer.version, offer.files),),
        description=offer.description or described(offer.files),
        rules=offer.config.rules,
    )


def _metadata(distribution: Distribution) -> bytes:
    text = distribution.read_text("METADATA") or distribution.read_text("PKG-INFO") or ""
    return text.encode("utf-8", "replace")


def _tree(distribution: Distribution) -> dict[str, LibraryFile]:
    tree = dict(_installed(distribution))
    # An editable installation names no files, only the folder that it is written in.
    return tree or {path.removeprefix("src/"): file for path, file in _edited(distribution)}


def _installed(distribution: Distribution) -> Iterator[tuple[str, LibraryFile]]:
    for entry in distribution.files or ():
        path = entry.as_posix()
        if not path.endswith(_ENDINGS) or ".." in entry.parts or ".dist-info/" in path:
            continue
        location = Path(str(distribution.locate_file(entry)))
        if location.is_file() and not location.is_symlink() and location.stat().st_size <= LARGEST_FILE:
            yield path, entry_file(path, location)


def _edited(distribution: Distribution) -> Iterator[tuple[str, LibraryFile]]:
    told = json.loads(distribution.read_text("direct_url.json") or "{}")
    address = urlparse(str(told.get("url", "")))
    root = Path(unquote(address.path))
    if address.scheme == "file" and told.get("dir_info", {}).get("editable") and root.is_dir():
        for path, file in tree_below(root).items():
            inner = path.removeprefix("src/")
            yield inner, LibraryFile(inner, file.digest, file.load)


def _under(name: str, file: LibraryFile) -> LibraryFile:
    return LibraryFile(f"{name}/{file.path}", file.digest, file.load)


def _environments(folder: Path, environment: Mapping[str, str]) -> Iterator[Sequence[str]]:
    """Where the packages of the active environment and of the one beside the project are."""
    active = environment.get("VIRTUAL_ENV")
    for root in (*([Path(active)] if active else ()), folder / ".venv", folder / "venv"):
        found = sorted(str(path) for pattern in ("lib/python*/site-packages", "Lib/site-packages") for path in root.glob(pattern))
        if found:
            yield found
