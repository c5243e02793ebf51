"""Is what a caller may do asked before anything is touched?"""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from dowse.app.permissions import Capability, Principal
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.errors import Forbidden


class Explosive(SqliteEngine):
    """An engine that can be neither read nor written."""

    @contextmanager
    def view(self) -> Iterator[Any]:
        raise AssertionError("read before the capability was checked")
        yield

    def apply(self, _: Any) -> Any:
        raise AssertionError("written before the capability was checked")

    def status(self) -> Any:
        raise AssertionError("read before the capability was checked")

    examine = status


_CALLS: dict[Capability, dict[str, Callable[[Workspace], Any]]] = {
    Capability.SEARCH_USE: {
        "search": lambda w: w.search("x"),
        "search_files": lambda w: w.search_files("x"),
        "recall": lambda w: w.recall("x"),
        "why_not": lambda w: w.why_not("a", "x"),
        "resolve_library": lambda w: w.resolve_library("x"),
        "query_docs": lambda w: w.query_docs("/a/b", "x"),
    },
    Capability.READ: {
        "get": lambda w: w.get("a"),
        "list": lambda w: w.list(),
        "tree": lambda w: w.tree("a"),
        "neighbours": lambda w: w.neighbours("a"),
        "backlinks": lambda w: w.backlinks("a"),
        "resolve": lambda w: w.resolve("a"),
        "status": lambda w: w.status(),
        "doctor": lambda w: w.doctor(),
        "export": lambda w: w.export(io.StringIO()),
    },
    Capability.WRITE: {
        "put": lambda w: w.put(kind="item"),
        "update": lambda w: w.update("a", title="x"),
        "apply": lambda w: w.apply([]),
        "delete": lambda w: w.delete("a"),
        "restore": lambda w: w.restore("a"),
        "link": lambda w: w.link("a", "b", "blocks"),
        "unlink": lambda w: w.unlink("a", "b", "blocks"),
        "tag": lambda w: w.tag("a"),
        "rename_tag": lambda w: w.rename_tag("a", "b"),
        "index_library": lambda w: w.index_library({"key": "/a/b"}, []),
        "import_file": lambda w: w.import_file("nothing.jsonl"),
    },
    Capability.ADMIN: {
        "reindex": lambda w: w.reindex(),
        "backup": lambda w: w.backup("copy.dowse"),
        "restore_backup": lambda w: w.restore_backup("copy.dowse", force=True),
        "repair": lambda w: w.repair(),
    },
}


@pytest.mark.requirement("I-13")
@pytest.mark.parametrize(("capability", "call"), [(capability, call) for capability, calls in _CALLS.items() for call in calls])
def test_a_capability_is_checked_before_anything_is_touched(tmp_path: Path, capability: Capability, call: str) -> None:
    engine = Explosive(tmp_path / "test.dowse", SCHEMA)
    guest = Principal("guest", frozenset(Capability) - {capability})
    with Workspace(engine, principal=guest) as workspace, pytest.raises(Forbidden, match=f"lacks the capability {capability}"):
        _CALLS[capability][call](workspace)
