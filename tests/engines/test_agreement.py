"""Do all engines say the same of any workspace and any query, and does it matter how the workspace came about?"""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from agreeing import CLUSTER, OTHERS, Opened, Said, modest, same
from generating import (
    KEYS,
    LANES,
    PIECES,
    WEIGHTS,
    any_text,
    batches,
    folds,
    histories,
    languages,
    records,
    scopes,
    texts_of,
    workspaces,
)
from hypothesis import example, given
from hypothesis import strategies as st

from dowse.errors import Conflict, DowseError
from dowse.model.change import (
    Change,
    Delete,
    Link,
    Put,
)
from dowse.model.record import Edge, Record
from dowse.model.request import Lane, ListPlan, Mode, Scope, SearchRequest, Weights
from dowse.model.schema import Schema
from dowse.model.surface import Shape, Surface
from dowse.model.terms import Query, Term
from dowse.ports import Direction, Engine, View
from dowse.search.pipeline import search
from dowse.text.folding import fold

MODEST = modest()

SURFACE = Surface(
    name="all",
    about="every lane at once",
    kinds=(),
    lists={Mode.AUTO: tuple(ListPlan(str(lane), lane, tier=int(lane is Lane.SUBSTRING)) for lane in LANES)},
    shape=Shape(()),
    corrects=(Mode.AUTO,),
)


def apply(engine: Engine, batch: Sequence[Change]) -> str:
    """What an engine made of a batch, in comparable words."""
    try:
        applied = engine.apply(batch)
    except DowseError as error:
        return f"{type(error).__name__}: {error}"
    return f"{applied.records} records, {applied.edges} edges"


def said(view: View, query: Query, scope: Scope, folded: tuple[str, ...]) -> dict[str, Said]:
    """For each lane the records it answers with, by key, each with its score and its coverage."""
    answers = {}
    for lane in LANES:
        for weights in (Weights().in_order(), WEIGHTS):
            ranking = view.match(
                query, ListPlan("list", lane, column_weights=weights, exact=0.1), view.select(scope, query.filter, folded)
            )
            found = [record.key for record in view.fetch(ranking.handles)]
            numbers = zip(map(float, ranking.scores), map(float, ranking.coverage), strict=True)
            answers[f"{lane} {weights}"] = dict(zip(found, numbers, strict=True))
            answers[f"{lane} truncated"] = {"": (float(ranking.truncated), 0.0)}
    return answers


def page(name: str, view: View, text: str, schema: Schema) -> list[object]:
    """What a user sees of a search; of a cluster's, but for the order of what scores alike to the sixth digit."""
    shown = search(view, SearchRequest(text, explain=True), SURFACE, schema)
    told = [shown.total, shown.relaxed, shown.lists, shown.ignored, shown.corrected, shown.truncated, shown.degraded]
    if name == CLUSTER:
        return [sorted((hit.record.key, hit.excerpt, hit.matched_in) for hit in shown.hits), *told]
    hits = [
        (hit.record.key, hit.excerpt, hit.matched_in, [(said.name, said.rank) for said in hit.lists], pytest.approx(hit.score))
        for hit in shown.hits
    ]
    return [hits, *told]


def known(view: View) -> list[object]:
    """Everything a view tells without a query."""
    handles = [handle for handle in view.handles(KEYS) if handle is not None]
    ordered = view.fetch(view.order(handles))
    answering = view.fetch(view.parents(handles, ("note", "symbol")))
    return [
        list(view.scan()),
        [dict(item.facets) for item in view.scan() if isinstance(item, Edge)],
        [record.key for record in ordered],
        [record.key for record in answering],
        [view.edges(KEYS[:3], direction) for direction in Direction],
        view.edges(KEYS, Direction.ALL, ("links",)),
        view.resolve("", limit=99),
        view.mark("done"),
        view.marks("done"),
        *([view.stamps(space), view.sources(space, ["b/c.py", "a.md", "x"]), view.unsettled(space, 2)] for space in ("", "s")),
        view.definers("s", ["Router", "/a.md", "nothing"], 2),
    ]


@pytest.mark.requirement("U-02")
@pytest.mark.parametrize("name", OTHERS)
@MODEST
@given(workspace=workspaces, scope=scopes, folded=folds)
def test_engines_agree_on_every_lane_of_any_workspace(
    opened: Opened, name: str, workspace: tuple[list[Record], list[Query]], scope: Scope, folded: tuple[str, ...]
) -> None:
    stored, asked = workspace
    with opened("memory") as memory, opened(name) as engine:
        for record in stored:
            assert apply(memory, [Put(record)]) == apply(engine, [Put(record)])
        with memory.view() as one, engine.view() as other:
            for query in asked:
                same(name, said(other, query, scope, folded), said(one, query, scope, folded))
                same(name, said(other, query, Scope(), ()), said(one, query, Scope(), ()))


