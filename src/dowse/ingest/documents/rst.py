"""What is in a reStructuredText document? Sections, code blocks and roles, read line by line.

The reference implementation builds the whole document to render it, which takes some thirty times as long.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dowse.ingest.documents.assembling import Heading, assemble, from_lines, lines_of, one_line
from dowse.ingest.documents.languages import language_name
from dowse.ingest.documents.outline import Example, Outline
from dowse.ingest.documents.roles import links_and_mentions, plain_heading

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1+\s*$")
# Two dots begin a comment and two colons announce a literal block.
_NO_ADORNMENT = ("..", "::")
# The reference implementation takes an underline shorter than its title from this length on.
_SURE_ADORNMENT = 4
_DIRECTIVE = re.compile(r"(\s*)\.\. +([\w:+-]+)::(?:\s+(.*))?$")
_LABEL = re.compile(r"\s*\.\. +_(`[^`]+`|[^:`]+):\s*$")
_OPTION = re.compile(r"\s+:([\w-]+):(?:\s+(.*))?$")
# What the directives show, and the language of those that name none.
_CODE = {
    "code": "",
    "code-block": "",
    "sourcecode": "",
    "parsed-literal": "",
    "highlight-code": "",
    "prompt": "bash",
    "testcode": "python",
    "doctest": "python",
    "ipython": "python",
}


@dataclass(slots=True)
class _Found:
    headings: list[Heading] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    styles: list[tuple[str, bool]] = field(default_factory=list)
    """The adornments in order of appearance: the first is the highest level."""
    language: str = ""
    """Of literal blocks, as the last ``highlight`` directive says."""


def outline(text: str, path: str) -> Outline:
    """The outline of a reStructuredText file. A label before a heading is its anchor."""
    lines = lines_of(text)
    found = _Found()
    number = 0
    while number < len(lines):
        number = _heading(lines, number, found) or _directive(lines, number, found) or _block(lines, number, found) or number + 1
    drafts = from_lines(lines, found.headings, found.examples, links_and_mentions)
    return assemble(path, drafts, {})


def _heading(lines: Sequence[str], number: int, found: _Found) -> int:
    line = lines[number]
    if not line.strip() or line[0].isspace():
        return 0
    if over := _over(lines, number):
        return _add(found, lines[number + 1], (over, True), number, 3)
    under = _adornment(lines[number + 1]) if number + 1 < len(lines) else ""
    if not under or _adornment(line) or not _fits(line, lines[number + 1]):
        return 0
    if number and lines[number - 1].strip() and not lines[number - 1].startswith("..") and not _ended(found, number):
        return 0
    return _add(found, line, (under, False), number, 2)


def _over(lines: Sequence[str], number: int) -> str:
    """The character of the lines above and below a title."""
    char = _adornment(lines[number])
    if not char or number + 2 >= len(lines) or not lines[number + 1].strip() or _adornment(lines[number + 1]):
        return ""
    return char if _adornment(lines[number + 2]) == char and _fits(lines[number + 1], lines[number]) else ""


def _adornment(line: str) -> str:
    match = _ADORNMENT.match(line)
    return match[1] if match and line.rstrip() not in _NO_ADORNMENT else ""


def _fits(title: str, adornment: str) -> bool:
    return len(adornment.rstrip()) >= min(len(title.strip()), _SURE_ADORNMENT)


def _ended(found: _Found, number: int) -> bool:
    """Whether the line before is the end of another heading."""
    return bool(found.headings) and found.headings[-1].body == number + 1


def _add(found: _Found, title: str, style: tuple[str, bool], number: int, height: int) -> int:
    if style not in found.styles:
        found.styles.append(style)
    labels = tuple(found.labels)
    heading = Heading(
        plain_heading(title), found.styles.index(style) + 1, number + 1, number + height + 1, labels[0] if labels else "", labels
    )
    found.headings.append(heading)
    found.labels.clear()
    return number + height


def _directive(lines: Sequence[str], number: int, found: _Found) -> int:
    line = lines[number]
    if ".. " not in line:
        return 0
    if label := _LABEL.match(line):
        found.labels.append(one_line(label[1].strip("`")).lower())
        return 0
    match = _DIRECTIVE.match(line)
    if match is None:
        return 0
    name, argument = match[2].lower(), (match[3] or "").strip()
    if name == "highlight":
        found.language = language_name(argument.split(" ")[0])
    if name not in _CODE:
        return 0
    end = _end(lines, number + 1, _indent(line))
    start, options = _options(lines, number + 1, end)
    language = language_name(argument.split(" ")[0]) or _CODE[name] or found.language
    code = _dedent(lines[start:end])
    if code:
        found.examples.append(Example(language, code, number + 1, end, options.get("caption", "")))
    return end


def _options(lines: Sequence[str], start: int, end: int) -> tuple[int, dict[str, str]]:
    options = {}
    while start < end and (match := _OPTION.match(lines[start])):
        options[match[1]] = (match[2] or "").strip()
        start += 1
    return start, options


def _block(lines: Sequence[str], number: int, found: _Found) -> int:
    """A literal block after ``::``, or a session at the prompt of Python."""
    line = lines[number]
    text = line.strip()
    if text.startswith(">>> "):
        end = next((at for at in range(number, len(lines)) if not lines[at].strip()), len(lines))
        found.examples.append(Example("python", _dedent(lines[number:end]), number + 1, end))
        return end
    if not text.endswith("::") or text.startswith(".. ") or number + 1 >= len(lines) or lines[number + 1].strip():
        return 0
    end = _end(lines, number + 1, _indent(line))
    start = next((at for at in range(number + 1, end) if lines[at].strip()), end)
    if start == end:
        return 0
    found.examples.append(Example(found.language, _dedent(lines[start:end]), start + 1, end))
    return end


def _end(lines: Sequence[str], start: int, indent: int) -> int:
    """The line after the last one that is indented more."""
    end = start
    for number in range(start, len(lines)):
        if not lines[number].strip():
            continue
        if _indent(lines[number]) <= indent:
            break
        end = number + 1
    return end


def _indent(line: str) -> int:
    blank = line[: len(line) - len(line.lstrip())]
    return len(blank.expandtabs(8))


def _dedent(lines: Sequence[str]) -> str:
    lines = [line.expandtabs(8) if "\t" in line else line for line in lines]
    indent = min((_indent(line) for line in lines if line.strip()), default=0)
    return "\n".join(_trimmed(line[indent:].rstrip() for line in lines))


def _trimmed(lines: Iterator[str]) -> list[str]:
    kept = list(lines)
    while kept and not kept[-1]:
        kept.pop()
    first = next((number for number, line in enumerate(kept) if line), 0)
    return kept[first:]
