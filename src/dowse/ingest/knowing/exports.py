"""Which objects does a JSON or JSONL file hold that may be one issue each?"""

import json
from collections.abc import Iterator

from dowse.ingest.extract import SourceFile
from dowse.ingest.knowing.loose import Given, given

LINED = (".jsonl", ".ndjson")
# What stands around the issues in answers of a forge's interfaces.
_AROUND = "data repository organization search issues pullRequests pull_requests items nodes edges node".split()
_DEEPEST = 8
# A file that is no export would fill the report.
_REPORTED = 20


def rows(file: SourceFile, problems: list[str]) -> Iterator[Given]:
    """The objects one by one. A line that cannot be read is a problem and is skipped; so is a file that is no JSON."""
    if file.path.lower().endswith(LINED):
        yield from _lines(file, problems)
        return
    value = _loaded(file.text)
    if value is _UNREADABLE:
        problems.append(f"{file.path}: not valid JSON; nothing was read")
    else:
        yield from _within(value, _DEEPEST)


def _lines(file: SourceFile, problems: list[str]) -> Iterator[Given]:
    bad = 0
    for number, line in enumerate(_split(file.text), 1):
        value = _loaded(line) if line.strip() else {}
        if isinstance(value, dict):
            yield from (given(value),) if value else ()
            continue
        bad += 1
        if bad <= _REPORTED:
            problems.append(f"{file.path}: line {number}: not a JSON object; skipped")
    if bad > _REPORTED:
        problems.append(f"{file.path}: {bad - _REPORTED} more lines are no JSON objects; skipped")


def _split(text: str) -> Iterator[str]:
    """Line by line without a second copy of a large text; only a line feed ends a line of JSON."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end + 1


class _Unreadable:
    """Told apart from everything that JSON can say."""


_UNREADABLE = _Unreadable()


def _loaded(text: str) -> object:
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return _UNREADABLE


def _within(value: object, deepest: int) -> Iterator[Given]:
    if isinstance(value, list):
        for member in value:
            yield from _within(member, deepest - 1) if deepest else ()
    elif isinstance(value, dict):
        data = given(value)
        around = [data[name] for name in _AROUND if isinstance(data.get(name), dict | list)] if "title" not in data else []
        if not around:
            yield data
        for inner in around if deepest else ():
            yield from _within(inner, deepest - 1)
