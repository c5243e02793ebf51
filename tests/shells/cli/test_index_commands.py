"""Projects on the command line: what is made, what is said and where, and how it ends."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import pytest
from running_cli import Cli, on_terminal, start

from dowse.app.locking import alone
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.model.run import Summary
from dowse.shells.cli.watching import watch

# Far longer than any of it takes: a test that waits so long has failed.
PATIENCE = 60
LONG_AGO = 1_000_000_000


@pytest.fixture
def marsh(tmp_path: Path) -> Path:
    """A project in which nothing has happened for years."""
    root = tmp_path / "saltmarsh"
    (root / "src").mkdir(parents=True)
    (root / "reed.md").write_text("# Bittern\n\nA heron that booms.\n")
    (root / "src/tides.py").write_text("def tide_at(hour: int) -> int:\n    return hour\n")
    for place in (*root.rglob("*"), root):
        os.utime(place, (LONG_AGO, LONG_AGO))
    return root


@pytest.fixture
def indexed(cli: Cli, marsh: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project with a workspace of its own; the test stands in it."""
    assert cli("index", "saltmarsh").code == 0
    monkeypatch.chdir(marsh)
    return marsh


class TestIndexing:
    @pytest.mark.usefixtures("marsh")
    def test_a_folder_gets_a_workspace_of_its_own_and_can_be_searched(self, cli: Cli, tmp_path: Path) -> None:
        ran = cli("index", "saltmarsh")
        assert ran.code == 0
        assert "made a new workspace at saltmarsh/.dowse/workspace.dowse" in ran.err
        assert (tmp_path / "saltmarsh/.dowse/.gitignore").read_text() == "*\n"
        assert not (tmp_path / ".dowse").exists()
        assert "saltmarsh:src/tides.py#tide_at" in cli("search", "tide_at", "--project", "saltmarsh").out

    @pytest.mark.usefixtures("indexed")
    def test_a_script_is_told_the_lines_of_what_was_found(self, cli: Cli) -> None:
        (hit,) = cli("search", "tide_at", "--kind", "symbol", "--json").json["hits"]
        assert (hit["path"], hit["line"], hit["lineEnd"]) == ("src/tides.py", 1, 2)

    @pytest.mark.usefixtures("marsh")
    def test_counts_are_on_stdout_and_progress_is_on_stderr(self, cli: Cli) -> None:
        ran = cli("index", "saltmarsh")
        assert ran.out.startswith("saltmarsh: 2 added; 4 records changed; ")
        assert "100% of 78 bytes: 2 of 2 files" in ran.err
        again = cli("index", "saltmarsh")
        assert again.out.startswith("saltmarsh: 2 unchanged; 0 records changed; ")
        assert "%" not in again.err

    @pytest.mark.usefixtures("marsh")
    def test_as_json_there_is_one_object_with_every_count(self, cli: Cli, marsh: Path) -> None:
        (marsh / "self").symlink_to("self")
        told = cli("index", "saltmarsh", "--json").json
        assert (told["space"], told["root"], told["files"], told["added"], told["dryRun"]) == ("saltmarsh", str(marsh), 2, 2, False)
        assert told["leftOut"] == [{"path": "self", "text": "symlink loop: leads to itself"}]
        assert told["problems"] == []

    def test_what_is_wrong_with_a_file_is_told_once_with_its_name(self, cli: Cli, marsh: Path) -> None:
        (marsh / "bad.md").write_text("---\ntitle: [\n---\n# Knot\n")
        ran = cli("index", "saltmarsh")
        assert ran.code == 0
        (line,) = [line for line in ran.out.splitlines() if line.startswith("problem")]
        assert line.startswith("problem  bad.md  the front matter cannot be read")

    def test_a_dry_run_says_what_would_be_done_and_leaves_nothing(self, cli: Cli, marsh: Path) -> None:
        ran = cli("index", "saltmarsh", "--dry-run")
        assert (ran.code, ran.out.startswith("saltmarsh: 2 added; 4 records would be changed; ")) == (0, True)
        assert "made a new workspace" not in ran.err
        assert sorted(path.name for path in marsh.iterdir()) == ["reed.md", "src"]
        named = cli("--workspace", "new.dowse", "index", "saltmarsh", "--dry-run")
        assert named.code == 0
        assert not Path("new.dowse").exists()

    def test_a_dry_run_over_a_known_project_tells_only_what_changed(self, cli: Cli, indexed: Path) -> None:
        (indexed / "reed.md").write_text("# Sandpiper\n")
        assert cli("index", "--dry-run").out.startswith("saltmarsh: 1 changed, 1 unchanged; ")
        assert cli("search", "sandpiper", "--json").json["total"] == 0

    def test_the_current_folder_is_the_default_and_one_inside_means_the_project(
        self, cli: Cli, indexed: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert cli("index").out.startswith("saltmarsh: 2 unchanged")
        monkeypatch.chdir(indexed / "src")
        assert cli("index").out.startswith("saltmarsh: 2 unchanged")
        assert not (indexed / "src/.dowse").exists()

    def test_files_can_be_left_out_by_pattern(self, cli: Cli, indexed: Path) -> None:
        assert cli("index", "--exclude", "*.md", "--json").json["gone"] == 1
        assert cli("index", "--json").json["files"] == 1
        assert indexed.exists()

    @pytest.mark.parametrize("arguments", [("nowhere",), ("file.txt",)])
    def test_what_is_no_folder_is_refused_and_nothing_is_made(self, cli: Cli, tmp_path: Path, arguments: tuple[str]) -> None:
        (tmp_path / "file.txt").write_text("x")
        ran = cli("index", *arguments)
        assert (ran.code, ran.out, ran.err) == (3, "", f"dowse: There is no folder {arguments[0]}.\n")
        assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]

    @pytest.mark.usefixtures("indexed")
    def test_wrong_requests_have_their_exit_codes(self, cli: Cli) -> None:
        assert cli("index", "--space", "a:b", "src").code == 2
        assert cli("index", "--jobs", "0").code == 2
        assert cli("index", "--space", "other").code == 4

    def test_while_another_process_indexes_it_is_told_which_and_searching_goes_on(self, cli: Cli, indexed: Path) -> None:
        with alone(indexed / ".dowse/workspace.dowse"):
            ran = cli("index")
            assert (ran.code, f"Another dowse (process {os.getpid()}) is indexing" in ran.err) == (4, True)
            assert "saltmarsh:reed.md" in cli("search", "bittern").out

    def test_errors_are_json_when_asked_for(self, cli: Cli) -> None:
        assert '"code": "not_found"' in cli("index", "nowhere", "--json").err

    @pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of Unix")
    @pytest.mark.usefixtures("marsh")
    def test_on_a_terminal_a_bar_shows_bytes_and_files(self) -> None:
        answer, shown = on_terminal("index", "saltmarsh", columns=160)
        assert answer.startswith("saltmarsh: 2 added")
        assert "2/2 files" in shown


