"""Is a workspace after long use what it should be? Checks, the index against a rebuild, and a backup that comes back the same."""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import dowse
from bench.endur_chores import BATCH, ERRANDS, KEPT, Chores
from bench.endur_files import Project
from dowse.engines.sqlite import lanes
from dowse.engines.sqlite.driver import connect, value

Tell = Callable[[str], None]


def prove(workspace: Path, project: Project, chores: Chores, tell: Tell) -> None:
    """Adds to the errors of the chores whatever is not as it must be."""
    for name, fault in _findings(workspace, project, chores):
        tell(f"{name}: {'as it must be' if fault is None else fault}")
        if fault is not None:
            chores.errors.append(f"{name}: {fault}")


def _findings(workspace: Path, project: Project, chores: Chores) -> Iterator[tuple[str, str | None]]:
    done = chores.dowse("index", str(project.root))
    # The beacon is a file too.
    yield "files known after a last look", _differs(done and done["files"], project.files + 1)
    yield "what imports and errands left", _differs(_left(workspace), _expected(chores))
    found = chores.dowse("doctor")
    yield "doctor", _differs([item for item in found or () if not item["ok"]], [])
    before = index_digest(workspace)
    with dowse.open(workspace) as opened:
        opened.reindex()
    yield "the index beside a rebuild of it", _differs(before, index_digest(workspace))
    yield from _restored(workspace, chores)


def _restored(workspace: Path, chores: Chores) -> Iterator[tuple[str, str | None]]:
    """The last backup of the run is whole, and one of now comes back the same."""
    if chores.backup:
        again = workspace.with_name("earlier.dowse")
        restored = chores.dowse_in(again, "restore-backup", str(chores.backup["path"]))
        yield "the last backup of the run, restored", _differs(restored and restored["digest"], chores.backup["digest"])
    made = chores.dowse("backup", str(workspace.with_name("last.dowse")))
    restored = chores.dowse_in(workspace.with_name("again.dowse"), "restore-backup", str(made["path"]))
    yield "a backup of the end, restored", _differs(restored and restored["digest"], made["digest"])
    found = chores.dowse_in(workspace.with_name("again.dowse"), "doctor")
    yield "doctor of what was restored", _differs([item for item in found or () if not item["ok"]], [])


def index_digest(workspace: Path) -> str:
    """Of every place of every word, and of the columns but when each was written. As a digest: an index can be large."""
    whole = hashlib.sha256()
    with closing(connect(str(workspace), read_only=True)) as connection:
        current = lanes.current(connection)
        assert current is not None
        for source in (*current.text, *current.names):
            # The view of a table's words gives them in their order, and the places of each in theirs.
            for row in connection.execute(f"select term, doc, col, offset from {source.instances}"):
                whole.update(repr(row).encode())
        for number, data in connection.execute(f"select id, data from {current.columns} order by id"):
            if data.strip(b"\0"):
                whole.update(repr((number, data)).encode())
    return whole.hexdigest()


def _left(workspace: Path) -> dict[str, int]:
    with closing(connect(str(workspace), read_only=True)) as connection:
        return {
            name: value(connection, "select count(*) from record where key glob ? and not deleted", (f"{name}-*",))
            for name in ("note", "errand")
        }


def _expected(chores: Chores) -> dict[str, int]:
    # Every other errand is deleted for good, and those are the same ones each time round.
    errands = min(chores.counts["deletions"], ERRANDS)
    return {"note": min(chores.counts["imports"], KEPT) * BATCH, "errand": (errands + 1) // 2}


def _differs(found: Any, wanted: Any) -> str | None:
    return None if found == wanted else f"{json.dumps(found)[:500]} instead of {json.dumps(wanted)[:500]}"
