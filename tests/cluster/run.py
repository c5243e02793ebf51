"""Starts a cluster, runs every test that needs one, and stops it: what ``make test-cluster`` does.

With DOWSE_TEST_OPENSEARCH (host:port,host:port) that cluster is used, and the tests that end nodes are left out.
"""

import argparse
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NODES = 3
_FIRST_PORT = 9201
HOSTS, FOLDER = "DOWSE_TEST_OPENSEARCH", "DOWSE_TEST_OPENSEARCH_ROOT"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cluster", default="../shared/opensearch/cluster", help="the script that starts and stops nodes")
    parser.add_argument("tests", nargs="*", default=["tests/engines", "tests/cluster"])
    options = parser.parse_args()
    if os.environ.get(HOSTS):
        return _test(options.tests, {})
    script = Path(options.cluster)
    if not script.is_file():
        print(f"test-cluster: there is no {script}, and {HOSTS} names no cluster. Nothing was tested.", file=sys.stderr)
        return 2
    if _is_taken(_FIRST_PORT):
        print(f"test-cluster: something listens at port {_FIRST_PORT} already. Stop it, or name it in {HOSTS}.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="dowse-cluster-", ignore_cleanup_errors=True) as folder:
        # The nodes run as another user, who must be able to enter.
        Path(folder).chmod(0o755)
        environment = {**os.environ, "OSROOT": folder}
        try:
            subprocess.run([str(script), "start", str(NODES)], env=environment, check=True)
            hosts = ",".join(f"127.0.0.1:{_FIRST_PORT + at}" for at in range(NODES))
            return _test(options.tests, {HOSTS: hosts, FOLDER: folder})
        finally:
            subprocess.run([str(script), "stop"], env=environment, check=False)


def _test(tests: list[str], more: dict[str, str]) -> int:
    # What needs no cluster is what 'make test' shows.
    command = [sys.executable, "-m", "pytest", "-m", "cluster", *tests]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **more}, check=False).returncode


def _is_taken(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


if __name__ == "__main__":
    raise SystemExit(main())
