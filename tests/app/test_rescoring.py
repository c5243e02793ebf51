"""A second model scores the best hits anew: its word stands for the first one's, and what it cannot say is told."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from slow_models import PlainModel

from dowse.app.embedding import EmbeddingEngine
from dowse.app.models import Choice
from dowse.app.rescoring import SecondModel
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.errors import EmbeddingFailed, InvalidRequest

QUESTION = "automobile or vehicle in town"


@pytest.fixture
def second() -> PlainModel:
    return PlainModel("second")


@pytest.fixture
def workspace(tmp_path: Path, second: PlainModel) -> Iterator[Workspace]:
    def pick(specification: str) -> PlainModel:
        if specification == "second":
            return second
        if specification == "first":
            literal = PlainModel("first", swift=True)
            literal.same = {}
            return literal
        raise EmbeddingFailed(f"no model is called {specification!r}")

    engine = EmbeddingEngine(SqliteEngine(tmp_path / "a.dowse", SCHEMA), Choice("first", pick))
    with Workspace(engine) as opened:
        opened.put(kind="page", key="bench", title="Town", content="In town.")
        opened.put(kind="page", key="garage", title="Car", content="Car or vehicle.")
        opened.put(kind="page", key="bread", title="Bread", content="Flour and water.")
        yield opened


def test_a_second_model_moves_the_best_hits_and_says_so(workspace: Workspace) -> None:
    page = workspace.search(QUESTION, rescore="second", explain=True)
    assert page.degraded == ()
    signals = {signal.name: signal.added for hit in page.hits for signal in hit.signals}
    assert "rescored by second" in signals
    scores = {hit.record.key: hit.score for hit in page.hits}
    before = {hit.record.key: hit.score for hit in workspace.search(QUESTION).hits}
    assert scores["garage"] > before["garage"]
    assert scores["bench"] < before["bench"]


def test_the_same_model_as_second_changes_nothing(workspace: Workspace) -> None:
    before = {hit.record.key: hit.score for hit in workspace.search(QUESTION).hits}
    after = {hit.record.key: hit.score for hit in workspace.search(QUESTION, rescore="first").hits}
    # Stored vectors are small integers, the second ones are not.
    assert after == pytest.approx(before, abs=0.02)


def test_a_second_model_that_fails_leaves_the_order_and_says_why(workspace: Workspace, second: PlainModel) -> None:
    second.trouble = "It is asleep."
    page = workspace.search(QUESTION, rescore="second")
    assert [hit.record.key for hit in page.hits] == [hit.record.key for hit in workspace.search(QUESTION).hits]
    assert page.degraded == ("rescoring: It is asleep. The order is the first model's.",)
    second.trouble = ""
    assert workspace.search(QUESTION, rescore="second").degraded == ()


def test_a_second_model_nobody_knows_is_refused(workspace: Workspace) -> None:
    with pytest.raises(InvalidRequest, match="no model is called 'magic'"):
        workspace.search(QUESTION, rescore="magic")


def test_a_search_for_a_name_asks_no_second_model(workspace: Workspace, second: PlainModel) -> None:
    workspace.search("automobile", rescore="second")
    assert second.asked == []


def test_a_passage_is_embedded_once_by_the_second_model(workspace: Workspace, second: PlainModel) -> None:
    workspace.search(QUESTION, rescore="second")
    workspace.search("which vehicle or automobile in what town", rescore="second")
    assert sorted(set(second.asked)) == sorted(second.asked)


def test_a_second_model_forgets_what_was_not_asked_for_long() -> None:
    model = PlainModel()
    remembering = SecondModel(model, limit=2)
    rows = remembering.embed(["one", "two", "one"])
    assert (rows[0] == rows[2]).all()
    remembering.embed(["three"])
    remembering.embed(["one"])
    remembering.embed(["two"])
    assert model.asked == ["one", "two", "three", "two"]


def test_the_parameter_is_one_of_the_surface(workspace: Workspace) -> None:
    with pytest.raises(InvalidRequest, match="rescore"):
        workspace.search("park", surface="items", rescore="second")
