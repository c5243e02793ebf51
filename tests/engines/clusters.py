"""Workspaces on a real cluster, for tests: made once, emptied before each use, and gone at the end."""

import os
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from dowse.engines.opensearch import Address, parse
from dowse.engines.opensearch.committing import STATE
from dowse.engines.opensearch.driver import Cluster
from dowse.engines.opensearch.engine import OpenSearchEngine
from dowse.engines.opensearch.indices import remove_workspace
from dowse.model.schema import Schema

# Hosts of a cluster to test with, separated by commas; without it nothing here is used.
VARIABLE = "DOWSE_TEST_OPENSEARCH"
HOSTS = os.environ.get(VARIABLE, "")


class Workspaces:
    """A pool: making the indices of a workspace takes a second, emptying them a moment."""

    def __init__(self, schema: Schema, stem_all: Callable[[Sequence[str]], list[str]]) -> None:
        self._schema = schema
        self._stem_all = stem_all
        self._run = uuid.uuid4().hex[:8]
        self._idle: list[Address] = []
        self._made: list[Address] = []

    @contextmanager
    def empty(self, clock: Callable[[], float]) -> Iterator[OpenSearchEngine]:
        address = self._idle.pop() if self._idle else self._new()
        engine = OpenSearchEngine(address, self._schema, self._stem_all, clock=clock)
        try:
            yield engine
        finally:
            engine.close()
            empty(address)
            self._idle.append(address)

    def close(self) -> None:
        for address in self._made:
            remove(address)

    def _new(self) -> Address:
        address = test_address(f"test-{self._run}-{len(self._made)}")
        self._made.append(address)
        return address


def test_address(prefix: str) -> Address:
    return parse(f"opensearch://{HOSTS}/{prefix}", {})


test_address.__test__ = False  # type: ignore[attr-defined]


def empty(address: Address) -> None:
    """Takes everything out. Commits go on counting: what was deleted remembers their numbers."""
    cluster = Cluster(address)
    stored = cluster.get(f"{address.prefix}-state", STATE)
    assert stored is not None
    state = stored.document["state"]
    everything: dict[str, object] = {"query": {"match_all": {}}}
    indices = f"{state['truth']},{state['words']}"
    cluster.request("POST", f"/{indices}/_delete_by_query", everything, {"refresh": "true", "conflicts": "proceed"})
    if state["passages"] is not None:
        cluster.request("DELETE", f"/{state['passages']}", parameters={"ignore": 404})
    fresh = {**state, "generation": 0, "updated": 0.0, "passages": None, "profile": None, "commit": state["commit"] + 1}
    cluster.request("PUT", f"/{address.prefix}-state/_doc/{STATE}", {"state": fresh, "pending": None})
    cluster.close()


def remove(address: Address) -> None:
    cluster = Cluster(address)
    remove_workspace(cluster, address.prefix)
    cluster.close()
