"""How does a page look as JSON on a surface? The surface names what it wants; this table knows how to get it."""

from collections.abc import Callable
from typing import Any

from dowse.model.page import Hit, Page
from dowse.model.ranking import RRF_K
from dowse.model.record import Record
from dowse.model.surface import Surface
from dowse.present.marking import mark


def shape(page: Page, surface: Surface) -> Any:
    """The page under the surface's names."""
    hits = [shape_hit(hit, surface) for hit in page.hits]
    if surface.shape.bare:
        return hits
    whole = {name: hits if source == "hits" else _PAGE[source](page) for name, source in surface.shape.envelope}
    return {name: value for name, value in whole.items() if value is not _ABSENT}


def shape_hit(hit: Hit, surface: Surface) -> dict[str, Any]:
    """One hit; what a hit does not have (an explanation nobody asked for) is left out."""
    values = {name: _value(hit, source, surface) for name, source in surface.shape.hit}
    return {name: value for name, value in values.items() if value is not _ABSENT}


def record_json(record: Record) -> dict[str, Any]:
    """A record as readers of JSON see it."""
    return {
        "key": record.key,
        "kind": record.kind,
        "title": record.title,
        "space": record.space,
        "parent": record.parent,
        "tags": list(record.tags),
        "fields": dict(record.fields),
        "facets": dict(record.facets),
        "updated": record.updated,
        "deleted": record.deleted,
        "version": record.version,
    }


class _Absent:
    """Marks a value that is left out."""


_ABSENT = _Absent()


def _value(hit: Hit, source: str, surface: Surface) -> Any:
    if source.startswith("facet:"):
        return hit.record.facets.get(source.removeprefix("facet:"))
    if source.startswith("field:"):
        return hit.record.text(source.removeprefix("field:"))
    if source == "snippet":
        return mark(hit.excerpt, surface.marks)
    return _HIT[source](hit)


def _raw_ranks(hit: Hit) -> Any:
    """SQLite's sign: more negative is better."""
    if not hit.lists:
        return _ABSENT
    raw = {f"{item.name}Rank": -item.raw for item in hit.lists}
    places = {f"{item.name}Position": item.rank for item in hit.lists}
    return {**raw, **places, "rrfK": RRF_K}


def _explain(hit: Hit) -> Any:
    if not hit.lists and not hit.signals:
        return _ABSENT
    return {
        "lists": [{"name": item.name, "rank": item.rank, "raw": item.raw, "share": item.share} for item in hit.lists],
        "signals": [{"name": item.name, "factor": item.factor, "added": item.added} for item in hit.signals],
    }


def _via(hit: Hit) -> Any:
    if not hit.via:
        return _ABSENT
    return [{"kind": step.edge.kind, "from": step.edge.source, "to": step.edge.target, "forward": step.forward} for step in hit.via]


def _library(hit: Hit) -> Any:
    library = hit.parent
    return {"id": library.key, "title": library.title} if library is not None else {"id": hit.record.space, "title": ""}


def _line(hit: Hit, end: int) -> Any:
    """The first or the last line in its file, as far as it is in one."""
    return hit.record.lines[end] if hit.record.lines is not None else _ABSENT


_HIT: dict[str, Callable[[Hit], Any]] = {
    "rank": lambda hit: hit.rank,
    "key": lambda hit: hit.record.key,
    "ref": lambda hit: hit.record.facets.get("refId", hit.record.key),
    "kind": lambda hit: hit.record.kind,
    "space": lambda hit: hit.record.space,
    "title": lambda hit: hit.record.title,
    "parent_title": lambda hit: hit.parent.title if hit.parent is not None else "",
    "parent": lambda hit: hit.record.parent,
    "tags": lambda hit: list(hit.record.tags),
    "path": lambda hit: hit.record.path or _ABSENT,
    "line": lambda hit: _line(hit, 0),
    "line_end": lambda hit: _line(hit, 1),
    "field": lambda hit: hit.excerpt.field,
    "score": lambda hit: hit.score,
    "negative_score": lambda hit: -hit.score,
    "matched_in": lambda hit: list(hit.matched_in),
    "record": lambda hit: record_json(hit.record),
    "library": _library,
    "raw_ranks": _raw_ranks,
    "explain": _explain,
    "via": _via,
}

_PAGE: dict[str, Callable[[Page], Any]] = {
    "total": lambda page: page.total,
    "offset": lambda page: page.offset,
    "next_offset": lambda page: page.next_offset,
    "truncated": lambda page: page.truncated,
    "relaxed": lambda page: page.relaxed,
    "intent": lambda page: page.intent,
    "lists": lambda page: list(page.lists),
    "degraded": lambda page: list(page.degraded),
    "ignored": lambda page: list(page.ignored),
    "corrected": lambda page: dict(page.corrected),
    "generation": lambda page: page.generation,
    "updated": lambda page: page.updated,
    "counts": lambda page: page.counts if page.counts is not None else _ABSENT,
}
