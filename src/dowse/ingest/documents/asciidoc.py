"""What is in an AsciiDoc document? Titles, delimited blocks and cross references, read line by line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from dowse.ingest.documents.assembling import Heading, assemble, from_lines, lines_of, one_line
from dowse.ingest.documents.languages import language_name
from dowse.ingest.documents.outline import Example, Link, Outline, anchor_of

_TITLE = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?[ \t]*$")
_UNDERLINE = re.compile(r"([=~^+-])\1{2,}\s*$")
_LEVELS = "=-~^+"
# Everything between two of these is as written; the second of a pair is the same as the first.
_DELIMITER = re.compile(r"(-{4,}|\.{4,}|/{4,}|\+{4,}|`{3,})([\w+#-]*)\s*$")
_ATTRIBUTES = re.compile(r"\[([^\[\]].*)\]\s*$")
_ANCHOR = re.compile(r"\[\[([^\[\],]{1,200})[^\[\]]{0,200}\]\]\s*$|\[#([\w.:-]{1,200})[^\]]{0,200}\]\s*$")
_CAPTION = re.compile(r"\.([^\s.].*)$")
_VALUE = re.compile(r":([\w-]+):(?:[ \t]+(.*))?$")
_MARKUP = re.compile(
    r"`(?P<code>[^`\n]{1,200})`"
    r"|<<(?P<inside>[^<>,\n]{1,300})(?:,(?P<named>[^<>]{0,300}))?>>"
    r"|\b(?:xref|link|include|image):{1,2}(?P<target>[^\s\[\]]{1,1000})\[(?P<text>[^\[\]]{0,300})\]"
)
_HEADING_MARKUP = re.compile(r"(?:xref|link):[^\s\[\]]{1,1000}\[([^\[\]]{0,300})\]|`([^`]{1,300})`|\*([^*\s][^*]{0,300})\*")


@dataclass(slots=True)
class _Found:
    headings: list[Heading] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)
    front: dict[str, str] = field(default_factory=dict)
    anchors: list[str] = field(default_factory=list)
    language: str = ""
    caption: str = ""
    header: bool = True
    """Whether attributes still belong to the header of the document."""


def outline(text: str, path: str) -> Outline:
    """The outline of an AsciiDoc file. The attributes of its header are its front matter."""
    lines = lines_of(text)
    found = _Found()
    number = 0
    while number < len(lines):
        number = _heading(lines, number, found) or _block(lines, number, found) or _note(lines, number, found)
    drafts = from_lines(lines, found.headings, found.examples, _links_and_mentions)
    return assemble(path, drafts, found.front)


def _heading(lines: Sequence[str], number: int, found: _Found) -> int:
    line = lines[number]
    if match := _TITLE.match(line):
        return _add(found, match[2], len(match[1]), number, 1)
    under = _UNDERLINE.match(lines[number + 1]) if number + 1 < len(lines) else None
    if under is None or not line.strip() or not line[0].isalnum() or (number and lines[number - 1].strip()):
        return 0
    # The old form: as long as its underline, give or take one; anything else begins a block.
    if abs(len(line.strip()) - len(lines[number + 1].strip())) > 1:
        return 0
    return _add(found, line.strip(), _LEVELS.index(under[1]) + 1, number, 2)


def _add(found: _Found, title: str, level: int, number: int, height: int) -> int:
    shown = one_line(_HEADING_MARKUP.sub(lambda match: match[1] or match[2] or match[3] or "", title))
    labels = tuple(found.anchors)
    found.headings.append(Heading(shown, level, number + 1, number + height + 1, labels[0] if labels else "", labels))
    found.header = len(found.headings) == 1
    _forget(found)
    return number + height


def _block(lines: Sequence[str], number: int, found: _Found) -> int:
    match = _DELIMITER.match(lines[number])
    if match is None:
        return 0
    closing = match[1]
    end = next((at for at in range(number + 1, len(lines)) if lines[at].rstrip() == closing), len(lines))
    code = "\n".join(lines[number + 1 : end]).strip("\n")
    last = min(end + 1, len(lines))
    if code and closing[0] != "/":
        language = language_name(match[2]) or found.language
        found.examples.append(Example(language, code, number + 1, last, found.caption))
    _forget(found)
    found.header = False
    return last


def _note(lines: Sequence[str], number: int, found: _Found) -> int:
    """What a line says about the block or title that follows it."""
    line = lines[number]
    if found.header and (value := _VALUE.match(line)):
        found.front[value[1]] = (value[2] or "").strip()
    elif anchor := _ANCHOR.match(line):
        found.anchors.append(anchor[1] or anchor[2])
    elif attributes := _ATTRIBUTES.match(line):
        parts = [part.strip() for part in attributes[1].split(",")]
        found.language = language_name(parts[1]) if len(parts) > 1 and parts[0].split("%")[0] in ("source", "") else found.language
    elif caption := _CAPTION.match(line):
        found.caption = caption[1].strip()
    elif line.strip():
        _forget(found)
    else:
        found.header = found.header and not found.headings
    return number + 1


def _forget(found: _Found) -> None:
    found.anchors.clear()
    found.language = found.caption = ""


def _links_and_mentions(prose: str) -> tuple[tuple[Link, ...], tuple[str, ...]]:
    links, mentions = [], []
    for match in _MARKUP.finditer(prose):
        if match["code"]:
            mentions.append(match["code"].strip("+ "))
        elif match["inside"]:
            links.append(Link(_inside(match["inside"].strip()), one_line(match["named"] or "")))
        else:
            links.append(Link(match["target"], one_line(match["text"])))
    return tuple(links), tuple(mentions)


def _inside(target: str) -> str:
    """What ``<<target>>`` means: a file, an anchor, the anchor made of a title, or the title itself."""
    if "#" in target or target.endswith((".adoc", ".asciidoc")):
        return target
    if target.startswith("_"):
        return "#" + target.strip("_").replace("_", "-")
    return "#" + (anchor_of(target) if " " in target else target)
