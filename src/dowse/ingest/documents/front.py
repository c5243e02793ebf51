"""What does the front matter of a document say?"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

# Front matter is a few lines; what is longer is text between two rules.
_LONGEST_LINES = 1000
_LONGEST = 64_000
# The YAML parser recurses in C for every level and takes the process with it when the stack ends.
_DEEPEST = 50
_MARKS = {"---": ("---", "..."), "+++": ("+++",)}
_REASON_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Front:
    """``first``: the line where the text begins; ``body``: the line from which it is to be read as the document's format.

    They differ where front matter could not be understood: then it stays as text, but is no part of the format.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    first: int = 1
    body: int = 1
    problems: tuple[str, ...] = ()


def read_front(lines: Sequence[str], path: str) -> Front:
    """The front matter at the top of a file: YAML between ``---`` or TOML between ``+++``."""
    mark = lines[0].lstrip("\ufeff").rstrip() if lines else ""
    ends = _MARKS.get(mark)
    if ends is None:
        return Front()
    last = next((number for number, line in enumerate(lines[1:_LONGEST_LINES], 1) if line.rstrip() in ends), 0)
    text = "\n".join(lines[1:last])
    if not last or len(text) > _LONGEST:
        return Front()
    try:
        values = _from_yaml(text) if mark == "---" else tomllib.loads(text)
    except (yaml.YAMLError, ValueError, LookupError, AttributeError, OverflowError, RecursionError) as error:
        return Front(body=last + 2, problems=(f"{path}: the front matter cannot be read: {_reason(error)}.",))
    if values is None:
        return Front(first=last + 2, body=last + 2)
    # Text between two rules is valid YAML too, only not a mapping.
    if not isinstance(values, dict):
        return Front()
    return Front({str(name): value for name, value in values.items()}, last + 2, last + 2)


class _Loader(yaml.CSafeLoader):
    """YAML without merge keys: a few lines of them can stand for more than fits into memory."""

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        pass


def _from_yaml(text: str) -> Any:
    depth = 0
    for event in yaml.parse(text, yaml.CSafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise ValueError(f"it is nested more than {_DEEPEST} levels deep")
    return yaml.load(text, _Loader)


def _reason(error: Exception) -> str:
    problem = getattr(error, "problem", None)
    mark = getattr(error, "problem_mark", None)
    where = f" in line {mark.line + 2}" if mark is not None else ""
    return _REASON_SPACES.sub(" ", f"{problem or error}{where}")
