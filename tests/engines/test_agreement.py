"""Do all engines say the same of any workspace and any query, and does it matter how the workspace came about?"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dowse.errors import Conflict, DowseError
from dowse.model.change import (
    Change,
    Delete,
    DropSource,
    Link,
    Mark,
    Put,
    PutSource,
    Relink,
    Rename,
    RenameTag,
    Restamp,
    Restore,
    Settle,
    Unlink,
)
from dowse.model.record import Edge, Record
from dowse.model.request import Lane, ListPlan, Mode, Scope, SearchRequest, Weights
from dowse.model.schema import Column, Schema
from dowse.model.source import Definition, Reference, Source, Stamp
from dowse.model.surface import Shape, Surface
from dowse.model.terms import Clause, Either, Must, Not, Query, Term
from dowse.ports import Direction, Engine, View
from dowse.search.pipeline import search
from dowse.text.folding import fold
from dowse.text.words import plain_words

Opened = Callable[[str], AbstractContextManager[Engine]]

# The same examples on every machine; each opens a file of its own, which is what takes the time.
MODEST = settings(
    max_examples=60,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
LANES = (Lane.STEMS, Lane.WORDS, Lane.NAMES, Lane.SUBSTRING, Lane.PREFIX)
WEIGHTS = Weights(title=10.0, body=1.0, tags=5.0).in_order()

# Few keys, words and tags, so that records meet each other; the words cover what the analysis treats differently.
KEYS = ("a", "b", "c", "d/1", "é", "@p")
TAGS = ("red", "sea-side", "Ångström", "東京")
PIECES = (
    *("run", "running", "Runs", "sea", "see", "getUserById", "get_user", "HTTPServer2", "x", "34", "a->b", "_", "->"),
    *(
        "café",
        "cafe\u0301",
        "straße",
        "東京都",
        "京都",
        "ｶﾀｶﾅ",
        "日\u0301本",
        "สวัสดี",
        "데이터",
        "क्षेत्र",
        "naïve",
        "🎉",
        "%",
        '"',
    ),
    *("y" * 200, "longish" * 9),
)
SEPARATORS = (" ", "", ".", "\n", "-", "_", "  ")

any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
Texts = st.SearchStrategy[str]


def texts_of(pieces: Sequence[str]) -> Texts:
    parts = st.tuples(st.sampled_from(pieces), st.sampled_from(SEPARATORS))
    return st.lists(parts, max_size=8).map(lambda chosen: "".join(map("".join, chosen)))


# One language for the records and the query of an example, so that they have something to do with each other.
languages = st.lists(st.sampled_from(PIECES), min_size=2, max_size=5, unique=True)


@st.composite
def records(draw: st.DrawFn, texts: Texts) -> Record:
    fields = {name: draw(texts) for name in draw(st.sets(st.sampled_from(["body", "path", "undeclared"]), max_size=2))}
    facets = [{}, {"role": "work"}, {"size": 1}, {"placeholder": True}, {"size": 2.5, "done": True}]
    return Record(
        key=draw(keys),
        kind=draw(st.sampled_from(["page", "page", "note", "symbol"])),
        title=draw(texts),
        fields=dict(sorted(fields.items())),
        space=draw(st.sampled_from(["", "s"])),
        parent=draw(st.sampled_from([None, None, *KEYS])),
        tags=tuple(draw(st.lists(st.sampled_from(TAGS), max_size=2))),
        facets=draw(st.sampled_from(facets)),
        updated=float(draw(st.integers(0, 9))),
        deleted=draw(st.sampled_from([False, False, False, True])),
    )


keys = st.sampled_from(KEYS)
edge_kinds = st.sampled_from(["links", "blocks"])
edges = st.builds(Edge, keys, keys, edge_kinds, st.sampled_from([{}, {"n": 1}]))
relinks = st.builds(
    lambda source, kind, targets: Relink(source, kind, tuple(Edge(source, target, kind) for target in targets)),
    keys,
    edge_kinds,
    st.lists(keys, max_size=2, unique=True),
)


names = st.sampled_from(["Router", "route", "/a.md", "東京"])
paths = st.sampled_from(["a.md", "b/c.py", "日.md"])
spaces = st.sampled_from(["", "s"])
stamps = st.builds(Stamp, st.integers(0, 2), st.integers(0, 2), st.sampled_from(["x", "y"]), st.just("1"))
sources = st.builds(
    Source,
    spaces,
    paths,
    stamps,
    st.lists(keys, max_size=2).map(tuple),
    st.lists(st.builds(Definition, names, keys, st.sampled_from(["", "py"])), max_size=2).map(tuple),
    st.lists(st.builds(Reference, keys, edge_kinds, st.lists(names, max_size=2).map(tuple)), max_size=2).map(tuple),
    st.lists(edges, max_size=1).map(tuple),
    st.booleans(),
)


def batches(texts: Texts) -> st.SearchStrategy[list[list[Change]]]:
    puts = st.builds(Put, records(texts), st.sampled_from([None, None, None, 0, 1]))
    change: st.SearchStrategy[Change] = st.one_of(
        *[puts] * 4,
        st.builds(Delete, keys, st.booleans()),
        st.builds(Restore, keys),
        st.builds(Link, edges),
        st.builds(Unlink, keys, keys, edge_kinds),
        relinks,
        st.builds(RenameTag, st.sampled_from(TAGS), st.sampled_from(TAGS)),
        st.builds(Mark, st.sampled_from(["done", "done:2"]), st.sampled_from(["x", None])),
        st.builds(Rename, st.lists(st.tuples(keys, keys), max_size=2, unique_by=(lambda p: p[0], lambda p: p[1])).map(tuple)),
        st.builds(PutSource, sources),
        st.builds(DropSource, spaces, paths),
        st.builds(Restamp, spaces, paths, stamps),
        st.builds(Settle, spaces, paths, st.lists(edges, max_size=2).map(tuple)),
    )
    return st.lists(st.lists(change, max_size=5), max_size=6)


@st.composite
def terms(draw: st.DrawFn, texts: Texts) -> Term:
    words = plain_words(draw(texts)) or ["x"]
    start = draw(st.integers(0, len(words) - 1))
    chosen = words[start : start + draw(st.sampled_from([1, 1, 1, 2, 3]))]
    prefix = draw(st.booleans())
    if prefix:
        chosen[-1] = chosen[-1][: draw(st.integers(1, 4))]
    return Term(
        words=tuple(chosen),
        weight=draw(st.sampled_from([1.0, 2.0, 0.5])),
        prefix=prefix,
        columns=draw(st.sampled_from([(), (), (Column.TITLE,), (Column.BODY, Column.TAGS)])),
        required=draw(st.sampled_from([True, True, False])),
        exact=draw(st.booleans()),
    )


def clauses(texts: Texts) -> st.SearchStrategy[Clause]:
    return st.recursive(
        terms(texts),
        lambda inner: st.one_of(
            st.builds(Not, inner),
            st.builds(Must, st.lists(inner, min_size=1, max_size=3).map(tuple)),
            st.builds(Either, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        ),
        max_leaves=4,
    )


@st.composite
def literals(draw: st.DrawFn, texts: Texts) -> str:
    text = fold(draw(texts)) or "x"
    start = draw(st.integers(0, len(text) - 1))
    return text[start : start + draw(st.sampled_from([1, 2, 3, 4, 5, 8, 100]))]


def with_something_required(chosen: list[Term]) -> tuple[Term, ...]:
    """As every query has it: what is not required comes with something that is."""
    return (*(replace(term, required=True) for term in chosen[:1]), *chosen[1:])


def queries(texts: Texts) -> st.SearchStrategy[Query]:
    return st.builds(
        Query,
        st.just(""),
        st.lists(terms(texts), max_size=3).map(with_something_required),
        st.one_of(st.none(), st.none(), clauses(texts)),
        st.lists(literals(texts), min_size=1, max_size=2).map(tuple),
    )


workspaces = languages.map(texts_of).flatmap(
    lambda texts: st.tuples(st.lists(records(texts), max_size=6), st.lists(queries(texts), min_size=3, max_size=3))
)
histories = languages.map(texts_of).flatmap(lambda texts: st.tuples(batches(texts), queries(texts)))
scopes = st.builds(
    Scope,
    kinds=st.sampled_from([(), (), ("page",), ("note", "symbol")]),
    spaces=st.sampled_from([(), (), ("s",)]),
    ancestor=st.sampled_from([None, None, None, *KEYS]),
    keys=st.sampled_from([None, None, None, ("a", "b")]),
    parents=st.sampled_from([None, None, None, ("a", "é")]),
    tags=st.sampled_from([(), (), ("red", "東京")]),
    facets=st.sampled_from([{}, {}, {"size": (1, 2.5)}, {"done": (True,)}]),
    deleted=st.sampled_from([False, False, False, True]),
)
folds = st.sampled_from([(), (), ("note",), ("symbol", "note")])

SURFACE = Surface(
    name="all",
    about="every lane at once",
    kinds=(),
    lists={Mode.AUTO: tuple(ListPlan(str(lane), lane, tier=int(lane is Lane.SUBSTRING)) for lane in LANES)},
    shape=Shape(()),
)

Said = dict[str, tuple[float, float]]


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


def page(view: View, text: str, schema: Schema) -> list[object]:
    """What a user sees of a search."""
    shown = search(view, SearchRequest(text, explain=True), SURFACE, schema)
    hits = [
        (hit.record.key, hit.excerpt, hit.matched_in, [(said.name, said.rank) for said in hit.lists], pytest.approx(hit.score))
        for hit in shown.hits
    ]
    return [hits, shown.total, shown.relaxed, shown.lists, shown.ignored, shown.truncated]


def same(one: dict[str, Said], other: dict[str, Said]) -> None:
    for lane in one:
        assert sorted(one[lane]) == sorted(other[lane]), lane
        for key, numbers in one[lane].items():
            assert numbers == pytest.approx(other[lane][key], abs=1e-6), (lane, key)


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
@MODEST
@given(workspace=workspaces, scope=scopes, folded=folds)
def test_engines_agree_on_every_lane_of_any_workspace(
    opened: Opened, workspace: tuple[list[Record], list[Query]], scope: Scope, folded: tuple[str, ...]
) -> None:
    stored, asked = workspace
    with opened("memory") as memory, opened("sqlite") as sqlite:
        for record in stored:
            assert apply(memory, [Put(record)]) == apply(sqlite, [Put(record)])
        with memory.view() as one, sqlite.view() as other:
            for query in asked:
                same(said(one, query, scope, folded), said(other, query, scope, folded))
                same(said(one, query, Scope(), ()), said(other, query, Scope(), ()))


SEA = Query("", (Term(("sea",)),), literals=("sea",))


@pytest.mark.requirement("T-03", "I-08", "G-10", "U-02")
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
    opened: Opened, history: tuple[list[list[Change]], Query], scope: Scope
) -> None:
    changes, query = history
    with opened("memory") as memory, opened("sqlite") as sqlite:
        for batch in changes:
            assert apply(memory, batch) == apply(sqlite, batch)
            # Reading between the writes fills the caches, which the next write must not leave stale.
            with memory.view() as one, sqlite.view() as other:
                assert known(one) == known(other)
                same(said(one, query, scope, ("note",)), said(other, query, scope, ("note",)))
        assert memory.reindex() == sqlite.reindex()
        with memory.view() as one, sqlite.view() as other:
            assert known(one) == known(other)
            same(said(one, query, scope, ("note",)), said(other, query, scope, ("note",)))
        assert [finding for finding in sqlite.examine() if not finding.ok] == []


@MODEST
@given(history=batches(texts_of(PIECES)))
def test_a_failed_batch_leaves_any_workspace_as_it_was(opened: Opened, history: list[list[Change]]) -> None:
    with opened("sqlite") as engine:
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
@MODEST
@given(
    bodies=st.lists(any_text, min_size=1, max_size=4),
    string=st.one_of(any_text, st.tuples(st.integers(0, 3), st.integers(0, 20), st.integers(1, 8))),
)
@example(bodies=["ｱｲｳ"], string="アイウ")
@example(bodies=["日\u0301本"], string="日本")
@example(bodies=["→a"], string="→")
def test_substring_search_is_exactly_in(opened: Opened, bodies: list[str], string: str | tuple[int, int, int]) -> None:
    if isinstance(string, tuple):
        which, start, length = string
        string = bodies[which % len(bodies)][start : start + length]
    if not fold(string):
        return
    with opened("sqlite") as engine:
        engine.apply([Put(Record(str(number), "page", fields={"body": body})) for number, body in enumerate(bodies)])
        with engine.view() as view:
            query = Query(string, literals=(fold(string),))
            ranking = view.match(query, ListPlan("list", Lane.SUBSTRING), view.select(Scope()))
            found = {record.key for record in view.fetch(ranking.handles)}
    assert found == {str(number) for number, body in enumerate(bodies) if fold(string) in fold(body)}


@MODEST
@given(record=records(st.just("")), title=any_text, body=any_text)
def test_any_text_comes_back_as_it_was_put(opened: Opened, record: Record, title: str, body: str) -> None:
    whole = replace(record, parent=None, title=title, fields={"body": body}, tags=())
    with opened("sqlite") as engine:
        engine.apply([Put(whole)])
        with engine.view() as view:
            assert view.find([whole.key]) == {whole.key: replace(whole, version=1)}


@pytest.mark.requirement("U-02")
@MODEST
@given(
    history=languages.map(texts_of).flatmap(
        lambda texts: st.tuples(batches(texts), st.lists(texts.filter(str.strip), min_size=2, max_size=2))
    )
)
def test_a_whole_search_shows_the_same_page_on_every_engine(
    opened: Opened, schema: Schema, history: tuple[list[list[Change]], list[str]]
) -> None:
    changes, asked = history
    with opened("memory") as memory, opened("sqlite") as sqlite:
        for batch in changes:
            assert apply(memory, batch) == apply(sqlite, batch)
        with memory.view() as one, sqlite.view() as other:
            for text in asked:
                assert page(one, text, schema) == page(other, text, schema)
