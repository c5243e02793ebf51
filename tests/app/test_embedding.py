"""Vectors come with what is written, or soon after it; whatever happens to the model, writing goes on."""

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from slow_models import PlainModel, opened

import dowse
from dowse.app.embedding import EmbeddingEngine
from dowse.app.models import Choice
from dowse.app.workspace import Workspace
from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.errors import EmbeddingFailed
from dowse.model.change import Put
from dowse.model.passage import Vectors
from dowse.model.record import Record

PAGES = {
    "tides": "The moon pulls the water and the sea rises.",
    "bread": "Flour, water and salt, baked in a hot oven.",
    "retries": "A failed call is tried again after a pause.",
}


def fill(workspace: Workspace) -> None:
    for key, text in PAGES.items():
        workspace.put(kind="page", key=key, title=key, content=text)


def fill_up(workspace: Workspace, count: int) -> None:
    workspace.apply(Put(Record(f"page-{number}", "page", f"Page {number}")) for number in range(count))


def counts(workspace: Workspace) -> tuple[int, int]:
    told = workspace.status().embedding
    return told.done, told.waiting


def settle(workspace: Workspace) -> None:
    assert workspace.embedding.worker is not None
    assert workspace.embedding.worker.settled(20)


def test_a_swift_model_embeds_what_is_written_at_once(tmp_path: Path) -> None:
    model = PlainModel(swift=True)
    with opened(tmp_path / "a.dowse", model) as workspace:
        fill(workspace)
        assert counts(workspace) == (3, 0)
        assert len(model.asked) == 3


def test_the_vectors_of_a_slow_model_are_made_behind(tmp_path: Path) -> None:
    with opened(tmp_path / "a.dowse", PlainModel()) as workspace:
        fill(workspace)
        settle(workspace)
        assert counts(workspace) == (3, 0)


def test_writing_does_not_wait_for_a_slow_model(tmp_path: Path) -> None:
    model = PlainModel()
    model.gate = threading.Event()
    with opened(tmp_path / "a.dowse", model) as workspace:
        fill(workspace)
        assert counts(workspace) == (0, 3)
        model.gate.set()
        settle(workspace)
        assert counts(workspace) == (3, 0)


def test_closing_waits_for_the_batch_at_hand_only(tmp_path: Path) -> None:
    path = tmp_path / "a.dowse"
    with opened(path, PlainModel(), background=False) as workspace:
        fill_up(workspace, 100)
    model = PlainModel()
    workspace = opened(path, model)
    workspace.put(kind="page", key="last", title="The last page")
    workspace.close()
    assert 0 < len(model.asked) < 101
    with opened(path, PlainModel()) as again:
        assert again.embed().made == 101 - len(model.asked)


def test_what_is_written_just_before_closing_gets_its_vector(tmp_path: Path) -> None:
    path = tmp_path / "a.dowse"
    with opened(path, PlainModel()) as workspace:
        workspace.put(kind="page", key="tides", title="Tides")
    with opened(path, PlainModel()) as again:
        assert counts(again) == (1, 0)


def test_no_text_is_embedded_twice(tmp_path: Path) -> None:
    model = PlainModel()
    with opened(tmp_path / "a.dowse", model) as workspace:
        fill(workspace)
        settle(workspace)
        fill(workspace)
        settle(workspace)
    assert sorted(set(model.asked)) == sorted(model.asked)


def test_a_failure_behind_is_told_by_the_status_and_gone_when_it_works_again(tmp_path: Path) -> None:
    model = PlainModel(trouble="The server is asleep.")
    with opened(tmp_path / "a.dowse", model) as workspace:
        fill(workspace)
        settle(workspace)
        assert workspace.status().embedding.failure == "The server is asleep."
        model.trouble = ""
        workspace.put(kind="page", key="more", title="More")
        settle(workspace)
        assert workspace.status().embedding.failure == ""
        assert counts(workspace) == (4, 0)


