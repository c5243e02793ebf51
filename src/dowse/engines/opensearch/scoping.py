"""Which records may answer? A scope becomes a filter for the cluster, and a test for records whose attributes are known already."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dowse.engines.opensearch.documents import DELETED, LIVE, facet_token, handle_of
from dowse.engines.opensearch.driver import Json
from dowse.model.reach import Reach
from dowse.model.request import Scope

# Values of one terms query; more are asked for in several.
MOST_TERMS = 50_000
NOBODY: Json = {"match_none": {}}
EVERY_RECORD: Json = {"term": {"c": "record"}}


class Attributes(NamedTuple):
    """What is known of a record besides its texts."""

    handle: int
    key: str
    kind: str
    space: str
    parent: str | None
    state: str
    updated: float
    tags: tuple[str, ...]
    facets: frozenset[str]
    ancestors: frozenset[str]
    title: str | None
    """None: too long to be kept here."""

    @property
    def is_live(self) -> bool:
        return self.state == LIVE


Test = Callable[[Attributes], bool]


@dataclass(slots=True)
class Chosen:
    """Records that may answer. ``query`` finds them, also among passages; ``test`` tells of known ones, where attributes do.

    ``above``: finds the records whose parent is one of these; None where nothing but the records themselves can tell.
    """

    query: Json
    test: Test | None
    above: Json | None
    count: Callable[["Chosen"], int]
    texts: bool = False
    """Whether the query looks at texts, which passages do not have."""
    known: dict[int, bool] = field(default_factory=dict)
    _size: int | None = None

    @property
    def size(self) -> int:
        if self._size is None:
            self._size = self.count(self)
        return self._size


def scope_query(scope: Scope, above: str = "") -> Json:
    """Finds the records in a scope; with ``above`` those whose parent is."""
    filters: list[Json] = [_term(f"{above}state", DELETED if scope.deleted else LIVE)]
    if scope.kinds:
        filters.append(_terms(f"{above}kind", scope.kinds))
    if scope.spaces:
        filters.append(_terms(f"{above}space", scope.spaces))
    if scope.ancestor is not None:
        inside = below([scope.ancestor], above)
        filters.append(inside if scope.folder is None else any_of([inside, {"prefix": {"key": scope.folder}}]))
    if scope.keys is not None:
        filters.append(terms_query(f"{above}handle", sorted(map(handle_of, scope.keys))))
    if scope.parents is not None:
        filters.append(terms_query(f"{above}parent", sorted(scope.parents)))
    if scope.tags:
        filters.append(_terms(f"{above}tags", scope.tags))
    for name, values in sorted(scope.facets.items()):
        filters.append(_terms(f"{above}facet", [facet_token(name, value) for value in values]))
    return all_of(filters)


def scope_test(scope: Scope) -> Test:
    wanted = DELETED if scope.deleted else LIVE
    facets = [{facet_token(name, value) for value in values} for name, values in scope.facets.items()]

    def test(item: Attributes) -> bool:
        return (
            item.state == wanted
            and (not scope.kinds or item.kind in scope.kinds)
            and (not scope.spaces or item.space in scope.spaces)
            and (scope.ancestor is None or scope.ancestor in item.ancestors or scope.has_in_folder(item.key))
            and (scope.keys is None or item.key in scope.keys)
            and (scope.parents is None or item.parent in scope.parents)
            and (not scope.tags or any(tag in scope.tags for tag in item.tags))
            and all(not accepted.isdisjoint(item.facets) for accepted in facets)
        )

    return test


def reach_query(reach: Reach, above: str = "") -> Json:
    filters: list[Json] = [EVERY_RECORD] if not above else [{"exists": {"field": f"{above}handle"}}]
    if reach.kinds:
        filters.append(_terms(f"{above}kind", reach.kinds))
    if reach.spaces:
        filters.append(_terms(f"{above}space", reach.spaces))
    if reach.under:
        filters.append(below(reach.under, above))
    return all_of(filters)


def reach_test(reach: Reach) -> Test:
    def test(item: Attributes) -> bool:
        return (
            (not reach.kinds or item.kind in reach.kinds)
            and (not reach.spaces or item.space in reach.spaces)
            and (not reach.under or not item.ancestors.isdisjoint(reach.under))
        )

    return test


def below(roots: Sequence[str], above: str = "") -> Json:
    """Some records and all below them; a parent is below a root if its child is and is not the root itself."""
    if not above:
        return _terms("ancestors", roots)
    each = [{"bool": {"filter": [_term("ancestors", root)], "must_not": [_term("key", root)]}} for root in roots]
    return any_of(each)


def terms_query(field: str, values: Sequence[object]) -> Json:
    """Those that have one of the values, however many these are."""
    if not values:
        return NOBODY
    parts = [{"terms": {field: list(values[at : at + MOST_TERMS])}} for at in range(0, len(values), MOST_TERMS)]
    return parts[0] if len(parts) == 1 else any_of(parts)


def all_of(filters: Sequence[Json]) -> Json:
    return filters[0] if len(filters) == 1 else {"bool": {"filter": list(filters)}}


def any_of(queries: Sequence[Json]) -> Json:
    return queries[0] if len(queries) == 1 else {"bool": {"should": list(queries), "minimum_should_match": 1}}


def _term(field: str, value: object) -> Json:
    return {"term": {field: value}}


def _terms(field: str, values: Sequence[object]) -> Json:
    return terms_query(field, sorted(set(values), key=str))
