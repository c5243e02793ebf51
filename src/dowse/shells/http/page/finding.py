"""What does the page show of a search? The same hits as everywhere, with their excerpts coloured and counts to filter by."""

import time
from collections.abc import Iterable, Sequence
from typing import Any

from dowse.app.answering import answer
from dowse.app.operations import OPERATIONS
from dowse.app.permissions import Capability
from dowse.app.workspace import Workspace
from dowse.errors import InvalidRequest, NotFound
from dowse.model.page import Hit, Page
from dowse.shells.http.page.excerpts import excerpt_of, title_of
from dowse.shells.http.page.places import line_of

# What hits are counted by, in the order in which the page offers it.
COUNTED = ("kind", "space", "language", "symbolKind", "role", "status", "priority", "type", "tag", "test")
# Names of a filter that are not facets, as the operation calls them.
_OWN = {"kind": "kinds", "space": "spaces", "tag": "tags"}
_FACET = "is."
_LIMIT = 20
# Kinds whose name stands in the path of what they hold.
_FILES = ("codefile", "document", "version", "library")

Filters = dict[str, tuple[str, ...]]
Pairs = Iterable[tuple[str, str]]


def found(workspace: Workspace, asked: Pairs) -> dict[str, Any]:
    """A page of hits. Asked by ``q``, ``offset`` and filters: kind, space, tag and ``is.`` before the name of a facet."""
    started = time.perf_counter()
    given = list(asked)
    query, filters = _query(given), filters_of(given)
    free = tuple(name for name in COUNTED if name not in filters)
    page, whole = _search(workspace, query, filters, offset=_offset(given), count=free)
    counts = dict(whole.get("counts", {}))
    for name in filters:
        # What else could be chosen here is counted as if nothing had been.
        if name in COUNTED:
            others = {other: values for other, values in filters.items() if other != name}
            counts[name] = _search(workspace, query, others, limit=1, count=(name,))[1].get("counts", {}).get(name, {})
    hits = [_shown(workspace, hit, shaped) for hit, shaped in zip(page.hits, whole["hits"], strict=True)]
    ordered = {name: counts[name] for name in COUNTED if counts.get(name)}
    return {**whole, "hits": hits, "counts": ordered, "took": time.perf_counter() - started}


def why(workspace: Workspace, key: str, asked: Pairs) -> Any:
    """Why a record is absent from the answer to a query, or where it stands in it."""
    given = list(asked)
    operation = OPERATIONS["why_not"]
    values = operation.check({"key": key, "query": _query(given), **_scope(filters_of(given))})
    return answer(operation, values, operation.run(workspace, values), workspace)


def filters_of(asked: Pairs) -> Filters:
    """The values of each filter, as they were asked for."""
    filters: dict[str, list[str]] = {}
    for name, value in asked:
        if value and (name in _OWN or name.startswith(_FACET)):
            filters.setdefault(name.removeprefix(_FACET), []).append(value)
    return {name: tuple(values) for name, values in filters.items()}


def _search(workspace: Workspace, query: str, filters: Filters, **more: Any) -> tuple[Page, dict[str, Any]]:
    operation = OPERATIONS["search"]
    values = operation.check({"query": query, "limit": _LIMIT, "explain": True, **_scope(filters), **more})
    page = operation.run(workspace, values)
    # How fresh projects are is told once, beside the search: it looks at every file, and this is asked at every key.
    return page, answer(operation, values, page, workspace, freshness=lambda _: ())


def _scope(filters: Filters) -> dict[str, Any]:
    own = {_OWN[name]: values for name, values in filters.items() if name in _OWN}
    return {**own, "facets": {name: list(values) for name, values in filters.items() if name not in _OWN}}


def _shown(workspace: Workspace, hit: Hit, shaped: dict[str, Any]) -> dict[str, Any]:
    record = hit.record
    return {
        **{name: shaped[name] for name in ("rank", "key", "kind", "space", "score", "matchedIn")},
        "explain": shaped.get("explain", {"lists": [], "signals": []}),
        "title": title_of(hit),
        "excerpt": excerpt_of(hit),
        "path": record.path,
        "line": line_of(record),
        "within": _within(workspace, hit),
        "facets": {
            name: record.facets[name] for name in ("symbolKind", "role", "priority", "test", "kind") if name in record.facets
        },
        "tags": list(record.tags),
        "copies": len(hit.copies),
        "updated": record.updated,
    }


def _within(workspace: Workspace, hit: Hit) -> str:
    """What it is a part of, where its path does not say so: the class of a method, the task of a note."""
    if hit.record.text("breadcrumb"):
        return hit.record.text("breadcrumb")
    if hit.record.parent is None or Capability.READ not in workspace.principal.capabilities:
        return ""
    try:
        parent = workspace.get(hit.record.parent)
    except NotFound:
        return ""
    return "" if parent.kind in _FILES else parent.title or parent.key


def _query(asked: Sequence[tuple[str, str]]) -> str:
    return next((value for name, value in asked if name == "q"), "")


def _offset(asked: Sequence[tuple[str, str]]) -> int:
    given = next((value for name, value in asked if name == "offset"), "0")
    if not given.isdecimal():
        raise InvalidRequest(f"offset must be a whole number, not {given!r}.")
    return int(given)
