"""The nodes of a cluster that was started for the tests: ended by their process, started again as they were."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dowse.app.workspace import Workspace
from dowse.errors import DowseError

# Seconds that anything may take here: a node to start, a cluster to be whole again.
PATIENCE = 180.0


@dataclass(slots=True)
class Node:
    """One node; what it was started with is read from the system while it runs."""

    folder: Path
    command: list[str]
    environment: dict[str, str]
    user: int
    at: str

    @classmethod
    def of(cls, folder: Path) -> "Node":
        process = Path("/proc") / (folder / "pid").read_text().strip()
        pairs = [item.partition("=") for item in (process / "environ").read_text().split("\0") if item]
        return cls(
            folder,
            [part for part in (process / "cmdline").read_text().split("\0") if part],
            {name: value for name, _, value in pairs},
            process.stat().st_uid,
            os.readlink(process / "cwd"),
        )

    @property
    def pid(self) -> int:
        return int((self.folder / "pid").read_text())

    @property
    def port(self) -> int:
        settings = (self.folder / "config" / "opensearch.yml").read_text().splitlines()
        return next(int(line.rpartition(":")[2]) for line in settings if line.startswith("http.port:"))

    @property
    def is_running(self) -> bool:
        return (self.folder / "pid").is_file() and not _has_ended(self.pid)

    def end(self, how: signal.Signals) -> None:
        pid = self.pid
        os.kill(pid, how)
        wait_until(lambda: _has_ended(pid), f"process {pid} ends")

    def start(self) -> None:
        """As it was; in a session of its own, for it is ended by its id, at the latest by whoever started the cluster.

        Waits until it answers. Before that it has no pid file, and whoever takes it for ended and starts it twice loses both files
        and node; and the others may not have noticed yet that it was gone.
        """
        with (self.folder / "start.log").open("ab") as log:
            subprocess.run(
                ["setsid", "--fork", *self.command],
                env=self.environment,
                user=self.user,
                cwd=self.at,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                check=True,
            )
        wait_until(lambda: self.is_running and self._answers(), f"the node in {self.folder} answers")

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    """Asks again and again: that a node is up is told by nothing else."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if is_so():
            return
        time.sleep(0.2)
    raise AssertionError(f"waited {PATIENCE:.0f} s in vain until {what}")


def is_green(workspace: Workspace, nodes: int) -> bool:
    try:
        told = [finding for finding in workspace.doctor() if finding.name == "cluster"]
    except DowseError:
        return False
    return told[0].ok and f"{nodes} nodes" in told[0].detail


def _has_ended(pid: int) -> bool:
    try:
        # Behind the name, which may hold anything but ends in a parenthesis. A zombie has ended; nobody has asked it yet how.
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True
