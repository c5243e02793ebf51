"""Does a workspace survive being killed at whatever it does? The harness of ``bench.crashing``, with few kills."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are killed as POSIX does it")


def test_whatever_a_killed_process_was_doing_nothing_told_done_is_lost_and_nothing_is_half_there(tmp_path: Path) -> None:
    # In a process of its own: it forks, and this one has threads.
    command = [sys.executable, "-m", "bench.crashing", "20", "8"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT))), "TMPDIR": str(tmp_path)}
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    counts = json.loads(done.stdout)
    assert counts["killed"] == 20
    assert counts["told done and there"] > 0
