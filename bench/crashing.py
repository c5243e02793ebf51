"""Does a workspace survive whatever it is doing being killed? ``python -m bench.crashing KILLS [SEED]``.

A process does one thing after the other and is killed (SIGKILL) at a random moment, or at a random write to the disk. After each
kill the workspace is opened: every check is clean, everything that was told done is there, no batch is there in part, and the
index is what a rebuild makes. The commits a killed process made stay in the system's cache, so this says nothing of a power cut.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

import dowse
from bench.crash_jobs import BATCH, FILES, JOBS, Place, prepare, searches
from dowse.app.workspace import Workspace
from dowse.engines.sqlite import lanes
from dowse.engines.sqlite.backing_up import verified
from dowse.engines.sqlite.driver import connect
from dowse.model.record import Record

# Kills after which a fresh workspace is begun, so that none grows for ever.
_FRESH = 40
# A job that was not killed by then is over, or stuck.
_LONGEST = 60.0
# More than any job writes: none is killed there.
_NEVER = 1 << 40


@dataclass(slots=True)
class _Extent:
    """How long a job takes and how often it writes, so that kills fall inside of it, early and late ones alike."""

    seconds: float
    writes: int

    def learn(self, *, killed: bool, at_write: int | None, moment: float, took: float, wrote: int) -> None:
        if at_write is not None:
            self.writes = max(self.writes, 2 * at_write) if killed else max(wrote, 1)
        else:
            self.seconds = max(self.seconds, 1.5 * moment) if killed else 0.8 * took


def run(kills: int, seed: int, folder: Path, tell: Callable[[str], None] = lambda _: None) -> dict[str, int]:
    """How often each job was killed, and what was looked at; raises if anything was not as it must be."""
    counts: Counter[str] = Counter()
    rng = random.Random(seed)
    place = Place(folder / "first")
    prepare(place)
    # Once to its end each: how fast the machine is decides where a kill falls.
    extents = {name: _seen(place, name, rng.randrange(1 << 40)) for name in JOBS}
    counts.update(_verified(place))
    names = list(JOBS)
    while counts["killed"] < kills:
        tried = counts["tried"]
        if tried % _FRESH == 0:
            shutil.rmtree(place.folder, ignore_errors=True)
            place = Place(folder / str(tried))
            prepare(place)
        name = names[tried % len(names)]
        own = rng.randrange(1 << 40)
        extent = extents[name]
        at_write = rng.randint(1, extent.writes) if rng.random() < 0.5 else None
        moment = rng.uniform(0.0, extent.seconds)
        began = time.perf_counter()
        killed = _killed(place, name, own, at_write, moment)
        extent.learn(killed=killed, at_write=at_write, moment=moment, took=time.perf_counter() - began, wrote=_wrote(place))
        counts["tried"] += 1
        counts["killed"] += killed
        counts[f"killed in {name}"] += killed
        try:
            counts.update(_verified(place))
        except Exception as error:
            where = f"job {name}, seed {own}, write {at_write}, moment {moment:.3f}, in {place.folder}"
            raise AssertionError(f"after kill {counts['killed']} ({where}): {error}") from error
        tell(f"{counts['killed']}/{kills} {name}")
    return dict(sorted(counts.items()))


def _seen(place: Place, name: str, seed: int) -> _Extent:
    began = time.perf_counter()
    if _killed(place, name, seed, _NEVER, 0.0):
        raise AssertionError(f"the job {name} does not end")
    return _Extent(time.perf_counter() - began, max(_wrote(place), 1))


def _killed(place: Place, name: str, seed: int, at_write: int | None, moment: float) -> bool:
    """Does a job in a process of its own and kills it; false if it was done before."""
    process = os.fork()
    if process == 0:
        code = 1
        try:
            vfs = KillingVFS(at_write) if at_write is not None else None
            JOBS[name](place, random.Random(seed))
            (place.folder / "wrote").write_text(str(vfs.count_so_far if vfs is not None else 0))
            code = 0
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            # No cleaning up of what belongs to the process this one is a copy of.
            os._exit(code)
    end = time.perf_counter() + (_LONGEST if at_write is not None else moment)
    while True:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            break
        if time.perf_counter() >= end:
            os.kill(process, signal.SIGKILL)
            _, status = os.waitpid(process, 0)
            break
        time.sleep(0.001)
    if os.WIFSIGNALED(status):
        return True
    if os.WEXITSTATUS(status) != 0:
        raise AssertionError(f"the job {name} failed by itself")
    return False


class KillingVFS(apsw.VFS):
    """Every file of SQLite passes here; at one of its writes the process is killed."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.count_so_far = 0
        # The one that was the default until now.
        self.below = apsw.vfs_names()[0]
        super().__init__("killing", self.below, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> "KillingFile":  # noqa: N802 - SQLite's name
        return KillingFile(name, flags, self)

    def count(self) -> None:
        self.count_so_far += 1
        if self.count_so_far >= self.at:
            os.kill(os.getpid(), signal.SIGKILL)


class KillingFile(apsw.VFSFile):
    def __init__(self, name: Any, flags: list[int], vfs: KillingVFS) -> None:
        self.vfs = vfs
        super().__init__(vfs.below, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self.vfs.count()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self.vfs.count()
        super().xSync(flags)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self.vfs.count()
        super().xTruncate(newsize)


def _verified(place: Place) -> Counter[str]:
    told = [json.loads(line) for line in place.told.read_text().splitlines()] if place.told.exists() else []
    with dowse.open(place.workspace) as workspace:
        _expect_well(workspace)
        looked = _expect_told(place, workspace, told)
        before, answers = _lanes(place), searches(workspace)
        workspace.reindex()
        _expect(_lanes(place) == before, "the index is not what a rebuild makes")
        _expect(searches(workspace) == answers, "a rebuild changed what searches answer")
        _expect_well(workspace)
    _expect_backups(place, told)
    return looked


def _expect_well(workspace: Workspace) -> None:
    faults = [finding for finding in workspace.doctor() if not finding.ok]
    _expect(not faults, f"the doctor found {faults}")


def _expect_told(place: Place, workspace: Workspace, told: list[dict[str, Any]]) -> Counter[str]:
    """Everything that was told done is there; of what was begun last, all or nothing."""
    with workspace.embedding.view() as view:
        records = {item.key: item for item in view.scan() if isinstance(item, Record)}
    batches = Counter(key.rpartition("-")[0] for key in records if key.startswith("batch-"))
    _expect(set(batches.values()) <= {BATCH}, f"a batch is there in part: {batches}")
    state: dict[Any, tuple[str, Any]] = {}
    for line in told:
        event = line.get("done") or line["begun"]
        subject = line.get("number", line.get("key", event))
        state[subject] = ("done" if "done" in line else "begun", line)
    for subject, (how, line) in state.items():
        if how != "done":
            continue
        match line["done"]:
            case "batch":
                _expect(f"batch-{subject}" in batches, f"batch {subject} is lost")
            case "gone":
                _expect(f"batch-{subject}" not in batches, f"batch {subject} came back")
            case "update":
                _expect(records[subject].title == f"Seed {line['step']}", f"the update of {subject} is lost")
            case "lines":
                _expect(all(f"line-{number}" in records for number in range(line["lines"])), "imported lines are lost")
            case "index":
                texts = " ".join(text for record in records.values() for text in record.fields.values())
                kept = [number for number in line["files"] if _step(place, number) == line["step"]]
                _expect(not kept or f"step{line['step']} " in texts, "a file that was read is lost")
    # Whoever reads the project next brings it up to date, wherever the one before was stopped.
    workspace.index(place.project, space="project", jobs=1)
    for number in range(FILES):
        found = workspace.search(f"step{_step(place, number)}", mode="keyword", limit=1).total
        _expect(found > 0, f"file {number} is not found after another look at the project")
    return Counter({"told done and there": sum(how == "done" for how, _ in state.values()), "records looked at": len(records)})


def _lanes(place: Place) -> list[Any]:
    """The whole index: every place of every word, and every row of the columns but when it was written."""
    connection = connect(str(place.workspace))
    current = lanes.current(connection)
    assert current is not None
    every = [
        sorted(connection.execute(f"select term, doc, col, offset from {source.instances}"))
        for source in (*current.text, *current.names)
    ]
    columns = [data.rstrip(b"\0") for (data,) in connection.execute(f"select data from {current.columns} order by id")]
    connection.close()
    return [*every, [data for data in columns if data]]


def _expect_backups(place: Place, told: list[dict[str, Any]]) -> None:
    """A backup has its name only when it is whole."""
    digests = {line["path"]: line["digest"] for line in told if line.get("done") == "backup"}
    for path in place.folder.glob("backup-*.dowse"):
        _expect(verified(path).digest == digests.get(str(path), verified(path).digest), f"{path} is another backup than was told")
        path.unlink()
    for left in (*place.folder.glob("*.before-restore*"), *place.folder.glob("*.part*")):
        left.unlink(missing_ok=True)
    kept = [line for line in told if line.get("done") != "backup"]
    place.told.write_text("".join(json.dumps(line) + "\n" for line in kept))


def _expect(fact: bool, message: str) -> None:
    if not fact:
        raise AssertionError(message)


def _wrote(place: Place) -> int:
    """How often the last job wrote that was not killed."""
    noted = place.folder / "wrote"
    # It may have been killed at this very note.
    return int((noted.read_text() if noted.exists() else "") or 0)


def _step(place: Place, number: int) -> int:
    return int((place.project / f"file{number}.md").read_text().partition("step")[2].partition(" ")[0])


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.crashing", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kills", type=int, help="how often; a hundred take some minutes")
    parser.add_argument("seed", type=int, nargs="?", default=1, help="another one kills at other moments (default 1)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dowse-crashing-") as made:
        done = run(options.kills, options.seed, Path(made), lambda text: print(text, file=sys.stderr))
    print(json.dumps(done, indent=2))


if __name__ == "__main__":
    main()
