"""Rules mean what git says they mean: generated trees and rule files are shown to both."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dowse.ingest.walking import Entry, walk
from dowse.ingest.walking.ignoring import Rules, matchable
from dowse.ingest.walking.patterns import parse_patterns

_NAMES = st.sampled_from(["a", "b", "ab", "ba", "a.txt", "b.txt", "a b", "a-b", "é", "A", "]", "a*", "a "])
_TREES = st.sets(st.lists(_NAMES, min_size=1, max_size=4).map("/".join), min_size=1, max_size=10)
_PIECES = st.sampled_from(
    [
        "a",
        "b",
        "ab",
        "a.txt",
        "*",
        "?",
        "*.txt",
        "a*",
        "[ab]",
        "[!a]",
        "[]a]",
        "[a-b]b",
        "**",
        "*b*",
        "[",
        "\\a",
        "é",
        "??",
        "a\\*",
        "[[:alpha:]]",
        "[[:upper:]b]",
        "[b-a]",
        "***",
        "a\\ ",
        "[a",
        "[^[:lower:]]",
        "\\",
        "a\\",
        "a]",
    ]
)
_PATTERNS = st.builds(
    lambda negated, rooted, pieces, folder, ending: "!" * negated + "/" * rooted + "/".join(pieces) + "/" * folder + ending,
    st.integers(0, 3).map(lambda number: number == 0),
    st.booleans(),
    st.lists(_PIECES, min_size=1, max_size=3),
    st.integers(0, 2).map(lambda number: number == 0),
    st.sampled_from(["", "", "", " ", "  ", "\r", "\t"]),
)
_RULES = st.lists(_PATTERNS, min_size=1, max_size=5).map("\n".join)


@given(_TREES, _RULES, st.dictionaries(st.integers(0, 9), _RULES, max_size=2), _RULES, _RULES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)
def test_any_rules_leave_out_what_git_leaves_out(
    tmp_path_factory: pytest.TempPathFactory, tree: set[str], top: str, nested: Mapping[int, str], exclude: str, users: str
) -> None:
    root = tmp_path_factory.mktemp("tree") / "project"
    environment = _repository(root)
    for path in sorted(tree):
        _plant(root / path)
    folders = sorted(str(path) for path in root.rglob("*") if path.is_dir() and ".git" not in path.parts)
    (root / ".gitignore").write_text(top, encoding="utf-8", newline="")
    for number, rules in nested.items():
        if folders:
            Path(folders[number % len(folders)], ".gitignore").write_text(rules, encoding="utf-8", newline="")
    (root / ".git/info/exclude").write_text(exclude, encoding="utf-8", newline="")
    (root.parent / ".config/git").mkdir(parents=True)
    (root.parent / ".config/git/ignore").write_text(users, encoding="utf-8", newline="")

    found = {entry.path for entry in walk(root, environment=environment) if isinstance(entry, Entry)}

    assert found == _listed_by_git(root, environment)


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.log", "logs/today.log", True),
        ("/*.log", "logs/today.log", False),
        ("docs/*.md", "docs/a.md", True),
        ("docs/*.md", "docs/old/a.md", False),
        ("docs/**/a.md", "docs/a.md", True),
        ("docs/**/a.md", "docs/x/y/a.md", True),
        ("**/docs/a.md", "x/docs/a.md", True),
        ("docs/**", "docs/x/y", True),
        ("docs/**", "docs", False),
        ("\\#notes", "#notes", True),
        ("\\!notes", "!notes", True),
        ("caf?.py", "café.py", False),
        ("caf??.py", "café.py", True),
        ("caf*.py", "caf\udce9.py", True),
    ],
)
def test_a_pattern_matches_what_it_says(pattern: str, path: str, matches: bool) -> None:
    rules = Rules(parse_patterns(matchable(pattern)), "rules")

    verdict = rules.verdict(matchable(path), matchable(path.rpartition("/")[2]), False)

    assert (verdict is not None) is matches


@pytest.mark.parametrize("pattern", ["*a" * 40 + "b", "x/" + "**/a/" * 40 + "b", "/" + "*a" * 40 + "b"])
def test_a_hostile_pattern_is_not_slow(pattern: str) -> None:
    rules = Rules(parse_patterns(pattern), "rules")

    assert rules.verdict("x/" + "a/" * 100 + "a" * 250, "a" * 250, False) is None


def test_a_verdict_names_the_file_the_line_and_the_rule() -> None:
    rules = Rules(parse_patterns("# ours\n\nbuild/\n"), "sub/.gitignore")

    assert str(rules.verdict("build", "build", True)) == "sub/.gitignore:3: build/"


def _repository(root: Path) -> dict[str, str]:
    environment = {"HOME": str(root.parent), "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"]}
    subprocess.run(["git", "init", "-q", str(root)], check=True, env=environment, capture_output=True)
    return environment


def _plant(path: Path) -> None:
    """A file, unless another one stands in its way or it is a folder already."""
    if not any(above.is_file() for above in path.parents) and not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def _listed_by_git(root: Path, environment: Mapping[str, str]) -> set[str]:
    command = ["git", "-C", str(root), "ls-files", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, check=True, env=environment, capture_output=True).stdout.decode().split("\0")
    # The rule files themselves are hidden for us.
    return {path for path in listed if path and not path.endswith(".gitignore")}
