"""Questions are lines, and a line that is none is named."""

import io
from pathlib import Path

import pytest

from dowse.app.questions import read_questions, write_questions
from dowse.errors import InvalidRequest, NotFound
from dowse.model.benching import Question


def written(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_lines_are_json_or_cells_between_tabs(tmp_path: Path) -> None:
    file = written(tmp_path / "q", '{"query": "who retries", "expected": "task-1"}', "", "who waits\ttask-2\tdocs/a.md")
    assert read_questions(file) == (Question("who retries", ("task-1",)), Question("who waits", ("task-2", "docs/a.md")))


def test_lines_that_ask_the_same_are_one_question(tmp_path: Path) -> None:
    file = written(tmp_path / "q", "who waits\ta", "who else\tc", "who waits\tb", "who waits\ta")
    assert read_questions(file) == (Question("who waits", ("a", "b")), Question("who else", ("c",)))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    questions = (Question("Æ — ü", ("a",), without=("doc",), source="docstrings"), Question("b b", ("c", "d"), itself="e"))
    out = io.StringIO()
    assert write_questions(questions, out) == 2
    assert read_questions(written(tmp_path / "q", out.getvalue())) == questions


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"query": ', "line 1 is not valid JSON"),
        ('{"query": "x"}', "line 1 does not say what is expected"),
        ('{"query": " ", "expected": ["a"]}', "line 1 has no query"),
        ('{"query": 3, "expected": ["a"]}', "line 1: query, itself and source are texts"),
        ('{"query": "x", "expected": [3]}', "line 1: expected is a text or a list of texts"),
        ('{"query": "x", "expect": ["a"]}', "line 1 has expect; a question has query, expected"),
        ("only a query", "line 1 does not say what is expected"),
        ("", "holds no questions"),
    ],
)
def test_a_line_that_is_no_question_is_named_with_what_is_wrong(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(InvalidRequest, match=said):
        read_questions(written(tmp_path / "q", line))


def test_a_file_that_is_not_there_or_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no file"):
        read_questions(tmp_path / "none")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidRequest, match="no UTF-8 text"):
        read_questions(tmp_path / "bytes")
