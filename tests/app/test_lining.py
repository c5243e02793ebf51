"""Are lines numbered as they stand in the file, or not at all?"""

from pathlib import Path

import pytest

from dowse.app.lining import first_line
from dowse.app.workspace import Workspace

SOURCE = '''import functools


@functools.cache
@functools.wraps(len)
def settle(x):
    """How it settles."""
    y = x + 1
    return y


def drift(x):
    y = x - 1
    return y
'''


@pytest.fixture
def pond(workspace: Workspace, tmp_path: Path) -> Workspace:
    root = tmp_path / "pond"
    root.mkdir()
    (root / "a.py").write_text(SOURCE, encoding="utf-8")
    workspace.index(root)
    return workspace


@pytest.mark.parametrize(("name", "expected"), [("drift", 13), ("settle", None)])
def test_a_body_has_its_lines_unless_what_stands_above_its_signature_begins_it(
    pond: Workspace, name: str, expected: int | None
) -> None:
    record = pond.get(f"pond:a.py#{name}")
    body = record.text("body")
    first = first_line(record, pond.schema.kinds[record.kind], body, has_parts=False)
    assert first == expected
    if first is not None:
        assert SOURCE.splitlines()[first - 1 :][: body.count("\n") + 1] == body.splitlines()
