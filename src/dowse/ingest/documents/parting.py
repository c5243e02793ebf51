"""How is a long section cut into parts that each read on their own?"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dowse.ingest.documents.outline import Example, Section
from dowse.text.sentences import Span, split

# About a page: longer texts say many things at once, and none of them ranks.
LIMIT = 4000
# Enough for the sentence or two that say what the next ones are about.
_OVERLAP = 400
# Code and tables say nothing in halves, unless they are so long that they are data.
LONGEST_WHOLE = 4 * LIMIT
_ROW = re.compile(r"[ \t>]*(?:\||\+[-=+]{3,})")


@dataclass(frozen=True, slots=True)
class Part:
    text: str
    line: int = 0
    line_end: int = 0


def parts(section: Section) -> tuple[Part, ...]:
    """The text of a section in parts of a readable length; the first begins with the heading's line."""
    text = section.text
    if len(text) <= LIMIT:
        return (Part(text, section.line, section.line_end),)
    spans = split(text, LIMIT, _OVERLAP, list(_wholes(section)))
    cut = list(_numbered(text, spans, section.text_line))
    first = cut[0]
    return (Part(first.text, section.line, first.line_end), *cut[1:])


def _numbered(text: str, spans: Sequence[Span], line: int) -> Iterator[Part]:
    counted = 0
    for start, end in spans:
        shown = text[start:end].strip("\n")
        start += len(text[start:end]) - len(text[start:end].lstrip("\n"))
        if not shown.strip():
            continue
        if not line:
            yield Part(shown)
            continue
        line += text.count("\n", counted, start)
        counted = start
        yield Part(shown, line, line + shown.count("\n"))


def _wholes(section: Section) -> Iterator[Span]:
    """Stretches of the text that no cut may fall into, in order: examples and tables, or their lines where they are too long."""
    text = section.text
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    ends = [*(start - 1 for start in starts[1:]), len(text)]
    at = 0
    for first, last in _blocks(section, starts, ends):
        if first < at:
            continue
        at = last + 1
        if ends[last] - starts[first] <= LONGEST_WHOLE:
            yield starts[first], ends[last]
        else:
            yield from (
                (starts[row], ends[row]) for row in range(first, at) if starts[row] < ends[row] and ends[row] - starts[row] <= LIMIT
            )


def _blocks(section: Section, starts: Sequence[int], ends: Sequence[int]) -> list[tuple[int, int]]:
    """The first and last line of each example and table, counted from 0 within the text."""
    text = section.text
    found = list(_by_lines(section) if section.line_end else _by_code(text, section.examples))
    last = len(starts) - 1
    blocks = [(max(0, first), min(end, last)) for first, end in found if first <= last and end >= 0]
    first = -1
    for number in range(len(starts) + 1):
        is_row = number < len(starts) and _ROW.match(text, starts[number], ends[number]) is not None
        if is_row and first < 0:
            first = number
        elif not is_row and first >= 0:
            blocks.append((first, number - 1))
            first = -1
    # An example with bars in it is one block: the longest of those that begin together comes first.
    return sorted(blocks, key=lambda block: (block[0], -block[1]))


def _by_lines(section: Section) -> Iterator[tuple[int, int]]:
    begin = section.text_line
    for example in section.examples:
        yield example.line - begin, example.line_end - begin


def _by_code(text: str, examples: Sequence[Example]) -> Iterator[tuple[int, int]]:
    """Where a format has no lines, an example is found by its code; marks around it belong to it."""
    at = line = 0
    for example in examples:
        found = text.find(example.code, at)
        if found < 0:
            continue
        line += text.count("\n", at, found)
        height = example.code.count("\n")
        before = text.rfind("\n", 0, max(0, found - 1)) + 1
        fenced = text.startswith("```", before) and found > before
        yield (line - 1, line + height + 1) if fenced else (line, line + height)
        at = found + len(example.code)
        line += height
