"""A file reads as its parts by line."""

from collections.abc import Iterator

import pytest

import dowse
from dowse.app.outlining import is_outlined, outline
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with dowse.open(":memory:") as opened:
        opened.put(kind="codefile", key="f", title="tide.py", path="tide.py", doc="Reads gauges.")
        parts = {"Gauge": ("f", 3, 20), "Gauge.level": ("Gauge", 5, 9), "Gauge.close": ("Gauge", 11, 20), "main": ("f", 23, 23)}
        for name, (parent, line, end) in parts.items():
            values = {"path": "tide.py", "signature": f"def {name}()", "line": line, "lineEnd": end}
            opened.put({"kind": "symbol", "key": name, "title": name, "parent": parent, **values})
        opened.put(kind="symbol", key="module", title="tide", parent="f", path="tide.py", body="x = 1", line=1, lineEnd=2)
        yield opened


def shown(workspace: Workspace, room: int) -> tuple[str, bool]:
    with workspace._engine.view() as view:
        made = outline(view, workspace.get("f"), SCHEMA, room)
    return made.text, made.whole


def test_parts_stand_in_the_order_of_their_lines_and_what_has_no_name_is_left_out(workspace: Workspace) -> None:
    rows = "Reads gauges.\n3-20  def Gauge()\n5-9  def Gauge.level()\n11-20  def Gauge.close()\n23  def main()"
    assert shown(workspace, 500) == (rows, True)


def test_with_less_room_the_parts_of_parts_go_first(workspace: Workspace) -> None:
    assert shown(workspace, 50) == ("Reads gauges.\n3-20  def Gauge()\n23  def main()", True)


def test_with_no_room_an_outline_says_that_it_goes_on(workspace: Workspace) -> None:
    assert shown(workspace, 35) == ("Reads gauges.\n3-20  def Gauge()\n…", False)


def test_files_are_outlined_and_what_stands_in_them_is_not() -> None:
    assert [name for name, kind in SCHEMA.kinds.items() if is_outlined(kind, SCHEMA)] == ["document", "codefile"]
