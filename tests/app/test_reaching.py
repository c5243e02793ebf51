"""One link behind a hit stands what explains it; what everybody uses explains nothing."""

from collections.abc import Iterator

import pytest

import dowse
from dowse.app.reaching import Reached, reach
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with dowse.open(":memory:") as opened:
        opened.put(kind="codefile", key="f", title="f.py", path="f.py")
        for name in ("send", "cap_of", "log", "main"):
            opened.put(kind="symbol", key=name, title=name, path="f.py", parent="f", signature=f"def {name}()")
        for number in range(40):
            opened.put(kind="symbol", key=f"c{number}", title=f"c{number}", path="f.py", parent="f", signature="def c()")
            opened.link(f"c{number}", "log", "calls")
        opened.put(kind="page", key="decision", title="Why a cap", content="So.")
        opened.link("send", "cap_of", "calls")
        opened.link("send", "log", "calls")
        opened.link("main", "send", "calls")
        opened.link("decision", "send", "references")
        yield opened


def reached(workspace: Workspace, seeds: dict[str, float], known: tuple[str, ...] = (), least: float = 0.0) -> list[Reached]:
    with workspace._engine.view() as view:
        return reach(view, seeds, frozenset(known), SCHEMA, least)


def test_what_people_linked_comes_before_what_is_called_and_that_before_who_calls(workspace: Workspace) -> None:
    found = reached(workspace, {"send": 1.0})
    assert [(item.record.key, item.ways) for item in found] == [
        ("decision", (("send", "references"),)),
        ("cap_of", (("send", "called by"),)),
        ("f", (("send", "contains"),)),
        ("main", (("send", "calls"),)),
    ]


def test_what_many_call_is_not_reached(workspace: Workspace) -> None:
    assert "log" not in [item.record.key for item in reached(workspace, {"send": 1.0})]


def test_two_ways_to_a_record_count_together_and_are_both_told(workspace: Workspace) -> None:
    workspace.link("main", "cap_of", "calls")
    first = reached(workspace, {"send": 1.0, "main": 1.0})[0]
    assert (first.record.key, first.ways) == ("f", (("send", "contains"), ("main", "contains")))


def test_what_is_known_or_too_weak_is_left_out(workspace: Workspace) -> None:
    assert [item.record.key for item in reached(workspace, {"send": 1.0}, ("decision",), 0.55)] == ["cap_of"]


def test_a_test_that_merely_calls_it_counts_little_and_more_than_two_tests_are_too_many(workspace: Workspace) -> None:
    for number in range(4):
        key = f"t{number}"
        workspace.put(kind="symbol", key=key, title=key, path="t.py", parent="f", signature="def t()", test=True)
        workspace.link(key, "send", "tests" if number else "calls")
    keys = [item.record.key for item in reached(workspace, {"send": 1.0})]
    assert [key for key in keys if key.startswith("t")] == ["t1", "t2"]


def test_without_hits_nothing_is_reached(workspace: Workspace) -> None:
    assert reached(workspace, {}) == []
