"""Is what is known of a project what its files say, whatever happened to them and in whatever order?"""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from indexed import edges, opened, records, run, state, write

from dowse.engines.sqlite.engine import SqliteEngine
from dowse.errors import StorageError
from dowse.model.change import Applied, Link
from dowse.model.record import Edge
from dowse.model.run import IndexProgress, Stage
from dowse.ports import Direction, Engine

PYTHON = "from lib.tides import tide_at\n\n\ndef sail() -> int:\n    return tide_at(3)\n"
TIDES = "def tide_at(hour: int) -> int:\n    return hour\n"
GUIDE = "# Sailing\n\nSee [the tides](../lib/tides.py) and `tide_at()`.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, {"app.py": PYTHON, "lib/tides.py": TIDES, "docs/guide.md": GUIDE})
    return tmp_path


def test_files_become_records_and_what_they_say_of_each_other_edges(root: Path) -> None:
    with opened() as engine:
        summary = run(engine, root)
        assert (summary.files, summary.added, summary.unchanged) == (3, 3, 0)
        assert {record.kind for record in records(engine).values()} == {"codefile", "symbol", "document", "section"}
        assert edges(engine) == {
            ("acme:app.py", "imports", "acme:lib/tides.py"),
            ("acme:app.py#sail", "calls", "acme:lib/tides.py#tide_at"),
            ("acme:docs/guide.md#sailing", "references", "acme:lib/tides.py"),
            ("acme:docs/guide.md#sailing", "documents", "acme:lib/tides.py#tide_at"),
        }


def test_nothing_is_read_again_when_nothing_changed(root: Path) -> None:
    # Of files that were written a moment ago nobody knows yet whether they will be written again.
    for path in root.rglob("*.*"):
        os.utime(path, (1e9, 1e9))
    with opened() as engine:
        run(engine, root)
        with engine.view() as view:
            before = view.generation
        summary = run(engine, root)
        with engine.view() as view:
            assert (summary.bytes, summary.unchanged, view.generation) == (0, 3, before)


def test_a_file_that_only_looks_changed_is_told_by_its_content(root: Path) -> None:
    with opened() as engine:
        run(engine, root)
        (root / "app.py").touch()
        summary = run(engine, root)
        assert (summary.unchanged, summary.changed, summary.records) == (3, 0, 0)


def test_an_edited_file_gives_its_new_records_and_loses_its_old_ones(root: Path) -> None:
    with opened() as engine:
        run(engine, root)
        write(root, {"app.py": "def anchor() -> None: ...\n"})
        assert run(engine, root).changed == 1
        assert "acme:app.py#anchor" in records(engine)
        assert "acme:app.py#sail" not in records(engine)
        assert ("acme:app.py", "imports", "acme:lib/tides.py") not in edges(engine)


def test_a_deleted_file_leaves_nothing_behind(root: Path) -> None:
    with opened() as engine:
        run(engine, root)
        (root / "lib/tides.py").unlink()
        assert run(engine, root).gone == 1
        assert not [key for key in records(engine) if "tides" in key]
        assert edges(engine) == set()


def test_a_moved_file_is_the_same_and_keeps_what_people_linked_to_it(root: Path) -> None:
    with opened() as engine:
        run(engine, root)
        engine.apply([Link(Edge("acme:app.py#sail", "acme:lib/tides.py#tide_at", "relates_to"))])
        with engine.view() as view:
            (before,) = view.handles(["acme:lib/tides.py#tide_at"])
        (root / "water").mkdir()
        (root / "lib/tides.py").rename(root / "water/tides.py")
        assert run(engine, root).moved == 1
        with engine.view() as view:
            assert view.handles(["acme:water/tides.py#tide_at"]) == [before]
            assert view.edges(["acme:app.py#sail"], Direction.OUTGOING, ("relates_to",)) == [
                Edge("acme:app.py#sail", "acme:water/tides.py#tide_at", "relates_to")
            ]
        assert "acme:lib/tides.py" not in records(engine)


def test_edges_that_people_made_outlive_an_edit(root: Path) -> None:
    with opened() as engine:
        run(engine, root)
        mine = Edge("acme:app.py#sail", "acme:docs/guide.md", "relates_to")
        engine.apply([Link(mine)])
        write(root, {"app.py": PYTHON + "\n# more\n"})
        run(engine, root)
        assert (mine.source, mine.kind, mine.target) in edges(engine)


def test_a_name_that_becomes_ambiguous_is_no_longer_an_edge(root: Path) -> None:
    with opened() as engine:
        run(engine, root)
        write(root, {"other/moon.py": "def tide_at() -> None: ...\n"})
        run(engine, root)
        # The caller imports one of the two, so it still knows; the document does not.
        assert ("acme:app.py#sail", "calls", "acme:lib/tides.py#tide_at") in edges(engine)
        assert not [edge for edge in edges(engine) if edge[1] == "documents"]


def test_a_dry_run_says_what_would_be_done_and_does_nothing(root: Path) -> None:
    with opened() as engine:
        summary = run(engine, root, dry_run=True)
        assert (summary.added, summary.dry_run, records(engine)) == (3, True, {})
        assert summary.records > 3


def test_everything_is_read_again_when_asked(root: Path) -> None:
    with opened() as engine:
        run(engine, root)
        summary = run(engine, root, afresh=True)
        assert (summary.changed, summary.records, summary.bytes > 0) == (3, 0, True)


