"""How are questions with known answers written down? A line each: JSON, or the query and what is expected between tabs."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from dowse.errors import InvalidRequest, NotFound
from dowse.model.benching import Question

_NAMES = ("query", "expected", "without", "itself", "source")


def read_questions(path: Path) -> tuple[Question, ...]:
    """The questions of a file; lines that ask the same are one question that expects what all of them expect."""
    if not path.is_file():
        raise NotFound(f"There is no file {path}.")
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InvalidRequest(f"{path} is no UTF-8 text ({error.reason} at byte {error.start}).") from error
    found: dict[Question, list[str]] = {}
    for question in _questions(lines, path.name):
        found.setdefault(replace(question, expected=()), []).extend(question.expected)
    if not found:
        raise InvalidRequest(f'{path} holds no questions. A line is {{"query": "…", "expected": ["…"]}}, or query, tab, expected.')
    return tuple(replace(question, expected=tuple(dict.fromkeys(expected))) for question, expected in found.items())


def write_questions(questions: Iterable[Question], out: IO[str]) -> int:
    """A line of JSON each; returns how many."""
    count = 0
    for question in questions:
        values = {name: getattr(question, name) for name in _NAMES}
        out.write(json.dumps({name: value for name, value in values.items() if value}, ensure_ascii=False) + "\n")
        count += 1
    return count


def _questions(lines: Iterable[str], name: str) -> Iterator[Question]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            where = f"{name} line {number}"
            yield _of_json(line, where) if line.lstrip().startswith("{") else _of_cells(line, where)


def _of_cells(line: str, where: str) -> Question:
    query, *expected = [cell.strip() for cell in line.split("\t")]
    return _checked(Question(query, tuple(filter(None, expected))), where)


def _of_json(line: str, where: str) -> Question:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InvalidRequest(f"{where} is not valid JSON ({error}).") from error
    if unknown := sorted(set(row) - set(_NAMES)):
        raise InvalidRequest(f"{where} has {', '.join(unknown)}; a question has {', '.join(_NAMES)}.")
    query, itself, source = (row.get(name, "") for name in ("query", "itself", "source"))
    if not all(isinstance(text, str) for text in (query, itself, source)):
        raise InvalidRequest(f"{where}: query, itself and source are texts.")
    return _checked(Question(query, _texts(row, "expected", where), _texts(row, "without", where), itself, source), where)


def _texts(row: dict[str, Any], name: str, where: str) -> tuple[str, ...]:
    value = row.get(name, [])
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise InvalidRequest(f"{where}: {name} is a text or a list of texts, not {value!r}.")
    return tuple(items)


def _checked(question: Question, where: str) -> Question:
    if not question.query.strip():
        raise InvalidRequest(f"{where} has no query.")
    if not question.expected:
        raise InvalidRequest(f"{where} does not say what is expected: ids of records, or paths of files.")
    return question
