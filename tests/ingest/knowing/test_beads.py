from typing import Any

from dowse.ingest.knowing.beads import issue
from dowse.ingest.knowing.issue import Issue

ROW: dict[str, Any] = {
    "id": "bd-a1b2",
    "title": "Build a wall",
    "description": "Of bricks.",
    "design": "Straight.",
    "acceptance_criteria": "It stands.",
    "status": "in_progress",
    "priority": 0,
    "issue_type": "epic",
    "labels": ["stone"],
    "assignee": "ann",
    "notes": "Slow.",
    "comments": [{"author": "bob", "text": "Higher!"}],
}


def made(**more: object) -> Issue:
    found = issue({**ROW, **more}, at_home=False)
    assert found is not None
    return found


def test_an_issue_says_everything_it_is_described_by() -> None:
    found = made()
    assert found.description == "Of bricks.\n\nDesign: Straight.\n\nAcceptance criteria: It stands."
    assert found.facets == {"role": "work", "status": "in_progress", "type": "epic", "priority": "high", "assignee": "ann"}
    assert found.tags == ("stone",)


def test_notes_and_comments_become_notes() -> None:
    assert [(note.key, note.body, note.author) for note in made().notes] == [
        ("notes", "Slow.", ""),
        ("comment-1", "Higher!", "bob"),
    ]


def test_what_an_issue_depends_on_blocks_it() -> None:
    ties = [
        {"issue_id": "bd-a1b2", "depends_on_id": "bd-b", "type": "blocks"},
        {"issue_id": "bd-a1b2", "depends_on_id": "bd-c", "type": "related"},
        {"issue_id": "bd-a1b2", "depends_on_id": "bd-d", "type": "parent-child"},
        {"issue_id": "bd-zzz", "depends_on_id": "bd-e", "type": "blocks"},
    ]
    found = made(dependencies=ties)
    assert found.links == (("is_blocked_by", "bd-b"), ("relates_to", "bd-c"))
    assert found.parent == "bd-d"


def test_a_deleted_issue_is_gone() -> None:
    assert issue({**ROW, "status": "tombstone"}, at_home=True) is None


def test_away_from_home_an_issue_must_say_its_type_and_a_known_status() -> None:
    row = {"id": "a-1", "title": "A", "status": "open"}
    assert issue(row, at_home=False) is None
    assert issue(row, at_home=True) is not None
    assert issue({**row, "issue_type": "task"}, at_home=False) is not None
    assert issue({**row, "issue_type": "task", "status": "sent"}, at_home=False) is None


def test_an_id_is_a_prefix_and_a_name() -> None:
    for wrong in ("12", "a b-1", "-1", "", ["bd-1"], None):
        assert issue({**ROW, "id": wrong}, at_home=True) is None


def test_values_of_the_wrong_shape_are_left_out() -> None:
    found = made(dependencies=[3, None, {}, "bd-x"], comments="well", labels={"a": 1}, priority=[])
    assert found.links == (("is_blocked_by", "3"), ("is_blocked_by", "bd-x"))
    assert (found.tags, found.facets["priority"], found.notes[-1].body) == ((), "", "well")
