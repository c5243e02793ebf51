"""What of a document answers a question? Each example with the sentence that introduces it, and what the prose says."""

import re
from collections.abc import Iterator

from dowse.ingest.documents.outline import Example, Outline, Section
from dowse.ingest.libraries.pieces import CODE, INFO, Piece
from dowse.text.blocks import cut_blocks
from dowse.text.sentences import sentence_ends, split

# About what fits an answer beside others.
_LONGEST_INFO = 2500
_OVERLAP = 200
_LONGEST_CODE = 6000
_MOST_CODE_LINES = 150
# What is longer is data, not an example.
_LONGEST_EXAMPLE = 60_000
_LONGEST_LEAD = 300
# Fewer words beside an example only introduce it, and stand there already; fewer words alone say nothing.
_FEWEST_BESIDE_CODE = 12
_FEWEST_WORDS = 3

_HASH = "# {}"
_COMMENTS = {
    **dict.fromkeys(
        """javascript typescript jsx tsx java go rust c cpp csharp kotlin swift scala php zig dart groovy jsonc proto protobuf
        scss less solidity js ts""".split(),
        "// {}",
    ),
    **dict.fromkeys("sql lua haskell elm ada vhdl".split(), "-- {}"),
    **dict.fromkeys("html xml vue svelte svg markdown astro".split(), "<!-- {} -->"),
    **dict.fromkeys("css".split(), "/* {} */"),
    **dict.fromkeys("clojure commonlisp elisp scheme racket".split(), ";; {}"),
    **dict.fromkeys("erlang tex matlab".split(), "% {}"),
    # These have no comments at all: a line more would break what is copied.
    **dict.fromkeys("json csv diff output".split(), ""),
}
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_BADGE = re.compile(r"\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)|!\[[^\]]*\]\([^)]*\)|\[!\[[^\]]*\]\[[^\]]*\]\]\[[^\]]*\]")
_RELATIVE_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?![a-z]+://)[^)]*\)")
_TAGS_ALONE = re.compile(r"^[ \t]*(?:</?[a-zA-Z][^<>]*>[ \t]*)+$", re.MULTILINE)
# Pictures and contents of the page in reStructuredText say nothing in words.
_DIRECTIVE = re.compile(
    r"^[ \t]*\.\. (?:(?:image|figure|contents|toctree|raw|highlight|currentmodule|module|meta|include)::|_[^:\n]+:)"
    r".*(?:\n[ \t]+\S.*)*",
    re.MULTILINE,
)
_DEFINITION = re.compile(r"^[ \t]*\[[^\]]+\]:[ \t]+\S+.*$", re.MULTILINE)
_BLANKS = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_MARKUP = re.compile(r"[*_`]{1,3}|^[>#\-+\s]+|:[a-z:]+:(?=`)")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


def pieces(outline: Outline, path: str) -> Iterator[Piece]:
    """The pieces of a document, in its order."""
    for section in outline.sections:
        yield from _examples(outline, section, path)
        yield from _prose(outline, section, path)


def _examples(outline: Outline, section: Section, path: str) -> Iterator[Piece]:
    number = 0
    for example, before in _introduced(section):
        if not example.code.strip() or len(example.code) > _LONGEST_EXAMPLE:
            continue
        number += 1
        lead = _lead(before)
        for part, block in enumerate(_blocks(example), 1):
            yield Piece(
                path,
                _place(section, CODE, number) + (f".{part}" if part > 1 else ""),
                CODE,
                section.title,
                _commented(lead, block.language) + block.code if part == 1 else block.code,
                breadcrumb(outline, section),
                example.language,
                block.line,
                block.line_end,
            )


def _blocks(example: Example) -> Iterator[Example]:
    """An example whole, or in blocks if it is very long."""
    if len(example.code) <= _LONGEST_CODE:
        yield example
        return
    for block in cut_blocks(example.code, lines=_MOST_CODE_LINES, characters=_LONGEST_CODE):
        first = example.line + block.line if example.line else 0
        yield Example(example.language, block.text, first, first + block.line_end - block.line if first else 0, example.title)


