"""The engines under test, empty, over a small schema of their own."""

import itertools
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from dowse.engines.memory import MemoryEngine
from dowse.engines.sqlite.driver import connect, stem_words
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.model.schema import Column, EdgeKind, Field, Kind, Schema
from dowse.ports import Engine

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

Opened = Callable[[str], AbstractContextManager[Engine]]


@pytest.fixture(scope="session")
def schema() -> Schema:
    return SCHEMA


@pytest.fixture(scope="session")
def stem() -> Callable[[str], str]:
    """SQLite's own stemmer, so that every engine stems alike."""
    connection = connect(":memory:")
    return lambda word: stem_words(connection, [word])[0]


@pytest.fixture(scope="session")
def opened(stem: Callable[[str], str]) -> Opened:
    """Opens an empty engine by name, for as long as a ``with`` block lasts."""

    @contextmanager
    def open_engine(name: str) -> Iterator[Engine]:
        clock = map(float, itertools.count(1000)).__next__
        with TemporaryDirectory(dir=_FOLDER) as folder:
            engine: Engine
            if name == "memory":
                engine = MemoryEngine(SCHEMA, stem, clock)
            else:
                engine = SqliteEngine(Path(folder) / "test.dowse", SCHEMA, clock=clock)
            try:
                yield engine
            finally:
                engine.close()

    return open_engine


@pytest.fixture(params=["memory", "sqlite"])
def engine(request: pytest.FixtureRequest, opened: Opened) -> Iterator[Engine]:
    with opened(request.param) as engine:
        yield engine
