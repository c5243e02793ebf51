"""Are our scores FTS5's own? Its ``bm25`` is the oracle; only the worth of a word differs, on purpose."""

import math
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.engines.sqlite.driver import Connection, connect, stem_words
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.engines.sqlite.matching import idf
from dowse.model.change import Delete, Put
from dowse.model.record import Record
from dowse.model.request import Lane, ListPlan, Scope
from dowse.model.schema import Column, Field, Kind, Schema
from dowse.model.terms import Query, Term

SCHEMA = Schema({"text": Kind("text", (Field("body"),))}, {})
VOCABULARY = (
    *(
        "run",
        "running",
        "runs",
        "runner",
        "relate",
        "relation",
        "relational",
        "hope",
        "hoping",
        "hopping",
        "sea",
        "seas",
    ),
    *("index", "indexes", "indexing", "query", "queries", "connect", "connected", "connection", "of", "the", "a"),
)
texts = st.lists(st.lists(st.sampled_from(VOCABULARY), max_size=25).map(" ".join), min_size=1, max_size=12)


def fts5_floor(records: int, holders: int) -> float:
    """The worth of a word as FTS5 has it: cut off where the logarithm turns negative."""
    return max(math.log((records - holders + 0.5) / (holders + 0.5)), 1e-6) if holders < records / 2 else 1e-6


def fts5(bodies: list[str]) -> Connection:
    connection = connect(":memory:")
    connection.execute("create virtual table plain using fts5(body, tokenize='porter unicode61')")
    connection.executemany("insert into plain (rowid, body) values (?, ?)", list(enumerate(bodies, 1)))
    return connection


def fts5_scores(connection: Connection, expression: str) -> dict[str, float]:
    """More is better, as with ours; FTS5's own sign is the other way round."""
    rows = connection.execute("select rowid, -bm25(plain) from plain where plain match ?", (expression,))
    return {str(rowid): score for rowid, score in rows}


def our_scores(path: Path, bodies: list[str], words: list[str]) -> dict[str, float]:
    engine = SqliteEngine(path, SCHEMA)
    try:
        # What is written and deleted again leaves no trace in the numbers.
        engine.apply([Put(Record("gone", "text", fields={"body": "run sea query of the"}))])
        engine.apply([Put(Record(str(n), "text", fields={"body": body})) for n, body in enumerate(bodies, 1)])
        engine.apply([Delete("gone")])
        with engine.view() as view:
            query = Query("", tuple(Term((word,)) for word in words))
            ranking = view.match(query, ListPlan("text", Lane.STEMS), view.select(Scope()))
            found = view.fetch(ranking.handles)
            return {record.key: float(score) for record, score in zip(found, ranking.scores, strict=True)}
    finally:
        engine.close()


@settings(max_examples=30, deadline=None, database=None, derandomize=True)
@given(bodies=texts, word=st.sampled_from(VOCABULARY))
def test_one_word_scores_as_in_fts5_but_for_its_worth(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[str], word: str
) -> None:
    theirs = fts5_scores(fts5(bodies), word)
    ours = our_scores(tmp_path_factory.mktemp("fts5") / "w.dowse", bodies, [word])
    ratio = idf(len(bodies), len(theirs)) / fts5_floor(len(bodies), len(theirs))
    assert ours == pytest.approx({key: score * ratio for key, score in theirs.items()}, abs=1e-6)


def test_many_words_score_and_order_exactly_as_in_fts5_when_words_are_worth_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Not a mock: the one place where the formulas differ is set to FTS5's, so that all the rest can be compared.
    monkeypatch.setattr("dowse.engines.sqlite.matching.idf", fts5_floor)
    dice = random.Random(7)
    bodies = [" ".join(dice.choices(VOCABULARY, k=dice.randint(0, 40))) for _ in range(120)]
    words = ["running", "relation", "queries", "sea", "the"]
    theirs = fts5_scores(fts5(bodies), " OR ".join(words))
    ours = our_scores(tmp_path / "w.dowse", bodies, words)
    assert len(ours) > 100
    assert ours == pytest.approx(theirs, abs=1e-6)
    assert _order(ours) == _order(theirs)


def test_many_words_add_up_what_each_scores_in_fts5(tmp_path: Path) -> None:
    dice = random.Random(8)
    bodies = [" ".join(dice.choices(VOCABULARY, k=dice.randint(1, 30))) for _ in range(60)]
    words = ["hoping", "connected", "of"]
    connection = fts5(bodies)
    expected: dict[str, float] = {}
    for word in words:
        found = fts5_scores(connection, word)
        ratio = idf(len(bodies), len(found)) / fts5_floor(len(bodies), len(found))
        for key, score in found.items():
            expected[key] = expected.get(key, 0.0) + score * ratio
    assert our_scores(tmp_path / "w.dowse", bodies, words) == pytest.approx(expected, abs=1e-6)


def test_a_word_in_every_record_is_still_worth_something() -> None:
    assert idf(3, 3) > 0.1 > fts5_floor(3, 3)