def test_work_that_failed_is_tried_again_by_itself(tmp_path: Path) -> None:
    model = PlainModel(trouble="The server is asleep.")
    with opened(tmp_path / "a.dowse", model, retry=0.01) as workspace:
        fill(workspace)
        settle(workspace)
        woken = threading.Event()
        embed = model.embed

        def heard(texts: list[str], *, query: bool = False) -> object:
            woken.set()
            return embed(texts, query=query)

        model.embed = heard  # type: ignore[method-assign, assignment]
        model.trouble = ""
        assert woken.wait(20)
        settle(workspace)
        assert counts(workspace) == (3, 0)


def test_a_model_that_cannot_be_opened_keeps_nobody_from_writing(tmp_path: Path) -> None:
    def nowhere(_: str) -> PlainModel:
        raise EmbeddingFailed("There is no such model.")

    with opened(tmp_path / "a.dowse", nowhere) as workspace:
        fill(workspace)
        settle(workspace)
        assert len(workspace.list().records) == 3
        assert workspace.status().embedding.failure == "There is no such model."


def test_another_model_embeds_everything_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.dowse"
    with opened(path, PlainModel("first", swift=True)) as workspace:
        fill(workspace)
    second = PlainModel("second", 48, swift=True)
    with opened(path, second) as workspace:
        workspace.put(kind="page", key="more", title="More")
        told = workspace.status().embedding
        assert told.profile is not None
        assert (told.profile.name, told.done, told.waiting) == ("second", 4, 0)
    assert len(second.asked) == 4


def test_a_process_without_a_model_leaves_the_vectors_of_others_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.dowse"
    with opened(path, PlainModel(swift=True)) as workspace:
        fill(workspace)
    with dowse.open(path, model="none") as workspace:
        workspace.put(kind="page", key="more", title="More")
        assert counts(workspace) == (3, 1)


def test_catching_up_tells_how_far_it_is(tmp_path: Path) -> None:
    with opened(tmp_path / "a.dowse", PlainModel(), background=False) as workspace:
        fill(workspace)
        told: list[tuple[int, int]] = []
        assert workspace.embed(report=lambda done, total: told.append((done, total))).made == 3
        assert told == [(0, 3), (3, 3)]


def test_catching_up_can_be_stopped_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    model = PlainModel()
    engine = EmbeddingEngine(SqliteEngine(tmp_path / "a.dowse", SCHEMA), Choice("a test's own", lambda _: model))
    with Workspace(engine) as workspace:
        fill_up(workspace, 600)
        stop = threading.Event()
        stop.set()
        first = engine.catch_up(stop=stop)
        assert 0 < first < 600
        assert first + engine.catch_up() == 600


def test_an_interrupt_loses_nothing_that_was_made_before(tmp_path: Path) -> None:
    model = PlainModel()
    with opened(tmp_path / "a.dowse", model, background=False) as workspace:
        fill_up(workspace, 600)

        def interrupt(done: int, _: int) -> None:
            if done:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            workspace.embed(report=interrupt)
        done, waiting = counts(workspace)
        assert done > 0
        assert workspace.embed().made == waiting


def test_a_text_that_a_model_refuses_does_not_hold_up_the_others(tmp_path: Path) -> None:
    class Picky(PlainModel):
        def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
            if any("unlucky" in text for text in texts):
                raise EmbeddingFailed("That text is too long for me.")
            return super().embed(texts, query=query)

    with opened(tmp_path / "a.dowse", Picky(), background=False) as workspace:
        fill_up(workspace, 20)
        workspace.put(kind="page", key="bad", title="The unlucky page")
        workspace.embed()
        assert counts(workspace) == (21, 0)
        assert workspace.search("page 7", mode="vector").hits[0].record.key == "page-7"


def test_two_who_embed_at_once_do_not_hinder_each_other(tmp_path: Path) -> None:
    path = tmp_path / "a.dowse"
    with opened(path, PlainModel(), background=False) as first, opened(path, PlainModel()) as second:
        fill_up(first, 300)
        second.put(kind="page", key="more", title="More")
        first.embed()
        settle(second)
        assert counts(first) == (301, 0)
