"""What does a cluster in trouble look like? Clear errors, what remains answers, and nothing is written in half."""

import itertools
import signal
import threading
from collections.abc import Iterator

import losing
import pytest
from nodes import Node, is_green, wait_until

import dowse
from dowse.app.opening import open_engine
from dowse.app.stemming import stem_all
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.engines.opensearch import Address
from dowse.engines.opensearch.driver import Cluster
from dowse.engines.opensearch.engine import OpenSearchEngine
from dowse.engines.opensearch.mapping import RECORDS_A_SHARD
from dowse.errors import DowseError, StorageError
from dowse.model.change import Put
from dowse.model.record import Record

# Fixtures, by the names that tests ask for.
address, nodes, parsed, started = losing.address, losing.nodes, losing.parsed, losing.started
pytestmark = losing.MARKS

# Records of a batch that is too large to travel in the note of its commit.
BATCH = 400
_numbers = itertools.count()


def page(number: int, content: str = "high water at noon") -> Record:
    return Record(f"page-{number}", "page", f"tide table {number}", {"content": content})


@pytest.fixture
def cluster(parsed: Address) -> Iterator[Cluster]:
    opened = Cluster(parsed)
    yield opened
    opened.close()


def test_a_shard_without_any_copy_is_said_in_a_sentence_and_what_remains_answers(
    nodes: list[Node], address: str, parsed: Address, cluster: Cluster
) -> None:
    engine = OpenSearchEngine(parsed, SCHEMA, stem_all, expected=2 * RECORDS_A_SHARD + 1)
    engine.apply([Put(page(number)) for number in range(60)])
    engine.close()
    alone = {
        "index.auto_expand_replicas": "false",
        "index.number_of_replicas": 0,
        "index.routing.allocation.total_shards_per_node": 1,
    }
    cluster.request("PUT", f"/{parsed.prefix}-truth-1/_settings", alone)
    with dowse.open(address, model="none") as workspace:
        wait_until(lambda: is_green(workspace, len(nodes)), "all nodes are there")
        # A green cluster may still be moving a shard, and the node it moves to can end without a loss.
        wait_until(lambda: is_spread(cluster, f"{parsed.prefix}-truth-1", len(nodes)), "each node holds one of the shards")
        # One word is asked by words alone, so that nothing lacks because there is no model.
        whole = workspace.search("tide", limit=100)
        assert (whole.degraded, whole.truncated, whole.total) == ((), False, 60)
        nodes[2].end(signal.SIGKILL)
        wait_until(lambda: bool(told(workspace)), "a page says that something lacks")
        # Another question: what was answered before is remembered, whole as it was.
        shown = workspace.search("water", limit=100)
        assert shown.degraded == (f"some shards of {parsed} do not answer: nodes are missing.",)
        assert shown.truncated
        assert 0 < shown.total < 60
        with pytest.raises(StorageError, match="do not answer"):
            workspace.status()
        nodes[2].start()
        wait_until(lambda: is_green(workspace, len(nodes)), "the cluster is whole again")
        assert workspace.search("tide", limit=100).total == 60


def is_spread(cluster: Cluster, index: str, nodes: int) -> bool:
    """Whether each node holds one shard of an index, and none is on its way."""
    shards = cluster.request("GET", f"/{index}/_search_shards")["shards"]
    held = [copy["node"] for copies in shards for copy in copies if copy["state"] == "STARTED"]
    return len(held) == len(set(held)) == nodes


def told(workspace: Workspace) -> tuple[str, ...]:
    """What a page says of itself; of another question each time, for what was answered before is remembered as it was."""
    try:
        return workspace.search(f"tide -word{next(_numbers)}").degraded
    except DowseError:
        return ()


