"""How do the files of a library become what it offers? As documents alone, as a Python package, or as an npm package."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message as Headers
from email.parser import BytesParser
from email.policy import compat32
from typing import Any

from dowse.errors import InvalidRequest
from dowse.ingest.documents.outline import Outline
from dowse.ingest.documents.outlining import outline
from dowse.ingest.libraries.configs import NAMES, Config, read_config
from dowse.ingest.libraries.material import LibraryFile, given, with_passed_on
from dowse.ingest.libraries.passages import pieces
from dowse.ingest.libraries.passing_on import passed_on
from dowse.ingest.libraries.pieces import INFO
from dowse.ingest.libraries.selecting import Selection, is_public_module
from dowse.ingest.recognising import recognise

_LONGEST_DESCRIPTION = 200
_READMES = ("readme.md", "readme.mdx", "readme.rst", "readme.adoc", "readme.txt", "readme.html", "readme")
_README_NAMES = {"text/markdown": "README.md", "text/x-rst": "README.rst", "text/plain": "README.txt"}
_NOT_IN_NAME = re.compile(r"[^\w.\-]+")

Tree = Mapping[str, LibraryFile]
"""The files of a library by path."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What files say of a library: its name, version and words, and which of them are documentation."""

    name: str = ""
    version: str = ""
    description: str = ""
    owner: str = ""
    config: Config = field(default_factory=Config)
    files: tuple[LibraryFile, ...] = ()


def documents(tree: Tree, fallback: Config | None = None) -> Offer:
    """The documents of any folder. ``fallback``: what holds where it has no config of its own."""
    config = config_of(tree)
    config = fallback if fallback is not None and not config.given else config
    chosen = tuple(tree[path] for path in Selection(config).documents(tree))
    return Offer(description=config.description, config=config, files=chosen)


def python_package(tree: Tree, metadata: bytes) -> Offer:
    """A Python package: what its metadata says, the documents it ships and the docstrings of its public modules."""
    headers = BytesParser(policy=compat32).parsebytes(metadata)
    plain = documents({path: file for path, file in tree.items() if ".dist-info/" not in path and ".egg-info/" not in path})
    files = {file.path: file for file in plain.files}
    readme = _readme_of(headers)
    if readme is not None and not any(path.lower().startswith("readme") for path in files):
        files[readme.path] = readme
    files |= _modules(tree, plain.config)
    return Offer(
        name=_header(headers, "Name"),
        version=_header(headers, "Version"),
        description=plain.config.description or _header(headers, "Summary"),
        config=plain.config,
        files=tuple(files[path] for path in sorted(files)),
    )


def npm_package(tree: Tree) -> Offer:
    """An npm package: what package.json says, its documents and its declarations."""
    package = _package_json(tree["package.json"].load())
    scope, _, name = str(package.get("name", "")).rpartition("/")
    plain = documents(tree)
    declared = {path: file for path, file in tree.items() if path.endswith((".d.ts", ".d.mts")) and is_public_module(path)}
    return Offer(
        name=name,
        version=str(package.get("version") or ""),
        description=plain.config.description or str(package.get("description") or ""),
        owner=scope.removeprefix("@"),
        config=plain.config,
        files=(*plain.files, *(declared[path] for path in sorted(declared) if "node_modules/" not in path)),
    )


def is_npm_package(package: bytes) -> bool:
    """Whether package.json is that of a package, and not only a list of what a folder needs."""
    found = _package_json(package)
    return bool(found.get("name")) and bool(found.get("version"))


def config_of(tree: Tree) -> Config:
    """The config at the root, if there is one."""
    for name in NAMES:
        if name in tree:
            return read_config(name, tree[name].load())
    return Config()


def described(files: tuple[LibraryFile, ...]) -> str:
    """The first sentence or two that the README says, for a library that has no other description."""
    by_name = {file.path.lower(): file for file in files}
    readme = next((by_name[name] for name in _READMES if name in by_name), None)
    if readme is None:
        return ""
    data = readme.load()
    text = data.decode("utf-8", "replace")
    read: Outline = outline(readme.language or recognise(readme.path), text, data, readme.path)
    said = next((piece.content for piece in pieces(read, readme.path) if piece.type == INFO), "")
    return shortened(next((part for part in said.split("\n\n") if len(part.split()) > 3), ""))


def shortened(text: str) -> str:
    """A description in one line."""
    line = " ".join(re.sub(r"[*_`#>]+", "", text).split())
    return line if len(line) <= _LONGEST_DESCRIPTION else f"{line[:_LONGEST_DESCRIPTION].rsplit(' ', 1)[0]} …"


def plain_name(text: str) -> str:
    """A name that can stand in the id of a library.

    >>> plain_name("Acme Rocket (docs)")
    'acme-rocket-docs'
    """
    return _NOT_IN_NAME.sub("-", text.strip().lower()).strip("-.") or "library"


def _modules(tree: Tree, config: Config) -> dict[str, LibraryFile]:
    selection = Selection(config)
    chosen = {}
    for path, file in tree.items():
        is_stub = path.endswith(".pyi") and path[:-1] not in tree
        if (path.endswith(".py") or is_stub) and is_public_module(path) and selection.wants(path) and not path.startswith("docs/"):
            chosen[path] = file
    private = passed_on(tree, {path: file for path, file in chosen.items() if path.endswith(".py")})
    return chosen | {path: with_passed_on(tree[path], names) for path, names in private.items() if selection.wants(path)}


def _readme_of(headers: Headers) -> LibraryFile | None:
    body = headers.get_payload()
    text = body if isinstance(body, str) and body.strip() else _header(headers, "Description")
    if not text.strip() or text.strip() == "UNKNOWN":
        return None
    kind = _header(headers, "Description-Content-Type").partition(";")[0].strip().lower()
    # Without a type it is reStructuredText by custom, and Markdown by its look.
    name = _README_NAMES.get(kind) or ("README.md" if re.search(r"^#{1,3} |^```", text, re.MULTILINE) else "README.rst")
    return given(name, text.encode("utf-8", "replace"))


def _header(headers: Headers, name: str) -> str:
    value = headers.get(name)
    return "" if value is None else str(value).strip()


def _package_json(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidRequest(f"package.json cannot be read: {error}.") from error
    if not isinstance(found, dict):
        raise InvalidRequest("package.json must hold an object.")
    return found
