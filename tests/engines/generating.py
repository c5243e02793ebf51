"""Any workspace, any history, any query: what the agreement of engines is tried on."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

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
from dowse.model.request import Lane, Scope, Weights
from dowse.model.schema import Column
from dowse.model.source import Definition, Reference, Source, Stamp
from dowse.model.terms import Clause, Either, Must, Not, Query, Term
from dowse.text.folding import fold
from dowse.text.words import plain_words

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
    ancestor=st.sampled_from([None, None, None, *KEYS, "b/", "s:/", "/"]),
    keys=st.sampled_from([None, None, None, ("a", "b")]),
    parents=st.sampled_from([None, None, None, ("a", "é")]),
    tags=st.sampled_from([(), (), ("red", "東京")]),
    facets=st.sampled_from([{}, {}, {"size": (1, 2.5)}, {"done": (True,)}]),
    deleted=st.sampled_from([False, False, False, True]),
)
folds = st.sampled_from([(), (), ("note",), ("symbol", "note")])