def test_several_processes_give_what_one_gives(root: Path) -> None:
    write(root, {f"many/m{number}.py": TIDES.replace("tide_at", f"tide_{number}") for number in range(120)})
    with opened() as one, opened() as other:
        run(one, root, jobs=1)
        run(other, root, jobs=2)
        assert state(one) == state(other)


def test_progress_is_told_from_looking_to_done(root: Path) -> None:
    told: list[IndexProgress] = []
    with opened() as engine:
        run(engine, root, report=told.append)
    assert [told[0].stage, told[-1].stage] == [Stage.LOOKING, Stage.DONE]
    assert (told[-1].files, told[-1].files_total, told[-1].bytes) == (3, 3, told[-1].bytes_total)


class _Failing(SqliteEngine):
    """Stops working after some commits, as a process does that is stopped."""

    left = 10**9

    def apply(self, changes: object) -> Applied:
        self.left -= 1
        if self.left < 0:
            raise StorageError("stopped")
        return super().apply(changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("commits", range(1, 6))
def test_a_run_that_is_stopped_anywhere_goes_on_from_there(root: Path, commits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dowse.ingest.indexing._BATCH", 2)
    monkeypatch.setattr("dowse.ingest.indexing._SETTLED_AT_ONCE", 1)
    with opened() as fresh:
        run(fresh, root)
        engine = _Failing(":memory:", fresh._schema)  # type: ignore[attr-defined]
        engine.left = commits
        with pytest.raises(StorageError):
            run(engine, root)
        engine.left = 10**9
        run(engine, root)
        assert state(engine) == state(fresh)
        engine.close()


PATHS = ("a.py", "b.py", "lib/a.py", "lib/c.py", "docs/x.md", "docs/y.md", "arch/nodes.yaml", "arch/edges.yaml", "notes/z.txt")
NAMES = ("gull", "heron", "tern")


@st.composite
def contents(draw: st.DrawFn, path: str) -> str:
    """A file of the kind its name says, that refers to what others may define."""
    one, other = draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))
    target = draw(st.sampled_from(PATHS))
    if path.endswith(".py"):
        module = target.removesuffix(".py").replace("/", ".")
        return draw(
            st.sampled_from([
                f"import {module}\n\n\nclass {one.title()}({other.title()}):\n    def {one}(self):\n        return {other}()\n",
                f"def {one}():\n    '''Calls.'''\n    return {other}(1)\n",
                f"{one.upper()} = 1\n",
            ])
        )  # fmt: skip
    if path.endswith(".md"):
        return f"# {one.title()}\n\nSee [it](../{target}) and `{other}()`.\n\n- [ ] feed the {one}\n\n## More\n\n[[{other}]]\n"
    if path.endswith("nodes.yaml"):
        return f"nodes:\n- {{id: {one}, kind: service, summary: a bird}}\n- {{id: x-{other}, kind: service, summary: bird}}\n"
    if path.endswith("edges.yaml"):
        return f"nodes:\n- {{id: y, kind: service, summary: s}}\nedges:\n- {{from: {one}, to: {other}, kind: uses}}\n"
    return f"{one} and {other}"


operations = st.one_of(
    st.sampled_from(PATHS).flatmap(lambda path: st.tuples(st.just("write"), st.just(path), contents(path))),
    st.sampled_from(PATHS).flatmap(lambda path: st.tuples(st.just("write"), st.just(path), contents(path))),
    st.tuples(st.just("delete"), st.sampled_from(PATHS), st.just("")),
    st.tuples(st.just("move"), st.sampled_from(PATHS), st.sampled_from(PATHS)),
    st.tuples(st.just("index"), st.just(""), st.just("")),
)


def perform(root: Path, engine: Engine, operation: tuple[str, str, str]) -> None:
    what, path, more = operation
    place = root / path
    match what:
        case "write":
            write(root, {path: more})
        case "delete":
            place.unlink(missing_ok=True)
        case "move" if place.exists() and place.suffix == (root / more).suffix:
            (root / more).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(place, root / more)
        case "index":
            run(engine, root)


@settings(max_examples=60, deadline=None, database=None, derandomize=True)
@given(history=st.lists(operations, max_size=25))
def test_after_any_history_the_index_is_that_of_a_fresh_one(history: list[tuple[str, str, str]]) -> None:
    with TemporaryDirectory() as folder, opened() as grown, opened() as fresh:
        root = Path(folder)
        for operation in history:
            perform(root, grown, operation)
        run(grown, root)
        run(fresh, root)
        assert state(grown) == state(fresh)
        assert [finding for finding in grown.examine() if not finding.ok] == []


@pytest.fixture
def git(root: Path) -> Callable[..., str]:
    def run_git(*arguments: str) -> str:
        own = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", "-c", "core.hooksPath=/dev/null")
        return subprocess.run(("git", *own, *arguments), cwd=root, check=True, capture_output=True, text=True).stdout

    run_git("init", "-q")
    run_git("add", "-A")
    run_git("commit", "-qm", "first")
    return run_git


def test_switching_branches_back_and_forth_gives_the_index_of_each_branch(root: Path, git: Callable[..., str]) -> None:
    git("checkout", "-qb", "other")
    write(root, {"lib/moon.py": TIDES.replace("tide_at", "moon_at"), "app.py": PYTHON.replace("tide_at", "moon_at")})
    (root / "docs/guide.md").rename(root / "README.md")
    git("add", "-A")
    git("commit", "-qm", "second")
    with opened() as grown:
        for branch in ("main", "other", "main", "other"):
            git("checkout", "-q", branch)
            run(grown, root)
            with opened() as fresh:
                run(fresh, root)
                assert state(grown) == state(fresh), branch
