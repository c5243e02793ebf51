"""What happens when nodes go? Every acknowledged write stays, searches go on, and the doctor says what lacks."""

import signal
import threading

import losing
from nodes import Node, is_green, wait_until

import dowse
from dowse.app.workspace import Workspace
from dowse.errors import DowseError, NotFound

# Fixtures, by the names that tests ask for.
address, nodes, started = losing.address, losing.nodes, losing.started
pytestmark = losing.MARKS


class Writer(threading.Thread):
    """Puts numbered records for as long as it is let, and remembers which were acknowledged."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self.acknowledged: list[str] = []
        self.refused: list[str] = []
        self.stopping = threading.Event()

    def run(self) -> None:
        with dowse.open(self._address, model="none") as workspace:
            number = 0
            while not self.stopping.is_set():
                number += 1
                try:
                    workspace.put(kind="page", key=f"page-{number}", title=f"tide table {number}", fields={"content": "high water"})
                    self.acknowledged.append(f"page-{number}")
                except DowseError as error:
                    self.refused.append(str(error))


class Reader(threading.Thread):
    """Searches for as long as it is let, and remembers what it was told."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self.answers = 0
        self.errors: list[str] = []
        self.empty = 0
        self.stopping = threading.Event()

    def run(self) -> None:
        with dowse.open(self._address, model="none") as workspace:
            while not self.stopping.is_set():
                try:
                    page = workspace.search(f"tide table {self.answers}")
                    self.answers += 1
                    self.empty += not page.hits and not page.degraded
                except DowseError as error:
                    self.errors.append(str(error))


def missing(workspace: Workspace, keys: list[str]) -> list[str]:
    gone = []
    for key in keys:
        try:
            workspace.get(key)
        except NotFound:
            gone.append(key)
    return gone


def test_a_node_that_dies_during_reads_and_writes_loses_nothing_that_was_acknowledged(nodes: list[Node], address: str) -> None:
    with dowse.open(address, model="none") as workspace:
        workspace.put(kind="page", key="page-0", title="tide table 0", fields={"content": "high water"})
        wait_until(lambda: is_green(workspace, len(nodes)), "the cluster is whole")
        writer, reader = Writer(address), Reader(address)
        writer.start()
        reader.start()
        wait_until(lambda: len(writer.acknowledged) >= 20 and reader.answers >= 20, "both are at work")
        before, asked = len(writer.acknowledged), reader.answers
        nodes[1].end(signal.SIGKILL)
        wait_until(lambda: len(writer.acknowledged) >= before + 20 and reader.answers >= asked + 20, "both go on without the node")
        told = next(finding for finding in workspace.doctor() if finding.name == "cluster")
        assert not told.ok
        assert "without a node" in told.detail
        nodes[1].start()
        wait_until(lambda: is_green(workspace, len(nodes)), "the cluster is whole again")
        for thread in (writer, reader):
            thread.stopping.set()
            thread.join()
        assert missing(workspace, writer.acknowledged) == []
        assert reader.empty == 0
        print(f"{len(writer.acknowledged)} acknowledged, {len(writer.refused)} refused: {set(writer.refused)}")
        print(f"{reader.answers} answers, {len(reader.errors)} errors: {set(reader.errors)}")


def test_a_rolling_restart_loses_nothing(nodes: list[Node], address: str) -> None:
    with dowse.open(address, model="none") as workspace:
        writer = Writer(address)
        writer.start()
        wait_until(lambda: len(writer.acknowledged) >= 10, "the writer is at work")
        for node in nodes:
            node.end(signal.SIGTERM)
            node.start()
            wait_until(lambda: is_green(workspace, len(nodes)), "the cluster is whole again")
        writer.stopping.set()
        writer.join()
        assert missing(workspace, writer.acknowledged) == []
        assert len(workspace.search("tide table").hits) > 0
