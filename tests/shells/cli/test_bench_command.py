"""Measuring a workspace from the command line."""

import json
from pathlib import Path

import pytest
from running_cli import Cli

pytestmark = pytest.mark.usefixtures("sample")


def test_questions_are_asked_and_the_worst_are_shown(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "q.tsv").write_text("how are retries capped\ttask-17\nblend surge\tnowhere\n")
    ran = cli("bench", "q.tsv", "--worst", "1")
    assert ran.code == 0
    assert ran.out.startswith("2 questions\n")
    assert "nDCG@10" in ran.out
    assert "blend surge" in ran.out
    assert "nowhere in the workspace: nowhere" in ran.out


def test_lists_are_shown_beside_the_search(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "q.tsv").write_text("how are retries capped\ttask-17\n")
    rows = [line.split()[0] for line in cli("bench", "q.tsv", "--lists").out.splitlines()[2:6]]
    assert rows[:3] == ["search", "text", "names"]


def test_json_has_the_measures_by_name(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(json.dumps({"query": "jitter", "expected": ["task-17#note/plan"]}) + "\n")
    answer = cli("bench", "q.jsonl", "--json").json
    assert answer["questions"] == 1
    assert answer["measures"] == {"ndcg": 1.0, "mrr": 1.0, "recall": 1.0}


def test_questions_are_made_into_a_file_that_can_be_asked(cli: Cli, tmp_path: Path) -> None:
    made = cli("bench", "--make", "made.jsonl", "--from", "docstrings,tasks", "--limit", "2")
    assert made.code == 0
    lines = [json.loads(line) for line in (tmp_path / "made.jsonl").read_text().splitlines()]
    assert lines
    assert {line["source"] for line in lines} <= {"docstrings", "tasks"}
    assert made.out == f"questions: {len(lines)}\n"
    assert cli("bench", "made.jsonl").out.startswith(f"{len(lines)} questions\n")


def test_made_questions_go_to_standard_output_where_that_is_asked_for(cli: Cli) -> None:
    ran = cli("bench", "--make", "-", "--from", "tasks")
    assert all(json.loads(line)["source"] == "tasks" for line in ran.out.splitlines())
    assert ran.err.startswith("questions: ")


def test_neither_or_both_files_are_refused(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "q.tsv").write_text("a\tb\n")
    for arguments in ((), ("q.tsv", "--make", "other.jsonl")):
        ran = cli("bench", *arguments)
        assert ran.code == 2
        assert "needs a file of questions" in ran.err
    assert not (tmp_path / "other.jsonl").exists()
