"""What is in a text without markup? Headings where a reader would see one, and nothing guessed beyond that."""

import re
from collections.abc import Sequence

from dowse.ingest.documents.assembling import Heading, assemble, from_lines, lines_of, one_line
from dowse.ingest.documents.outline import Link, Outline

# A heading is a short line that does not end like a sentence.
_LONGEST = 70
_SENTENCE_ENDS = ".,;!?…。"
_UNDERLINE = re.compile(r"([=\-~*#^_])\1{2,}\s*$")
# The first character decides the level, as in most texts that mix them.
_HIGH = "=#*"
_NUMBERED = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,4})[.)]?[ \t]+(\S.*)$")
# Two letters are an abbreviation more often than a heading.
_FEWEST_LETTERS = 4


def outline(text: str, path: str) -> Outline:
    """The outline of a plain text: headings are underlined, numbered, or in capitals with blank lines around them."""
    lines = lines_of(text)
    headings = []
    number = 0
    while number < len(lines):
        heading = _underlined(lines, number) or _alone(lines, number)
        if heading:
            headings.append(heading)
        number = heading.body - 1 if heading else number + 1
    return assemble(path, from_lines(lines, headings, (), _nothing), {})


def _nothing(_: str) -> tuple[tuple[Link, ...], tuple[str, ...]]:
    return (), ()


def _underlined(lines: Sequence[str], number: int) -> Heading | None:
    line = lines[number].strip()
    if not _is_short(line) or _UNDERLINE.match(line) or not _is_blank(lines, number - 1):
        return None
    match = _UNDERLINE.match(lines[number + 1].strip()) if number + 1 < len(lines) else None
    if match is None or abs(len(match[0].strip()) - len(line)) > max(2, len(line) // 4):
        return None
    return Heading(one_line(line), 1 if match[1] in _HIGH else 2, number + 1, number + 3)


def _alone(lines: Sequence[str], number: int) -> Heading | None:
    line = lines[number].strip()
    if not _is_short(line) or not (_is_blank(lines, number - 1) and _is_blank(lines, number + 1)) or lines[number][0] in " \t":
        return None
    if match := _NUMBERED.match(line):
        return Heading(one_line(line), match[1].count(".") + 1, number + 1, number + 2) if _opens(lines, number, match) else None
    letters = [char for char in line if char.isalpha()]
    if len(letters) < _FEWEST_LETTERS or not line.isupper() or line[-1] in _SENTENCE_ENDS:
        return None
    return Heading(one_line(line), 1, number + 1, number + 2)


def _opens(lines: Sequence[str], number: int, match: re.Match[str]) -> bool:
    """Whether a numbered line is a heading: what follows is not the next item of a list."""
    if not match[2][0].isupper() or match[2][-1] in _SENTENCE_ENDS:
        return False
    following = next((line for line in lines[number + 1 : number + 20] if line.strip()), "")
    other = _NUMBERED.match(following.strip())
    return bool(following) and (other is None or other[1].count(".") > match[1].count("."))


def _is_short(line: str) -> bool:
    return bool(line) and len(line) <= _LONGEST


def _is_blank(lines: Sequence[str], number: int) -> bool:
    return not 0 <= number < len(lines) or not lines[number].strip()
