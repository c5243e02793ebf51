"""Does the demonstration show what it says, on this very repository?"""

import runpy
from pathlib import Path

import pytest

_DEMO = Path(__file__).resolve().parent.parent / "docs" / "demo.py"


def test_the_demonstration_gives_the_answers_it_promises(capsys: pytest.CaptureFixture[str]) -> None:
    main = runpy.run_path(str(_DEMO))["main"]
    assert main() == 0, capsys.readouterr().err
