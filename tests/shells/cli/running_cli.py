"""How tests run the command line: in a process of its own, or as a call whose output a fixture catches."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
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
