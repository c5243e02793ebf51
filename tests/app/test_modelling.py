"""A workspace can be told which model to use; it tries it first, remembers it, and says what is left to be done."""

import json
from pathlib import Path

import pytest
from slow_models import PlainModel, opened

import dowse
from dowse.app import models
from dowse.app.models import Choice
from dowse.app.permissions import Capability, Principal
from dowse.app.workspace import Workspace
from dowse.errors import EmbeddingFailed, Forbidden, InvalidRequest
from dowse.model.modelling import ModelChoice
from dowse.present.answers import answer_json


def test_models_are_listed_with_the_one_in_use(workspace: Workspace) -> None:
    listed = {item.specification: item for item in workspace.models()}
    assert listed["static"].used
    assert listed["static"].is_here
    assert listed["static"].bytes > 1_000_000
    assert listed["onnx:snowflake-arctic-embed-m-v2.0"].licence == "Apache-2.0"
    assert [item.specification for item in listed.values() if item.used] == ["static"]


def test_a_model_nobody_lists_is_listed_when_it_is_used(tmp_path: Path) -> None:
    with dowse.open(tmp_path / "a.dowse", model="http://127.0.0.1:9/v1#mine") as workspace:
        assert [item.specification for item in workspace.models() if item.used] == ["http://127.0.0.1:9/v1#mine"]


def test_a_workspace_remembers_the_model_it_was_told_to_use(tmp_path: Path) -> None:
    path = tmp_path / "a.dowse"
    with dowse.open(path) as workspace:
        workspace.put(kind="page", key="tides", title="Tides")
        assert workspace.use_model("none") == ModelChoice("none")
    with dowse.open(path) as workspace:
        assert workspace.status().embedding.specification == "none"
        assert workspace.status().embedding.profile is None
        chosen = workspace.use_model("static")
        assert (chosen.swift, chosen.done, chosen.waiting) == (True, 1, 0)
    with dowse.open(path) as workspace:
        assert workspace.status().embedding.specification == "static"


def test_another_process_notices_that_the_model_changed(tmp_path: Path) -> None:
    path = tmp_path / "a.dowse"
    with dowse.open(path) as first, dowse.open(path) as second:
        first.put(kind="page", key="tides", title="How the tides work")
        assert second.search("how do tides work").degraded == ()
        first.use_model("none")
        (told,) = second.search("how do tides work").degraded
        assert "no embedding model" in told
        first.use_model("static")
        assert second.search("how do tides work").degraded == ()


def test_a_model_that_cannot_be_used_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    with dowse.open(tmp_path / "a.dowse") as workspace:
        workspace.put(kind="page", key="tides", title="Tides")
        before = workspace.status().embedding
        with pytest.raises(EmbeddingFailed, match=r"nowhere .*Everything stays as it is"):
            workspace.use_model(f"onnx:{tmp_path / 'nowhere'}")
        with pytest.raises(EmbeddingFailed, match="no model is called 'magic'"):
            workspace.use_model("magic")
        assert workspace.status().embedding == before


def test_the_name_of_a_known_model_stands_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOWSE_MODELS", str(tmp_path / "models"))
    with dowse.open(tmp_path / "a.dowse") as workspace, pytest.raises(EmbeddingFailed, match="onnx:snowflake-arctic-embed-xs"):
        workspace.use_model("Snowflake-arctic-embed-XS")


def test_a_model_named_from_outside_goes_before_the_remembered_one_and_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.dowse"
    with dowse.open(path, model="none") as workspace:
        assert workspace.use_model("static").overruled == "none"
    with dowse.open(path) as workspace:
        assert workspace.status().embedding.specification == "static"


def test_a_slow_model_that_is_chosen_is_worked_off_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.dowse"
    with opened(path, PlainModel("first", swift=True)) as workspace:
        for number in range(5):
            workspace.put(kind="page", key=f"page-{number}", title=f"Page {number}")
    with opened(path, PlainModel("second")) as workspace:
        chosen = workspace.use_model("a test's own")
        assert (chosen.name, chosen.swift, chosen.done + chosen.waiting) == ("second", False, 5)
        assert workspace.embedding.worker is not None
        assert workspace.embedding.worker.settled(20)
        assert workspace.status().embedding.waiting == 0


def test_embedding_without_a_model_says_what_to_do(tmp_path: Path) -> None:
    with dowse.open(tmp_path / "a.dowse", model="none") as workspace, pytest.raises(InvalidRequest, match="dowse model use"):
        workspace.embed()


def test_embedding_with_a_model_that_fails_says_how_many_wait(tmp_path: Path) -> None:
    model = PlainModel()
    with opened(tmp_path / "a.dowse", model, background=False) as workspace:
        workspace.put(kind="page", key="tides", title="Tides")
        model.trouble = "The server is asleep."
        with pytest.raises(EmbeddingFailed, match=r"asleep\. 1 passages wait"):
            workspace.embed()


def test_a_reader_may_not_change_models(tmp_path: Path) -> None:
    path = tmp_path / "a.dowse"
    dowse.open(path).close()
    reader = Principal("reader", frozenset({Capability.READ, Capability.SEARCH_USE}))
    with dowse.open(path, principal=reader) as workspace:
        for forbidden in (lambda: workspace.use_model("none"), workspace.embed, lambda: workspace.add_model("all-MiniLM-L6-v2")):
            with pytest.raises(Forbidden):
                forbidden()


def test_a_choice_is_the_named_one_or_what_the_workspace_remembers(workspace: Workspace) -> None:
    with workspace.embedding.view() as view:
        assert Choice().specification(view) == models.DEFAULT
        assert Choice("none").specification(view) == "none"


def test_the_status_as_json_tells_the_model_and_how_far_it_is(tmp_path: Path) -> None:
    with opened(tmp_path / "a.dowse", PlainModel(swift=True)) as workspace:
        workspace.put(kind="page", key="tides", title="Tides")
        told = json.loads(json.dumps(answer_json(workspace.status())))["embedding"]
    assert (told["profile"]["name"], told["done"], told["waiting"], told["failure"]) == ("plain", 1, 0, "")
