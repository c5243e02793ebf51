"""What is written in C is compiled where there is a compiler; a build that quietly went without would only be slow."""

import importlib
import re
import shutil
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src"
WRITTEN_IN_C = sorted(SOURCE.rglob("_*.c"))
INCLUDED = re.compile(r'^#include "(.+)"$', re.MULTILINE)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler")
@pytest.mark.parametrize("path", WRITTEN_IN_C, ids=lambda path: path.stem)
def test_a_file_in_c_is_a_module_that_is_younger_than_it(path: Path) -> None:
    module = importlib.import_module(".".join(path.relative_to(SOURCE).with_suffix("").parts))
    assert module.__file__ is not None
    parts = [path, *(path.parent / name for name in INCLUDED.findall(path.read_text("utf-8")))]
    youngest = max(part.stat().st_mtime for part in parts)
    assert Path(module.__file__).stat().st_mtime >= youngest, "install dowse anew: make .venv/installed"


@pytest.mark.parametrize("path", WRITTEN_IN_C, ids=lambda path: path.stem)
def test_it_stands_beside_the_python_that_does_the_same_and_its_types(path: Path) -> None:
    assert path.with_name(f"{path.stem.removeprefix('_')}.py").exists()
    assert path.with_suffix(".pyi").exists()
