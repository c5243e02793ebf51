"""How do headings and examples, found by a format's own rules, become one outline?"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from dowse.ingest.documents.outline import Example, Link, Outline, Section, anchor_of

# A longer heading is a paragraph that looks like one; it is cut in titles and kept whole in the text.
LONGEST_TITLE = 300
# Sections of one document: more than any has that someone wrote. Two megabytes of headings would be 400,000 records.
_MOST_SECTIONS = 50_000
# Anchors become keys: the characters that dowse itself puts between the parts of a key are left out.
_NOT_IN_KEY = re.compile(r"[^\w\-.:]+")
_SPACES = re.compile(r"\s+")
# Only where there is no heading at all.
_TOP, _UNNAMED = "top", "section"

Inline = Callable[[str], tuple[tuple[Link, ...], tuple[str, ...]]]
"""The links and mentions of a stretch of prose."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading on ``line``; its text begins at ``body``. ``anchor`` is what the document itself calls it, if it does."""

    title: str
    level: int
    line: int
    body: int
    anchor: str = ""
    labels: tuple[str, ...] = ()


@dataclass(slots=True)
class Draft:
    """A section that is still being written."""

    title: str
    level: int
    anchor: str = ""
    line: int = 0
    line_end: int = 0
    text: str = ""
    examples: list[Example] = field(default_factory=list)
    links: tuple[Link, ...] = ()
    mentions: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


def lines_of(text: str) -> list[str]:
    """The lines of a text as editors count them.

    >>> lines_of("a\\r\\nb\\rc\\x0bd")
    ['a', 'b', 'c\\x0bd']
    """
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def well_formed(text: str) -> str:
    """The text with halves of surrogate pairs joined, or replaced where the other half is missing.

    >>> well_formed("a\\ud83d\\ude00b\\ud800c") == "a\\U0001f600b\\ufffdc"
    True
    """
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def from_lines(
    lines: Sequence[str], headings: Sequence[Heading], examples: Sequence[Example], inline: Inline, *, first: int = 1
) -> list[Draft]:
    """One draft a heading, and one before them if there is any text. ``first``: the line where the document's text begins. What is
    called so after very many headings is text of the last one."""
    headings = (Heading("", 0, first, first), *headings[:_MOST_SECTIONS])
    ends = [*(heading.line - 1 for heading in headings[1:]), len(lines)]
    drafts = [_draft(lines, heading, end) for heading, end in zip(headings, ends, strict=True)]
    _hand_out(drafts, examples)
    for draft, heading in zip(drafts, headings, strict=True):
        # A heading names things too: "### `Router.route`" is how references are written.
        draft.links, draft.mentions = inline("\n".join([*lines[heading.line - 1 : heading.body - 1], _prose(draft)]))
    return drafts if drafts[0].text else drafts[1:]


def assemble(
    path: str, drafts: Iterable[Draft], front: Mapping[str, Any], problems: Iterable[str] = (), title: str = ""
) -> Outline:
    """The outline: trails, anchors and the title, which is that of the front matter, of the first heading or of the file."""
    drafts = [draft for draft in drafts if draft.level or draft.text or draft.examples]
    named = title or _front_title(front) or next((draft.title for draft in drafts if draft.level and draft.title), "")
    named = one_line(named)[:LONGEST_TITLE] or PurePosixPath(path).name
    anchors = _anchors(drafts)
    sections, above = [], list[Draft]()
    for draft, anchor in zip(drafts, anchors, strict=True):
        while above and above[-1].level >= draft.level:
            above.pop()
        trail = tuple(other.title for other in above)
        sections.append(_section(draft, trail, anchor, named))
        if draft.level:
            above.append(draft)
    return Outline(named, front, tuple(sections), tuple(problems))


def one_line(text: str) -> str:
    return _SPACES.sub(" ", text).strip()


def _front_title(front: Mapping[str, Any]) -> str:
    title = front.get("title")
    return title if isinstance(title, str) else ""


def _draft(lines: Sequence[str], heading: Heading, end: int) -> Draft:
    cut = len(heading.title) > LONGEST_TITLE
    start = heading.line if cut else heading.body
    while start <= end and not lines[start - 1].strip():
        start += 1
    while end >= start and not lines[end - 1].strip():
        end -= 1
    # Without any text the last line is that of the heading.
    last = end if end >= start else max(heading.body - 1, heading.line)
    return Draft(
        title=heading.title[:LONGEST_TITLE].rstrip(),
        level=heading.level,
        anchor=heading.anchor,
        line=heading.line if heading.level else start,
        line_end=last,
        text="\n".join(lines[start - 1 : end]),
        labels=heading.labels,
    )


def _hand_out(drafts: Sequence[Draft], examples: Sequence[Example]) -> None:
    number = 0
    for example in sorted(examples, key=lambda example: example.line):
        while number + 1 < len(drafts) and drafts[number + 1].line <= example.line:
            number += 1
        drafts[number].examples.append(example)


def _prose(draft: Draft) -> str:
    """The text without its examples: nothing in code is a link."""
    if not draft.examples or not draft.text:
        return draft.text
    lines = draft.text.split("\n")
    first = draft.line_end - len(lines) + 1
    for example in draft.examples:
        start, end = max(example.line - first, 0), max(example.line_end - first + 1, 0)
        lines[start:end] = [""] * (min(end, len(lines)) - min(start, len(lines)))
    return "\n".join(lines)


def _anchors(drafts: Sequence[Draft]) -> list[str]:
    """Unique in the file; headings go before the text above them, which no link ever names."""
    counts: dict[str, int] = {}
    taken: set[str] = set()
    anchors = [""] * len(drafts)
    for number in sorted(range(len(drafts)), key=lambda number: (not drafts[number].level, number)):
        draft = drafts[number]
        wanted = _NOT_IN_KEY.sub("-", draft.anchor).strip("-") or (anchor_of(draft.title) if draft.level else _TOP) or _UNNAMED
        anchor = wanted
        while anchor in taken:
            counts[wanted] = counts.get(wanted, 0) + 1
            anchor = f"{wanted}-{counts[wanted]}"
        taken.add(anchor)
        anchors[number] = anchor
    return anchors


def _section(draft: Draft, trail: tuple[str, ...], anchor: str, document: str) -> Section:
    return Section(
        title=draft.title if draft.level else document,
        level=draft.level,
        trail=trail,
        anchor=anchor,
        line=draft.line,
        line_end=draft.line_end,
        text=draft.text,
        examples=tuple(draft.examples),
        links=tuple(dict.fromkeys(draft.links)),
        mentions=tuple(dict.fromkeys(draft.mentions)),
        labels=draft.labels,
    )
