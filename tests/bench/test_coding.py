"""Targets in checkouts, and what is said of them."""

import json
from pathlib import Path

from bench.coding import CodeResult, load_repositories, render_code, score


def checkout(root: Path, name: str, *paths: str) -> None:
    for path in paths:
        (root / name / path).parent.mkdir(parents=True, exist_ok=True)
        (root / name / path).write_text("x = 1\n")


def bench(root: Path, *targets: dict[str, object]) -> Path:
    at = root / "bench" / "code-search"
    at.mkdir(parents=True)
    rows = [{"name": name, "language": "python", "benchmark_root": "src"} for name in ("acme", "elsewhere")]
    task = {"_id": "acme#0", "repo": "acme", "query": "open the sluice", "category": "semantic", "targets": targets}
    (at / "repos.json").write_text(json.dumps(rows))
    (at / "tasks.jsonl").write_text(json.dumps(task) + "\n")
    return root / "bench"


def test_targets_are_named_from_the_indexed_folder_wherever_they_were_named_from(tmp_path: Path) -> None:
    checkout(tmp_path, "acme", "src/a.py", "src/deep/b.py", "other/c.py")
    rows = ("src/a.py", "deep/b.py", "other/c.py", "src/gone.py")
    root = bench(tmp_path, *({"path": path} for path in rows), {"path": "src/a.py", "start_line": 3, "end_line": 9})
    (found,), absent = load_repositories(root, tmp_path, [])
    assert found.tasks[0].targets == ("a.py", "deep/b.py", "other/c.py", "src/gone.py", "a.py:3-9")
    assert found.missing == ("src/gone.py",)
    assert absent == ["elsewhere"]


def test_repositories_count_alike_and_what_is_not_there_is_told(tmp_path: Path) -> None:
    checkout(tmp_path, "acme", "src/a.py")
    (found,), absent = load_repositories(bench(tmp_path, {"path": "src/a.py"}, {"path": "gone.py"}), tmp_path, ["acme", "unheard"])
    results = [CodeResult(found, (1.0,), (0.5,)), CodeResult(found, (0.0,), (0.5,))]
    assert score(results) == 0.5
    said = render_code(results, absent, "static")
    assert "Not checked out, so not counted: unheard." in said
    assert "acme lacks targets: gone.py." in said
    assert "target" not in said.splitlines()[0], "a part of the repositories says nothing about all"