class TestStaleness:
    def test_a_search_says_on_stderr_when_files_changed_since(self, cli: Cli, indexed: Path) -> None:
        assert "--fresh" not in cli("search", "bittern").err
        (indexed / "reed.md").write_text("# Sandpiper\n")
        ran = cli("search", "tide_at")
        assert "saltmarsh was indexed" in ran.err
        assert "1 of its files or folders changed: --fresh reads them first" in ran.err
        assert "indexed" not in ran.out

    def test_fresh_brings_the_answer_up_to_date(self, cli: Cli, indexed: Path) -> None:
        (indexed / "reed.md").write_text("# Sandpiper\n")
        assert cli("search", "sandpiper").out == ""
        ran = cli("search", "--fresh", "sandpiper")
        assert "saltmarsh:reed.md" in ran.out
        assert "--fresh" not in ran.err
        assert "--fresh" not in cli("search", "sandpiper").err

    def test_a_project_that_is_gone_is_told_and_still_searched(self, cli: Cli, marsh: Path, tmp_path: Path) -> None:
        cli("--workspace", "w.dowse", "index", "saltmarsh")
        marsh.rename(tmp_path / "elsewhere")
        ran = cli("--workspace", "w.dowse", "search", "--fresh", "bittern")
        assert ran.code == 0
        assert "saltmarsh:reed.md" in ran.out
        assert f"saltmarsh: its folder {marsh} is not there any more" in ran.err


