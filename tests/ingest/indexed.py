"""How the tests make projects on disk, index them and look at what came of it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.ingest.indexing import Project, index
from dowse.model.record import Edge, Record
from dowse.model.run import Summary
from dowse.ports import Engine


@contextmanager
def opened() -> Iterator[Engine]:
    engine = SqliteEngine(":memory:", SCHEMA)
    try:
        yield engine
    finally:
        engine.close()


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)


def run(engine: Engine, root: Path, **options: object) -> Summary:
    return index(engine, Project("acme", root), clock=lambda: 0.0, **options)  # type: ignore[arg-type]


def records(engine: Engine) -> dict[str, Record]:
    """Everything that is stored, without what tells when and how often it was written."""
    with engine.view() as view:
        return {item.key: replace(item, updated=0.0, version=0) for item in view.scan() if isinstance(item, Record)}


def edges(engine: Engine) -> set[tuple[str, str, str]]:
    with engine.view() as view:
        return {(item.source, item.kind, item.target) for item in view.scan() if isinstance(item, Edge)}


def state(engine: Engine) -> list[object]:
    """All that two indexes of the same files must agree on."""
    with engine.view() as view:
        sources = view.sources("acme", list(view.stamps("acme")))
    known = [(item.path, item.stamp.digest, item.keys, item.defines, item.refers, item.links, item.settled) for item in sources]
    return [records(engine), edges(engine), known]
