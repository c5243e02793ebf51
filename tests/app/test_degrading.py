"""Whatever is wrong with the model, search answers by words, says so, and finds by meaning again once it is put right."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from slow_models import PlainModel, opened, served

import dowse
from dowse.app.embedding import EmbeddingEngine
from dowse.app.models import Choice
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.embed.endpoint import EndpointEmbedder, Patience
from dowse.embed.static import WEIGHTS, StaticEmbedder
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.errors import EmbeddingFailed
from dowse.model.change import UseModel
from dowse.model.page import Page
from dowse.model.passage import Vectors

WORDS = "where does the automobile drive"
"""Some of its words stand in a record; another record says the same in other words."""


def fill(workspace: Workspace) -> None:
    workspace.put(kind="page", key="words", title="Where the automobile is parked", content="The automobile stands in the yard.")
    workspace.put(kind="page", key="meaning", title="Roads", content="A car, and where a car drives.")
    workspace.put(kind="page", key="other", title="Bread", content="Flour and water.")


def keys(page: Page) -> list[str]:
    return [hit.record.key for hit in page.hits]


def settle(workspace: Workspace) -> None:
    assert workspace.embedding.worker is not None
    assert workspace.embedding.worker.settled(20)


def answers_by_words(workspace: Workspace, reason: str) -> None:
    """Says why, and answers all the same; also who asks for meaning alone gets words."""
    for mode in ("auto", "vector", "hybrid"):
        page = workspace.search(WORDS, mode=mode)
        assert "words" in keys(page)
        assert reason in " ".join(page.degraded)
        assert "vectors" not in page.lists


def answers_by_meaning(workspace: Workspace) -> None:
    page = workspace.search(WORDS)
    assert {"words", "meaning"} <= set(keys(page))
    assert page.degraded == ()
    assert "vectors" in page.lists


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.dowse"


def test_without_a_model_words_answer_until_there_is_one(path: Path) -> None:
    with dowse.open(path, model="none") as workspace:
        fill(workspace)
        answers_by_words(workspace, "no embedding model is set up")
    with dowse.open(path) as workspace:
        answers_by_words(workspace, "'dowse embed' makes them")
        workspace.embed()
        answers_by_meaning(workspace)


def test_a_broken_model_file_is_named_and_found_again_once_it_is_whole(path: Path, tmp_path: Path) -> None:
    weights = tmp_path / "weights.npz"
    weights.write_bytes(WEIGHTS.read_bytes()[:5000])
    engine = EmbeddingEngine(
        SqliteEngine(path, SCHEMA), Choice("a test's own", lambda _: StaticEmbedder(weights)), background=True, retry=3600
    )
    with Workspace(engine) as workspace:
        fill(workspace)
        settle(workspace)
        answers_by_words(workspace, str(weights))
        assert str(weights) in workspace.status().embedding.failure
        shutil.copy(WEIGHTS, weights)
        workspace.put(kind="page", key="more", title="More")
        answers_by_meaning(workspace)
        assert workspace.status().embedding.waiting == 0


def test_a_model_file_whose_numbers_are_broken_is_no_obstacle_to_writing(path: Path, tmp_path: Path) -> None:
    weights = tmp_path / "weights.npz"
    with np.load(WEIGHTS) as file:
        np.savez(weights, **{name: file[name][:100] if name == "rows" else file[name] for name in file.files})
    engine = EmbeddingEngine(SqliteEngine(path, SCHEMA), Choice("a test's own", lambda _: StaticEmbedder(weights)))
    with Workspace(engine) as workspace:
        fill(workspace)
        assert len(workspace.list().records) == 3
        answers_by_words(workspace, "vectors: ")


def reached(address: str) -> EndpointEmbedder:
    """A model behind an address, asked without patience."""
    once = Patience(tries=1, timeout=10.0, pause=0.0)
    return EndpointEmbedder(address, for_queries=once, for_passages=once)


def test_an_endpoint_that_is_down_is_used_again_when_it_is_back(path: Path) -> None:
    model = PlainModel("served", trouble="down")
    with served(model) as address, opened(path, lambda _: reached(address)) as workspace:
        fill(workspace)
        settle(workspace)
        answers_by_words(workspace, "answers 503")
        assert "answers 503" in workspace.status().embedding.failure
        model.trouble = ""
        workspace.embed()
        answers_by_meaning(workspace)
        model.trouble = "down again"
        answers_by_words(workspace, "answers 503")
        model.trouble = ""
        answers_by_meaning(workspace)


def test_a_question_that_is_answered_again_sets_the_worker_to_work(path: Path) -> None:
    model = PlainModel()
    with opened(path, model) as workspace:
        fill(workspace)
        settle(workspace)
        model.trouble = "down"
        workspace.put(kind="page", key="more", title="More about the automobile")
        settle(workspace)
        assert workspace.status().embedding.waiting == 1
        assert "down" in " ".join(workspace.search(WORDS).degraded)
        model.trouble = ""
        assert "1 passages have none yet" in " ".join(workspace.search(WORDS).degraded)
        settle(workspace)
        answers_by_meaning(workspace)


def test_why_passages_get_no_vectors_is_said_with_the_answer(path: Path) -> None:
    class Picky(PlainModel):
        def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
            if not query and len(self.asked) >= 3:
                raise EmbeddingFailed("That text is too long for me.")
            return super().embed(texts, query=query)

    with opened(path, Picky()) as workspace:
        fill(workspace)
        settle(workspace)
        workspace.put(kind="page", key="more", title="More")
        settle(workspace)
        told = " ".join(workspace.search(WORDS).degraded)
        assert "1 passages have none yet" in told
        assert "too long for me" in told


def test_vectors_of_another_length_are_not_compared(path: Path) -> None:
    with opened(path, PlainModel("one", 32, swift=True)) as workspace:
        fill(workspace)
    longer = PlainModel("one", 48, swift=True)
    with opened(path, longer) as workspace:
        answers_by_words(workspace, "'dowse embed' makes new ones")
        workspace.embed()
        answers_by_meaning(workspace)


def test_an_endpoint_that_answers_with_another_length_is_asked_anew(path: Path) -> None:
    model = PlainModel("served")
    with served(model) as address, opened(path, lambda _: reached(address)) as workspace:
        fill(workspace)
        settle(workspace)
        answers_by_meaning(workspace)
        model.dimension = 48
        answers_by_words(workspace, "vectors: ")
        workspace.embed()
        answers_by_meaning(workspace)


def test_a_store_that_says_another_length_than_it_holds_answers_by_words(path: Path) -> None:
    model = PlainModel(swift=True)
    with opened(path, model) as workspace:
        fill(workspace)
        answers_by_meaning(workspace)
        model.dimension = 48
        model.name = "plain"
        answers_by_words(workspace, "vectors: ")
        workspace.apply([UseModel(model.profile)])
        workspace.embed()
        answers_by_meaning(workspace)


def test_vectors_of_another_model_are_not_compared(path: Path) -> None:
    with opened(path, PlainModel("first", swift=True)) as workspace:
        fill(workspace)
    with opened(path, PlainModel("second", swift=True)) as workspace:
        answers_by_words(workspace, "they are of first, not of second")
        # The first write makes the store the second model's.
        workspace.put(kind="page", key="more", title="More")
        answers_by_meaning(workspace)


def test_an_index_that_is_half_embedded_says_how_much_is_missing(path: Path) -> None:
    with opened(path, PlainModel(), background=False) as workspace:
        fill(workspace)
        answers_by_words(workspace, "3 passages wait for theirs")
        workspace.embed()
        workspace.put(kind="page", key="more", title="More")
        page = workspace.search(WORDS)
        assert "1 passages have none yet" in " ".join(page.degraded)
        assert "vectors" in page.lists
        workspace.embed()
        answers_by_meaning(workspace)


def test_an_answer_that_lacked_something_is_not_given_again_when_it_is_there(path: Path) -> None:
    model = PlainModel()
    with opened(path, model, background=False) as workspace:
        fill(workspace)
        workspace.embed()
        model.trouble = "down"
        assert workspace.search(WORDS).degraded
        model.trouble = ""
        assert not workspace.search(WORDS).degraded


def test_explaining_an_absence_works_without_the_model_too(path: Path) -> None:
    model = PlainModel(trouble="down")
    with opened(path, model) as workspace:
        fill(workspace)
        assert workspace.why_not("words", WORDS).found
        assert not workspace.why_not("other", WORDS).found
