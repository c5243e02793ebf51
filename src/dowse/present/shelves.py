"""How does the adding of a library look to someone at a terminal?"""

from collections.abc import Iterator

from rich.console import Group
from rich.text import Text

from dowse.model.library import LibrarySummary, VersionSummary
from dowse.present.styled import DIM, TITLE, line

# More lines than this are a log, not an answer; --json has them all.
_TOLD = 10


def library_summary(done: LibrarySummary) -> Group:
    """The library, what became of each version, and what a user should know of its files."""
    first = Text.assemble((line(done.library), TITLE), f"  {line(done.title)}  ", (f"from {line(done.origin)}", DIM))
    if done.error:
        return Group(first, Text(f"not read: {line(done.error)} What was there before answers on.", "red"))
    total = f"{done.snippets:,} snippets in all, trust {done.trust:.1f}; {done.seconds:.1f} s"
    parts = [first, *(Text(_version(version)) for version in done.versions), Text(total, DIM)]
    return Group(*parts, *_problems(done))


def _version(version: VersionSummary) -> str:
    """One version on a line.

    >>> _version(VersionSummary("v2", files=5, parsed=2, shared=3, snippets=40, written=9, removed=1))
    'v2: 40 snippets of 5 files (2 read, 3 known already); 9 written, 1 removed'
    """
    name = line(version.version) or "current"
    files = f"{version.snippets:,} snippets of {version.files:,} files ({version.parsed:,} read, {version.shared:,} known already)"
    if not version.written and not version.removed:
        return f"{name}: {files}; nothing changed"
    return f"{name}: {files}; {version.written:,} written, {version.removed:,} removed"


def _problems(done: LibrarySummary) -> Iterator[Text]:
    for problem in done.problems[:_TOLD]:
        yield Text.assemble(("problem  ", DIM), line(problem.path), (f"  {line(problem.text)}", DIM))
    if len(done.problems) > _TOLD:
        yield Text(f"… and {len(done.problems) - _TOLD:,} more; --json tells all", DIM)
