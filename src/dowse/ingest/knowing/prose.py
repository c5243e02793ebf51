"""How is a Markdown file taken apart by those who know what it is about?"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from dowse.domains.pages import slug
from dowse.ingest.documents.assembling import lines_of
from dowse.ingest.documents.front import Front, read_front
from dowse.ingest.documents.markdown import outline
from dowse.ingest.documents.outline import Outline, Section
from dowse.ingest.documents.referring import PAGE_FAMILY, references
from dowse.ingest.extract import SourceFile
from dowse.ingest.knowing.loose import Given, given, line, text, unique
from dowse.model.source import Definition, Reference

_ENDINGS = (".md", ".mdx", ".markdown")
# Front matter ends here at the latest; a recogniser reads no more of a file.
_HEAD = 70_000
_MARKS = ("---", "+++", "\ufeff---", "\ufeff+++")
_CODE_SPAN = re.compile(r"`[^`\n]{1,300}`")
_TAG = re.compile(r"(?<![^\s(,;])#([^\W\d_][\w/-]{0,99})")


def is_markdown(file: SourceFile) -> bool:
    return file.language in ("markdown", "mdx") or file.path.lower().endswith(_ENDINGS)


def front_of(file: SourceFile) -> Given:
    """What the front matter says, without a look at the rest of the file; empty if there is none."""
    return given(_front(file).values)


# A file is asked about by several readers and then read by one or two of them, before the next file comes.
@lru_cache(maxsize=1)
def outline_of(file: SourceFile) -> Outline:
    return outline(file.text, file.path, mdx=file.path.endswith(".mdx"))


def body_of(file: SourceFile) -> str:
    """The text without its front matter."""
    return "\n".join(lines_of(file.text)[_front(file).first - 1 :]).strip()


def prose_lines(file: SourceFile, found: Outline) -> list[str]:
    """The lines of the file, those of its front matter and its code left empty, so that each keeps its number."""
    lines = lines_of(file.text)
    blank = [(1, _front(file).first - 1)]
    blank += [(example.line, example.line_end) for section in found.sections for example in section.examples]
    for start, end in blank:
        lines[start - 1 : end] = [""] * max(0, end - start + 1)
    return lines


def inline_tags(lines: Iterable[str]) -> Iterator[str]:
    """The tags in a text: ``#tag`` or ``#tag/below``. A number is none.

    >>> list(inline_tags(["#done and (#a/b) but not `#code`, x#y, #12 or # heading"]))
    ['done', 'a/b']
    """
    for said in lines:
        if "#" in said:
            yield from _TAG.findall(_CODE_SPAN.sub(" ", said))


def references_in(file: SourceFile, sections: Iterable[Section]) -> Iterator[Reference]:
    """What the links and code spans of a text mean, said of the file as a whole; links within the file are none."""
    for section in sections:
        yield from (made for made in references(file, section, file.key) if not made.names[0].startswith(f"/{file.path}#"))


def page_names(key: str, *names: str) -> tuple[Definition, ...]:
    """The names a wiki link may use."""
    return tuple(Definition(name, key, PAGE_FAMILY) for name in unique(f"page:{slug(name)}" for name in names if slug(name)))


def title_of(front: Given, found: Outline, otherwise: str) -> str:
    """The title a file gives itself, in its front matter or with its first heading of the first level."""
    heading = next((section.title for section in found.sections if section.level == 1), "")
    return line(front.get("title")) or line(heading) or otherwise


def paragraph(section: Section | None) -> str:
    """The first paragraph of a section on one line."""
    return line(text(section.text if section else "").partition("\n\n")[0])


@lru_cache(maxsize=1)
def _front(file: SourceFile) -> Front:
    return read_front(lines_of(file.text[:_HEAD]), file.path) if file.text.startswith(_MARKS) else Front()
