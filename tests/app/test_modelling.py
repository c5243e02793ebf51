"""A workspace can be told which model to use; and what is like a record, or has to do with it, can be asked."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from slow_models import PlainModel, opened

import dowse
from dowse.app import models
from dowse.app.models import Choice
from dowse.app.permissions import Capability, Principal
from dowse.app.resembling import BY_WORDS
from dowse.app.workspace import Workspace
from dowse.errors import EmbeddingFailed, Forbidden, InvalidRequest, InvalidScope, NotFound
from dowse.model.modelling import ModelChoice
from dowse.model.page import Related

TEXTS = {
    "car": ("page", "The automobile", "An automobile needs a road and a driver."),
    "vehicle": ("page", "Vehicle care", "A vehicle needs oil, a road and a driver."),
    "doctor": ("page", "The physician", "A physician looks after the sick."),
    "medic": ("item", "Call the medic", "The medic looks after the sick."),
    "bread": ("page", "Bread", "Flour, water and salt, baked hot."),
}


@pytest.fixture
def garage(tmp_path: Path) -> Iterator[Workspace]:
    with opened(tmp_path / "garage.dowse", PlainModel(swift=True)) as workspace:
        fill(workspace)
        yield workspace


def fill(workspace: Workspace) -> None:
    for key, (kind, title, text) in TEXTS.items():
        workspace.put({"kind": kind, "key": key, "title": title, "content" if kind == "page" else "summary": text})


def keys(related: Related) -> dict[str, tuple[str, ...]]:
    return {item.record.key: item.why for item in related.relations}


def test_the_records_closest_in_meaning_come_first(garage: Workspace) -> None:
    page = garage.similar("car")
    assert page.hits[0].record.key == "vehicle"
    assert page.lists == ("vectors",)
    assert page.degraded == ()
    assert [hit.rank for hit in page.hits] == list(range(1, len(page.hits) + 1))
    assert page.hits[0].score == max(hit.score for hit in page.hits)


def test_a_record_is_not_like_itself(garage: Workspace) -> None:
    assert "car" not in [hit.record.key for hit in garage.similar("car").hits]


def test_the_parts_of_a_record_and_what_it_is_part_of_are_not_like_it(tmp_path: Path) -> None:
    with opened(tmp_path / "a.dowse", PlainModel(swift=True)) as workspace:
        workspace.put(kind="item", key="road", title="Build the road", role="work")
        workspace.put(kind="item", key="bridge", title="Build the road bridge", parent="road", role="work")
        workspace.put(kind="item", key="pillar", title="Build the road bridge pillar", parent="bridge", role="work")
        workspace.put(kind="item", key="rail", title="Build the rail bridge", role="work")
        assert [hit.record.key for hit in workspace.similar("bridge").hits] == ["rail"]
        assert [hit.record.key for hit in workspace.similar("road").hits] == ["rail"]


def test_what_is_alike_can_be_asked_of_some_kinds_only(garage: Workspace) -> None:
    assert [hit.record.key for hit in garage.similar("doctor", kinds=("item",)).hits] == ["medic"]


def test_an_unknown_kind_is_refused(garage: Workspace) -> None:
    with pytest.raises(InvalidScope, match="kind"):
        garage.similar("doctor", kinds=("itm",))


@pytest.mark.parametrize("limit", [0, -1, 101])
def test_a_limit_that_makes_no_sense_is_refused(garage: Workspace, limit: int) -> None:
    with pytest.raises(InvalidRequest, match="limit"):
        garage.similar("doctor", limit=limit)


def test_as_many_as_asked_for_come_and_no_more(garage: Workspace) -> None:
    assert len(garage.similar("car", limit=1).hits) == 1


def test_a_record_nobody_knows_is_like_nothing(garage: Workspace) -> None:
    with pytest.raises(NotFound):
        garage.similar("nothing-of-that-name")


def test_the_excerpt_of_what_is_alike_is_its_closest_passage(garage: Workspace) -> None:
    assert garage.similar("car").hits[0].excerpt.text


def test_without_vectors_words_tell_what_is_alike_and_the_page_says_so(tmp_path: Path) -> None:
    with dowse.open(tmp_path / "a.dowse", model="none") as workspace:
        fill(workspace)
        page = workspace.similar("doctor")
        assert page.hits[0].record.key == "medic"
        assert "doctor" not in [hit.record.key for hit in page.hits]
        assert page.degraded == (BY_WORDS,)
        assert [hit.rank for hit in page.hits] == list(range(1, len(page.hits) + 1))


def test_a_record_without_any_text_is_like_nothing_and_that_is_no_error(tmp_path: Path) -> None:
    with dowse.open(tmp_path / "a.dowse", model="none") as workspace:
        workspace.put(kind="page", key="blank", title="...")
        assert workspace.similar("blank").hits == ()


def test_the_model_of_the_package_finds_what_is_alike(tmp_path: Path) -> None:
    with dowse.open(tmp_path / "a.dowse") as workspace:
        workspace.put(kind="page", key="backoff", title="Retry policy", content="Failed requests are retried with a growing delay.")
        workspace.put(kind="page", key="again", title="Try again", content="Wait longer before each further attempt to send the request.")
        workspace.put(kind="page", key="soup", title="Soup", content="Boil carrots and onions for an hour.")
        assert workspace.similar("backoff").hits[0].record.key == "again"


def test_what_has_to_do_with_a_record_says_why(garage: Workspace) -> None:
    garage.put(kind="item", key="fix", title="Fix the car", summary="See the manual.", role="work")
    garage.put(kind="item", key="paint", title="Paint it", role="work")
    garage.link("fix", "paint", "blocks")
    told = keys(garage.related("fix"))
    assert told["paint"] == ("this blocks it",)
    assert keys(garage.related("paint"))["fix"] == ("blocks this",)


def test_siblings_stand_beside_a_record(tmp_path: Path) -> None:
    with dowse.open(tmp_path / "a.dowse", model="none") as workspace:
        workspace.put(kind="item", key="trip", title="Plan the trip", role="work")
        for key in ("boat", "tent", "food"):
            workspace.put(kind="item", key=f"pack-{key}", title=f"Pack the {key}", parent="trip", role="work")
        told = keys(workspace.related("pack-boat"))
        assert told["pack-food"][0] == told["pack-tent"][0] == "stands beside it"
        assert "pack-boat" not in told


def test_a_record_that_has_to_do_with_another_for_two_reasons_is_told_once(garage: Workspace) -> None:
    garage.put(kind="page", key="guide", title="Guide to the automobile", content="An automobile needs a road. See [[car]].")
    related = garage.related("guide")
    assert sorted(item.record.key for item in related.relations) == sorted({item.record.key for item in related.relations})
    assert "says something alike" in keys(related)["car"]
    assert next(item.score for item in related.relations if item.record.key == "car") is not None


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


def test_the_status_as_json_tells_the_model_and_how_far_it_is(garage: Workspace) -> None:
    from dowse.present.answers import answer_json

    told = json.loads(json.dumps(answer_json(garage.status())))["embedding"]
    assert (told["profile"]["name"], told["done"], told["waiting"], told["failure"]) == ("plain", 5, 0, "")
