"""Does dowse bear an hour of work without growing or failing? ``python -m bench.endurance [--short | --long]``.

One workspace, real processes: a server asked by sixteen clients from a second process, a watcher beside files that are edited,
moved and deleted all the while, and commands that index, import, delete and back up. As much is taken away as is added, so what
grows leaks.
"""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from bench.endur_asking import Stage
from bench.endur_chores import Chores
from bench.endur_files import Project
from bench.endur_proving import prove
from bench.endur_samples import MEASURES, TELLING, Sample, held, held_by_helpers, line_of, look, shown, verdict

_SHORT, _LONG = 2.0, 60.0
_FILES = 3000
# How often each word is asked for in each form before anything is measured: in a run from which growth is told, and in a short one.
# The server shares questions with a helper, and which of them gets one is chance: in four rounds each of them gets nearly all.
_ROUNDS, _FEWER_ROUNDS = 4, 1
# Samples in a run, so that a plot of any run is as fine; and the seconds between two at the least.
_SAMPLES, _INTERVAL = 240, 5.0
# Backups in a run, and the seconds between two at the most.
_BACKUPS, _BACKUP = 4, 180.0
# Seconds for a process to start, and to end what it is doing.
_PATIENCE = 60.0
_PLOT = Path(__file__).parents[1] / "docs" / "endurance.svg"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.endurance", description=__doc__)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--short", action="store_true", help=f"{_SHORT:.0f} minutes (default)")
    length.add_argument("--long", action="store_true", help=f"{_LONG:.0f} minutes; draws docs/endurance.svg")
    parser.add_argument("--minutes", type=float, help="another length")
    parser.add_argument("--files", type=int, default=_FILES, help="files in the project")
    parser.add_argument("--out", type=Path, help="a folder for samples.json, table.md and plot.svg")
    options = parser.parse_args(arguments)
    seconds = 60 * (options.minutes or (_LONG if options.long else _SHORT))
    with tempfile.TemporaryDirectory(prefix="dowse-endurance-") as place:
        samples, chores = run(Path(place), seconds, options.files)
    told = "\n\n".join((_summary(samples, chores), shown(samples), *chores.errors[:20]))
    print(told)
    plots = [_PLOT] if options.long else []
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "samples.json").write_text(json.dumps([asdict(sample) for sample in samples]))
        (options.out / "table.md").write_text(f"{told}\n")
        plots.append(options.out / "plot.svg")
    _draw(samples, plots)
    return 1 if chores.errors or any(verdict(measure, samples)[1] == "growing" for measure in MEASURES) else 0


def run(place: Path, seconds: float, files: int) -> tuple[list[Sample], Chores]:
    """Everything at once for so long, then a look at what it left."""
    workspace = place / "work.dowse"
    project = Project(place / "project", files, random.Random(7))
    (project.root / "beacon.md").write_text("# The light\n\nNothing yet.\n")
    _tell(f"{project.files:,} files made")
    chores = Chores(workspace, project, place, min(_BACKUP, seconds / _BACKUPS))
    if chores.dowse("index", str(project.root)) is None:
        raise SystemExit(chores.errors[0])
    _tell("indexed")
    interval = max(_INTERVAL, seconds / _SAMPLES)
    with _started(place, "serve", "serve", "--port", "0", "--workspace", str(workspace)) as server:
        chores.port = int(_awaited(place / "serve.err", r"http://[^ ]*:(\d+)/"))
        with _started(place, "watch", "watch", "--workspace", str(workspace)) as watcher:
            _awaited(place / "watch.err", "(watching)")
            asking = _asking(chores.port, seconds, interval)
            chores.start()
            samples = list(_samples(workspace, (server.pid, watcher.pid), asking, chores))
            chores.stop()
            _end(watcher, "watch", chores)
        _end(server, "serve", chores)
    for name in ("serve", "watch"):
        # Each says one line when it starts, and nothing after that unless something is wrong.
        chores.errors += [f"{name}: {line}" for line in (place / f"{name}.err").read_text().splitlines()[1:]]
    prove(workspace, project, chores, _tell)
    return samples, chores


