"""Does what the documents show work?"""

import re
import shlex
from pathlib import Path

import pytest

from dowse.shells.cli import parsing

_ROOT = Path(__file__).resolve().parent.parent
_DOCUMENTS = [path for path in (_ROOT / "README.md", *sorted((_ROOT / "docs").glob("*.md"))) if path.name != "cli.md"]
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[tuple[str, str]]:
    found = [(path.name, *match) for path in _DOCUMENTS for match in _FENCE.findall(path.read_text(encoding="utf-8"))]
    return [(name, text) for name, kind, text in found if kind == language]


@pytest.mark.parametrize(("name", "text"), blocks("python"))
def test_python_in_the_documents_runs_and_shows_something(
    name: str, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(_ROOT)
    exec(compile(text, name, "exec"), {})
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize(("name", "text"), blocks("console"))
def test_commands_in_the_documents_are_commands(name: str, text: str) -> None:
    commands = [line.removeprefix("$ dowse ") for line in text.splitlines() if line.startswith("$ dowse ")]
    assert commands, name
    for command in commands:
        given, rest = parsing.split(shlex.split(command))
        assert given is not None
        parsing.parse(parsing.find(given), rest)
