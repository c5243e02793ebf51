"""What of a source file belongs to no definition? Statements, comments and licences, as blocks of their own."""

import re
from collections.abc import Iterable, Iterator

from dowse.ingest.code.comments import is_for_machines, is_licence
from dowse.ingest.code.language import Found
from dowse.ingest.code.outline import Outline, Span
from dowse.text.blocks import MOST_CHARACTERS, MOST_LINES, Block, cut_blocks

_WORDS = re.compile(r"\w+")


def file_doc(found: Outline) -> list[Span]:
    """Where the file says what it is: its doc string, or the first comment that is neither licence nor some definition's."""
    if found.docs:
        return found.docs[:1]
    first = min([one.outer for one in found.symbols] + [entry.start for entry in found.imports], default=len(found.source))
    taken = {span for one in found.symbols for span in one.comments}
    paragraph: list[Span] = []
    for span in found.comments:
        if span[0] > first or span in taken:
            break
        if paragraph and _is_apart(found.source, paragraph[-1], span):
            if _speaks(found, paragraph):
                break
            paragraph = []
        paragraph.append(span)
    return [span for span in paragraph if not is_for_machines(found.text(*span))] if _speaks(found, paragraph) else []


def package_statement(found: Outline, idle: frozenset[str]) -> list[Span]:
    """Where the file says which package it belongs to, if the line says nothing else."""
    spans: list[Span] = []
    for start, end in found.package_spans[:1]:
        first, last = found.source.rfind(b"\n", 0, start) + 1, found.source.find(b"\n", end)
        last = last if last >= 0 else len(found.source)
        if found.text(first, start).strip() in idle and found.text(end, last).strip() in ("", ";"):
            spans.append((first, last))
    return spans


def leftovers(found: Outline, taken: Iterable[Span], idle: frozenset[str]) -> tuple[Block, ...]:
    """What lies outside of all symbols, imports and ``taken``: cut into blocks, small neighbours joined.

    What is left of a statement whose parts are symbols, as ``const (``, is only ``idle`` words and makes none.
    """
    covered = sorted([*_symbol_spans(found.symbols), *_import_spans(found), *taken])
    blocks: list[Block] = []
    for text, line in _gaps(found, covered):
        for block in cut_blocks(text, first_line=line):
            # Most blocks say something with their first word.
            if all(match[0] in idle for match in _WORDS.finditer(block.text)):
                continue
            if blocks and _fit(blocks[-1], block):
                block = Block(f"{blocks[-1].text}\n\n{block.text}", blocks[-1].line, block.line_end)
                blocks.pop()
            blocks.append(block)
    return tuple(blocks)


def _speaks(found: Outline, paragraph: list[Span]) -> bool:
    text = "\n".join(found.text(*span) for span in paragraph if not is_for_machines(found.text(*span)))
    return any(character.isalnum() for character in text) and not is_licence(text)


def _is_apart(source: bytes, one: Span, other: Span) -> bool:
    gap = source[one[1] : other[0]]
    return bool(gap.strip()) or gap.count(b"\n") + (source[one[1] - 1 : one[1]] == b"\n") > 1


def _symbol_spans(symbols: Iterable[Found]) -> Iterator[Span]:
    """What symbols cover; of a scope, which is none, only what its members do."""
    for one in symbols:
        if one.kind != "scope" and (one.parent is None or one.parent.kind == "scope"):
            yield from one.comments
            yield one.start, one.end


def _import_spans(found: Outline) -> Iterator[Span]:
    """Imports that are statements; one in the middle of a line is part of something else."""
    for entry in found.imports:
        if not found.source[found.source.rfind(b"\n", 0, entry.start) + 1 : entry.start].strip():
            yield entry.start, entry.end


def _gaps(found: Outline, covered: list[Span]) -> Iterator[tuple[str, int]]:
    """The texts between what is covered, each with the line it begins on."""
    at, line, counted = 0, 1, 0
    for start, end in [*covered, (len(found.source), len(found.source))]:
        if start > at and found.source[at:start].strip():
            line += found.source.count(b"\n", counted, at)
            counted = at
            yield found.text(at, start), line
        at = max(at, end)


def _fit(one: Block, other: Block) -> bool:
    lines = one.text.count("\n") + other.text.count("\n") + 3
    return lines <= MOST_LINES and len(one.text) + len(other.text) + 2 <= MOST_CHARACTERS