def _samples(workspace: Path, processes: tuple[int, int], asking: "subprocess.Popen[str]", chores: Chores) -> Iterator[Sample]:
    """One whenever those who ask say how it went, which is once an interval."""
    start, before, known = time.monotonic(), held(processes[0]).cpu + held_by_helpers(processes[0]).cpu, 0
    assert asking.stdout is not None
    for line in asking.stdout:
        told = json.loads(line)
        chores.errors += [f"a client: {text}" for text in told["told"]] + ["…"] * (told["errors"] - len(told["told"]))
        server, watcher = (held(process) for process in processes)
        helpers = held_by_helpers(processes[0])
        spent = server.cpu + helpers.cpu
        if told["stage"] == Stage.WARMING:
            _tell(f"{told['requests']:,} questions asked beforehand")
            start, before, known = time.monotonic(), spent, len(chores.errors)
            continue
        state: dict[str, Any] = look(workspace)
        sample = Sample(
            seconds=time.monotonic() - start,
            server=server,
            helpers=helpers,
            watcher=watcher,
            **state,
            **{name: told[name] for name in ("requests", "p50", "p99")},
            # A helper that went took what it had spent along.
            cost=1000 * max(0.0, spent - before) / told["requests"] if told["requests"] else None,
            load=os.getloadavg()[0],
            errors=len(chores.errors),
        )
        _tell("\n".join((*(f"ERROR {error}" for error in chores.errors[known : sample.errors]), line_of(sample))))
        before, known = spent, sample.errors
        if told["stage"] != Stage.ENDING:
            yield sample
    if asking.wait():
        chores.errors.append(f"those who ask ended with {asking.returncode}")


def _asking(port: int, seconds: float, interval: float) -> "subprocess.Popen[str]":
    rounds = _ROUNDS if seconds >= TELLING else _FEWER_ROUNDS
    command = [sys.executable, "-m", "bench.endur_asking", *map(str, (port, seconds, interval, rounds))]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@contextmanager
def _started(place: Path, name: str, *arguments: str) -> "Iterator[subprocess.Popen[bytes]]":
    """A command that runs until it is told to end; what it says goes to files, so that no full pipe stops it."""
    with (place / f"{name}.out").open("wb") as out, (place / f"{name}.err").open("wb") as err:
        process = _process(out, err, *arguments)
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()


def _process(out: IO[bytes], err: IO[bytes], *arguments: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-m", "dowse", *arguments], stdout=out, stderr=err)


def _awaited(path: Path, pattern: str) -> str:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if found := re.search(pattern, path.read_text()):
            return found[1]
        time.sleep(0.1)
    raise SystemExit(f"{path.name} did not say {pattern}: {path.read_text()}")


def _end(process: "subprocess.Popen[bytes]", name: str, chores: Chores) -> None:
    process.send_signal(signal.SIGINT)
    try:
        code = process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        code = -1
    if code:
        chores.errors.append(f"dowse {name} ended with {code} when it was interrupted")


def _summary(samples: Sequence[Sample], chores: Chores) -> str:
    requests = sum(sample.requests for sample in samples)
    counts = ", ".join(f"{count:,} {name}" for name, count in sorted(chores.counts.items()))
    seen = sorted(chores.seen_after) or [0.0]
    return (
        f"{samples[-1].seconds / 60:.0f} minutes, {requests:,} answers to 16 clients, "
        f"{samples[-1].commits - samples[0].commits:,} commits; {counts}.\nA changed file was found after"
        f" {seen[len(seen) // 2]:.1f} s (median) and {seen[-1]:.1f} s (longest). Errors: {len(chores.errors)}."
    )


def _draw(samples: Sequence[Sample], paths: Sequence[Path]) -> None:
    if not paths:
        return
    try:
        from bench.endur_plot import draw

        for path in paths:
            draw(samples, path)
    except ImportError:
        _tell("Nothing is drawn: matplotlib is missing. It is in the group 'bench'.")


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
