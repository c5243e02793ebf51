"""What does a documentation file hold that can be found? Itself, its sections and its examples, with what they refer to."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from dowse.domains.pages import slug
from dowse.ingest.documents.describing import facets, tags
from dowse.ingest.documents.outline import Example, Outline, Section
from dowse.ingest.documents.outlining import outline
from dowse.ingest.documents.parting import LONGEST_WHOLE, parts
from dowse.ingest.documents.referring import PAGE_FAMILY, references
from dowse.ingest.extract import Extract, SourceFile
from dowse.model.record import Facet, Record
from dowse.model.source import Definition

# A line of code that stands alone is a command; it is found with its section.
_FEWEST_LINES = 2
# A literal block names no language: it may as well be a diagram or output, unless it is of some length.
_FEWEST_LITERAL_LINES = 3


def read_document(file: SourceFile) -> Extract:
    """The records of a document: one for itself, one a section or part of a long one, one an example."""
    read = outline(file.language, file.text, file.data, file.path)
    keys = tuple(file.part(section.anchor) for section in read.sections)
    parents = _parents(file, read, keys)
    records = [_document(file, read)]
    for section, key, parent in zip(read.sections, keys, parents, strict=True):
        records += _sections(file, read, section, key, parent)
        records += _snippets(file, read, section, key)
    return Extract(
        records=tuple(records),
        defines=tuple(_definitions(file, read, keys)),
        refers=tuple(
            reference for section, key in zip(read.sections, keys, strict=True) for reference in references(file, section, key)
        ),
        problems=read.problems,
    )


def _document(file: SourceFile, read: Outline) -> Record:
    return Record(
        file.key,
        "document",
        title=read.title,
        fields={"path": file.path},
        space=file.space,
        tags=tags(read.front),
        facets={**facets(read.front), **_filled(language=file.language)},
        updated=file.modified,
    )


def _sections(file: SourceFile, read: Outline, section: Section, key: str, parent: str) -> Iterator[Record]:
    for number, part in enumerate(parts(section), 1):
        yield Record(
            key if number == 1 else file.part(f"{section.anchor}~{number}"),
            "section",
            title=section.title,
            fields=_fields(_breadcrumb(read, section), part.text),
            space=file.space,
            parent=parent,
            facets=_filled(path=file.path, line=part.line, lineEnd=part.line_end, language=file.language),
            updated=file.modified,
        )


def _snippets(file: SourceFile, read: Outline, section: Section, key: str) -> Iterator[Record]:
    breadcrumb = _breadcrumb(read, section)
    shown = [example for example in section.examples if _is_snippet(file, example)]
    for number, example in enumerate(shown, 1):
        yield Record(
            file.part(f"{section.anchor}/code" if number == 1 else f"{section.anchor}/code~{number}"),
            "snippet",
            title=section.title,
            fields=_fields(breadcrumb, example.code),
            space=file.space,
            parent=key,
            facets=_filled(type="code", language=example.language, path=file.path, line=example.line, lineEnd=example.line_end),
            updated=file.modified,
        )


def _is_snippet(file: SourceFile, example: Example) -> bool:
    """Whether an example is worth a record of its own; one that is too long is data, and in the parts of its section."""
    lines = example.code.count("\n") + 1
    if len(example.code) > LONGEST_WHOLE:
        return False
    return lines >= _FEWEST_LINES if example.language else file.language == "rst" and lines >= _FEWEST_LITERAL_LINES


def _parents(file: SourceFile, read: Outline, keys: tuple[str, ...]) -> Iterator[str]:
    above: list[tuple[int, str]] = []
    for section, key in zip(read.sections, keys, strict=True):
        while above and above[-1][0] >= section.level:
            above.pop()
        yield above[-1][1] if above else file.key
        if section.level:
            above.append((section.level, key))


def _breadcrumb(read: Outline, section: Section) -> str:
    """The way to a section from the title of its document, without its own title."""
    trail = section.trail
    if not trail or trail[0] != read.title:
        trail = (read.title, *trail)
    return "" if trail == (section.title,) else " > ".join(trail)


def _definitions(file: SourceFile, read: Outline, keys: tuple[str, ...]) -> Iterator[Definition]:
    for name in dict.fromkeys((slug(read.title), slug(PurePosixPath(file.path).stem))):
        if name:
            yield Definition(f"page:{name}", file.key, PAGE_FAMILY)
    for section, key in zip(read.sections, keys, strict=True):
        yield Definition(f"/{file.path}#{section.anchor}", key)
        yield from (Definition(f"ref:{label}", key, PAGE_FAMILY) for label in section.labels)


def _fields(breadcrumb: str, content: str) -> dict[str, str]:
    return {name: text for name, text in (("breadcrumb", breadcrumb), ("content", content)) if text}


def _filled(**values: Facet) -> dict[str, Facet]:
    """The facets that say something: no line is 0, and no language is empty."""
    return {name: value for name, value in values.items() if value}
