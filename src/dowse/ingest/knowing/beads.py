"""Is a JSON object an issue of Beads, and what does it say?"""

import re

from dowse.ingest.knowing.issue import Issue, Note
from dowse.ingest.knowing.loose import Given, first, given, items, line, text, words
from dowse.ingest.knowing.statuses import priority_of, role_of

_ID = re.compile(r"[A-Za-z][\w.-]*-[A-Za-z0-9]+(?:\.\d+)*")
_LINKS = {"blocks": "is_blocked_by", "waits-for": "is_blocked_by", "conditional-blocks": "is_blocked_by"}
_CHILD = "parent-child"
# Deleted, and kept only so that other copies of the file learn of it.
_GONE = "tombstone"
_PARTS = (("design", "Design"), ("acceptance_criteria", "Acceptance criteria"))


def issue(row: Given, *, at_home: bool) -> Issue | None:
    """The issue; None if the object is something else. ``at_home``: the file is where Beads keeps its issues."""
    own, title, status = line(row.get("id")), line(row.get("title")), line(row.get("status"))
    if not _ID.fullmatch(own) or not title or status == _GONE:
        return None
    if not at_home and (role_of(status) is None or "issue_type" not in row):
        return None
    parent, links = _links(own, row.get("dependencies"))
    facets: dict[str, str | int] = {
        "role": role_of(status) or "queue",
        "status": status,
        "type": line(row.get("issue_type")),
        "priority": priority_of(line(row.get("priority"))) or "",
        "assignee": line(row.get("assignee")),
    }
    described = [text(row.get("description")), *(_part(row, name, heading) for name, heading in _PARTS)]
    return Issue(
        id=own,
        sign=own,
        title=title,
        description="\n\n".join(part for part in described if part),
        tags=words(row.get("labels")),
        facets=facets,
        links=links,
        parent=parent,
        notes=_notes(row),
    )


def _part(row: Given, name: str, heading: str) -> str:
    said = text(row.get(name))
    return f"{heading}: {said}" if said else ""


def _links(own: str, value: object) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The parent, and what the issue waits for or has to do with."""
    # An id with a dot is a child by its name, unless the list says otherwise.
    parent = own.rpartition(".")[0]
    links = []
    for member in items(value):
        said = given(member)
        other = line(first(said, "depends_on_id", "id")) or line(member)
        kind = line(first(said, "type", "dependency_type")) or "blocks"
        if not other or line(said.get("issue_id")) not in ("", own):
            continue
        if kind == _CHILD:
            parent = other
        else:
            links.append((_LINKS.get(kind, "relates_to"), other))
    return parent, tuple(dict.fromkeys(links))


def _notes(row: Given) -> tuple[Note, ...]:
    kept = text(row.get("notes"))
    notes = [Note("notes", kept)] if kept else []
    for position, member in enumerate(items(row.get("comments")), 1):
        said = given(member)
        body = text(first(said, "text", "body")) or text(member)
        if body:
            notes.append(Note(f"comment-{position}", body, line(first(said, "author", "created_by"))))
    return tuple(notes)
