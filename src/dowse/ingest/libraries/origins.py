"""Where is a library? What a user typed, told apart: a folder, a repository, a package, an archive or an llms.txt."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from dowse.errors import InvalidRequest, NotFound
from dowse.ingest.libraries import archives, folders, llms, packages, repositories
from dowse.ingest.libraries.material import Material
from dowse.ingest.libraries.repositories import Wanted


class From(StrEnum):
    """The kinds of sources; each is also what can stand before a source to say which is meant."""

    FOLDER = "file"
    GIT = "git"
    PYPI = "pypi"
    NPM = "npm"
    ARCHIVE = "archive"
    LLMS = "llms"


@dataclass(frozen=True, slots=True)
class Origin:
    """A source that can be read again later; its paths are absolute."""

    kind: From
    place: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.place}"


def tell(source: str, folder: Path, environment: Mapping[str, str] = os.environ) -> Origin:
    """What a user means by a source. Relative paths start at ``folder``."""
    named, colon, rest = source.partition(":")
    try:
        if colon and named in tuple(From) and not rest.startswith("//"):
            return _named(From(named), rest, folder, environment)
        return _guessed(source, folder, environment)
    except (OSError, RuntimeError) as error:
        # A name that no file can have, a folder that may not be looked into, or the home of a user who does not exist.
        told = error.strerror if isinstance(error, OSError) and error.strerror else str(error).rstrip(".")
        raise NotFound(f"{source} is no source of a library here: {told}.") from error


@contextmanager
def opened(origin: Origin, wanted: Wanted, folder: Path, environment: Mapping[str, str] = os.environ) -> Iterator[Material]:
    """What the source offers; its files can be read until this ends."""
    if wanted != Wanted() and origin.kind is not From.GIT:
        raise InvalidRequest(f"Only a git repository has versions to choose from; {origin} is none.")
    if origin.kind is From.GIT:
        with repositories.repository(origin.place, wanted, environment) as material:
            yield material
    else:
        yield _material(origin, folder, environment)


def _material(origin: Origin, folder: Path, environment: Mapping[str, str]) -> Material:
    path = Path(origin.place)
    match origin.kind:
        case From.PYPI:
            return _package(origin.place, folder, environment)
        case From.LLMS:
            if "://" not in origin.place and not path.is_file():
                raise NotFound(f"There is no file {path} any more.")
            return llms.llms(origin.place)
        case From.ARCHIVE:
            if not path.is_file():
                raise NotFound(f"There is no file {path}.")
            return archives.archive(path)
    if not path.is_dir():
        raise NotFound(f"There is no folder {path}.")
    return folders.npm_folder(path) if origin.kind is From.NPM else folders.folder(path)


def _named(kind: From, place: str, folder: Path, environment: Mapping[str, str]) -> Origin:
    path = (folder / Path(place).expanduser()).absolute()
    if kind is From.GIT and not repositories.is_url(place):
        if not repositories.is_repository(path):
            raise NotFound(f"{path} is no git repository.")
        return Origin(kind, str(path))
    if kind is From.NPM:
        return Origin(kind, str(_npm(place, folder)))
    if kind is From.PYPI:
        _package(place, folder, environment)
    if kind in (From.GIT, From.PYPI) or "://" in place:
        return Origin(kind, place)
    if kind is From.FOLDER and path.is_file():
        return _guessed(str(path), folder, environment)
    if not path.exists():
        raise NotFound(f"There is no {path}.")
    return Origin(kind, str(path))


def _guessed(source: str, folder: Path, environment: Mapping[str, str]) -> Origin:
    if source.startswith("-") or not source.strip():
        raise InvalidRequest(f"{source!r} is no source of a library.")
    if source.lower().startswith(("http://", "https://")) and llms.is_llms(source):
        return Origin(From.LLMS, source)
    if repositories.is_url(source):
        return Origin(From.GIT, source)
    path = (folder / Path(source).expanduser()).absolute()
    if path.is_file():
        return _file(path)
    if path.is_dir():
        return _folder(path)
    if packages.find(source, folder, environment) is not None or packages.find_module(source) is not None:
        return Origin(From.PYPI, source)
    if _installed_npm(source, folder) is not None:
        return Origin(From.NPM, str(_npm(source, folder)))
    raise NotFound(
        f"{source} is no folder, file, git repository or installed package here;"
        " give a path, an address such as https://github.com/acme/rocket, or the name of a package that is installed."
    )


def _file(path: Path) -> Origin:
    if archives.is_archive(path):
        return Origin(From.ARCHIVE, str(path))
    if llms.is_llms(str(path)):
        return Origin(From.LLMS, str(path))
    raise InvalidRequest(f"{path} is neither an archive ({', '.join(archives.ENDINGS)}) nor an llms.txt; name its folder instead.")


def _folder(path: Path) -> Origin:
    if repositories.is_repository(path):
        return Origin(From.GIT, str(path))
    return Origin(From.NPM if folders.holds_npm_package(path) else From.FOLDER, str(path))


def _package(name: str, folder: Path, environment: Mapping[str, str]) -> Material:
    found = packages.find(name, folder, environment)
    if found is not None:
        return packages.package(found)
    place = packages.find_module(name)
    if place is None:
        raise NotFound(f"No Python package {name!r} is installed here; nothing is fetched from an index.")
    return packages.module(name, place)


def _npm(name: str, folder: Path) -> Path:
    path = (folder / Path(name).expanduser()).absolute()
    found = path if (path / "package.json").is_file() else _installed_npm(name, folder)
    if found is None:
        raise NotFound(f"No npm package {name!r} is in {folder.absolute()} or in a node_modules above it; nothing is fetched.")
    return found


def _installed_npm(name: str, folder: Path) -> Path | None:
    if ".." in name.split("/") or name.startswith("/"):
        return None
    above = folder.absolute()
    places = (parent / "node_modules" / name for parent in (above, *above.parents))
    return next((place for place in places if (place / "package.json").is_file()), None)
