"""What plain text does a value hold that someone typed into YAML or JSON? Never raises, whatever the value is."""

from collections.abc import Iterable, Mapping
from datetime import date

from dowse.ingest.documents.assembling import well_formed

# How YAML writes nothing, where a loader leaves every value as it is written.
_NOTHING = frozenset({"~", "null", "Null", "NULL"})

Given = Mapping[str, object]


def text(value: object) -> str:
    """A single value as text; a list or a mapping is none.

    >>> text(" a "), text(7), text(None), text(["a"]), text(True)
    ('a', '7', '', '', 'true')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # Half a surrogate pair is valid in JSON and in no index.
        clean = well_formed(value)
        return "" if clean in _NOTHING else clean.strip()
    if isinstance(value, int) and value.bit_length() > 256:
        return ""  # Python refuses to write the digits of very long numbers
    return str(value) if isinstance(value, int | float | date) else ""


def line(value: object) -> str:
    """The text on one line.

    >>> line("a\\n  b")
    'a b'
    """
    return " ".join(text(value).split())


def words(value: object) -> tuple[str, ...]:
    """A list of texts, or one text with commas in it, or with spaces if it has none; in order, without repeats.

    >>> words(["a", 1, None, "a"]), words("a, b c"), words("a b"), words({"a": 1})
    (('a', '1'), ('a', 'b c'), ('a', 'b'), ())
    """
    if isinstance(value, str):
        return unique(line(part) for part in (value.split(",") if "," in value else value.split()))
    return unique(line(part) for part in items(value))


def items(value: object) -> tuple[object, ...]:
    """The members of a list; a single value is a list of one.

    >>> items(["a", "b"]), items("a"), items(None)
    (('a', 'b'), ('a',), ())
    """
    if value is None or value == "":
        return ()
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def given(value: object) -> Given:
    """The mapping, with its text keys alone; anything else is an empty one."""
    return {name: held for name, held in value.items() if isinstance(name, str)} if isinstance(value, Mapping) else {}


def first(data: Given, *names: str) -> object:
    """The value under the first of the names that has one."""
    return next((data[name] for name in names if data.get(name) not in (None, "", [], {})), None)


def unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part for part in texts if part))


def tags(*values: Iterable[str]) -> tuple[str, ...]:
    """Tags as records hold them: without the sign they are written with, sorted.

    >>> tags(["#b", "a"], ["b"])
    ('a', 'b')
    """
    return tuple(sorted({tag.lstrip("#").strip() for value in values for tag in value} - {""}))


def filled(**fields: str) -> dict[str, str]:
    """The fields that hold something."""
    return {name: value for name, value in fields.items() if value}
