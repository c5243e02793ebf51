"""What is in a Markdown document? CommonMark's blocks, with the lines they stand on."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from markdown_it import MarkdownIt
from markdown_it.token import Token

from dowse.ingest.documents.assembling import Draft, Heading, assemble, from_lines, lines_of, one_line
from dowse.ingest.documents.front import read_front
from dowse.ingest.documents.inline import definitions, links_and_mentions
from dowse.ingest.documents.languages import fence_language, fence_title
from dowse.ingest.documents.outline import Example, Outline

# Deeper lists and quotes stay as text without being looked into; the parser recurses for every level.
_DEEPEST = 30
# Lines that are looked at for headings and examples: more than documents of two megabytes have, unless someone made one of list
# marks, for which the parser would take a gigabyte. What stands behind them belongs to the last section.
_MOST_LINES = 100_000

_HTML_HEADING = re.compile(r"<h([1-6])\b([^<>]{0,300})>(.{0,2000}?)</h\1\s{0,9}>", re.IGNORECASE | re.DOTALL)
_HTML_ID = re.compile(r"""\bid=["']([^"'<>]{1,200})["']""")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,1000}>|<!--.{0,1000}?-->", re.DOTALL)
_OWN_ANCHOR = re.compile(r"\s*\{[^{}#]{0,100}#([\w.:-]{1,200})[^{}]{0,100}\}\s*$")
_PICTURE_OR_LINK = re.compile(r"!?\[([^\[\]]{0,300})\](?:\([^()\n]{0,1000}\)|\[[^\[\]]{0,300}\])")
_EMPHASIS = re.compile(r"(\*{1,3}|~~)(?=\S)([^*~]{1,300})(?<=\S)\1|(?<!\w)(_{1,3})(?=\S)([^_]{1,300})(?<=\S)\3(?!\w)")
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)([^`\n]{1,300})\1(?!`)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def outline(text: str, path: str, *, mdx: bool = False) -> Outline:
    """The outline of a Markdown file. ``mdx``: tags do not hide what stands between them, and nothing is code by its indent."""
    lines = lines_of(text)
    front = read_front(lines, path)
    drafts = _drafts(lines, front.first, front.body, mdx)
    return assemble(path, drafts, front.values, front.problems)


def drafts(text: str) -> list[Draft]:
    """The sections of a piece of Markdown that is no file of its own."""
    return _drafts(lines_of(text), 1, 1, mdx=False)


def plain_heading(text: str) -> str:
    """A heading without its markup.

    >>> plain_heading("The `Router` and [its](a.md) **many** _routes_ of snake_case")
    'The Router and its many routes of snake_case'
    """
    # Twice, since a link may be around a picture.
    text = _PICTURE_OR_LINK.sub(r"\1", _PICTURE_OR_LINK.sub(r"\1", text))
    shown, at = [], 0
    for code in _CODE.finditer(text):
        shown += [_without_marks(text[at : code.start()]), code[2]]
        at = code.end()
    return one_line("".join((*shown, _without_marks(text[at:]))))


@lru_cache(maxsize=2)
def _parser(mdx: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST})
    # Blocks alone: inline markup is read by our own expressions, and definitions of links stay part of the text.
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.disable(["reference", "html_block", "code"] if mdx else ["reference"])
    return parser


def _drafts(lines: list[str], first: int, body: int, mdx: bool) -> list[Draft]:
    # Lines of front matter are blank to the parser, so that all others keep their numbers.
    text = "\n".join([""] * (body - 1) + lines[body - 1 : _MOST_LINES])
    tokens = _parser(mdx).parse(text)
    headings = list(_headings(tokens))
    inline = partial(links_and_mentions, targets=definitions(text))
    return from_lines(lines, headings, list(_examples(tokens, lines)), inline, first=first)


def _headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    """Headings inside lists and quotes are no sections: the text around them goes on after them."""
    for number, token in enumerate(tokens):
        if token.level or token.map is None:
            continue
        if token.type == "heading_open":
            content = tokens[number + 1].content
            own = _OWN_ANCHOR.search(content[-400:])
            title = plain_heading(content[: len(content) - len(own[0])] if own else content)
            yield Heading(title, int(token.tag[1]), token.map[0] + 1, token.map[1] + 1, own[1] if own else "")
        elif token.type == "html_block" and "<h" in token.content.lower():
            yield from _html_headings(token.content, token.map[0] + 1)


def _without_marks(text: str) -> str:
    return _ESCAPE.sub(r"\1", _EMPHASIS.sub(r"\2\4", _TAG.sub("", text)))


def _html_headings(html: str, line: int) -> Iterator[Heading]:
    """Headings written as tags, as many a README begins; only if nothing else stands on their lines."""
    counted = 0
    for match in _HTML_HEADING.finditer(html):
        line += html.count("\n", counted, match.start())
        counted = match.start()
        begin = html.rfind("\n", 0, match.start()) + 1
        end = html.find("\n", match.end())
        around = html[begin : match.start()] + html[match.end() : len(html) if end < 0 else end]
        title = one_line(_TAG.sub("", match[3]))
        if title and len(around) < 1000 and not _TAG.sub("", around).strip():
            own = _HTML_ID.search(match[2])
            yield Heading(title, int(match[1]), line, line + match[0].count("\n") + 1, own[1] if own else "")


def _examples(tokens: Sequence[Token], lines: Sequence[str]) -> Iterator[Example]:
    for token in tokens:
        if token.map is None or token.type not in ("fence", "code_block"):
            continue
        start, end = token.map
        while end > start + 1 and not lines[end - 1].strip():
            end -= 1
        yield Example(fence_language(token.info), token.content.rstrip("\n"), start + 1, end, fence_title(token.info))
