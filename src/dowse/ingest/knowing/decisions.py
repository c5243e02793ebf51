"""Which decision does an architecture decision record (ADR) hold?"""

import posixpath
import re
from collections.abc import Iterator

from dowse.domains.pages import slug
from dowse.ingest.documents.outline import Outline, Section
from dowse.ingest.documents.parting import parts
from dowse.ingest.extract import Extract, SourceFile
from dowse.ingest.keying import Keys
from dowse.ingest.knowing.choosing import DomainReader
from dowse.ingest.knowing.loose import Given, filled, line, tags, unique, words
from dowse.ingest.knowing.pointing import stem
from dowse.ingest.knowing.prose import front_of, is_markdown, outline_of, page_names, paragraph, references_in, title_of
from dowse.ingest.knowing.ties import FAMILY, node_names
from dowse.model.record import Record
from dowse.model.source import Definition, Reference

_FOLDER = re.compile(r"(?:^|/)(?:adrs?|decisions|decision-records?|decision-log|architecture-decisions?)/", re.IGNORECASE)
_NUMBERED = re.compile(r"^(?:adr[-_ ]?)?(\d{1,5})[-_. ]+\S", re.IGNORECASE)
_HEADINGS = (
    re.compile(r"^#{1,4}[ \t]+(?:\d+\.?[ \t]+)?Decision(?:[ \t]+Outcome)?[ \t]*$", re.MULTILINE | re.IGNORECASE),
    re.compile(r"^#{1,4}[ \t]+(?:\d+\.?[ \t]+)?(?:Context|Consequences)\b", re.MULTILINE | re.IGNORECASE),
)
_TITLE_NUMBER = re.compile(r"^(?:ADR[-_ #]?)?\d{1,5}[.:\s–—-]+\s*", re.IGNORECASE)
_MENTION = re.compile(r"\bADR[-\s#_]{0,2}0*(\d{1,5})\b", re.IGNORECASE)
_STATUS_LINE = re.compile(r"^[ \t]{0,9}[-*]?[ \t]{0,9}\**Status\**[ \t]{0,9}:[ \t*]{0,9}([A-Za-z]+)", re.MULTILINE | re.IGNORECASE)
_ABOUT = ("context", "decision")


def fits(file: SourceFile) -> bool:
    """A numbered file in a folder of decisions, or one that says its status and has the headings of a decision."""
    if not is_markdown(file) or "template" in file.path.lower():
        return False
    if _FOLDER.search(file.path) and _NUMBERED.match(posixpath.basename(file.path)):
        return True
    return all(heading.search(file.text) for heading in _HEADINGS) and line(front_of(file).get("status")) != ""


def read(file: SourceFile) -> Extract:
    """The node has the key of its file, so that a link to the file is a link to the decision."""
    found = outline_of(file)
    number, ref_id = _identity(file.path)
    title = title_of(found.front, found, stem(file.path))
    facets = filled(kind="adr", refId=ref_id, path=file.path, status=_status(found.front, found))
    fields = filled(summary=_summary(found))
    marks = tags(words(found.front.get("tags")))
    node = Record(file.key, "node", title, fields, file.space, tags=marks, facets=facets, updated=file.modified)
    chunks = tuple(_chunks(file, found))
    plain = _TITLE_NUMBER.sub("", title)
    names = node_names(file.key, *_numbered_names(file.path, number), ref_id, title, plain)
    anchors = tuple(Definition(f"/{file.path}#{chunk.key.rpartition('#')[2]}", chunk.key) for chunk in chunks)
    refers = tuple(dict.fromkeys((*_mentions(file, found, number), *_links(file, found))))
    return Extract(
        (node, *chunks), (*names, *page_names(file.key, title, plain, stem(file.path)), *anchors), refers, found.problems
    )


READER = DomainReader("decisions", fits, read, replaces=True)


def _identity(path: str) -> tuple[int | None, str]:
    """
    >>> _identity("docs/adr/0007-use-x.md"), _identity("design/caching.md")
    ((7, 'adr-0007'), (None, 'adr-caching'))
    """
    named = _NUMBERED.match(posixpath.basename(path))
    if named is None:
        return None, f"adr-{slug(stem(path)) or stem(path)}"
    return int(named[1]), f"adr-{int(named[1]):04d}"


def _numbered_names(path: str, number: int | None) -> tuple[str, ...]:
    """A number means the decision of the same folder first: a project may have several logs of decisions."""
    return () if number is None else (f"{posixpath.dirname(path)}/adr-{number}", f"adr-{number}")


def _status(front: Given, found: Outline) -> str:
    said = line(front.get("status")) or paragraph(_section(found, "status"))
    if not said:
        written = next((match for section in found.sections if (match := _STATUS_LINE.search(section.text))), None)
        said = written[1] if written else ""
    return next(iter(re.findall(r"[^\W\d_]+", said.lower())), "")


def _summary(found: Outline) -> str:
    told = unique(paragraph(_section(found, about)) for about in _ABOUT)
    return "\n\n".join(told) or next((paragraph(section) for section in found.sections if section.text), "")


def _section(found: Outline, about: str) -> Section | None:
    """The first section about it that says something: "Decision", "2. Decision Outcome"."""
    named = re.compile(rf"(?:\d+\.?\s+)?{about}\b", re.IGNORECASE)
    return next((section for section in found.sections if section.text and section.level and named.match(section.title)), None)


def _chunks(file: SourceFile, found: Outline) -> Iterator[Record]:
    keys = Keys()
    for section in found.sections:
        if not section.text:
            continue
        # The first heading is the title of the decision, which its node has already.
        title = " > ".join((*section.trail[1:], section.title))
        for number, part in enumerate(parts(section), 1):
            facets: dict[str, str | int] = {"path": file.path, "line": part.line, "lineEnd": part.line_end}
            key = keys.take(file.part(section.anchor if number == 1 else f"{section.anchor}~{number}"))
            yield Record(key, "chunk", title, {"content": part.text}, file.space, file.key, (), facets, file.modified)


def _mentions(file: SourceFile, found: Outline, own: int | None) -> Iterator[Reference]:
    said = [line(value) for value in found.front.values()]
    said += [part for value in found.front.values() if isinstance(value, list) for part in words(value)]
    for number in unique(_MENTION.findall("\n".join((*said, *(section.text for section in found.sections))))):
        if int(number) != own:
            names = tuple(f"node:{name}" for name in _numbered_names(file.path, int(number)))
            yield Reference(file.key, "relates_to", names, FAMILY)


def _links(file: SourceFile, found: Outline) -> Iterator[Reference]:
    """What it refers to; a link to another numbered file of the kind relates the two decisions."""
    for made in references_in(file, found.sections):
        numbered = made.kind == "references" and _NUMBERED.match(posixpath.basename(made.names[0].partition("#")[0]))
        yield made._replace(kind="relates_to") if numbered else made
