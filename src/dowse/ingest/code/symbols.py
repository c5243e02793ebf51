"""How is each definition called, declared and seen from outside? Names, keys, signatures, and what is exported or a test."""

import re
from bisect import bisect_left, bisect_right

from dowse.ingest.code.language import CONTAINERS, Found, Language, SymbolKind
from dowse.ingest.code.outline import Outline
from dowse.ingest.extract import SourceFile
from dowse.ingest.keying import Keys

# Enough for a long list of parameters; a constant that is a table is not its own summary.
LONGEST_SIGNATURE = 400
# What a signature ends with that is longer.
CUT = "…"

# What stands between a declaration and its body.
_OPENS_BODY = ("{", ":", "=>", "=", " do", " where", " begin")
_TYPE_ARGUMENTS = re.compile(r"[<\[(].*", re.DOTALL)
_OWNERS = (CONTAINERS | {"scope"}) - {SymbolKind.MODULE}


def complete(found: Outline, language: Language, is_test_file: bool, file: SourceFile, keys: Keys) -> None:
    """Fills in what follows from the outline: qualified names, keys, signatures, lines."""
    listed = frozenset(found.exports)
    line, counted = 1, 0
    for one in found.symbols:
        one.start = line_start(found.source, one.start)
        one.qualified = _qualified(one)
        if one.kind == SymbolKind.FUNCTION and (one.owners or (one.parent is not None and one.parent.kind in _OWNERS)):
            one.kind = SymbolKind.METHOD
        if one.kind != "scope":
            one.key = keys.take(file.part(one.qualified))
        line += (
            found.source.count(b"\n", counted, one.start)
            if one.start >= counted
            else -found.source.count(b"\n", one.start, counted)
        )
        counted = one.start
        one.line, one.line_end = line, line + found.source.count(b"\n", one.start, one.end - 1)
        _declare(found, one)
        one.exported = language.exported(one, listed)
        one.test = is_test_file or one.testing or language.tests(one) or (one.parent is not None and one.parent.test)


def simple(name: str) -> str:
    """The last part of a name as written, without type arguments.

    >>> simple("fmt::Display<T>"), simple("abc.ABC"), simple("std::vector<a::b>")
    ('Display', 'ABC', 'vector')
    """
    return re.split(r"[.:\\\s]+", _TYPE_ARGUMENTS.sub("", name).strip())[-1]


def line_start(source: bytes, start: int) -> int:
    """The start of the line, if nothing but white space stands before ``start``: what is shown keeps its indentation."""
    line = source.rfind(b"\n", 0, start) + 1
    return start if source[line:start].strip() else line


def _qualified(one: Found) -> str:
    """Its name after the names of all that it stands in."""
    name = " ".join(one.name.split())
    if one.kind == "scope":
        name = simple(name) or name
    if one.owners:
        name = f"{simple(one.owners[0])}.{name}"
    return f"{one.parent.qualified}.{name}" if one.parent is not None else name


def _declare(found: Outline, one: Found) -> None:
    """Its signature: the declaration up to the body, in one line, without attributes and comments."""
    pieces: list[str] = []
    attributes: list[str] = []
    at = one.head
    for start, end in within(found.attributes, one.start, one.body):
        attributes.append(found.text(start, end))
        if start >= at:
            pieces.append(found.text(at, start))
            at = end
    # A table of a thousand lines is not read to the end for its first words.
    pieces.append(found.text(at, min(one.body, at + 4 * LONGEST_SIGNATURE)))
    declared = " ".join(" ".join(pieces).split())
    if one.body < one.end and declared.endswith(_OPENS_BODY):
        declared = next(declared.removesuffix(mark).rstrip() for mark in _OPENS_BODY if declared.endswith(mark))
    declared = declared.removesuffix(";")
    one.signature = declared if len(declared) <= LONGEST_SIGNATURE else declared[: LONGEST_SIGNATURE - 1] + CUT
    one.attributes = "\n".join(attributes)


def within(spans: list[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    if not spans:
        return spans
    return spans[bisect_left(spans, (start, 0)) : bisect_right(spans, (end, 0))]
