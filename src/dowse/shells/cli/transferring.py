"""Where do files, streams and progress come from on a command line?"""

import io
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from dowse.app.operations import Operation, Type

if TYPE_CHECKING:
    from dowse.app.transfer import Progress
    from dowse.model.run import IndexProgress
    from dowse.ports import Copying

STANDARD = "-"
# Plain progress says something this often, so that a log of an hour's import stays readable.
_PERCENT = 10
# A copy of fewer bytes is there before anyone wonders.
_LARGE = 200_000_000


@contextmanager
def provided(operation: Operation, values: Mapping[str, Any], *, quiet: bool) -> Iterator[dict[str, Any]]:
    """The values with what only a command line can provide: streams for files, and progress on stderr."""
    whole = dict(values)
    with ExitStack() as stack:
        for parameter in operation.parameters:
            match parameter.type:
                case Type.INPUT if whole.get(parameter.name) == STANDARD:
                    whole[parameter.name] = stack.enter_context(_standard_input())
                case Type.OUTPUT if parameter.required or parameter.name in whole:
                    whole[parameter.name] = stack.enter_context(_output(whole.get(parameter.name, STANDARD)))
                case Type.REPORT:
                    whole[parameter.name] = stack.enter_context(_shown(operation.name, quiet))
        yield whole


@contextmanager
def _standard_input() -> Iterator[str]:
    """A file with what comes in: an import needs to know how much there is, and where it is."""
    import shutil  # they load much that other commands never need
    import tempfile

    with tempfile.TemporaryDirectory(prefix="dowse-") as folder:
        path = Path(folder) / "stdin"
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield str(path)


@contextmanager
def _output(name: str) -> Iterator[IO[str]]:
    """Standard output, or a file that appears only when it is whole."""
    if name == STANDARD:
        # JSON lines are UTF-8 whatever the terminal thinks: nothing may be lost on the way into a pipe.
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")
        yield sys.stdout
        return
    path = Path(name)
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _shown(operation: str, quiet: bool) -> Any:
    if operation == "index":
        return _index_progress(quiet)
    if operation.startswith("library_"):
        from dowse.shells.cli.library_progress import library_progress

        return library_progress(quiet)
    if operation in ("embed", "model_use", "model_add"):
        from dowse.shells.cli.embedding_progress import download_progress, embedding_progress

        return download_progress(quiet) if operation == "model_add" else embedding_progress(quiet)
    if operation in ("backup", "restore_backup"):
        return nullcontext(_copy_lines())
    return _progress(quiet)


def _copy_lines() -> Callable[["Copying"], None]:
    told = 0

    def report(progress: "Copying") -> None:
        nonlocal told
        percent = 100 * progress.bytes_done // max(progress.bytes_total, 1)
        if progress.bytes_total >= _LARGE and percent >= told + _PERCENT:
            told = percent - percent % _PERCENT
            print(f"{percent}% of {progress.bytes_total:,} bytes copied", file=sys.stderr)

    return report


def _progress(quiet: bool) -> Any:
    if sys.stderr.isatty() and not quiet:
        return _bar()
    return nullcontext(_lines())


def _index_progress(quiet: bool) -> Any:
    if sys.stderr.isatty() and not quiet:
        return _index_bar()
    return nullcontext(_index_lines())


def _index_lines() -> Callable[["IndexProgress"], None]:
    told = 0

    def report(progress: "IndexProgress") -> None:
        nonlocal told
        percent = 100 * progress.bytes // max(progress.bytes_total, 1)
        if progress.stage == "reading" and percent >= told + _PERCENT:
            told = percent - percent % _PERCENT
            print(
                f"{percent}% of {progress.bytes_total:,} bytes: {progress.files:,} of {progress.files_total:,} files",
                file=sys.stderr,
            )

    return report


@contextmanager
def _index_bar() -> Iterator[Callable[["IndexProgress"], None]]:
    from rich import progress as rich
    from rich.console import Console

    from dowse.present.styled import line

    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.DownloadColumn(),
        rich.TransferSpeedColumn(),
        rich.TextColumn("{task.fields[files]:,}/{task.fields[files_total]:,} files, {task.fields[records]:,} records"),
        rich.TimeRemainingColumn(),
        rich.TextColumn("[dim]{task.fields[path]}"),
    )
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("looking", total=None, records=0, files=0, files_total=0, path="")

        def report(progress: "IndexProgress") -> None:
            bar.update(
                task,
                description=str(progress.stage),
                total=progress.bytes_total or None,
                completed=progress.bytes,
                records=progress.records,
                files=progress.files,
                files_total=progress.files_total,
                path=line(progress.path).replace("[", "("),
            )

        yield report


def _lines() -> Callable[["Progress"], None]:
    told = -_PERCENT

    def report(progress: "Progress") -> None:
        nonlocal told
        if told < 0 and progress.resumed_at:
            print(resumed(progress), file=sys.stderr)
        percent = 100 * progress.bytes_done // max(progress.bytes_total, 1)
        if percent >= told + _PERCENT:
            told = percent - percent % _PERCENT
            print(
                f"{percent}% of {progress.bytes_total:,} bytes: {progress.records:,} records, {progress.edges:,} edges",
                file=sys.stderr,
            )

    return report


def resumed(progress: "Progress") -> str:
    return f"dowse: goes on where an earlier import of this file stopped, at byte {progress.resumed_at:,}"


@contextmanager
def _bar() -> Iterator[Callable[["Progress"], None]]:
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.BarColumn(),
        rich.DownloadColumn(),
        rich.TextColumn("{task.fields[records]:,} records"),
        rich.TextColumn("{task.fields[rate]:,.0f}/s"),
    )
    with rich.Progress(*columns, rich.TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, records=0, rate=0.0)

        def report(progress: "Progress") -> None:
            if progress.resumed_at and not bar.tasks[0].completed:
                bar.console.print(resumed(progress))
            elapsed = bar.tasks[0].elapsed or 0
            rate = progress.records / elapsed if elapsed else 0.0
            bar.update(task, total=progress.bytes_total, completed=progress.bytes_done, records=progress.records, rate=rate)

        yield report
