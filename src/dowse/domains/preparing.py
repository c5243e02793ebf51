"""What follows from a record by its kind: keys, derived fields and the edges its text makes."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from dowse.domains import pages, work
from dowse.model.record import Record

if TYPE_CHECKING:
    from dowse.model.change import Relink


def prepare(record: Record) -> Record:
    """The record with what its kind derives from it."""
    derive = _DERIVED.get(record.kind)
    return derive(record) if derive is not None else record


def default_key(kind: str, title: str, parent: str | None, facets: dict[str, object]) -> str | None:
    """The key that kind gives its records when the caller names none; None: any new one."""
    if kind == "page" and pages.slug(title):
        return pages.slug(title)
    if kind == "note" and parent and facets.get("noteKey"):
        return work.note_key(parent, str(facets["noteKey"]))
    return None


def relinks(record: Record) -> "tuple[Relink, ...]":
    """The edges that a record's own text makes, replacing those its old text made."""
    if record.kind != "page":
        return ()
    from dowse.model.change import Relink  # searching writes nothing

    return (Relink(record.key, "links_to", pages.wiki_links(record)),)


def _page(record: Record) -> Record:
    return record if "slug" in record.facets else replace(record, facets={**record.facets, "slug": record.key})


def _library(record: Record) -> Record:
    # A library that is handed over with its documents is indexed; one that is still being read says so.
    facets = {"state": "indexed", **record.facets}
    facets.setdefault("ready", facets["state"] == "indexed")
    title = record.title or record.key.rsplit("/", 1)[-1]
    return replace(record, fields={**record.fields, "identifier": record.key}, title=title, facets=facets)


def _snippet(record: Record) -> Record:
    """Its parent is the library or the version whose documentation it is part of."""
    return record if record.space else replace(record, space=record.parent or "")


def _node(record: Record) -> Record:
    return record if record.title else replace(record, title=record.key)


def _note(record: Record) -> Record:
    if "noteKey" in record.facets:
        return record
    return replace(record, facets={**record.facets, "noteKey": record.key.rsplit("#note/", 1)[-1]})


_DERIVED: dict[str, Callable[[Record], Record]] = {
    "page": _page,
    "library": _library,
    "node": _node,
    "note": _note,
    "snippet": _snippet,
}
