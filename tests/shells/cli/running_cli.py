"""How tests run the command line: in a process of its own, or as a call whose output a fixture catches."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
SAMPLE = ROOT / "docs" / "sample.jsonl"


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Ran]


def start(*arguments: str, **options: Any) -> "subprocess.Popen[str]":
    """The command line in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **options.pop("environment", {})}
    return subprocess.Popen([sys.executable, "-m", "dowse", *arguments], env=environment, text=True, **options)


def on_terminal(*arguments: str, columns: int) -> tuple[str, str]:
    """What a command answers, and what it shows on a terminal, which is read all the time: a full one would stop it."""
    import pty

    ours, theirs = pty.openpty()
    terminal = {"TERM": "xterm", "COLUMNS": str(columns)}
    process = start(*arguments, stdout=subprocess.PIPE, stderr=theirs, environment=terminal)
    os.close(theirs)
    shown: list[bytes] = []
    reader = threading.Thread(target=_read_all, args=(ours, shown))
    reader.start()
    answer = process.communicate()[0]
    reader.join()
    os.close(ours)
    return answer, b"".join(shown).decode()


def _read_all(terminal: int, shown: list[bytes]) -> None:
    # Reading a terminal that nobody writes to any more is an error on Linux and the end elsewhere.
    with suppress(OSError):
        while part := os.read(terminal, 65536):
            shown.append(part)
