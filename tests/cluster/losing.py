"""The cluster under test, and a workspace of its own for each test."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from nodes import Node, wait_until

from dowse.engines.opensearch import Address, parse
from dowse.engines.opensearch.driver import Cluster
from dowse.engines.opensearch.indices import remove_workspace
from dowse.errors import StorageError

HOSTS = os.environ.get("DOWSE_TEST_OPENSEARCH", "")
FOLDER = os.environ.get("DOWSE_TEST_OPENSEARCH_ROOT", "")


# What every test here has: it ends nodes, so it needs a cluster of its own.
MARKS = [
    pytest.mark.cluster,
    pytest.mark.skipif(not FOLDER, reason="ends nodes: needs a cluster of its own, as 'make test-cluster' starts it"),
]


@pytest.fixture(scope="session")
def started() -> list[Node]:
    return [Node.of(folder) for folder in sorted(Path(FOLDER).glob("n[0-9]"))]


@pytest.fixture
def nodes(started: list[Node], address: str) -> Iterator[list[Node]]:
    """All nodes; those that a test leaves behind ended are started again before its workspace is removed."""
    yield started
    ended = [node for node in started if not node.is_running]
    for node in ended:
        node.start()
    if ended:
        wait_until(lambda: _are_together(len(started), address), "all nodes are there again")


def _are_together(many: int, address: str) -> bool:
    cluster = Cluster(parse(address, {}))
    try:
        return bool(cluster.request("GET", "/_cluster/health")["number_of_nodes"] == many)
    except StorageError:
        return False
    finally:
        cluster.close()


@pytest.fixture
def address() -> Iterator[str]:
    name = f"opensearch://{HOSTS}/losing-{uuid.uuid4().hex[:8]}"
    yield name
    cluster = Cluster(parse(name, {}))
    remove_workspace(cluster, parse(name, {}).prefix)
    cluster.close()


@pytest.fixture
def parsed(address: str) -> Address:
    return parse(address, {})
