"""Which of the readers of knowledge is asked about a file?"""

from collections.abc import Callable
from dataclasses import dataclass

from dowse.ingest.extract import Reader, SourceFile


@dataclass(frozen=True, slots=True)
class DomainReader:
    """A reader for one source of knowledge. ``fits`` is asked for every file of a project, so it looks at the path first."""

    name: str
    fits: Callable[[SourceFile], bool]
    read: Reader
    replaces: bool
    """Whether the file is nothing else: its usual reader is not run, and the record with the file's key is made here."""


def choose(file: SourceFile, readers: tuple[DomainReader, ...]) -> tuple[DomainReader, ...]:
    """The readers to run: all that fit, but of those that replace the usual reader only the first. A file is one thing."""
    fitting = [reader for reader in readers if reader.fits(file)]
    replacing = [reader for reader in fitting if reader.replaces]
    return tuple(reader for reader in fitting if not reader.replaces or reader is replacing[0])
