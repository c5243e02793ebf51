"""Is every promised behaviour shown by a test, and does every marked test show a promised behaviour?

Markers are read from the source of the tests, so the answer does not depend on which of them run.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
MANIFEST = tomllib.loads((TESTS / "requirements.toml").read_text(encoding="utf-8"))
# The contract lies beside the checkout where the product is made; elsewhere the manifest stands for it.
CONTRACT = TESTS.parent.parent / "shared" / "REQUIREMENTS.md"
_ID = re.compile(r"\b[TRBIGU]-\d\d\b")
_PENDING = ("servers",)


def marked_in(source: str) -> Iterator[str]:
    """The ids of every ``pytest.mark.requirement(...)`` in a source text, as decorator or as a parameter's mark."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.requirement":
            for argument in node.args:
                assert isinstance(argument, ast.Constant), f"line {node.lineno}: write the id itself"
                yield str(argument.value)


@cache
def marked() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for requirement in marked_in(path.read_text(encoding="utf-8")):
            found.setdefault(requirement, set()).add(path.relative_to(TESTS).as_posix())
    return found


def test_every_requirement_has_a_marked_test_or_waits_for_something_named() -> None:
    shown = marked()
    assert [name for name, entry in MANIFEST.items() if name not in shown and "pending" not in entry] == []


def test_no_test_is_marked_with_an_unknown_requirement() -> None:
    assert {name: sorted(files) for name, files in marked().items() if name not in MANIFEST} == {}


def test_a_requirement_waits_only_for_what_will_come_and_says_for_which_part() -> None:
    for name, entry in MANIFEST.items():
        assert entry.get("pending", _PENDING[0]) in _PENDING, name
        # What is shown in part says what remains; what is not shown at all remains as a whole.
        assert ("remains" in entry) == ("pending" in entry and name in marked()), name


def test_every_requirement_is_one_sentence() -> None:
    for name, entry in MANIFEST.items():
        assert _ID.fullmatch(name)
        assert entry.keys() <= {"text", "pending", "remains"}, name
        assert re.fullmatch(r"[A-Z].*[^.]\.", entry["text"]), name


@pytest.mark.skipif(not CONTRACT.is_file(), reason="the contract is not beside this checkout")
def test_the_manifest_has_the_ids_of_the_contract() -> None:
    assert sorted(MANIFEST) == sorted(set(_ID.findall(CONTRACT.read_text(encoding="utf-8"))))


def test_markers_are_found_wherever_they_stand() -> None:
    source = """
        @pytest.mark.requirement("T-01", "T-02")
        @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.requirement("B-06"))])
        class TestIt:
            @pytest.mark.requirement("G-07")
            def test_it(self): ...
    """
    assert sorted(marked_in(re.sub(r"(?m)^ {8}", "", source))) == ["B-06", "G-07", "T-01", "T-02"]
