"""How much does a process hold, and does it grow? Numbers from the system, and the line through them."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from statistics import median

import numpy as np

from bench.tables import Cell, table
from dowse.engines.sqlite.driver import connect, reading, value

_MIB = 1 << 20
# Where the ticks that a process ran stand, for itself and for it in the system.
_SPENT = slice(11, 13)
# The first part of a run is left out of the line: caches fill, and an index made at once turns into one that was written to.
SETTLING = 0.25
# What counts as growth: more than this part of its mean an hour, and more than is noise for such a number.
_GROWTH = 0.05
# Seconds below which a slope an hour says nothing.
TELLING = 1200.0


@dataclass(frozen=True, slots=True)
class Held:
    """What a process holds. ``own``: memory that no file stands behind, which is where a leak would be. ``cpu``: seconds so far."""

    own: float
    resident: float
    handles: int
    threads: int
    cpu: float


@dataclass(frozen=True, slots=True)
class Sample:
    """One moment. Sizes in MiB, times in milliseconds."""

    seconds: float
    server: Held
    helpers: Held
    """The processes that answer beside the server, together."""
    watcher: Held
    database: float
    log: float
    free: float
    records: int
    commits: int
    requests: int
    p50: float | None
    p99: float | None
    cost: float | None
    """Processor time of the server and its helpers for an answer, in which others on the machine have no part."""
    load: float
    """How many processes of the machine wanted to run."""
    errors: int


@dataclass(frozen=True, slots=True)
class Measure:
    """A number to look at. ``noise``: how much of it is nothing to speak of. ``waiting``: others have a part in it."""

    name: str
    path: str
    noise: float
    waiting: bool = False


LOAD = Measure("load of the machine", "load", 1, waiting=True)
MEASURES = (
    Measure("server: own memory, MiB", "server.own", 8),
    Measure("server: resident with mapped files, MiB", "server.resident", 64),
    Measure("server: open files", "server.handles", 2),
    Measure("server: threads", "server.threads", 2),
    Measure("helpers: own memory, MiB", "helpers.own", 8),
    Measure("helpers: resident with mapped files, MiB", "helpers.resident", 64),
    Measure("helpers: open files", "helpers.handles", 2),
    Measure("watcher: own memory, MiB", "watcher.own", 8),
    Measure("watcher: resident with mapped files, MiB", "watcher.resident", 64),
    Measure("watcher: open files", "watcher.handles", 2),
    Measure("watcher: threads", "watcher.threads", 2),
    Measure("database, MiB", "database", 4),
    Measure("log beside it (WAL), MiB", "log", 4),
    Measure("free pages in the database, MiB", "free", 4),
    Measure("records", "records", 100),
    Measure("processor time for an answer, ms", "cost", 2),
    Measure("answers p50, ms", "p50", 10, waiting=True),
    Measure("answers p99, ms", "p99", 50, waiting=True),
    LOAD,
)


def held(process: int) -> Held:
    place = Path("/proc", str(process))
    status = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines())
    own, resident = (int(status[name].split()[0]) / 1024 for name in ("RssAnon", "VmRSS"))
    # What stands before the last bracket is a name, which may hold anything.
    spent = (place / "stat").read_text().rpartition(")")[2].split()
    cpu = sum(map(int, spent[_SPENT])) / os.sysconf("SC_CLK_TCK")
    return Held(own, resident, sum(1 for _ in (place / "fd").iterdir()), int(status["Threads"]), cpu)


def held_by_helpers(server: int) -> Held:
    """What the processes hold that a server started, whichever of its threads did."""
    found = []
    for children in Path("/proc", str(server), "task").glob("*/children"):
        # A thread or a process that has ended meanwhile holds nothing.
        with suppress(FileNotFoundError, ProcessLookupError, KeyError):
            found += [held(int(child)) for child in children.read_text().split()]
    return Held(*(sum(getattr(one, name.name) for one in found) for name in fields(Held)))


def look(workspace: Path) -> dict[str, float | int]:
    """Sizes of the file and its log, and how often it was written to."""
    connection = connect(str(workspace), read_only=True)
    try:
        with reading(connection):
            free = connection.pragma("freelist_count") * connection.pragma("page_size")
            commits = value(connection, "select value from meta where name = 'generation'")
            records = value(connection, "select count(*) from record")
    finally:
        connection.close()
    log = Path(f"{workspace}-wal")
    return {
        "database": workspace.stat().st_size / _MIB,
        "log": log.stat().st_size / _MIB if log.exists() else 0.0,
        "free": free / _MIB,
        "records": records,
        "commits": commits,
    }


def series(samples: Sequence[Sample], path: str) -> tuple[list[float], list[float]]:
    """Moments and numbers of a measure, where there are any."""
    found = [(sample.seconds, _within(asdict(sample), path)) for sample in samples]
    kept = [(moment, number) for moment, number in found if number is not None]
    return [moment for moment, _ in kept], [number for _, number in kept]


def slope(moments: Sequence[float], numbers: Sequence[float]) -> float:
    """Change an hour, by least squares."""
    return float(np.polyfit(moments, numbers, 1)[0]) * 3600


def allowed(measure: Measure, samples: Sequence[Sample]) -> float:
    """Growth an hour that is none yet: a part of what there is, or noise."""
    return max(_GROWTH * abs(float(np.mean(settled(samples, measure.path)[1]))), measure.noise)


def verdict(measure: Measure, samples: Sequence[Sample]) -> tuple[float, str]:
    """The slope an hour, and what it means."""
    hourly = slope(*settled(samples, measure.path))
    if measure is LOAD:
        return hourly, "not ours"
    if samples[-1].seconds < TELLING:
        return hourly, "too short to tell"
    if hourly <= allowed(measure, samples):
        return hourly, "flat"
    # Who waits for a core waits longer when others want it too; what an answer costs is told by processor time.
    busier = slope(*settled(samples, LOAD.path)) > allowed(LOAD, samples)
    return hourly, "with the load" if measure.waiting and busier else "growing"


def settled(samples: Sequence[Sample], path: str) -> tuple[list[float], list[float]]:
    """What the line is laid through."""
    moments, numbers = series(samples, path)
    start = int(len(moments) * SETTLING)
    return moments[start:], numbers[start:]


def shown(samples: Sequence[Sample]) -> str:
    rows: list[list[Cell]] = []
    for measure in MEASURES:
        _, numbers = series(samples, measure.path)
        tenth = max(1, len(numbers) // 10)
        middle = (len(numbers) - tenth) // 2
        parts = (numbers[:tenth], numbers[middle : middle + tenth], numbers[-tenth:])
        hourly, word = verdict(measure, samples)
        figures = (*(float(median(part)) for part in parts), max(numbers), hourly, allowed(measure, samples))
        rows.append([measure.name, *figures, word])
    head = ["", "start", "middle", "end", "most", "slope an hour", "allowed", "verdict"]
    rule = (
        "Start, middle and end: medians of the first, the middle and the last tenth of the samples. Slope: of the line by least"
        f" squares through the last {1 - SETTLING:.0%} of them. Growing: a slope above what is allowed: {_GROWTH:.0%} of the"
        " mean an hour, or what is noise for such a number if that is more."
    )
    return f"{table(head, rows, digits=1)}\n\n{rule}"


def line_of(sample: Sample) -> str:
    """For whoever watches."""
    server, watcher = sample.server, sample.watcher
    return (
        f"{sample.seconds:6.0f} s: server {server.own:.0f} MiB, {server.handles} files, {server.threads} threads;"
        f" helpers {sample.helpers.own:.0f} MiB, {sample.helpers.handles} files;"
        f" watcher {watcher.own:.0f} MiB, {watcher.handles} files; database {sample.database:.0f} + {sample.log:.0f} MiB,"
        f" {sample.records:,} records, commit {sample.commits:,}; {sample.requests} answers, {sample.cost or 0:.0f} ms of processor"
        f" each, p50 {sample.p50 or 0:.0f} ms, p99 {sample.p99 or 0:.0f} ms; load {sample.load:.1f}; {sample.errors} errors"
    )


def from_json(data: Mapping[str, object]) -> Sample:
    return Sample(**{**data, **{name: Held(**data[name]) for name in ("server", "helpers", "watcher")}})  # type: ignore[arg-type]


def _within(data: Mapping[str, object], path: str) -> float | None:
    found: object = data
    for name in path.split("."):
        assert isinstance(found, Mapping)
        found = found[name]
    return None if found is None else float(found)  # type: ignore[arg-type]