class TestProjects:
    def test_projects_are_listed_with_their_folder_and_what_changed(self, cli: Cli, indexed: Path) -> None:
        (indexed / "reed.md").write_text("# Sandpiper\n")
        (listed,) = cli("projects", "--json").json
        assert (listed["space"], listed["root"], listed["changed"], listed["missing"]) == ("saltmarsh", str(indexed), 1, False)
        header, row = cli("projects").out.splitlines()
        assert header.split()[:2] == ["SPACE", "FOLDER"]
        assert row.split()[:2] == ["saltmarsh", str(indexed)]

    def test_without_projects_it_is_said_how_to_get_one(self, cli: Cli) -> None:
        cli("init")
        ran = cli("projects")
        assert (ran.code, ran.out) == (0, "")
        assert "dowse index" in ran.err

    @pytest.mark.usefixtures("indexed")
    def test_a_forgotten_project_is_found_no_more(self, cli: Cli) -> None:
        assert cli("forget", "saltmarsh").out == "files: 2\n"
        assert cli("search", "bittern").out == ""
        assert cli("projects", "--json").json == []

    @pytest.mark.usefixtures("indexed")
    def test_an_unknown_project_is_refused_with_those_there_are(self, cli: Cli) -> None:
        ran = cli("forget", "heath")
        assert (ran.code, "there are: saltmarsh" in ran.err) == (3, True)
        assert cli("forget").code == 2


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT is a thing of Unix")
class TestWatching:
    @pytest.fixture
    def watching(self, marsh: Path) -> Iterator["subprocess.Popen[str]"]:
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with start("watch", str(marsh), **pipes) as process:
            yield process
            process.kill()

    def test_a_line_is_printed_when_a_file_is_edited_and_an_interrupt_ends_it_well(
        self, watching: "subprocess.Popen[str]", marsh: Path
    ) -> None:
        said, told = _lines(watching.stderr), _lines(watching.stdout)
        assert "made a new workspace" in said.get(timeout=PATIENCE)
        assert said.get(timeout=PATIENCE) == f"dowse: watching {marsh}; stop with Ctrl-C\n"
        (marsh / "reed.md").write_text("# Sandpiper\n")
        assert told.get(timeout=PATIENCE).startswith("saltmarsh: 1 changed, 1 unchanged; ")
        watching.send_signal(signal.SIGINT)
        assert watching.wait(PATIENCE) == 0

    def test_after_a_watch_an_interrupt_means_what_it_meant_before(self, marsh: Path, tmp_path: Path) -> None:
        class Interrupted(Workspace):
            def watch(self, stop: threading.Event) -> Iterator[Summary]:
                signal.raise_signal(signal.SIGINT)
                return super().watch(stop)

        before = [signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM)]
        with Interrupted(SqliteEngine(tmp_path / "w.dowse", SCHEMA)) as workspace:
            assert watch(workspace, str(marsh), as_json=False) == 0
        assert [signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM)] == before

    def test_a_folder_that_is_not_there_is_refused(self, cli: Cli) -> None:
        assert cli("watch", "nowhere").code == 3


def _lines(stream: object) -> "Queue[str]":
    """What a process says, line by line, as it says it."""
    lines: Queue[str] = Queue()

    def read() -> None:
        for line in stream:  # type: ignore[attr-defined]
            lines.put(line)

    threading.Thread(target=read, daemon=True).start()
    return lines


def test_a_search_as_json_says_how_fresh_each_project_is(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "tide.py").write_text("def tide() -> None: ...\n")
    cli("index")
    (tmp_path / "tide.py").write_text("def tide() -> None: ...\n\n\ndef moon() -> None: ...\n")
    (told,) = cli("search", "tide", "--json").json["freshness"]
    assert (told["space"], told["changed"] > 0, told["missing"]) == (tmp_path.name, True, False)
