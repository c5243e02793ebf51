"""A machine with a home of its own, and the two ways to change its agents' settings."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dowse.shells.installing import Registration, install, uninstall


class Computer:
    """A home folder and what is on the PATH of its user."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        self.bin = folder / "environment" / "bin"
        self.bin.mkdir(parents=True)
        self.commands: dict[str, str] = {}
        self.environment: dict[str, str] = {}
        self.platform = "linux"
        (self.bin / "dowse").write_text("")

    @property
    def dowse(self) -> str:
        return str(self.bin / "dowse")

    def write(self, path: str, text: str) -> Path:
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        return file

    def install(self, *agents: str, **options: Any) -> tuple[Registration, ...]:
        return install(agents, interpreter=str(self.bin / "python"), **self._where(options))

    def uninstall(self, *agents: str, **options: Any) -> tuple[Registration, ...]:
        return uninstall(agents, **self._where(options))

    def _where(self, options: dict[str, Any]) -> dict[str, Any]:
        which: Callable[[str], str | None] = self.commands.get
        here = {"project": None, "dry_run": False, "platform": self.platform}
        return {**here, "home": self.home, "environment": self.environment, "which": which, **options}


needs_permissions = pytest.mark.skipif(sys.platform == "win32", reason="permissions are not bits there")
