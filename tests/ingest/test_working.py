"""Do several processes read for whoever asks, however they ask?"""

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest
from indexed import edges, opened, records, run, state, write

import dowse

SCRIPT = """
import sys
import dowse

print("once")
with dowse.open(":memory:") as workspace:
    print(workspace.index(sys.argv[1], jobs=2).added)
"""
FILES = {f"m{number:02}.py": f"def gull_{number}() -> None: ...\n" for number in range(300)}


def test_a_plain_script_may_index_and_is_run_once(tmp_path: Path) -> None:
    write(tmp_path / "saltmarsh", FILES)
    (tmp_path / "script.py").write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": str(Path(dowse.__file__).resolve().parents[1])}
    command = [sys.executable, "script.py", "saltmarsh"]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, text=True, capture_output=True, timeout=120, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "once\n300\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are a thing of Unix")
def test_a_process_that_is_killed_costs_no_file(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    with opened() as engine:
        killed: list[int] = []

        def kill(_: object) -> None:
            for process in _children():
                if not killed:
                    killed.append(process)
                    os.kill(process, 9)

        summary = run(engine, tmp_path, jobs=2, report=kill)
        assert killed
        assert summary.added == len(FILES)
        assert {f"acme:{path}" for path in FILES} <= records(engine).keys()


def test_names_that_others_settle_mean_what_they_mean_here(tmp_path: Path) -> None:
    calls = {f"c{number:02}.py": f"from m{number:02} import gull_{number}\n\ngull_{number}()\n" for number in range(300)}
    write(tmp_path, FILES | calls)
    with opened() as beside, opened() as alone:
        found = [run(beside, tmp_path, jobs=2).edges, run(alone, tmp_path, jobs=1).edges]
        assert state(beside) == state(alone)
        assert found[0] == found[1] == len(edges(alone)) >= 2 * len(calls)


def _children() -> list[int]:
    return [process.pid for process in multiprocessing.active_children() if process.pid is not None]
