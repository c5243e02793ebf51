"""What does a source offer of a library? Its name, and for each version the files that hold its documentation."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from dowse.model.run import Message

# A page of documentation is smaller; what is larger is data.
LARGEST_FILE = 4 * 1024 * 1024
LOCAL, GITHUB = "local", "github"


@dataclass(frozen=True, slots=True)
class LibraryFile:
    """A file that can be read. ``digest`` names its content: files of the same path and digest are read once."""

    path: str
    digest: str
    load: Callable[[], bytes] = field(repr=False, compare=False)
    language: str = ""
    """What it is written in, where the source says so and the name does not."""
    passed_on: tuple[tuple[str, str], ...] = ()
    """Of a private module: the names that others pass on, each with the module that users import it from."""


@dataclass(frozen=True, slots=True)
class Edition:
    """One version; ``version`` empty: as it is now."""

    version: str
    files: tuple[LibraryFile, ...]


@dataclass(frozen=True, slots=True)
class Material:
    """A library as its source offers it. The first edition is the one that answers when none is asked for."""

    name: str
    title: str
    editions: tuple[Edition, ...]
    owner: str = LOCAL
    source: str = LOCAL
    description: str = ""
    rules: tuple[str, ...] = ()
    problems: tuple[Message, ...] = ()


def digest_of(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def with_passed_on(file: LibraryFile, names: Mapping[str, str]) -> LibraryFile:
    """A private module as its users see it; with other names it is another file."""
    told = tuple(sorted(names.items()))
    return replace(file, digest=digest_of(f"{file.digest} {told}".encode()), passed_on=told)


def given(path: str, data: bytes, language: str = "") -> LibraryFile:
    """A file whose content is here already."""
    return LibraryFile(path, digest_of(data), lambda: data, language)
