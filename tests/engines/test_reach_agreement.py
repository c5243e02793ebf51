"""Is a part of any workspace, seen through its reach, what it would be if the rest did not exist?"""

from dataclasses import replace

import pytest
from agreeing import ENGINES, Opened, modest
from generating import KEYS, LANES, edges, folds, scopes, workspaces
from hypothesis import given
from hypothesis import strategies as st

from dowse.app.guarded_view import GuardedView
from dowse.errors import Conflict
from dowse.model.change import Change, Link, Put
from dowse.model.reach import Reach
from dowse.model.record import Edge, Record
from dowse.model.request import Lane, ListPlan, Mode, Scope, SearchRequest
from dowse.model.schema import Schema
from dowse.model.surface import Shape, Surface
from dowse.model.terms import Query
from dowse.ports import Direction, Engine, View
from dowse.search.pipeline import search

MODEST = modest(30)
SURFACE = Surface(
    name="all",
    about="every lane at once",
    kinds=(),
    lists={Mode.AUTO: tuple(ListPlan(str(lane), lane, tier=int(lane is Lane.SUBSTRING)) for lane in LANES)},
    shape=Shape(()),
)
reaches = st.builds(
    Reach,
    st.sampled_from([(), (), ("s",), ("s", "")]),
    st.sampled_from([(), (), ("a",), ("b", "d/1"), ("nobody",)]),
    st.sampled_from([(), (), ("page",), ("note", "symbol")]),
)
links = st.lists(edges, max_size=6)


def fill(engine: Engine, stored: list[Record], linked: list[Edge]) -> None:
    changes: list[Change] = [*(Put(record) for record in stored), *(Link(edge) for edge in linked)]
    for change in changes:
        try:
            engine.apply([change])
        except Conflict:
            continue  # A record below itself: the workspace does without it.


def by_definition(view: View, reach: Reach) -> set[str]:
    """Who is in a reach, from what the reach says."""
    records = {item.key: item for item in view.scan() if isinstance(item, Record)}

    def lineage(key: str | None) -> list[str]:
        found = []
        while key is not None:
            found.append(key)
            key = records[key].parent if key in records else None
        return found

    return {
        key
        for key, record in records.items()
        if (not reach.kinds or record.kind in reach.kinds)
        and (not reach.spaces or record.space in reach.spaces)
        and (not reach.under or not set(lineage(key)).isdisjoint(reach.under))
    }


def cut_out(view: View, seen: set[str]) -> tuple[list[Record], list[Edge]]:
    """What is seen, as a workspace of its own."""
    items = list(view.scan())
    records = [item for item in items if isinstance(item, Record) and item.key in seen]
    between = [item for item in items if isinstance(item, Edge) and item.source in seen and item.target in seen]
    return [replace(item, parent=item.parent if item.parent in seen else None) for item in records], between


def told(view: View, query: Query, scope: Scope, folded: tuple[str, ...]) -> list[object]:
    """Everything a view says of records, by key; no score, which knows how common words are elsewhere."""
    handles = [handle for handle in view.handles(KEYS) if handle is not None]
    within = view.select(scope, query.filter, folded)
    matches = [view.match(query, ListPlan("list", lane), within).handles for lane in LANES]
    return [
        within.size,
        [sorted(record.key for record in view.fetch(found)) for found in matches],
        sorted(record.key for record in view.fetch(view.recent(within).handles)),
        [replace(item, version=0) if isinstance(item, Record) else item for item in view.scan()],
        {key: replace(record, version=0) for key, record in sorted(view.find(KEYS).items())},
        [record.key for record in view.fetch(view.order(handles))],
        [record.key for record in view.fetch(view.parents(handles, ("note", "symbol")))],
        [view.edges(KEYS[:3], direction) for direction in Direction],
        view.edges(KEYS, Direction.ALL, ("links",)),
        view.resolve("", limit=99),
        view.resolve("d", limit=1),
        [title for _, title in view.entitled(["sea", "run"])],
        view.names(view.order(handles)),
        view.linked(view.reached(Reach())),
    ]


@MODEST
@given(workspace=workspaces, linked=links, reach=reaches, scope=scopes, folded=folds)
@pytest.mark.parametrize("name", ENGINES)
def test_a_part_looks_as_if_the_rest_did_not_exist(
    opened: Opened,
    name: str,
    workspace: tuple[list[Record], list[Query]],
    linked: list[Edge],
    reach: Reach,
    scope: Scope,
    folded: tuple[str, ...],
) -> None:
    stored, asked = workspace
    with opened(name) as whole, opened("memory") as part:
        fill(whole, stored, linked)
        with whole.view() as view:
            seen = by_definition(view, reach)
            fill(part, *cut_out(view, seen))
            # What lies below a record is known to those who see both, whatever stands between them.
            where = replace(scope, ancestor=None)
            with part.view() as alone:
                for query in asked:
                    assert told(GuardedView(view, reach), query, where, folded) == told(alone, query, where, folded)


@MODEST
@given(workspace=workspaces, reach=reaches)
@pytest.mark.parametrize("name", ["memory", "sqlite"])
def test_a_search_within_a_reach_is_the_search_of_the_whole_kept_to_what_is_seen(
    opened: Opened, schema: Schema, name: str, workspace: tuple[list[Record], list[Query]], reach: Reach
) -> None:
    stored, asked = workspace
    with opened(name) as whole:
        fill(whole, stored, [])
        with whole.view() as view:
            seen = by_definition(view, reach)
            guarded = GuardedView(view, reach)
            for query in asked:
                for lane in LANES:
                    plan = ListPlan("list", lane)
                    everywhere = said(view, query, plan)
                    assert said(guarded, query, plan) == {key: score for key, score in everywhere.items() if key in seen}
            for text in sorted({record.title for record in stored if any(map(str.isalnum, record.title))}):
                one = search(guarded, SearchRequest(text), SURFACE, schema)
                other = search(view, SearchRequest(text, Scope(keys=tuple(sorted(seen)))), SURFACE, schema)
                assert one.total == other.total
                assert [(hit.record.key, hit.score) for hit in one.hits] == [(hit.record.key, hit.score) for hit in other.hits]


def said(view: View, query: Query, plan: ListPlan) -> dict[str, float]:
    found = view.match(query, plan, view.select(Scope(), query.filter))
    return {key: float(score) for (key, _), score in zip(view.names(found.handles), found.scores, strict=True)}
