"""What is a process doing when it is killed? Each job says what it begins and what it was told is done."""

import json
import os
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import apsw

import dowse
from dowse.app import transfer
from dowse.app.workspace import Workspace
from dowse.model.change import Delete, Link, Put
from dowse.model.record import Edge, Record

_WORDS = ("harbour", "tide", "gauge", "reed", "bittern", "lamp", "quay", "mooring", "sluice", "heron")
# Records of one batch: all of them are there, or none.
BATCH = 5
FILES = 12
# Lines of the file that is imported, and how many are committed at once: several commits, and still a small workspace.
_LINES, _AT_ONCE = 400, 60


@dataclass(frozen=True, slots=True)
class Place:
    """Where a killed process worked."""

    folder: Path

    @property
    def workspace(self) -> Path:
        return self.folder / "test.dowse"

    @property
    def project(self) -> Path:
        return self.folder / "project"

    @property
    def lines(self) -> Path:
        return self.folder / "lines.jsonl"

    @property
    def told(self) -> Path:
        return self.folder / "told.jsonl"

    def tell(self, **what: object) -> None:
        """One line, at once: it is there although the process is gone a moment later."""
        handle = os.open(self.told, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.write(handle, json.dumps(what).encode() + b"\n")
        os.close(handle)


Job = Callable[[Place, random.Random], None]


def prepare(place: Place) -> None:
    """A workspace with some records and a project, before the first kill."""
    place.project.mkdir(parents=True)
    with place.lines.open("w") as file:
        for number in range(_LINES):
            line = {"kind": "page", "key": f"line-{number}", "title": f"Line {number}", "content": f"gauge {number}"}
            file.write(json.dumps(line) + "\n")
    for number in range(FILES):
        _edit(place, number, 0)
    with dowse.open(place.workspace) as workspace:
        workspace.apply([Put(_record(f"seed-{number}", 0, random.Random(number))) for number in range(150)])
        workspace.index(place.project, space="project", jobs=1)


def write(place: Place, rng: random.Random) -> None:
    """Batches of records and edges, and records taken away again."""
    start = rng.randrange(1 << 40)
    with dowse.open(place.workspace) as workspace:
        for number in range(start, start + 25):
            keys = [f"batch-{number}-{part}" for part in range(BATCH)]
            place.tell(begun="batch", number=number)
            edges = [Link(Edge(one, other, "links_to")) for one, other in pairwise(keys)]
            workspace.apply([*(Put(_record(key, number, rng)) for key in keys), *edges])
            place.tell(done="batch", number=number)
            if rng.random() < 0.2:
                place.tell(begun="gone", number=number)
                workspace.apply([Delete(key, purge=True) for key in keys])
                place.tell(done="gone", number=number)


def update(place: Place, rng: random.Random) -> None:
    """One record after the other, each over the version that was read."""
    with dowse.open(place.workspace) as workspace:
        for _ in range(40):
            key, step = f"seed-{rng.randrange(150)}", rng.randrange(1 << 40)
            place.tell(begun="update", key=key, step=step)
            workspace.update(key, title=f"Seed {step}")
            place.tell(done="update", key=key, step=step)


def index(place: Place, rng: random.Random) -> None:
    """Files that change, and a look at them after each, as a watcher does."""
    with dowse.open(place.workspace) as workspace:
        for _ in range(6):
            chosen, step = rng.sample(range(FILES), 3), rng.randrange(1 << 40)
            for number in chosen:
                _edit(place, number, step)
            workspace.index(place.project, space="project", jobs=1)
            place.tell(done="index", files=chosen, step=step)


def watch(place: Place, rng: random.Random) -> None:
    """A watcher, and someone who goes on editing; whatever it says it has read is there."""
    stop = threading.Event()
    with dowse.open(place.workspace) as workspace:
        summaries = workspace.watch(stop)
        for _ in range(3):
            chosen, step = rng.sample(range(FILES), 3), rng.randrange(1 << 40)
            for number in chosen:
                _edit(place, number, step)
            next(summaries)
            place.tell(done="index", files=chosen, step=step)
        stop.set()


def import_lines(place: Place, rng: random.Random) -> None:
    transfer.BATCH = _AT_ONCE
    with dowse.open(place.workspace) as workspace:
        workspace.import_file(
            place.lines, report=lambda done: place.tell(done="lines", lines=done.lines), restart=rng.random() < 0.3
        )


def reindex(place: Place, _: random.Random) -> None:
    with dowse.open(place.workspace) as workspace:
        workspace.reindex()


def migrate(place: Place, _: random.Random) -> None:
    """As if the file were of an older version with another index; opening it brings it up to date."""
    connection = apsw.Connection(str(place.workspace))
    with connection:
        connection.execute("drop index if exists record_title")
        connection.execute("update meta set value = 'older' where name = 'fingerprint'")
        connection.pragma("user_version", 3)
    connection.close()
    dowse.open(place.workspace).close()


def vacuum(place: Place, _: random.Random) -> None:
    connection = apsw.Connection(str(place.workspace))
    connection.set_busy_timeout(30_000)
    connection.execute("vacuum")
    connection.execute("pragma wal_checkpoint(truncate)")
    connection.close()


def back_up(place: Place, rng: random.Random) -> None:
    target = place.folder / f"backup-{rng.randrange(1 << 40)}.dowse"
    with dowse.open(place.workspace) as workspace:
        made = workspace.backup(target)
    place.tell(done="backup", path=str(target), digest=made.digest)


def restore(place: Place, rng: random.Random) -> None:
    """What was told before stays true: the backup is of this very moment."""
    target = place.folder / f"backup-{rng.randrange(1 << 40)}.dowse"
    with dowse.open(place.workspace) as workspace:
        workspace.backup(target)
        workspace.restore_backup(target, force=True)


def embed(place: Place, _: random.Random) -> None:
    """All vectors go, and are made again."""
    with dowse.open(place.workspace) as workspace:
        workspace.use_model("none")
        workspace.use_model("static")
        workspace.embed()


JOBS: dict[str, Job] = {
    "write": write,
    "update": update,
    "index": index,
    "watch": watch,
    "import": import_lines,
    "reindex": reindex,
    "migrate": migrate,
    "vacuum": vacuum,
    "backup": back_up,
    "restore": restore,
    "embed": embed,
}


def text_of(number: int, step: int) -> str:
    return f"# File {number}\n\nWritten at step{step} beside the {_WORDS[number % len(_WORDS)]}.\n"


def searches(workspace: Workspace) -> list[tuple[str, ...]]:
    """What some questions are answered, best first."""
    asked = ("harbour tide", "gauge 7", "reed*", "seed", "written at the quay", "bittern lamp mooring")
    return [tuple(hit.record.key for hit in workspace.search(text, mode="keyword", limit=20).hits) for text in asked]


def _edit(place: Place, number: int, step: int) -> None:
    target = place.project / f"file{number}.md"
    spare = target.with_suffix(".tmp")
    spare.write_text(text_of(number, step))
    spare.replace(target)


def _record(key: str, number: int, rng: random.Random) -> Record:
    text = " ".join(rng.choices(_WORDS, k=30))
    return Record(key, "page", f"Batch {number}", {"content": text}, "docs", None, (f"t{number % 3}",), updated=float(number + 1))
