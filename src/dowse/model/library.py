"""What is known of a library, how far an adding is, and what it did?"""

from dowse.model.declaring import dataclass
from dowse.model.run import Message


@dataclass(frozen=True, slots=True)
class LibraryProgress:
    """How far the adding of a library is, within one version."""

    library: str
    version: str = ""
    files: int = 0
    files_total: int = 0
    snippets: int = 0
    path: str = ""


@dataclass(frozen=True, slots=True)
class VersionSummary:
    """What became of one version. ``parsed`` files were read; ``shared`` ones were known from before or from another version.

    ``written`` and ``removed`` count snippets that changed.
    """

    version: str
    files: int = 0
    parsed: int = 0
    shared: int = 0
    snippets: int = 0
    written: int = 0
    removed: int = 0


@dataclass(frozen=True, slots=True)
class LibrarySummary:
    """What an adding did. ``error`` says why it failed; then the last good generation answers on."""

    library: str
    title: str
    origin: str
    versions: tuple[VersionSummary, ...] = ()
    snippets: int = 0
    trust: float = 0.0
    changed: bool = False
    problems: tuple[Message, ...] = ()
    seconds: float = 0.0
    error: str = ""


@dataclass(frozen=True, slots=True)
class LibraryEntry:
    """A library of the workspace. ``updated``: when anything of it last changed."""

    library: str
    title: str
    versions: tuple[str, ...]
    default_version: str
    snippets: int
    state: str
    ready: bool
    trust: float
    source: str
    origin: str
    updated: float
    error: str = ""
