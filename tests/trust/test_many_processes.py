"""Many processes on one workspace: nothing written is lost, nobody reads a lock's error, and readers never wait for a writer."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import apsw
import pytest

import dowse
from dowse.errors import Busy, Conflict

SOURCE = Path(dowse.__file__).resolve().parents[1]

PREAMBLE = """
import json, sys
import dowse
from dowse.errors import Conflict, NotFound
path, own = sys.argv[1], sys.argv[2]
"""
COUNTING = """
with dowse.open(path) as workspace:
    added = 0
    while added < 15:
        seen = workspace.get("counter")
        try:
            workspace.put(kind="page", key="counter", title=str(int(seen.title) + 1), expected=seen.version)
            added += 1
        except Conflict:
            pass
print(json.dumps({"added": added}))
"""
WRITING = """
with dowse.open(path) as workspace:
    for number in range(15):
        workspace.put(kind="page", key=f"{own}-{number}", title="Tide", content=f"written by {own}")
print(json.dumps({"wrote": 15}))
"""
READING = """
seen = []
with dowse.open(path) as workspace:
    for _ in range(40):
        found = {record.key for record in workspace.list(limit=1000).records}
        assert set(seen) <= found
        seen = sorted(found)
        workspace.search("tide written")
print(json.dumps({"seen": len(seen)}))
"""
INDEXING = """
said = 0
with dowse.open(path) as workspace:
    for _ in range(5):
        try:
            workspace.index(sys.argv[3], space="project", jobs=1, afresh=True)
        except Conflict as error:
            assert "is indexing" in str(error)
            said += 1
print(json.dumps({"said": said}))
"""
CREATING = """
with dowse.open(path) as workspace:
    workspace.put(kind="page", key=own, title="First")
print(json.dumps({"made": own}))
"""


def start(code: str, *arguments: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-c", PREAMBLE + code, *arguments]
    return subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finished(processes: Sequence["subprocess.Popen[str]"]) -> list[dict[str, int]]:
    """What each printed; a traceback of any fails."""
    results = []
    for process in processes:
        out, error = process.communicate()
        assert process.returncode == 0, error
        results.append(json.loads(out))
    return results


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "test.dowse"
    with dowse.open(made) as workspace:
        workspace.put(kind="page", key="counter", title="0")
    return made


def test_no_update_is_lost_when_processes_count_together(path: Path) -> None:
    finished([start(COUNTING, str(path), str(number)) for number in range(3)])
    with dowse.open(path) as workspace:
        counted = workspace.get("counter")
        assert (counted.title, counted.version) == ("45", 46)
        assert all(finding.ok for finding in workspace.doctor())


def test_writers_readers_and_an_indexer_work_side_by_side(path: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for number in range(10):
        (project / f"note{number}.md").write_text(f"# Note {number}\n\nThe tide of day{number}.\n")
    writers = [start(WRITING, str(path), name) for name in ("one", "two")]
    others = [start(READING, str(path), "reader"), start(INDEXING, str(path), "indexer", str(project))]
    finished([*writers, *others])
    with dowse.open(path) as workspace:
        keys = {record.key for record in workspace.list(limit=1000).records}
        assert {f"{name}-{number}" for name in ("one", "two") for number in range(15)} <= keys
        assert workspace.search("day7").hits
        assert all(finding.ok for finding in workspace.doctor())


def test_two_indexers_of_one_project_take_turns_or_one_says_so(path: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for number in range(20):
        (project / f"note{number}.md").write_text(f"# Note {number}\n\nThe tide of day{number}.\n")
    finished([start(INDEXING, str(path), str(number), str(project)) for number in range(2)])
    with dowse.open(path) as workspace:
        workspace.index(project, space="project", jobs=1)
        assert all(workspace.search(f"day{number}").hits for number in range(20))
        assert all(finding.ok for finding in workspace.doctor())


def test_processes_that_make_the_same_workspace_at_once_make_one(tmp_path: Path) -> None:
    made = tmp_path / "new.dowse"
    finished([start(CREATING, str(made), f"first-{number}") for number in range(5)])
    with dowse.open(made) as workspace:
        assert {record.key for record in workspace.list().records} == {f"first-{number}" for number in range(5)}
        # The index was made once, and not by each of them anew.
        assert "lanes 1," in next(finding.detail for finding in workspace.doctor() if finding.name == "index")
        assert all(finding.ok for finding in workspace.doctor())


def test_readers_are_answered_while_a_long_write_is_under_way(path: Path) -> None:
    writer = apsw.Connection(str(path))
    writer.execute("begin immediate; update record set title = 'half-way' where key = 'counter'")
    try:
        with dowse.open(path) as workspace:
            assert workspace.get("counter").title == "0"
            assert workspace.search("counter").total >= 0
            assert all(finding.ok for finding in workspace.doctor())
            assert workspace.status().records == {"page": 1}
    finally:
        writer.execute("rollback")
        writer.close()


def test_a_writer_waits_for_another_and_then_goes_on(path: Path) -> None:
    writer = apsw.Connection(str(path))
    writer.execute("begin immediate")
    with dowse.open(path) as workspace:
        waiting = threading.Thread(target=lambda: workspace.put(kind="page", key="second", title="Second"))
        waiting.start()
        assert "second" not in {record.key for record in workspace.list().records}
        writer.execute("commit")
        writer.close()
        waiting.join()
        assert workspace.get("second").title == "Second"


def test_who_waited_too_long_is_told_so_in_our_words(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dowse.engines.sqlite.driver._BUSY_MILLISECONDS", 10)
    writer = apsw.Connection(str(path))
    writer.execute("begin immediate")
    try:
        with dowse.open(path, model="none") as workspace:
            with pytest.raises(Busy, match=r"is held by another process that has been writing for a long time. Try again"):
                workspace.put(kind="page", key="second", title="Second")
            assert workspace.get("counter").title == "0"
    finally:
        writer.close()


def test_of_two_who_change_the_same_version_the_second_is_told(path: Path) -> None:
    with dowse.open(path) as one, dowse.open(path) as other:
        seen = other.get("counter")
        one.update("counter", title="1")
        with pytest.raises(Conflict, match="someone else wrote it in between"):
            other.put(kind="page", key="counter", title="2", expected=seen.version)
        assert other.get("counter").title == "1"


def test_the_doctor_of_one_is_not_misled_by_what_others_have_written_since(path: Path) -> None:
    with dowse.open(path) as server, dowse.open(path) as other:
        for number in range(60):
            server.search("counter")
            other.put(kind="page", key=f"p{number}", title=f"Written meanwhile {number}")
            assert [finding for finding in server.doctor() if not finding.ok] == []
