"""What of a document's front matter can be filtered by? Tags, and every plain value as a facet."""

import math
import re
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

from dowse.ingest.documents.assembling import one_line, well_formed
from dowse.model.record import Facet

_TAGS = ("tags", "keywords")
# These say something else of a record: a placeholder, for one, is never found.
_RESERVED = frozenset(("kind", "title", "path", "language", "placeholder", *_TAGS))
_NOT_IN_NAME = re.compile(r"\W+")
_LONGEST_VALUE = 1000
_LONGEST_NAME = 64
# What an engine can keep as a number.
_LARGEST = 2**63


def tags(front: Mapping[str, Any]) -> tuple[str, ...]:
    """The tags and keywords, whether written as a list or with commas.

    >>> tags({"tags": ["search", "Index"], "keywords": "fast, search"})
    ('Index', 'fast', 'search')
    """
    found: set[str] = set()
    for name in _TAGS:
        value = front.get(name)
        words = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else ()
        found |= {_tag(word) for word in words if isinstance(word, str | int | float)}
    return tuple(sorted(found - {""}))


def facets(front: Mapping[str, Any]) -> dict[str, Facet]:
    """Every scalar by its name; dates as ISO text, lists of scalars as one text.

    >>> facets({"title": "Guide", "draft": False, "sidebar-position": 3, "authors": ["Ada", "Bo"], "seo": {"index": True}})
    {'draft': False, 'sidebar_position': 3, 'authors': 'Ada, Bo'}
    """
    found: dict[str, Facet] = {}
    for name, value in front.items():
        identifier = _NOT_IN_NAME.sub("_", well_formed(name)).strip("_")[:_LONGEST_NAME]
        facet = _joined(value) if isinstance(value, list) else _scalar(value)
        if identifier and identifier.lower() not in _RESERVED and identifier not in found and facet not in (None, ""):
            found[identifier] = facet
    return found


def _tag(word: str | int | float) -> str:
    return one_line(well_formed(str(word))).lstrip("#").strip()[:_LONGEST_NAME]


def _joined(values: list[Any]) -> str | None:
    scalars = [_scalar(value) for value in values]
    if not scalars or any(scalar is None for scalar in scalars):
        return None
    return ", ".join(str(scalar) for scalar in scalars)[:_LONGEST_VALUE]


def _scalar(value: Any) -> Facet | None:
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -_LARGEST <= value < _LARGEST else None
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return one_line(well_formed(value))[:_LONGEST_VALUE] if isinstance(value, str) else None
