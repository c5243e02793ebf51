"""How does a terminal see vectors being made and models being downloaded? A line that moves, or now and then a line in a log."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from dowse.app.models import NONE
from dowse.errors import EmbeddingFailed
from dowse.model.modelling import Download

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

Report = Callable[[int, int], None]
DownloadReport = Callable[[Download], None]
# A log of an hour's embedding stays readable.
_PERCENT = 10


def embedding_progress(quiet: bool) -> AbstractContextManager[Report]:
    """What to call with how many passages have their vectors; it says nothing where the answer is for a program."""
    if quiet:
        return nullcontext(lambda _done, _total: None)
    return _embedding_bar() if sys.stderr.isatty() else nullcontext(_embedding_lines())


def download_progress(quiet: bool) -> AbstractContextManager[DownloadReport]:
    if quiet:
        return nullcontext(lambda _: None)
    return _download_bar() if sys.stderr.isatty() else nullcontext(_download_lines())


def finish(workspace: "Workspace", *, quiet: bool) -> None:
    """Makes the vectors that a command has left to be made. One that cannot be made is no failure of that command."""
    state = workspace.status().embedding
    ready = state.profile is not None and state.profile.swift and not state.waiting
    if state.specification == NONE or ready:
        return
    try:
        with embedding_progress(quiet) as report:
            done = workspace.embed(report=report)
    except EmbeddingFailed as error:
        print(f"dowse: {error} 'dowse embed' makes them when it works again.", file=sys.stderr)
        return
    if done.made and not quiet:
        from dowse.present.models import embedded_line

        print(embedded_line(done), file=sys.stderr)


def _embedding_lines() -> Report:
    told = 0

    def report(done: int, total: int) -> None:
        nonlocal told
        percent = 100 * done // max(total, 1)
        if told + _PERCENT <= percent < 100:
            told = percent - percent % _PERCENT
            print(f"{percent}% of {total:,} passages have their vectors", file=sys.stderr)

    return report


@contextmanager
def _embedding_bar() -> Iterator[Report]:
    from rich import progress as rich  # only a terminal needs it
    from rich.console import Console

    columns = (
        rich.TextColumn("embedding"),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TextColumn("passages, {task.fields[rate]:,.0f}/s"),
        rich.TimeRemainingColumn(),
    )
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, rate=0.0)
        first: list[int] = []

        def report(done: int, total: int) -> None:
            first.append(done)
            elapsed = bar.tasks[0].elapsed or 0
            bar.update(task, total=total, completed=done, rate=(done - first[0]) / elapsed if elapsed else 0.0)

        yield report


def _download_lines() -> DownloadReport:
    told: dict[int, int] = {}

    def report(progress: Download) -> None:
        percent = 100 * progress.done // max(progress.total, 1)
        if progress.total and percent >= told.get(progress.total, 0) + _PERCENT:
            told[progress.total] = percent - percent % _PERCENT
            print(f"{progress.name}: {percent}% of {progress.total:,} bytes", file=sys.stderr)

    return report


@contextmanager
def _download_bar() -> Iterator[DownloadReport]:
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.DownloadColumn(),
        rich.TransferSpeedColumn(),
        rich.TimeRemainingColumn(),
    )
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("looking", total=None)
        yield lambda progress: bar.update(task, description=progress.name, total=progress.total or None, completed=progress.done)
