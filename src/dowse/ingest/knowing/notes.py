"""Which notes of a project's knowledge are kept as Markdown files?"""

import re

from dowse.ingest.extract import Extract, SourceFile
from dowse.ingest.knowing.choosing import DomainReader
from dowse.ingest.knowing.loose import filled, line, tags, words
from dowse.ingest.knowing.pointing import stem
from dowse.ingest.knowing.prose import body_of, front_of, is_markdown, outline_of, page_names, references_in, title_of
from dowse.model.record import Record

_FOLDER = re.compile(r"(?:^|/)\.?(?:notes|knowledge|memory|memories)/", re.IGNORECASE)
_TYPES = frozenset({"note", "knowledge", "memory"})


def fits(file: SourceFile) -> bool:
    """Both the folder and the file must say so; any other file in such a folder is a document."""
    return _FOLDER.search(file.path) is not None and is_markdown(file) and line(front_of(file).get("type")).lower() in _TYPES


def read(file: SourceFile) -> Extract:
    found = outline_of(file)
    front = found.front
    facets = filled(path=file.path, source=line(front.get("source")))
    fields = filled(content=body_of(file))
    title = title_of(front, found, line(front.get("name")) or stem(file.path))
    note = Record(file.key, "knowledge", title, fields, file.space, None, tags(words(front.get("tags"))), facets, file.modified)
    refers = dict.fromkeys(references_in(file, found.sections))
    return Extract((note,), page_names(file.key, title, stem(file.path)), tuple(refers), found.problems)


READER = DomainReader("knowledge", fits, read, replaces=True)
