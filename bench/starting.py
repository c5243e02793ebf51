"""How long does a command take from the first keystroke to its last line? ``python -m bench.starting``

A process each, all in turn, so that noise hits all alike: what Python and NumPy take alone, ``dowse --version``, and a search for a
word in a project whose files lie on the disk, with the look whether they changed since. Beside it ripgrep over the same files, or
grep where there is no ripgrep.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import dowse
from bench.tables import Cell, table
from bench.texts import pieces

# Times ``import numpy``: what --version may take. Seconds above it: what a search may take.
VERSION_GOAL = 1.3
SEARCH_GOAL = 0.250
# A file of one piece of text becomes a document and its section.
_RECORDS_PER_FILE = 2
_PER_FOLDER = 100
# Stands in some files and not in most.
_WORD = "license"
_NUMPY, _VERSION = "import numpy", "dowse --version"
_WORDS, _VECTORS = "dowse search WORD, words only", "dowse search WORD, with vectors"


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds of the runs of one command: of the clock, and of the processor."""

    clock: tuple[float, ...]
    processor: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Goal:
    name: str
    reached: str
    goal: str
    is_met: bool


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.starting", description=__doc__)
    parser.add_argument("--records", type=int, default=10_000, metavar="N", help="records of the project (default 10,000)")
    parser.add_argument("--runs", type=int, default=15, metavar="N", help="of each command (default 15)")
    parser.add_argument("--json", action="store_true", help="print JSON, all times in it")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="dowse-bench-") as place:
        commands, records = prepare(Path(place), options.records)
        taken = in_turn(commands, options.runs, Path(place))
    reached = goals(taken)
    if options.json:
        times = {name: asdict(item) for name, item in taken.items()}
        print(json.dumps({"records": records, "times": times, "goals": [asdict(goal) for goal in reached]}, indent=1))
    else:
        print(render(taken, reached, records, options.runs))
    return 0


def prepare(place: Path, count: int) -> tuple[dict[str, list[str]], int]:
    """Makes the project and its two workspaces; the commands by name, and how many records there are."""
    project = place / "project"
    for number, piece in enumerate(pieces(count // _RECORDS_PER_FILE)):
        folder = project / f"{number // _PER_FOLDER:03}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number:05}.txt").write_text(f"{piece.title}\n\n{piece.text}", encoding="utf-8")
    records = 0
    for name, model in (("words", "none"), ("vectors", "static")):
        with dowse.open(place / f"{name}.dowse", model=model) as workspace:
            workspace.index(project)
            records = sum(workspace.status().records.values())
    python = [sys.executable, "-m", "dowse"]
    commands = {
        _NUMPY: [sys.executable, "-c", "import numpy"],
        _VERSION: [*python, "--version"],
        _WORDS: [*python, "search", _WORD, "--workspace", str(place / "words.dowse")],
        _VECTORS: [*python, "search", _WORD, "--workspace", str(place / "vectors.dowse")],
    }
    return commands | _other(project), records


def _other(project: Path) -> dict[str, list[str]]:
    if shutil.which("rg"):
        return {"ripgrep WORD": ["rg", "--no-config", _WORD, str(project)]}
    return {"grep -r WORD": ["grep", "-r", _WORD, str(project)]} if shutil.which("grep") else {}


def in_turn(commands: Mapping[str, Sequence[str]], runs: int, place: Path) -> dict[str, Taken]:
    """Every command once for nothing, which also compiles what is new, then all by turns."""
    path = os.pathsep.join(filter(None, sys.path))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONPYCACHEPREFIX": str(place / "compiled")}
    # Whoever installs dowse has it compiled once.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            once = _run(command, environment, place)
            if turn:
                taken[name].append(once)
    return {name: Taken(*zip(*times, strict=True)) for name, times in taken.items()}


def _run(command: Sequence[str], environment: Mapping[str, str], place: Path) -> tuple[float, float]:
    before = _used()
    start = time.perf_counter()
    ran = subprocess.run(command, env=dict(environment), cwd=place, capture_output=True, check=False)
    clock = time.perf_counter() - start
    if ran.returncode or not (ran.stdout or "-c" in command):
        raise RuntimeError(f"{command} ended with {ran.returncode} and said {ran.stderr.decode(errors='replace')}")
    return clock, _used() - before


def _used() -> float:
    """The processor's seconds of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def goals(taken: Mapping[str, Taken]) -> tuple[Goal, ...]:
    """By the medians of the clock. Beside them what the processor took: on a busy machine a command waits more than it works."""
    median = {name: statistics.median(item.clock) for name, item in taken.items()}
    worked = {name: statistics.median(item.processor) for name, item in taken.items()}
    base = median[_NUMPY]
    version = median[_VERSION] / base
    found = [Goal(_VERSION, f"{version:.2f}× {_NUMPY}", f"≤ {VERSION_GOAL}×", version <= VERSION_GOAL)]
    for name in (_WORDS, _VECTORS):
        above = median[name] - base
        told = f"{1000 * above:.0f} ms above {_NUMPY} ({1000 * (worked[name] - worked[_NUMPY]):.0f} ms of the processor)"
        found.append(Goal(name, told, f"≤ {1000 * SEARCH_GOAL:.0f} ms", above <= SEARCH_GOAL))
    return tuple(found)


def render(taken: Mapping[str, Taken], reached: Sequence[Goal], records: int, runs: int) -> str:
    rows: list[list[Cell]] = [
        [name, *(1000 * of(seconds) for seconds in (item.clock, item.processor) for of in (min, statistics.median))]
        for name, item in taken.items()
    ]
    parts = [
        f"{records:,} records in {records // _RECORDS_PER_FILE:,} files; {runs} runs each, in turn; milliseconds.\n",
        table(["command", "least", "median", "processor, least", "processor, median"], rows, digits=0),
        "",
        *(f"{goal.name}: {goal.reached}; goal {goal.goal}: {'met' if goal.is_met else 'NOT met'}" for goal in reached),
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    sys.exit(main())