SEA = Query("", (Term(("sea",)),), literals=("sea",))


@pytest.mark.requirement("T-03", "I-08", "G-10", "U-02")
@pytest.mark.parametrize("name", OTHERS)
@MODEST
@given(history=histories, scope=scopes)
@example(
    history=([[Put(Record("a", "page", "sea"))], [Delete("a", purge=True), Put(Record("a", "page", "land"))]], SEA),
    scope=Scope(),
)
@example(
    history=(
        [
            [Put(Record("b", "note", fields={"body": "sea"}, parent="a"))],
            [Put(Record("a", "page"))],
            [Delete("a", purge=True)],
        ],
        SEA,
    ),
    scope=Scope(),
)
def test_any_history_gives_the_answers_of_a_rebuild_and_of_the_other_engine(
    opened: Opened, name: str, history: tuple[list[list[Change]], Query], scope: Scope
) -> None:
    changes, query = history
    with opened("memory") as memory, opened(name) as engine:
        for batch in changes:
            assert apply(memory, batch) == apply(engine, batch)
            # Reading between the writes fills the caches, which the next write must not leave stale.
            with memory.view() as one, engine.view() as other:
                assert known(one) == known(other)
                same(name, said(other, query, scope, ("note",)), said(one, query, scope, ("note",)))
        assert memory.reindex() == engine.reindex()
        with memory.view() as one, engine.view() as other:
            assert known(one) == known(other)
            same(name, said(other, query, scope, ("note",)), said(one, query, scope, ("note",)))
        assert [finding for finding in engine.examine() if not finding.ok] == []


@pytest.mark.parametrize("name", OTHERS)
@MODEST
@given(history=batches(texts_of(PIECES)))
def test_a_failed_batch_leaves_any_workspace_as_it_was(opened: Opened, name: str, history: list[list[Change]]) -> None:
    with opened(name) as engine:
        for batch in history:
            apply(engine, batch)
        with engine.view() as view:
            before = known(view)
        with pytest.raises(Conflict):
            engine.apply([*(change for batch in history for change in batch if isinstance(change, Put | Link)), _REFUSED])
        with engine.view() as view:
            assert known(view) == before


_REFUSED = Put(Record("a", "page"), expected=10_000)


@pytest.mark.requirement("U-03")
@pytest.mark.parametrize("name", OTHERS)
@MODEST
@given(
    bodies=st.lists(any_text, min_size=1, max_size=4),
    string=st.one_of(any_text, st.tuples(st.integers(0, 3), st.integers(0, 20), st.integers(1, 8))),
)
@example(bodies=["ｱｲｳ"], string="アイウ")
@example(bodies=["日\u0301本"], string="日本")
@example(bodies=["→a"], string="→")
def test_substring_search_is_exactly_in(opened: Opened, name: str, bodies: list[str], string: str | tuple[int, int, int]) -> None:
    if isinstance(string, tuple):
        which, start, length = string
        string = bodies[which % len(bodies)][start : start + length]
    if not fold(string):
        return
    with opened(name) as engine:
        engine.apply([Put(Record(str(number), "page", fields={"body": body})) for number, body in enumerate(bodies)])
        with engine.view() as view:
            query = Query(string, literals=(fold(string),))
            ranking = view.match(query, ListPlan("list", Lane.SUBSTRING), view.select(Scope()))
            found = {record.key for record in view.fetch(ranking.handles)}
    assert found == {str(number) for number, body in enumerate(bodies) if fold(string) in fold(body)}


@pytest.mark.parametrize("name", OTHERS)
@MODEST
@given(record=records(st.just("")), title=any_text, body=any_text)
def test_any_text_comes_back_as_it_was_put(opened: Opened, name: str, record: Record, title: str, body: str) -> None:
    whole = replace(record, parent=None, title=title, fields={"body": body}, tags=())
    with opened(name) as engine:
        engine.apply([Put(whole)])
        with engine.view() as view:
            assert view.find([whole.key]) == {whole.key: replace(whole, version=1)}


@pytest.mark.requirement("U-02")
@pytest.mark.parametrize("name", OTHERS)
@MODEST
@given(
    history=languages.map(texts_of).flatmap(
        lambda texts: st.tuples(batches(texts), st.lists(texts.filter(str.strip), min_size=2, max_size=2))
    )
)
def test_a_whole_search_shows_the_same_page_on_every_engine(
    opened: Opened, name: str, schema: Schema, history: tuple[list[list[Change]], list[str]]
) -> None:
    changes, asked = history
    with opened("memory") as memory, opened(name) as engine:
        for batch in changes:
            assert apply(memory, batch) == apply(engine, batch)
        with memory.view() as one, engine.view() as other:
            for text in asked:
                assert page(name, one, text, schema) == page(name, other, text, schema)
