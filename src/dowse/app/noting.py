"""How is something written down for later? As a record whose title is its identity, joined to what it is about, all or nothing."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dowse.app import recording
from dowse.app.permissions import Capability
from dowse.app.service import Service
from dowse.domains.noting import ABOUT
from dowse.domains.pages import slug
from dowse.domains.preparing import default_key, prepare, relinks
from dowse.errors import InvalidRecord, InvalidRequest, NotFound
from dowse.model.record import Edge, Record
from dowse.ports import View
from dowse.text.suggesting import did_you_mean, is_encodable

if TYPE_CHECKING:
    from dowse.model.change import Change

# A title is read at a glance; a longer first line ends after a sentence or a word.
_LONGEST_TITLE = 80
# What Markdown puts before the words of a line.
_MARKUP = re.compile(r"^(?:#+\s+|>\s*|[-*+]\s+(?:\[.\]\s+)?|\d+[.)]\s+)+")
_UNNAMED = "note"


class Noting(Service):
    """Writing things down in passing."""

    def remember(
        self,
        text: str,
        *,
        title: str | None = None,
        kind: str = "page",
        about: Sequence[str] = (),
        tags: Sequence[str] = (),
        space: str | None = None,
        parent: str | None = None,
    ) -> Record:
        """Writes a page, task, note or piece of knowledge, with links to what it is ``about``.

        The same kind, title and space again changes that record: its version rises, unless it says so already. Links and tags that
        are not named stay as they are.
        """
        from dowse.model.change import Link, Put  # what writes is loaded by who writes

        self._principal.require(Capability.WRITE)
        if kind not in ABOUT:
            raise InvalidRequest(f"A {kind} cannot be remembered; kind is {', '.join(ABOUT)}. {did_you_mean(kind, ABOUT)}")
        if not text.strip():
            raise InvalidRequest("There is nothing to remember: the text is blank.")
        if not is_encodable(f"{title or ''}{text}{space or ''}"):
            raise InvalidRequest("The text, title or space holds characters that are no valid Unicode.")
        holder = self._living(parent, "The parent") if parent else None
        ends = [self._living(key, "What it is about,").key for key in about]
        named = (title or "").strip() or title_of(text)
        place = space if space is not None else holder.space if holder is not None else ""
        with self._engine.view() as view:
            key, old = self._meant(view, kind, named, place, holder)
        made = self._remembered(key, old, Record(key, kind, named, {}, place, holder.key if holder else None), text, tags)
        self._check_remembered(made, holder)
        edges = [Edge(made.key, end, ABOUT[kind]) for end in dict.fromkeys(ends)]
        for edge in edges:
            recording.check_edge(edge, self._schema)
        is_same = old is not None and not old.deleted and replace(made, updated=old.updated) == old
        changes: list[Change] = [] if is_same else [Put(made, old.version if old else 0), *relinks(made)]
        self._engine.apply([*changes, *map(Link, edges)])
        return self._fetch(made.key)

    def _remembered(self, key: str, old: Record | None, new: Record, text: str, tags: Sequence[str]) -> Record:
        """The record as it shall be: what is not said stays as it was."""
        from dowse.app.quoting import main_field

        was = old or new
        kind = self._schema.kinds[new.kind]
        facets = {**was.facets, **({"noteKey": _note_name(new.title)} if "noteKey" in kind.facets else {})}
        made = replace(
            was,
            key=key,
            title=new.title,
            fields={**was.fields, main_field(kind): text},
            parent=new.parent or was.parent,
            tags=tuple(sorted(recording.to_tags(list(tags)))) if tags else was.tags,
            facets=facets,
            updated=self._clock(),
            deleted=False,
        )
        return prepare(made)

    def _meant(self, view: View, kind: str, title: str, space: str, holder: Record | None) -> tuple[str, Record | None]:
        """The key of the record that has this kind, title and space, and the record if there is one already."""
        below = holder.key if holder is not None and self._schema.kinds[kind].parent_required else None

        def is_meant(record: Record) -> bool:
            same = (record.kind, record.title, record.space) == (kind, title, space)
            return same and (below is None or record.parent == below)

        titled = view.fetch([handle for handle, _ in view.entitled([title])])
        known = sorted((record.key, record) for record in titled if is_meant(record))
        if known:
            return known[0]
        wanted = default_key(kind, title, below, {"noteKey": _note_name(title)}) or _made_key(kind, space, title)
        key, number = wanted, 1
        while (there := view.find([key]).get(key)) is not None and not is_meant(there):
            number += 1
            key = f"{wanted}-{number}"
        return key, there

    def _check_remembered(self, record: Record, holder: Record | None) -> None:
        recording.check(record, self._schema)
        allowed = self._schema.kinds[record.kind].parents
        if holder is not None and holder.kind not in allowed:
            raise InvalidRecord(f"A {record.kind} hangs below a {' or '.join(allowed)}; {holder.key!r} is a {holder.kind}.")

    def _living(self, key: str, what: str) -> Record:
        found = self._fetch(self.resolve(key))
        if found.deleted:
            raise NotFound(f"{what} {found.key!r} is deleted. Restore it first.")
        return found


def title_of(text: str) -> str:
    r"""A title from the first line of a text.

    >>> title_of("\n## Retries are capped\n\nAt five."), title_of("- [ ] Cap them. " + "Soon, " * 40)
    ('Retries are capped', 'Cap them.')
    """
    from dowse.text.sentences import sentence_ends

    first = next(line for line in text.splitlines() if line.strip())
    line = " ".join(_MARKUP.sub("", first.strip()).split()) or " ".join(first.split())
    if len(line) <= _LONGEST_TITLE:
        return line
    ends = [end for end in sentence_ends(line) if end <= _LONGEST_TITLE]
    cut = ends[-1] if ends else line.rfind(" ", 0, _LONGEST_TITLE)
    return line[:cut].rstrip() if cut > 0 else line[:_LONGEST_TITLE]


def _note_name(title: str) -> str:
    return slug(title) or _UNNAMED


def _made_key(kind: str, space: str, title: str) -> str:
    """The same for the same thing, so that two who write it down at once do not write it twice."""
    import uuid  # loads much that reading never needs

    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"dowse:{kind}:{space}:{title}"))
