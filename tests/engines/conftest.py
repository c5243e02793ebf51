"""The engines under test, empty, over a small schema of their own."""

import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from agreeing import CLUSTER, ENGINES, Opened

from dowse.engines.memory import MemoryEngine
from dowse.engines.sqlite.driver import connect, stem_words
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.model.schema import Column, EdgeKind, Field, Kind, Schema
from dowse.ports import Engine

if TYPE_CHECKING:
    from clusters import Workspaces

# Every way a field can be declared: named or not, ranked in part, in each column; and a kind without a title.
SCHEMA = Schema(
    kinds={
        kind.name: kind
        for kind in (
            Kind(
                "page",
                (Field("title", Column.TITLE, named=True), Field("body"), Field("tags", Column.TAGS)),
                facets=("role", "size", "done"),
                parents=("page",),
            ),
            Kind("note", (Field("body"),), parents=("page",)),
            Kind(
                "symbol",
                (Field("title", Column.TITLE, named=True), Field("path", named=True), Field("body", ranked=24)),
                parents=("page", "symbol"),
                parent_edge="contains",
            ),
        )
    },
    edges={"blocks": EdgeKind("blocks"), "links": EdgeKind("links"), "contains": EdgeKind("contains")},
)

# Memory instead of a disk, where the system offers it: the tests are about answers, not about a disk's patience.
_FOLDER = next((folder for folder in ("/dev/shm",) if os.access(folder, os.W_OK)), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what needs a cluster, so that 'make test-cluster' shows that and nothing that 'make test' shows."""
    for item in items:
        parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        # Compared as texts only: parameters may be arrays.
        named = any(isinstance(value, str) and value == CLUSTER for value in parameters.values())
        if named or item.path.name.startswith("test_opensearch"):
            item.add_marker("cluster")


@pytest.fixture(scope="session")
def schema() -> Schema:
    return SCHEMA


@pytest.fixture(scope="session")
def stem() -> Callable[[str], str]:
    """SQLite's own stemmer, so that every engine stems alike."""
    connection = connect(":memory:")
    return lambda word: stem_words(connection, [word])[0]


@pytest.fixture(scope="session")
def stem_all() -> Callable[[Sequence[str]], list[str]]:
    connection = connect(":memory:")
    return lambda words: stem_words(connection, list(words))


@pytest.fixture(scope="session")
def cluster_workspaces(stem_all: Callable[[Sequence[str]], list[str]]) -> Iterator["Workspaces | None"]:
    if CLUSTER not in ENGINES:
        yield None
        return
    from clusters import Workspaces  # needs the client, which is an extra

    workspaces = Workspaces(SCHEMA, stem_all)
    yield workspaces
    workspaces.close()


@pytest.fixture(scope="session")
def opened(stem: Callable[[str], str], cluster_workspaces: "Workspaces | None") -> Opened:
    """Opens an empty engine by name, for as long as a ``with`` block lasts."""

    @contextmanager
    def open_engine(name: str) -> Iterator[Engine]:
        clock = map(float, itertools.count(1000)).__next__
        if name == CLUSTER:
            assert cluster_workspaces is not None
            with cluster_workspaces.empty(clock) as engine:
                yield engine
            return
        with TemporaryDirectory(dir=_FOLDER) as folder:
            local: Engine
            if name == "memory":
                local = MemoryEngine(SCHEMA, stem, clock)
            else:
                local = SqliteEngine(Path(folder) / "test.dowse", SCHEMA, clock=clock)
            try:
                yield local
            finally:
                local.close()

    return open_engine


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, opened: Opened) -> Iterator[Engine]:
    with opened(request.param) as engine:
        yield engine