class Batches(threading.Thread):
    """Writes large batches for as long as it is let, and remembers which were acknowledged."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self.begun = 0
        self.acknowledged: list[int] = []
        self.stopping = threading.Event()

    def run(self) -> None:
        text = "high water at noon and low water in the evening " * 30
        with dowse.open(self._address, model="none") as workspace:
            while not self.stopping.is_set():
                self.begun += 1
                first = self.begun * BATCH
                try:
                    workspace.apply([Put(page(number, text)) for number in range(first, first + BATCH)])
                    self.acknowledged.append(self.begun)
                except DowseError:
                    continue


def test_a_node_that_dies_in_the_middle_of_a_batch_leaves_no_batch_in_half(nodes: list[Node], address: str) -> None:
    with dowse.open(address, model="none") as workspace:
        writer = Batches(address)
        writer.start()
        wait_until(lambda: len(writer.acknowledged) >= 2, "the writer is at work")
        begun = writer.begun
        nodes[0].end(signal.SIGKILL)
        wait_until(lambda: len(writer.acknowledged) and writer.acknowledged[-1] > begun, "the writer goes on without the node")
        writer.stopping.set()
        writer.join()
        # Whoever writes next finishes what was begun.
        workspace.put(kind="page", key="last", title="last", fields={"content": "land"})
        held = written(address, writer.begun)
        assert all(held[batch] == BATCH for batch in writer.acknowledged)
        assert set(held.values()) <= {0, BATCH}
        nodes[0].start()
        wait_until(lambda: is_green(workspace, len(nodes)), "the cluster is whole again")


def written(address: str, batches: int) -> dict[int, int]:
    """How many records of each batch are there."""
    engine = open_engine(address, create=False)
    try:
        with engine.view() as view:
            return {
                batch: len(view.find(f"page-{number}" for number in range(batch * BATCH, (batch + 1) * BATCH)))
                for batch in range(1, batches + 1)
            }
    finally:
        engine.close()


def test_without_a_quorum_writers_are_told_and_afterwards_nothing_is_missing(
    nodes: list[Node], address: str, parsed: Address
) -> None:
    with dowse.open(address, model="none") as workspace:
        workspace.put(kind="page", key="first", title="tide table", fields={"content": "high water"})
        wait_until(lambda: is_green(workspace, len(nodes)), "the cluster is whole")
        engine = OpenSearchEngine(parsed, SCHEMA, stem_all, timeout=5.0)
        for node in nodes[1:]:
            node.end(signal.SIGKILL)
        refused: list[str] = []
        # The first may be told that the node it asked has just gone.
        wait_until(lambda: is_without_quorum(engine, refused), "a writer is told what lacks")
        engine.close()
        for node in nodes[1:]:
            node.start()
        wait_until(lambda: is_green(workspace, len(nodes)), "the cluster is whole again")
        workspace.put(kind="page", key="second", title="tide table", fields={"content": "low water"})
        assert {workspace.get(key).key for key in ("first", "second")} == {"first", "second"}


def is_without_quorum(engine: OpenSearchEngine, refused: list[str]) -> bool:
    """Whether a write says that too few nodes are there; whatever it says, it says that it was not done."""
    with pytest.raises(StorageError) as told:
        engine.apply([Put(page(len(refused)))])
    refused.append(str(told.value))
    return any(
        sign in refused[-1] for sign in ("lost its quorum", "nodes are missing", "most of the cluster's nodes", "too few nodes")
    )


def test_a_full_disk_is_named_and_writing_goes_on_when_there_is_room(
    nodes: list[Node], address: str, parsed: Address, cluster: Cluster
) -> None:
    disk = "cluster.routing.allocation.disk"
    full = {f"{disk}.threshold_enabled": True, "cluster.info.update.interval": "10s"}
    full |= {f"{disk}.watermark.{stage}": "1%" for stage in ("low", "high", "flood_stage")}
    with dowse.open(address, model="none") as workspace:
        workspace.put(kind="page", key="before", title="tide table", fields={"content": "high water"})
        wait_until(lambda: is_green(workspace, len(nodes)), "all nodes are there")
        try:
            cluster.request("PUT", "/_cluster/settings", {"transient": full})
            refused: list[DowseError] = []
            wait_until(lambda: bool(refused.extend(refusals(workspace)) or refused), "nodes take no more writes")
            assert [type(error) for error in refused] == [StorageError]
            assert "disk of a node is full" in str(refused[0])
            assert [hit.record.key for hit in workspace.search("high water").hits][:1] == ["before"]
        finally:
            cluster.request("PUT", "/_cluster/settings", {"transient": dict.fromkeys(full)})
            cluster.request("PUT", f"/{parsed.prefix}-*/_settings", {"index.blocks.read_only_allow_delete": None})
        wait_until(lambda: not refusals(workspace), "there is room again")
        assert workspace.get("during").key == "during"


def refusals(workspace: Workspace) -> list[DowseError]:
    """Why a record cannot be written, if it cannot; another text each time, for what is there already is not written."""
    try:
        workspace.put(kind="page", key="during", title="tide table", fields={"content": f"low water {next(_numbers)}"})
    except DowseError as error:
        return [error]
    return []
