"""What else happens to a workspace while endurance is measured? Files change, and commands index, import, delete and back up."""

import http.client
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from bench.endur_files import Project, words

# Records in one import, and how many imports' records are there at a time: each takes those of an earlier one away.
BATCH, KEPT = 100, 5
# What the chores leave behind, each a steady number.
ERRANDS = 30
_BEACONS = 200
# The exit code of a command that is told that another is indexing.
_TOLD_TO_WAIT = 4
# Seconds a change of a file may take to be found by whoever asks the server.
_SEEN_WITHIN = 120.0
# Of what a command complains of, the end says what it was.
_TOLD = 600


class Chores:
    """Threads that each do one thing again and again, until told to stop. What went wrong is in ``errors``."""

    def __init__(self, workspace: Path, project: Project, folder: Path, pace: float) -> None:
        """``pace``: seconds between two backups; everything else has a pace of its own."""
        self.errors: list[str] = []
        self.counts: Counter[str] = Counter()
        self.seen_after: list[float] = []
        self.backup: dict[str, Any] = {}
        self.port = 0
        self._workspace, self._project, self._folder = workspace, project, folder
        self._stop = threading.Event()
        self._rng = random.Random(1)
        self._threads = [
            threading.Thread(target=self._repeat, args=(chore, seconds))
            for chore, seconds in (
                (self._work, 2.0),
                (self._beacon, 10.0),
                (self._import, 10.0),
                (self._errand, 20.0),
                (self._index, 40.0),
                (self._back_up, pace),
            )
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def dowse(self, *arguments: str) -> Any:
        """What a command answers, in a process of its own; None if it failed, which is an error."""
        return self.dowse_in(self._workspace, *arguments)

    def dowse_in(self, workspace: Path, *arguments: str) -> Any:
        """The same for another workspace."""
        done = self._run(workspace, *arguments)
        if done.returncode or "Traceback" in done.stderr:
            self.errors.append(f"dowse {' '.join(arguments)}: exit {done.returncode}, {done.stderr.strip()[-_TOLD:]}")
            return None
        return json.loads(done.stdout)

    def _run(self, workspace: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "dowse", *arguments, "--json", "--workspace", str(workspace)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def _repeat(self, chore: Callable[[int], None], seconds: float) -> None:
        number = 0
        while not self._stop.wait(seconds):
            try:
                chore(number)
            except Exception as error:  # noqa: BLE001 - a thread that ends would look like one with nothing to complain of
                self.errors.append(f"{chore.__name__}: {error!r}")
            number += 1

    def _work(self, _: int) -> None:
        self.counts[f"files: {self._project.work()}"] += 1

    def _beacon(self, number: int) -> None:
        """A file says something new; how long until the server, which is another process than the watcher, finds it?"""
        word = f"beacon{number % _BEACONS}"
        (self._project.root / "beacon.md").write_text(f"# The light\n\nIt says {word} now.\n")
        start = time.monotonic()
        while not self._ask("GET", f"search?{urlencode({'query': word, 'mode': 'keyword'})}")["hits"]:
            if time.monotonic() - start > _SEEN_WITHIN:
                self.errors.append(f"{word} was not found within {_SEEN_WITHIN:.0f} seconds")
                return
            time.sleep(0.1)
        self.seen_after.append(time.monotonic() - start)
        self.counts["edits followed until found"] += 1

    def _import(self, number: int) -> None:
        rng = random.Random(number)
        lines: list[dict[str, Any]] = [
            {
                "kind": "knowledge",
                "key": f"note-{number}-{at}",
                "title": " ".join(words(rng, 3)),
                "content": " ".join(words(rng, 80)),
                "updated": 1_750_000_000 + number,
            }
            for at in range(BATCH)
        ]
        if number >= KEPT:
            lines += [{"type": "delete", "key": f"note-{number - KEPT}-{at}", "purge": True} for at in range(BATCH)]
        path = self._folder / "batch.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        if self.dowse("import", str(path)) is not None:
            self.counts["imports"] += 1

    def _errand(self, number: int) -> None:
        """Written through the server; deleted for good, or deleted and brought back, from the command line."""
        key = f"errand-{number % ERRANDS}"
        made = {"kind": "knowledge", "key": key, "title": f"Errand {number}", "set": {"content": " ".join(words(self._rng, 40))}}
        self._ask("POST", "put", made)
        steps = [("delete", key, "--purge")] if number % 2 else [("delete", key), ("restore", key)]
        if None not in [self.dowse(*step) for step in steps]:
            self.counts["deletions"] += 1

    def _index(self, _: int) -> None:
        """While the watcher reads, a command is told so, which is as right an answer as doing it."""
        done = self._run(self._workspace, "index", str(self._project.root))
        if done.returncode == _TOLD_TO_WAIT and "is indexing" in done.stderr and "Traceback" not in done.stderr:
            self.counts["indexes told that the watcher is at it"] += 1
        elif done.returncode or "Traceback" in done.stderr:
            self.errors.append(f"dowse index: exit {done.returncode}, {done.stderr.strip()[-_TOLD:]}")
        else:
            self.counts["indexes"] += 1

    def _back_up(self, number: int) -> None:
        path = self._folder / f"backup-{number}.dowse"
        done = self.dowse("backup", str(path))
        if done is not None:
            self.counts["backups"] += 1
            Path(self.backup.get("path", path.with_suffix(".none"))).unlink(missing_ok=True)
            self.backup = done

    def _ask(self, method: str, address: str, body: dict[str, Any] | None = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_SEEN_WITHIN)
        try:
            headers = {"Content-Type": "application/json"} if body else {}
            connection.request(method, f"/api/{address}", json.dumps(body) if body else None, headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        if not 200 <= answer.status < 300:
            raise RuntimeError(f"{answer.status} to {method} {address}: {content[:300]!r}")
        return json.loads(content)
