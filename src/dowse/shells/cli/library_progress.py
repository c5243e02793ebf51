"""How does a terminal see a library being read? A line that moves, or now and then a line in a log."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from dowse.model.library import LibraryProgress
from dowse.present.styled import line

Report = Callable[[LibraryProgress], None]
# A log of a large library stays readable.
_PERCENT = 25


def library_progress(quiet: bool) -> AbstractContextManager[Report]:
    """What to call with the progress; it says nothing where the answer is for a program."""
    if quiet:
        return nullcontext(lambda _: None)
    return _bar() if sys.stderr.isatty() else nullcontext(_lines())


def _lines() -> Report:
    told: dict[str, int] = {}

    def report(progress: LibraryProgress) -> None:
        name = _name(progress)
        percent = 100 * progress.files // max(progress.files_total, 1)
        if percent >= told.get(name, 0) + _PERCENT:
            told[name] = percent - percent % _PERCENT
            print(f"{name}: {progress.files:,} of {progress.files_total:,} files, {progress.snippets:,} snippets", file=sys.stderr)

    return report


@contextmanager
def _bar() -> Iterator[Report]:
    from rich import progress as rich  # only a terminal needs it
    from rich.console import Console

    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TextColumn("files, {task.fields[snippets]:,} snippets"),
        rich.TextColumn("[dim]{task.fields[path]}"),
    )
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("looking", total=None, snippets=0, path="")

        def report(progress: LibraryProgress) -> None:
            bar.update(
                task,
                description=_name(progress).replace("[", "("),
                total=progress.files_total or None,
                completed=progress.files,
                snippets=progress.snippets,
                path=line(progress.path).replace("[", "("),
            )

        yield report


def _name(progress: LibraryProgress) -> str:
    return line(f"{progress.library}@{progress.version}" if progress.version else progress.library)