def test_words_are_stemmed_as_fts5_stems_them() -> None:
    connection = fts5([" ".join(VOCABULARY)])
    connection.execute("create virtual table vocabulary using fts5vocab(plain, row)")
    theirs = {stem for (stem,) in connection.execute("select term from vocabulary")}
    assert set(stem_words(connection, list(VOCABULARY))) == theirs


def _order(scores: dict[str, float]) -> list[str]:
    return sorted(scores, key=lambda key: (-round(scores[key], 9), key))


def test_a_string_in_too_many_words_is_looked_for_in_the_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = SqliteEngine(tmp_path / "many.dowse", SCHEMA)
    bodies = ["sea", "seas indexing", "queries", "the hopping", "a runner", "XYZ"]
    engine.apply(Put(Record(str(number), "text", fields={"body": body})) for number, body in enumerate(bodies))

    def found(literal: str) -> list[str]:
        with engine.view() as view:
            ranking = view.match(Query(literal, literals=(literal,)), ListPlan("list", Lane.SUBSTRING), view.select(Scope()))
            return sorted(record.key for record in view.fetch(ranking.handles))

    few = [found(literal) for literal in ("e", "in", "ea", "s i")]
    monkeypatch.setattr("dowse.engines.sqlite.matching.MOST_WORDS", 1)
    assert [found(literal) for literal in ("e", "in", "ea", "s i")] == few
    assert few == [["0", "1", "2", "3", "4"], ["1", "3"], ["0", "1"], ["1"]]
    engine.close()


def test_a_beginning_of_too_many_words_finds_the_same_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = SqliteEngine(tmp_path / "wide.dowse", SCHEMA)
    bodies = ["sea", "seas indexing", "queries", "getSize", "set_up"]
    engine.apply(Put(Record(str(number), "text", fields={"body": body})) for number, body in enumerate(bodies))
    term = Term(("s",), prefix=True)

    def found() -> tuple[list[str], list[str]]:
        with engine.view() as view:
            ranking = view.match(Query("s*", terms=(term,)), ListPlan("list", Lane.STEMS), view.select(Scope(), term))
            return sorted(record.key for record in view.fetch(ranking.handles)), list(ranking.coverage)

    few = found()
    monkeypatch.setattr("dowse.engines.sqlite.matching.MOST_WORDS", 1)
    assert found() == few == (["0", "1", "3", "4"], [1.0] * 4)
    engine.close()


# A key and its text; no text: it goes.
WRITTEN = st.tuples(
    st.sampled_from([f"t{number}" for number in range(6)]),
    st.none() | st.lists(st.sampled_from(VOCABULARY), max_size=25).map(" ".join),
)


def scores(engine: SqliteEngine, query: Query, plan: ListPlan) -> dict[str, float]:
    with engine.view() as view:
        ranking = view.match(query, plan, view.select(Scope()))
        keys = [record.key for record in view.fetch(ranking.handles)]
    return dict(zip(keys, map(float, ranking.scores), strict=True))


@settings(max_examples=40, deadline=None, database=None, derandomize=True)
@given(commits=st.lists(WRITTEN, min_size=2, max_size=8))
def test_what_is_remembered_from_commit_to_commit_gives_the_scores_of_who_remembers_nothing(
    tmp_path_factory: pytest.TempPathFactory, commits: list[tuple[str, str | None]]
) -> None:
    path = tmp_path_factory.mktemp("matching") / "w.dowse"
    queries = [Query(word, (Term((word,)),)) for word in ("runs", "seas", "index", "the")]
    plans = [ListPlan("text", lane, exact=exact) for lane in (Lane.STEMS, Lane.WORDS) for exact in (0.0, 0.5)]
    writer, reader = SqliteEngine(path, SCHEMA), SqliteEngine(path, SCHEMA)
    # All are there, so that each can go.
    writer.apply([Put(Record(f"t{number}", "text", "", {"body": "run of the sea"})) for number in range(6)])
    for key, body in commits:
        writer.apply([Put(Record(key, "text", "", {"body": body or ""})), *([Delete(key)] if body is None else [])])
        fresh = SqliteEngine(path, SCHEMA)
        for query in queries:
            for plan in plans:
                assert scores(reader, query, plan) == scores(fresh, query, plan)
        fresh.close()
    writer.close()
    reader.close()


def test_nothing_is_kept_for_being_asked_that_the_cache_does_not_count(tmp_path: Path) -> None:
    """A server that nobody writes to for days would keep every phrase that was ever asked for."""
    engine = SqliteEngine(tmp_path / "test.dowse", SCHEMA)
    engine.apply([Put(Record(str(number), "text", fields={"body": f"query index {number}"})) for number in range(40)])
    asked = [
        Term(("query", "index"), exact=True),
        Term(("que",), prefix=True),
        Term(("query",), columns=(Column.BODY,)),
        Term(("query",)),
    ]
    for _ in range(2):
        with engine.view() as view:
            view.match(Query("", tuple(asked)), ListPlan("text", Lane.STEMS), view.select(Scope()))
    _, notes = engine._cache._notes
    assert {noted for terms in notes.values() for noted in terms} == {("query",)}
    engine.close()
