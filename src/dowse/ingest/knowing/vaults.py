"""Which page of a vault is a Markdown file, and which pages does it link to?"""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace

from dowse.domains.pages import slug
from dowse.ingest.documents.describing import facets
from dowse.ingest.documents.outline import Link, Outline
from dowse.ingest.extract import Extract, SourceFile
from dowse.ingest.knowing.choosing import DomainReader
from dowse.ingest.knowing.loose import Given, first, line, tags, unique, words
from dowse.ingest.knowing.pointing import stem
from dowse.ingest.knowing.prose import (
    body_of,
    inline_tags,
    is_markdown,
    outline_of,
    page_names,
    prose_lines,
    references_in,
    title_of,
)
from dowse.model.record import Record
from dowse.model.source import Reference

# What programs keep for themselves; none of them shows it as pages.
_HIDDEN = re.compile(r"(?:^|/)\.[^/]+/")
# Said elsewhere in the record.
_NO_FACETS = frozenset({"tag", "aliases", "alias", "slug"})
_WITHIN = re.compile(r"[#^].*$", re.DOTALL)


def page_reader(vaults: tuple[str, ...]) -> DomainReader:
    """The reader for the vaults of a project: the folders as they are named in it, ``""`` for the whole project."""
    roots = tuple(sorted({f"{folder.strip('/')}/" if folder.strip("/") else "" for folder in vaults}))

    def fits(file: SourceFile) -> bool:
        within = next((file.path.removeprefix(root) for root in roots if file.path.startswith(root)), None)
        return within is not None and is_markdown(file) and not _HIDDEN.search(within)

    return DomainReader("pages", fits, read, replaces=True)


def read(file: SourceFile) -> Extract:
    """A page is one record, however long: who reads a vault wants the whole page."""
    found = outline_of(file)
    front = found.front
    title = title_of(front, found, stem(file.path))
    body = body_of(file)
    marks = tags(words(first(front, "tags", "tag")), inline_tags(prose_lines(file, found)))
    plain = facets({name: value for name, value in front.items() if name not in _NO_FACETS})
    own = line(front.get("slug")) or slug(title) or slug(stem(file.path)) or title
    fields = {"content": body} if body else {}
    page = Record(
        file.key, "page", title, fields, file.space, None, marks, {**plain, "slug": own, "path": file.path}, file.modified
    )
    names = page_names(file.key, title, stem(file.path), line(front.get("slug")), *_aliases(front))
    own_names = {definition.name for definition in names}
    refers = dict.fromkeys(made for made in _links(file, found) if own_names.isdisjoint(made.names))
    return Extract((page,), names, tuple(refers), found.problems)


def _aliases(front: Given) -> tuple[str, ...]:
    said = first(front, "aliases", "alias")
    # One alias may be of several words; only commas part them.
    return words(said) if isinstance(said, list) else unique(line(part) for part in line(said).split(","))


def _links(file: SourceFile, found: Outline) -> Iterator[Reference]:
    for section in found.sections:
        wiki = [_wiki_names(link) for link in section.links if link.wiki]
        yield from (Reference(file.key, "links_to", names) for names in wiki if names)
        plain = replace(section, links=tuple(link for link in section.links if not link.wiki))
        for made in references_in(file, [plain]):
            yield made._replace(kind="links_to") if made.kind == "references" else made


def _wiki_names(link: Link) -> tuple[str, ...]:
    """``[[Title|shown]]`` or ``[[Title|slug]]``: either part may be the name of a page.

    A path is a file's name as well.
    """
    title, other = (_WITHIN.sub("", part).strip() for part in (link.text, link.target))
    files = [title if posixpath.splitext(title)[1] else f"{title}.md"] if "/" in title or posixpath.splitext(title)[1] else []
    pages = (slug(posixpath.basename(part.removesuffix(".md"))) for part in (title, other))
    return unique((*files, *(f"page:{name}" for name in pages if name)))
