"""What does bad input do? ``python -m bench.fuzzing [--minutes M] [--campaign NAME ...] [--seed N] [--jobs N] [--folder F]``.

Each campaign runs in a process of its own, in rounds, until its minutes are over: an input that takes the process with it or
never ends is a failure like any other, and the campaign goes on. Counts lie in ``progress.json`` of the folder and add up over runs
with the same folder; ``--report`` prints them and tries nothing.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any

from bench.fuzz_campaign import ROOT
from bench.fuzz_running import CURRENT, ENGINE, TALLY
from bench.fuzz_watching import Current

NAMES = ("queries", "formats", "requests", "messages", "imports", "damage")
# A round: long enough that starting costs little, short enough that every campaign has had its turn after half an hour.
_ROUND_SECONDS = 300.0
# An input that takes longer is taken for one that never ends; the machine may have others to work for.
_STUCK_SECONDS = 120.0
# To load everything with every branch of it counted, on a machine where others come first.
_START_SECONDS = 600.0
_LOOK_SECONDS = 0.5
_FOUND = re.compile(rb"cov: (\d+) ft: (\d+) corp: (\d+)")
PROGRESS = "progress.json"


class Progress:
    """The counts of all campaigns, kept in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self.campaigns: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def add(self, name: str, tally: dict[str, Any], branches: int, paths: int) -> None:
        with self._lock:
            own = self.campaigns.setdefault(
                name, {"inputs": 0, "cpu": 0.0, "slowest": 0.0, "growth": 0, "branches": 0, "paths": 0, "failures": {}}
            )
            own["inputs"] += tally["inputs"]
            own["cpu"] = round(own["cpu"] + tally["cpu"], 1)
            own["slowest"] = max(own["slowest"], tally["slowest"])
            own["growth"] = max(own["growth"], tally["growth"])
            own["branches"], own["paths"] = max(own["branches"], branches), max(own["paths"], paths)
            for where, failure in tally["failures"].items():
                known = own["failures"].setdefault(where, {**failure, "count": 0})
                known["count"] += failure["count"]
            part = self._path.with_suffix(".part")
            part.write_text(json.dumps(self.campaigns, indent=1), encoding="utf-8")
            os.replace(part, self._path)


def run(names: Sequence[str], folder: Path, *, minutes: float, seed: int, jobs: int, blind: bool) -> Progress:
    """Every campaign for so many minutes, in turns."""
    folder.mkdir(parents=True, exist_ok=True)
    progress = Progress(folder / PROGRESS)
    turns = list(_turns(names, minutes * 60))
    with ThreadPoolExecutor(jobs) as pool:
        for number, (name, seconds) in enumerate(turns):
            pool.submit(_turn, name, folder, seconds, seed + number, progress, blind)
    return progress


def _turns(names: Sequence[str], seconds: float) -> Iterator[tuple[str, float]]:
    left = seconds
    while left > 0:
        for name in names:
            yield name, min(left, _ROUND_SECONDS)
        left -= _ROUND_SECONDS


