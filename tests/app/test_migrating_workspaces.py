"""Does a workspace arrive whole on another engine, also when the copy is interrupted, and is it proved?"""

import itertools
import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import dowse
from dowse.app.migrating_workspaces import Migrating, migrate
from dowse.app.opening import open_engine
from dowse.domains.everything import SCHEMA
from dowse.errors import Conflict, StorageError
from dowse.model.change import Applied, Change, Put
from dowse.model.record import Edge, Record
from dowse.ports import Engine

SAMPLE = Path(__file__).resolve().parents[2] / "docs" / "sample.jsonl"
HOSTS = os.environ.get("DOWSE_TEST_OPENSEARCH", "")
KINDS = ("file", *(("cluster",) if HOSTS else ()))


@pytest.fixture
def places(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Names for new workspaces, in files or on the cluster; those on the cluster go at the end."""
    made: list[str] = []

    def place(kind: str) -> str:
        name = uuid.uuid4().hex[:8]
        made.append(f"opensearch://{HOSTS}/copy-{name}" if kind == "cluster" else str(tmp_path / f"{name}.dowse"))
        return made[-1]

    yield place
    for name in made:
        if name.startswith("opensearch"):
            from dowse.engines.opensearch import parse
            from dowse.engines.opensearch.driver import Cluster

            cluster = Cluster(parse(name, {}))
            cluster.request("DELETE", f"/{parse(name, {}).prefix}-*", parameters={"ignore": 404})
            cluster.close()


@pytest.fixture
def filled(tmp_path: Path, places: Callable[[str], str]) -> str:
    """Records, edges, deleted ones, a project with files, marks and vectors."""
    name = places("file")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "tides.py").write_text("def tide():\n    return high()\n\n\ndef high():\n    return 1\n")
    (tmp_path / "project" / "README.md").write_text("# Tides\n\nWhen [the sea](tides.py) comes.\n")
    with dowse.open(name, clock=map(float, itertools.count(1000)).__next__) as workspace:
        workspace.import_file(SAMPLE)
        workspace.index(tmp_path / "project", space="tides")
        workspace.delete("task-30")
    return name


def everything(engine: Engine) -> list[Record | Edge]:
    """All there is but versions, which count the writes of one store."""
    with engine.view() as view:
        return [replace(item, version=0) if isinstance(item, Record) else item for item in view.scan()]


@pytest.mark.parametrize("through", KINDS)
def test_a_workspace_that_went_there_and_back_is_what_it_was(filled: str, places: Callable[[str], str], through: str) -> None:
    with (
        closing(open_engine(filled)) as old,
        closing(open_engine(places(through))) as there,
        closing(open_engine(places("file"))) as new,
    ):
        first, second = migrate(old, there, SCHEMA), migrate(there, new, SCHEMA)
        assert first.digest == second.digest
        assert (first.records, first.edges, first.files) == (second.records, second.edges, second.files)
        assert everything(new) == everything(old)
        with old.view() as one, new.view() as other:
            assert one.stamps("tides") == other.stamps("tides") != {}
            assert one.sources("tides", ["tides.py"]) == other.sources("tides", ["tides.py"])
            assert one.unsettled("tides", 10) == other.unsettled("tides", 10)
            assert one.marks("") == other.marks("")


@pytest.mark.parametrize("kind", KINDS)
def test_vectors_come_along_and_nothing_waits(filled: str, places: Callable[[str], str], kind: str) -> None:
    with closing(open_engine(filled)) as old, closing(open_engine(places(kind))) as new:
        done = migrate(old, new, SCHEMA)
        embedding = new.status().embedding
        assert embedding == old.status().embedding
        assert (embedding.waiting, embedding.done) == (0, done.vectors)


@pytest.mark.parametrize("kind", KINDS)
def test_the_copy_answers_as_the_original_does(filled: str, places: Callable[[str], str], kind: str) -> None:
    target = places(kind)
    with closing(open_engine(filled)) as old, closing(open_engine(target)) as new:
        migrate(old, new, SCHEMA)
    with dowse.open(filled) as one, dowse.open(target) as other:
        for query in ("how are retries capped", "tide", "task-17", "on call handbook"):
            ours, theirs = one.search(query), other.search(query)
            assert [hit.record.key for hit in ours.hits] == [hit.record.key for hit in theirs.hits], query
            assert ours.total == theirs.total


class Failing:
    """An engine that fails at its n-th write, as one whose process is killed."""

    def __init__(self, engine: Engine, writes: int) -> None:
        self._engine = engine
        self._left = writes

    def __getattr__(self, name: str) -> object:
        return getattr(self._engine, name)

    def apply(self, changes: list[Change]) -> Applied:
        self._left -= 1
        if self._left < 0:
            raise StorageError("killed")
        return self._engine.apply(changes)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("writes", [0, 1, 2, 3, 4])
def test_a_copy_that_was_interrupted_goes_on_where_it_stopped(
    filled: str, places: Callable[[str], str], kind: str, writes: int
) -> None:
    with closing(open_engine(filled)) as old, closing(open_engine(places(kind))) as new:
        with pytest.raises(StorageError, match="killed"):
            migrate(old, Failing(new, writes), SCHEMA)  # type: ignore[arg-type]
        done = migrate(old, new, SCHEMA)
        assert done.resumed == (writes >= 2)
        assert everything(new) == everything(old)


def test_a_workspace_that_holds_something_else_is_not_written(filled: str, places: Callable[[str], str]) -> None:
    with closing(open_engine(filled)) as old, closing(open_engine(places("file"))) as new:
        new.apply([Put(Record("a", "page", "sea"))])
        with pytest.raises(Conflict, match="holds 1 records already"):
            migrate(old, new, SCHEMA)
        assert len(everything(new)) == 1


def test_a_copy_that_differs_is_not_called_whole(filled: str, places: Callable[[str], str]) -> None:
    with closing(open_engine(filled)) as old, closing(open_engine(places("file"))) as new:

        def meddle(progress: Migrating) -> None:
            if progress.stage == "copying" and progress.done == progress.total:
                new.apply([Put(Record("meddled", "page", "sea"))])

        with pytest.raises(StorageError, match="does not hold what"):
            migrate(old, new, SCHEMA, meddle)


def test_progress_is_told_from_nothing_to_everything(filled: str, places: Callable[[str], str]) -> None:
    told: list[Migrating] = []
    with closing(open_engine(filled)) as old, closing(open_engine(places("file"))) as new:
        migrate(old, new, SCHEMA, told.append)
    assert [item.stage for item in told][-1] == "done"
    copied = [item.done for item in told if item.stage == "copying"]
    assert copied == sorted(copied)
    assert copied[-1] == told[0].total
