"""What is like a record, and what has to do with it, can be asked; the answer says why, and what it could not look for."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from slow_models import PlainModel, opened

import dowse
from dowse.app.resembling import BY_WORDS
from dowse.app.workspace import Workspace
from dowse.errors import InvalidRequest, InvalidScope, NotFound
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


def test_of_what_is_alike_and_part_of_each_other_only_the_closest_is_told(tmp_path: Path) -> None:
    with opened(tmp_path / "a.dowse", PlainModel(swift=True)) as workspace:
        workspace.put(kind="item", key="road", title="Build the road", role="work")
        workspace.put(kind="item", key="bridges", title="Build the bridges", role="work")
        workspace.put(kind="item", key="stone", title="Build the stone", parent="bridges", role="work")
        workspace.put(kind="item", key="wood", title="Build the road", parent="stone", role="work")
        assert [hit.record.key for hit in workspace.similar("road").hits] == ["wood"]


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
        workspace.put(
            kind="page", key="again", title="Try again", content="Wait longer before each further attempt to send the request."
        )
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
