"""Which skill does a file teach an agent?"""

import posixpath
import re

from dowse.domains.pages import slug
from dowse.ingest.extract import Extract, SourceFile
from dowse.ingest.keying import cut, digest
from dowse.ingest.knowing.choosing import DomainReader
from dowse.ingest.knowing.loose import Given, filled, first, line, tags, text, unique, words
from dowse.ingest.knowing.pointing import stem
from dowse.ingest.knowing.prose import outline_of, paragraph
from dowse.model.record import Record
from dowse.model.source import Definition, Reference

_FAMILY = "skill"
_HOME = "skill.md"
_PLACES = re.compile(r"(?:^|/)(?:\.claude/(?:commands|agents)/.+\.md|\.cursor/rules/.+\.mdc?)$")
_TRIGGERS = ("triggers", "trigger", "when_to_use", "when-to-use", "whenToUse", "globs")
_REQUIRES = ("requires", "depends_on", "dependencies")


def fits(file: SourceFile) -> bool:
    return posixpath.basename(file.path).lower() == _HOME or _PLACES.search(file.path) is not None


def read(file: SourceFile) -> Extract:
    """The skill is a part of its file, which is read as a document too: so the recipe itself is found."""
    found = outline_of(file)
    front = found.front
    name = line(front.get("name")) or _named_by_path(file.path)
    description = text(front.get("description")) or next((paragraph(part) for part in found.sections if part.text), "")
    # With a "/", so that no heading of the document has the same key.
    key = cut(file.part(f"skill/{slug(name) or digest(name)}"))
    fields = filled(description=description, triggers=_triggers(front))
    marks = tags(words(front.get("tags")), words(front.get("keywords")), words(front.get("category")))
    skill = Record(key, "skill", name, fields, file.space, tags=marks, facets={"path": file.path}, updated=file.modified)
    names = unique(f"skill:{slug(each)}" for each in (name, _named_by_path(file.path)) if slug(each))
    defines = tuple(Definition(each, key, _FAMILY) for each in names)
    needed = unique(slug(each) for each in words(first(front, *_REQUIRES)))
    refers = tuple(Reference(key, "requires", (f"skill:{each}",), _FAMILY) for each in needed if f"skill:{each}" not in names)
    return Extract((skill,), defines, refers, found.problems)


READER = DomainReader("skills", fits, read, replaces=False)


def _named_by_path(path: str) -> str:
    """
    >>> _named_by_path("skills/deploy/SKILL.md"), _named_by_path(".claude/commands/git/tidy.md"), _named_by_path("SKILL.md")
    ('deploy', 'tidy', 'SKILL')
    """
    folder = posixpath.basename(posixpath.dirname(path))
    return folder if posixpath.basename(path).lower() == _HOME and folder else stem(path)


def _triggers(front: Given) -> str:
    said = [front.get(name) for name in _TRIGGERS]
    return "\n".join(unique(part for value in said for part in (words(value) if isinstance(value, list) else (text(value),))))
