"""Which files lie in a folder that holds a library?"""

import os
from collections.abc import Iterator
from pathlib import Path

from dowse.ingest.libraries.configs import NAMES
from dowse.ingest.libraries.material import LARGEST_FILE, LOCAL, Edition, LibraryFile, Material, digest_of
from dowse.ingest.libraries.offering import Tree, described, documents, is_npm_package, npm_package, plain_name
from dowse.ingest.recognising import recognise
from dowse.ingest.walking import Entry, shown, walk

_LEFT_OUT = frozenset({"node_modules", "__pycache__"})
_DOCUMENTS = frozenset("markdown mdx rst asciidoc html notebook text".split())
_READ = _DOCUMENTS | {"python", "typescript", "json", "toml"}


def folder(path: Path) -> Material:
    """A folder of documents, as git and dowse see it: what is ignored is left out."""
    root = path.resolve()
    entries = (entry for entry in walk(root) if isinstance(entry, Entry) and recognise(entry.path) in _DOCUMENTS)
    tree = {entry.path: entry_file(entry.path, Path(entry.location)) for entry in entries}
    # A config may be hidden from git and still say what the documents are.
    tree |= {name: entry_file(name, root / name) for name in NAMES if _is_readable(root / name)}
    offer = documents(tree)
    name = plain_name(root.name)
    return Material(
        name=name,
        title=offer.config.title or root.name or name,
        editions=(Edition("", offer.files),),
        description=offer.description or described(offer.files),
        rules=offer.config.rules,
    )


def npm_folder(path: Path) -> Material:
    """An npm package as it lies in node_modules, or as it is written."""
    offer = npm_package(tree_below(path.resolve()))
    name = plain_name(offer.name or path.resolve().name)
    return Material(
        name=name,
        title=offer.config.title or (f"@{offer.owner}/{offer.name}" if offer.owner else offer.name or name),
        editions=(Edition(offer.version, offer.files),),
        description=offer.description or described(offer.files),
        rules=offer.config.rules,
        owner=plain_name(offer.owner) if offer.owner else LOCAL,
    )


def holds_npm_package(path: Path) -> bool:
    package = path / "package.json"
    return _is_readable(package) and is_npm_package(package.read_bytes())


def tree_below(root: Path) -> Tree:
    """Every file below a folder that is no link; for what tools installed, which no ignore file is about."""
    return {path: entry_file(path, location) for path, location in _below(root)}


def entry_file(path: str, location: Path) -> LibraryFile:
    """A file on disk; it is read when its digest is made, and again only if it is parsed."""
    return LibraryFile(path, digest_of(_content(location)), lambda: _content(location))


def _below(root: Path) -> Iterator[tuple[str, Path]]:
    for place, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT and not name.startswith("."))
        for name in sorted(names):
            location = Path(place) / name
            path = shown(location.relative_to(root).as_posix())
            if recognise(path) in _READ and _is_readable(location):
                yield path, location


def _is_readable(location: Path) -> bool:
    """Whether it is a file of the folder's own that is not too large: a pipe would be waited for, and a link leads elsewhere."""
    return location.is_file() and not location.is_symlink() and location.stat().st_size <= LARGEST_FILE


def _content(location: Path) -> bytes:
    return location.read_bytes()
