"""What does a library say of itself? A small file at its root: its title, its rules, and where its documentation is.

``dowse.library.toml`` or ``dowse.library.json`` with our names, or ``context7.json`` with those that many libraries use already.
Nothing in it is run, fetched or opened: its patterns only choose among the files that are in the library anyway.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dowse.errors import InvalidRequest
from dowse.text.suggesting import did_you_mean

NAMES = ("dowse.library.toml", "dowse.library.json", "context7.json")
_LISTS = ("folders", "exclude_folders", "exclude_files", "rules", "versions")
_TEXTS = ("title", "description")
_OTHER_NAMES = {
    "projectTitle": "title",
    "description": "description",
    "folders": "folders",
    "excludeFolders": "exclude_folders",
    "excludeFiles": "exclude_files",
    "rules": "rules",
    "previousVersions": "versions",
}
# Rules stand before every answer.
_LONGEST_RULE = 1000
_MOST_ITEMS = 500
_LONGEST_PATTERN = 300


@dataclass(frozen=True, slots=True)
class Config:
    """What a library says of itself. ``exclude_folders`` and ``exclude_files`` None: as is customary."""

    title: str = ""
    description: str = ""
    folders: tuple[str, ...] = ()
    exclude_folders: tuple[str, ...] | None = None
    exclude_files: tuple[str, ...] | None = None
    rules: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    given: bool = field(default=False, compare=False)


def read_config(name: str, data: bytes) -> Config:
    """The config in a file of one of ``NAMES``; what is wrong in it is told with the file and the entry.

    >>> read_config("context7.json", b'{"projectTitle": "Rocket", "previousVersions": [{"tag": "v1"}]}').versions
    ('v1',)
    """
    values = _parsed(name, data)
    values = _own_names(name, values) if name == NAMES[2] else _known_names(name, values)
    texts = {entry: _text(name, entry, values[entry]) for entry in _TEXTS if entry in values}
    lists = {entry: _texts(name, entry, values[entry]) for entry in _LISTS if entry in values}
    for patterned in ("folders", "exclude_folders", "exclude_files"):
        _check_patterns(name, patterned, lists.get(patterned, ()))
    return Config(**texts, **lists, given=True)  # type: ignore[arg-type]


def _parsed(name: str, data: bytes) -> Mapping[str, Any]:
    try:
        text = data.decode("utf-8-sig")
        values = tomllib.loads(text) if name.endswith(".toml") else json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidRequest(f"{name} cannot be read: {error}.") from error
    if not isinstance(values, dict):
        raise InvalidRequest(f"{name} must hold an object, not {_shown(values)}.")
    return values


def _known_names(name: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    for entry in values:
        if entry not in (*_TEXTS, *_LISTS):
            raise InvalidRequest(f"{name}: there is no {entry!r}. {did_you_mean(entry, (*_TEXTS, *_LISTS))}")
    return values


def _own_names(name: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Others write this file for another program too, so what we do not know in it is theirs."""
    found = {own: values[other] for other, own in _OTHER_NAMES.items() if values.get(other) is not None}
    versions = found.get("versions")
    if isinstance(versions, list):
        found["versions"] = [_tag(name, item) for item in versions]
    return found


def _tag(name: str, item: Any) -> Any:
    if isinstance(item, dict):
        if not isinstance(item.get("tag"), str):
            raise InvalidRequest(f"{name}: each of previousVersions needs a 'tag' that is a text, not {_shown(item)}.")
        return item["tag"]
    return item


def _text(name: str, entry: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidRequest(f"{name}: {_called(name, entry)} must be a text, not {_shown(value)}.")
    return " ".join(value.split())


def _texts(name: str, entry: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidRequest(f"{name}: {_called(name, entry)} must be a list of texts, not {_shown(value)}.")
    longest = _LONGEST_RULE if entry == "rules" else _LONGEST_PATTERN
    if len(value) > _MOST_ITEMS or any(len(item) > longest for item in value):
        raise InvalidRequest(
            f"{name}: {_called(name, entry)} has more than {_MOST_ITEMS} items, or one above {longest} characters."
        )
    return tuple(" ".join(item.split()) for item in value if item.strip())


def _check_patterns(name: str, entry: str, patterns: tuple[str, ...]) -> None:
    for pattern in patterns:
        if ".." in pattern.replace("\\", "/").split("/") or pattern.startswith("~"):
            raise InvalidRequest(f"{name}: {_called(name, entry)} has {pattern!r}, which leads out of the library.")


def _called(name: str, entry: str) -> str:
    if name != NAMES[2]:
        return entry
    return next(other for other, own in _OTHER_NAMES.items() if own == entry)


def _shown(value: Any) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 80 else f"{text[:79]}…"