def _introduced(section: Section) -> Iterator[tuple[Example, str]]:
    """Each example with the text before it, back to the example above."""
    lines = section.text.split("\n")
    at = found = 0
    for example in section.examples:
        if section.line_end and example.line:
            start = max(example.line - section.text_line, 0)
            before, at = "\n".join(lines[at:start]), example.line_end - section.text_line + 1
        else:
            start = section.text.find(example.code, found)
            before = section.text[found:start].removesuffix("```\n") if start >= 0 else ""
            found = start + len(example.code) if start >= 0 else found
        yield example, before


def _lead(before: str) -> str:
    """The last sentences before an example, in one line without marks."""
    paragraphs = [paragraph for paragraph in _BLANKS.split(_cleaned(before).strip()) if paragraph.strip("`|-+=: \n")]
    if not paragraphs:
        return ""
    text = " ".join(_MARKUP.sub("", _LINK.sub(r"\1", line)) for line in paragraphs[-1].split("\n"))
    text = " ".join(text.split()).removesuffix(":").removesuffix(":").rstrip()
    starts = [0, *sentence_ends(text)]
    start = next(start for start in starts if len(text) - start <= _LONGEST_LEAD or start == starts[-1])
    lead = text[start:]
    return lead if len(lead) <= _LONGEST_LEAD else lead[: _LONGEST_LEAD - 1] + "…"


def _commented(lead: str, language: str) -> str:
    form = _COMMENTS.get(language, _HASH)
    if form.endswith(("-->", "*/")):
        # What ends a comment must not stand in it.
        lead = lead.replace("--", "—").replace("*/", "* /")
    return f"{form.format(lead)}\n" if lead and form else ""


def _prose(outline: Outline, section: Section, path: str) -> Iterator[Piece]:
    text = _cleaned(_without_examples(section)).strip()
    words = len(text.split())
    if words < (_FEWEST_BESIDE_CODE if section.examples else _FEWEST_WORDS):
        return
    spans = [(0, len(text))] if len(text) <= _LONGEST_INFO else split(text, _LONGEST_INFO, _OVERLAP)
    for number, (start, end) in enumerate(spans, 1):
        # Where code was taken out the lines of a part are not known; those of the section are.
        yield Piece(
            path,
            _place(section, INFO, number),
            INFO,
            section.title,
            text[start:end].strip(),
            breadcrumb(outline, section),
            line=section.line,
            line_end=section.line_end,
        )


def _without_examples(section: Section) -> str:
    if not section.examples:
        return section.text
    if not section.line_end:
        text = section.text
        for example in section.examples:
            text = text.replace(f"```\n{example.code}\n```", "").replace(example.code, "", 1)
        return text
    lines = section.text.split("\n")
    for example in section.examples:
        start, end = max(example.line - section.text_line, 0), max(example.line_end - section.text_line + 1, 0)
        lines[start:end] = [""] * (min(end, len(lines)) - min(start, len(lines)))
    return "\n".join(lines)


def _cleaned(text: str) -> str:
    """Without pictures, comments and what only arranges the page; a link into the library is its text."""
    for pattern in (_COMMENT, _BADGE, _DIRECTIVE, _DEFINITION, _TAGS_ALONE):
        text = pattern.sub("", text)
    return _BLANKS.sub("\n\n", _RELATIVE_LINK.sub(r"\1", text))


def breadcrumb(outline: Outline, section: Section) -> str:
    """The way to a section, from the title of its document to its own."""
    trail = (*section.trail, section.title)
    # A document that begins with some heading and goes on with its equals is not called by that heading.
    is_heading = any(other.level and other.title == outline.title for other in outline.sections)
    return " > ".join(trail if is_heading or trail[0] == outline.title else (outline.title, *trail))


def _place(section: Section, type: str, number: int) -> str:
    return f"{section.anchor}/{type}" if number == 1 else f"{section.anchor}/{type}~{number}"
