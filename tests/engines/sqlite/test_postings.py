"""What is kept in memory of words stays within its bound, whatever is asked."""

import tracemalloc
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite import lanes
from dowse.engines.sqlite.driver import connect
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.engines.sqlite.postings import PostingsCache, PostingsReader
from dowse.model.change import Put
from dowse.model.record import Record
from dowse.model.request import Lane, ListPlan, Scope
from dowse.model.schema import Schema
from dowse.model.terms import Query, Term

LIMIT = 1 << 20


def test_asking_for_ever_new_words_that_stand_nowhere_does_not_fill_the_memory(tmp_path: Path, schema: Schema) -> None:
    engine = SqliteEngine(tmp_path / "w.dowse", schema, cache_bytes=LIMIT)
    engine.apply([Put(Record("a", "page", "sea", {"body": "harbour"}))])
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for number in range(4000):
            with engine.view() as view:
                query = Query("", (Term((f"nonsense{number}",)),))
                assert not len(view.match(query, ListPlan("list", Lane.STEMS), view.select(Scope())).handles)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    engine.close()
    # The stems of words have a bound of their own, which adds a little.
    assert held - before < 3 * LIMIT


def test_what_was_read_stays_when_what_was_made_of_it_has_to_go() -> None:
    cache = PostingsCache(LIMIT)
    part = LIMIT // 10
    for number in range(6):
        cache.put(("read", number), (1,), f"read {number}", part)
        cache.put(("made", number), (1,), f"made {number}", part, made=True)
    assert [cache.get(("read", number), (1,)) for number in range(6)] == [f"read {number}" for number in range(6)]
    assert [cache.get(("made", number), (1,)) is not None for number in range(6)] == [False, False, False, True, True, True]
    assert cache.bytes <= LIMIT
    # What was made keeps a share, so that common words are not weighed anew with each question.
    for number in range(6, 30):
        cache.put(("read", number), (1,), f"read {number}", part)
    assert cache.get(("made", 5), (1,)) == "made 5"
    assert cache.bytes <= LIMIT


def test_what_was_made_of_an_older_commit_leaves_with_the_first_of_a_newer_one() -> None:
    cache = PostingsCache(100_000)
    cache.put(("read",), (1, 5), "read", 100)
    for number in range(20):
        cache.put(("made", number), (1, 5), f"made {number}", 1000, made=True)
    alone = PostingsCache(100_000)
    alone.put(("read",), (1, 5), "read", 100)
    alone.put(("made", 0), (1, 6), "newer", 1000, made=True)
    cache.put(("made", 0), (1, 6), "newer", 1000, made=True)
    assert cache.bytes == alone.bytes
    assert cache.get(("made", 0), (1, 6)) == "newer"
    assert cache.get(("made", 3), (1, 5)) is None
    assert cache.get(("read",), (1, 5)) == "read"


def test_who_began_before_another_wrote_leaves_nothing_behind() -> None:
    cache = PostingsCache(100_000)
    cache.put(("made", 0), (1, 6), "newer", 1000, made=True)
    cache.put(("made", 1), (1, 5), "older", 1000, made=True)
    assert cache.get(("made", 1), (1, 5)) is None
    assert cache.get(("made", 0), (1, 6)) == "newer"
    # Another set of lanes is of a newer commit, whatever its number.
    cache.put(("made", 0), (0, 7), "restored", 1000, made=True)
    assert cache.get(("made", 0), (0, 7)) == "restored"
    assert cache.get(("made", 0), (1, 6)) is None


WORDS = st.lists(st.text("abcdéßσώ東京й12", min_size=1, max_size=9), min_size=1, max_size=12)


@settings(max_examples=40, deadline=None, database=None, derandomize=True)
@given(words=WORDS, chance=st.randoms(use_true_random=False))
def test_the_words_that_contain_a_string_are_those_of_the_vocabulary_that_do(
    tmp_path_factory: pytest.TempPathFactory, words: list[str], chance: Random
) -> None:
    engine = SqliteEngine(tmp_path_factory.mktemp("words") / "w.dowse", SCHEMA)
    engine.apply([Put(Record("one", "page", " ".join(words), {}))])
    connection = connect(engine._path, read_only=True)
    current = lanes.current(connection)
    assert current is not None
    vocabulary = [word for (word,) in connection.execute(f"select word from {current.vocabulary} order by word")]
    reader = PostingsReader(connection, current, 1, 0, PostingsCache())
    for word in vocabulary:
        start = chance.randrange(len(word))
        text = word[start : chance.randrange(start, len(word)) + 1]
        assert reader.family("contains", text).words == tuple(other for other in vocabulary if text in other)
    connection.close()
    engine.close()