def _turn(name: str, folder: Path, seconds: float, seed: int, progress: Progress, blind: bool) -> None:
    """One campaign until its turn is over, however often its process ends before."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 1:
        own = folder / f"{name}-{seed}"
        own.mkdir(parents=True, exist_ok=True)
        for old in (TALLY, CURRENT, ENGINE):
            (own / old).unlink(missing_ok=True)
        corpus = folder / f"{name}-corpus"
        corpus.mkdir(exist_ok=True)
        if not (own / "corpus").exists():
            (own / "corpus").symlink_to(corpus)
        why = _watched(name, own, left, seed, blind)
        branches, paths = _reached(own / ENGINE)
        progress.add(name, _tally(own, why), branches, paths)
        seed += 1_000_000


def _watched(name: str, own: Path, seconds: float, seed: int, blind: bool) -> str:
    """Why the process ended before its time; empty if it did not."""
    command = [sys.executable, "-m", "bench.fuzz_running", name, str(own), str(seconds), str(seed), *(["--blind"] if blind else [])]
    paths = os.pathsep.join(filter(None, (str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", ""))))
    with (own / ENGINE).open("wb") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, "PYTHONPATH": paths}, stdout=log, stderr=log, start_new_session=True
        )
        number, since = -1, time.monotonic()
        while process.poll() is None:
            time.sleep(_LOOK_SECONDS)
            now = _number(own)
            if now != number:
                number, since = now, time.monotonic()
            elif time.monotonic() - since > (_STUCK_SECONDS if number > 0 else _START_SECONDS):
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return "an input that does not end" if number > 0 else "it does not start"
    if process.returncode == 0:
        return ""
    return f"the process ended with {_named(process.returncode)}"


def _number(own: Path) -> int:
    if not (own / CURRENT).exists():
        return 0
    current = Current(own / CURRENT)
    number, _ = current.read()
    current.close()
    return number


def _tally(own: Path, why: str) -> dict[str, Any]:
    written = own / TALLY
    tally: dict[str, Any] = {"inputs": 0, "cpu": 0.0, "slowest": 0.0, "growth": 0, "failures": {}}
    if written.exists():
        tally |= json.loads(written.read_text(encoding="utf-8"))
    if why:
        file = own / f"ended-{tally['inputs']}"
        if (own / CURRENT).exists():
            current = Current(own / CURRENT)
            file.write_bytes(current.read()[1])
            current.close()
        tally["failures"][why] = {"what": why, "where": why, "count": 1, "file": str(file)}
    return tally


def _reached(log: Path) -> tuple[int, int]:
    """How many branches were reached, and how many inputs were kept because each went another way through them."""
    found = _FOUND.findall(log.read_bytes()) if log.exists() else []
    return (int(found[-1][0]), int(found[-1][2])) if found else (0, 0)


def _named(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"code {code}"


def table(progress: Progress) -> str:
    rows = [("campaign", "inputs", "CPU min", "branches", "paths", "slowest ms", "growth MB", "failures")]
    for name in [*(name for name in NAMES if name in progress.campaigns), *(set(progress.campaigns) - set(NAMES))]:
        own = progress.campaigns[name]
        rows.append(
            (
                name,
                f"{own['inputs']:,}",
                f"{own['cpu'] / 60:.1f}",
                f"{own['branches']:,}" if own["branches"] else "–",
                f"{own['paths']:,}" if own["paths"] else "–",
                f"{own['slowest'] * 1000:.0f}",
                f"{own['growth'] / (1 << 20):.0f}",
                str(len(own["failures"])),
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width) for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    for name, own in progress.campaigns.items():
        lines += [
            f"{name}: {item['what']} ({where}), {item['count']} times, first in {item['file']}"
            for where, item in own["failures"].items()
        ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.fuzzing", description="Tries bad input of every kind.")
    parser.add_argument("--minutes", type=float, default=1.0, help="for each campaign")
    parser.add_argument("--campaign", nargs="+", choices=NAMES, default=list(NAMES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="campaigns at once")
    parser.add_argument("--folder", type=Path, help="where counts, corpora and failing inputs are kept")
    parser.add_argument("--blind", action="store_true", help="without atheris, also where it is installed")
    parser.add_argument("--report", action="store_true", help="print the counts of the folder and try nothing")
    asked = parser.parse_args()
    folder = (asked.folder or Path(tempfile.mkdtemp(prefix="dowse-fuzzing-"))).resolve()
    if asked.report:
        progress = Progress(folder / PROGRESS)
    else:
        progress = run(asked.campaign, folder, minutes=asked.minutes, seed=asked.seed, jobs=asked.jobs, blind=asked.blind)
    print(table(progress))
    return 1 if any(own["failures"] for own in progress.campaigns.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
