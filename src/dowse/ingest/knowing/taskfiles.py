"""Which piece of work is a Markdown file whose front matter says how far it is?"""

import re
from collections.abc import Iterator

from dowse.domains import work
from dowse.domains.pages import slug
from dowse.ingest.documents.outline import Outline, Section
from dowse.ingest.extract import Extract, SourceFile
from dowse.ingest.keying import Keys
from dowse.ingest.knowing.choosing import DomainReader
from dowse.ingest.knowing.loose import Given, filled, first, line, tags, text, unique, words
from dowse.ingest.knowing.mentions import defined, mentions, refer
from dowse.ingest.knowing.pointing import file_names, stem
from dowse.ingest.knowing.prose import front_of, is_markdown, outline_of, page_names, references_in, title_of
from dowse.ingest.knowing.statuses import priority_of, role_of
from dowse.model.record import Record
from dowse.model.source import Reference

_STATUS = re.compile(r"^[\"']?status[\"']?\s*[:=]", re.MULTILINE | re.IGNORECASE)
_HEAD = 4000
_FOLDER = re.compile(r"(?:^|/)\.?(?:tasks?|backlog|issues|tickets|todos?|stories|epics)/", re.IGNORECASE)
_TEMPLATE = re.compile(r"template", re.IGNORECASE)
_TYPES = frozenset("task bug feature epic story issue chore subtask spike todo".split())
# Beside a bare id these words mean work; "active" or "new" may be said of any document that has one.
_CLEAR = re.compile(r"to[-_ ]?do|open|backlog|doing|in[-_ ]?progress|done|closed|blocked", re.IGNORECASE)
_NOTES = re.compile(
    r"(?:implementation |progress |work ?|review )?(?:notes?|log|comments?|history|updates?|journal|progress)$", re.IGNORECASE
)
_LINKS = (
    ("is_blocked_by", ("depends_on", "dependsOn", "depends-on", "dependencies", "blocked_by", "blockedBy", "blocked-by")),
    ("blocks", ("blocks", "blocking")),
    ("relates_to", ("related", "relates_to", "related_to", "see_also", "references")),
    ("part_of", ("parent", "parent_task_id", "parent_id", "epic")),
)
_IS_FILE = re.compile(r"\.mdx?(?:#.*)?$", re.IGNORECASE)


def fits(file: SourceFile) -> bool:
    if not is_markdown(file) or _STATUS.search(file.text, 0, _HEAD) is None or _TEMPLATE.search(file.path):
        return False
    front = front_of(file)
    status = line(front.get("status"))
    if not status:
        return False
    return _FOLDER.search(file.path) is not None or _is_work(front, status)


def read(file: SourceFile) -> Extract:
    found = outline_of(file)
    described, notes = _apart(found)
    item = _item(file, found, described)
    own = line(first(found.front, "id", "key", "number"))
    refers = (*_links(file, found.front), *mentions(file.key, described, own), *references_in(file, found.sections))
    names = (stem(file.path), item.title)
    defines = (*defined(file.key, own, *names), *page_names(file.key, *names))
    return Extract((item, *_notes(file, notes)), defines, tuple(dict.fromkeys(refers)), found.problems)


READER = DomainReader("task files", fits, read, replaces=True)


def _is_work(front: Given, status: str) -> bool:
    if role_of(status) is None:
        return False
    if first(front, "priority", "assignee", "assignees", "assigned_to") is not None or line(front.get("type")).lower() in _TYPES:
        return True
    return line(front.get("id")) != "" and _CLEAR.fullmatch(status) is not None


def _apart(found: Outline) -> tuple[str, list[tuple[str, str]]]:
    """What describes the work, and the notes on it: a heading for notes takes everything below it along."""
    described: list[str] = []
    notes: list[tuple[str, list[str]]] = []
    below = 0
    for section in found.sections:
        if below and section.level > below:
            notes[-1][1].extend(_said(section))
        elif section.level > 1 and _NOTES.match(section.title):
            below = section.level
            notes.append((section.title, [section.text]))
        else:
            below = 0
            described += _said(section)
    bodies = [(title, "\n\n".join(part for part in parts if part)) for title, parts in notes]
    return "\n\n".join(described), [(title, body) for title, body in bodies if body]


def _said(section: Section) -> tuple[str, ...]:
    """A section as it is read: its heading is part of what it says, unless it is the title of the whole."""
    heading = section.title if section.level > 1 else ""
    return tuple(part for part in (heading, section.text) if part)


def _item(file: SourceFile, found: Outline, described: str) -> Record:
    front = found.front
    status, priority = line(front.get("status")), line(front.get("priority"))
    facets = filled(
        role=role_of(status) or "queue",
        status=status,
        priority=priority_of(priority) or priority.lower(),
        type=line(front.get("type")).lower(),
        assignee=", ".join(words(first(front, "assignee", "assignees", "assigned_to"))),
        url=line(first(front, "url", "link")),
        path=file.path,
    )
    fields = filled(summary=text(first(front, "summary", "description")), description=described)
    marks = tags(words(front.get("tags")), words(front.get("labels")))
    title = title_of(front, found, stem(file.path))
    return Record(file.key, "item", title, fields, file.space, tags=marks, facets=facets, updated=file.modified)


def _notes(file: SourceFile, notes: list[tuple[str, str]]) -> Iterator[Record]:
    keys = Keys()
    for title, body in notes:
        key = keys.take(work.note_key(file.key, slug(title)))
        facets = {"noteKey": key.rpartition("#note/")[2], "path": file.path}
        yield Record(key, "note", "", {"body": body}, file.space, file.key, (), facets, file.modified)


def _links(file: SourceFile, front: Given) -> Iterator[Reference]:
    for kind, names in _LINKS:
        for given in (other for name in names for other in _ids(front.get(name))):
            files = file_names(file.path, given) if _IS_FILE.search(given) else ()
            made = Reference(file.key, kind, files) if files else refer(file.key, kind, given)
            if made is not None:
                yield made


def _ids(value: object) -> tuple[str, ...]:
    """The ids in a value, which may be a list, a text with commas or wiki links.

    >>> _ids(["t-1", "Fix it"]), _ids("t-1, t-2"), _ids("[[Fix it]]"), _ids([["Fix it"]]), _ids("t-1 t-2")
    (('t-1', 'Fix it'), ('t-1', 't-2'), ('[[Fix it]]',), ('Fix it',), ('t-1', 't-2'))
    """
    if isinstance(value, list):
        # Without quotes around it, YAML reads a wiki link as a list in a list.
        return unique(line(member[0] if isinstance(member, list) and member else member) for member in value)
    said = line(value)
    if "[[" in said:
        return unique(re.findall(r"\[\[[^\[\]]+\]\]", said))
    return words(said) if "," in said or re.fullmatch(r"(?:\S*\d\S*\s*)+", said) else unique((said,))
