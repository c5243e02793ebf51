"""What meaning adds to the surfaces, as their users see it."""

import itertools
import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dowse.app.embedding import EmbeddingEngine
from dowse.app.models import Choice
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.embed.profiles import named
from dowse.engines.passaging import passages_of
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.errors import EmbeddingFailed
from dowse.model.change import Put
from dowse.model.passage import Profile, Vectors
from dowse.model.record import Record

Found = Callable[..., list[str]]

# Two directions that the toy model knows, and words that point along them.
_ALONG = {"ship": (1.0, 0.0), "vessel": (0.9, 0.3), "boat": (0.95, 0.1), "bread": (0.0, 1.0), "dough": (0.1, 0.9)}
FLOOR = 0.5


class Toy:
    """A model of a handful of words. ``broken``: it cannot be asked."""

    broken = False

    @property
    def profile(self) -> Profile:
        return Profile("toy", 8, FLOOR, "toy-1", swift=True)

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if self.broken and query:
            raise EmbeddingFailed("the toy is broken.")
        rows = np.zeros((len(texts), 8), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[:2] += _ALONG.get(word.strip(".,?"), (0.0, 0.0))
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths == 0, 1, lengths)

    def close(self) -> None:
        pass


@pytest.fixture
def toy() -> Toy:
    return Toy()


@pytest.fixture
def harbour(tmp_path: Path, toy: Toy) -> Iterator[Workspace]:
    engine = EmbeddingEngine(SqliteEngine(tmp_path / "toy.dowse", SCHEMA), Choice("toy", lambda _: toy))
    with Workspace(engine, clock=map(float, itertools.count(1000)).__next__) as workspace:
        yield workspace


def page(workspace: Workspace, key: str, title: str, content: str) -> None:
    workspace.put(kind="page", key=key, title=title, content=content)


@pytest.mark.requirement("I-09")
def test_a_page_is_as_close_as_its_best_passage(harbour: Workspace) -> None:
    filler = "nothing of note happened on that day. " * 60
    page(harbour, "mixed", "Log", filler + "ship ship ship. " + filler + "bread bread bread bread.")
    page(harbour, "near", "Other", "vessel")
    hits = harbour.search("tell me about ship", surface="pages", mode="hybrid", explain=True).hits
    scores = {hit.record.key: {item.name: item.raw for item in hit.lists}.get("semantic") for hit in hits}
    assert scores["mixed"] == pytest.approx(1.0, abs=0.02)
    assert scores["near"] == pytest.approx(0.95, abs=0.02)


@pytest.mark.requirement("I-09")
def test_similarity_looks_at_every_page_however_many_there_are(harbour: Workspace) -> None:
    harbour.apply([Put(Record(f"p{number:05}", "page", f"page {number}", {"content": "dough"})) for number in range(10_050)])
    page(harbour, "zz-last", "Last", "boat")
    assert harbour.search("about a vessel at sea", surface="pages").hits[0].record.key == "zz-last"


@pytest.mark.requirement("I-09")
def test_what_is_below_the_floor_of_the_model_is_no_answer(harbour: Workspace) -> None:
    page(harbour, "far", "Kitchen", "bread")
    assert harbour.search("where is a ship now", surface="pages").hits == ()


@pytest.mark.requirement("I-09")
def test_the_model_of_the_seed_is_known_by_name() -> None:
    model = named("snowflake-arctic-embed-m-v2.0")
    assert model is not None
    profile = model.profile
    assert (profile.dimension, profile.floor, profile.query_prefix) == (768, 0.3, "query: ")


@pytest.mark.requirement("I-10")
def test_a_page_found_by_meaning_alone_shows_its_best_passage(harbour: Workspace) -> None:
    filler = "nothing of note happened on that day. " * 60
    page(harbour, "log", "Log", filler + "\n\nThe vessel left at noon. " + filler)
    (hit,) = harbour.search("which boat sailed today", surface="pages").hits
    assert hit.matched_in == ("semantic",)
    assert hit.excerpt.field == "content"
    passage = harbour.get("log").text("content")[hit.excerpt.start : hit.excerpt.end]
    assert hit.excerpt.text == passage
    assert hit.excerpt.start > 0


@pytest.mark.requirement("I-12")
def test_when_the_model_fails_words_answer_and_the_answer_and_the_log_say_so(
    harbour: Workspace, toy: Toy, caplog: pytest.LogCaptureFixture
) -> None:
    page(harbour, "a", "Retries", "We cap the retries of a ship.")
    toy.broken = True
    with caplog.at_level(logging.WARNING):
        answer = harbour.search("how do we cap the retries", surface="pages")
    assert [hit.record.key for hit in answer.hits] == ["a"]
    assert answer.lists == ("keyword",)
    assert ["the toy is broken" in warning for warning in answer.degraded] == [True]
    assert "the toy is broken" in caplog.text
    toy.broken = False
    again = harbour.search("how do we cap the retries", surface="pages")
    assert (again.degraded, again.lists) == ((), ("keyword", "semantic"))


@pytest.mark.requirement("G-08")
def test_the_vector_mode_answers_by_meaning_alone(harbour: Workspace) -> None:
    harbour.put(kind="symbol", key="boat", title="boat")
    harbour.put(kind="symbol", key="ship", title="shipping", body="no word of it")
    answer = harbour.search("vessel", surface="code_search", searchMode="vector")
    assert (answer.lists, [hit.record.key for hit in answer.hits]) == (("vector",), ["boat"])


@pytest.mark.requirement("G-09")
def test_a_purely_semantic_hit_survives_beside_a_perfect_lexical_one(harbour: Workspace) -> None:
    harbour.put(kind="symbol", key="word", title="vesselling", body="harbour harbour harbour")
    harbour.put(kind="symbol", key="meaning", title="boat")
    hits = {hit.record.key: hit.score for hit in harbour.search("harbour vessel", surface="code_search").hits}
    assert set(hits) == {"word", "meaning"}
    assert hits["meaning"] == pytest.approx(0.5)


@pytest.mark.requirement("G-15")
def test_a_path_is_words_before_it_is_embedded() -> None:
    record = Record("f", "codefile", "docs_search.test.ts", {"path": "src/lib/docs_search.test.ts", "exports": "find"})
    (passage,) = passages_of(SCHEMA.kinds["codefile"], record)
    assert "src lib docs search test ts" in passage.text


def test_pages_that_say_the_same_are_shown_once_and_the_total_says_so(harbour: Workspace) -> None:
    text = "The vessel leaves at noon with bread for the crew. " * 8
    for key in ("one", "two"):
        page(harbour, key, "Timetable", text)
    page(harbour, "other", "Timetable", "bread " + "and butter for noon " * 20)
    answer = harbour.search("vessel leaves at noon")
    assert sorted(hit.record.key for hit in answer.hits) == ["one", "other"]
    assert answer.total == 2
    assert answer.hits[0].copies == ("two",)


def test_a_nonsense_question_finds_nothing_and_is_not_degraded(workspace: Workspace, found: Any) -> None:
    page(workspace, "a", "Harbour", "Where the vessel lies.")
    answer = workspace.search("xqzvkj wptrbn klmzzq")
    assert (answer.hits, answer.degraded) == ((), ())
    assert found("in which place does the ship anchor") == ["a"]


def test_a_question_without_a_model_is_answered_from_memory_when_it_is_asked_again(by_words: Workspace) -> None:
    page(by_words, "a", "Harbour", "Where the vessel lies.")
    answer = by_words.search("where does the vessel lie")
    assert answer.degraded
    assert by_words.search("where does the vessel lie") is answer
