"""Does a process give back what it no longer needs?"""

import os
import platform
import subprocess
import sys
import threading

import pytest
from running_http import calling

from dowse.app.workspace import Workspace
from dowse.shells.http import app as application
from dowse.shells.http.app import App, Serving

# In pieces, each with something behind it that stays, so that no end of the memory is free; tells what was held before and after.
_PIECES = """
from pathlib import Path
from dowse.shells.http.releasing import release

def own():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))

kept, pieces = [], []
for _ in range(1000):
    pieces.append(bytearray(64 << 10))
    kept.append(bytearray(600))
pieces.clear()
print(own(), release(), own())
"""

# Two threads after each other's start, each with something that stays; tells in how many heaps that lies.
_HEAPS = """
import ctypes, re, sys, tempfile, threading
from dowse.shells.http.releasing import share_heap

if sys.argv[1] == "shared":
    assert share_heap()
held, everyone = [], threading.Barrier(3)

def hold():
    held.append(bytearray(64 << 10))
    everyone.wait()

for _ in range(2):
    threading.Thread(target=hold).start()
everyone.wait()
library = ctypes.CDLL(None)
library.fopen.restype = ctypes.c_void_p
with tempfile.NamedTemporaryFile() as file:
    told = ctypes.c_void_p(library.fopen(file.name.encode(), b"w"))
    library.malloc_info(0, told)
    library.fclose(told)
    print(len(re.findall(b"<heap nr=", file.read())))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="an allocator that knows no way to give back in between")
def test_memory_in_pieces_goes_back_to_the_system() -> None:
    # In a process of its own: what others left behind decides where the pieces lie.
    told = subprocess.run([sys.executable, "-c", _PIECES], capture_output=True, text=True, check=True).stdout.split()
    assert told[1] == "True"
    assert int(told[0]) - int(told[2]) > 32 << 10


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="an allocator that is not asked for one heap")
@pytest.mark.parametrize(("how", "heaps"), [("shared", 1), ("apart", 3)])
def test_threads_of_a_server_share_one_heap(how: str, heaps: int) -> None:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_"))}
    told = subprocess.run([sys.executable, "-c", _HEAPS, how], capture_output=True, text=True, check=True, env=own).stdout
    assert int(told) == heaps


def test_a_server_does_so_again_and_again(stored: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    times = threading.Semaphore(0)
    monkeypatch.setattr(application, "release", times.release)
    with calling(App(stored, Serving(release=0.001))):
        for _ in range(3):
            assert times.acquire(timeout=60)
