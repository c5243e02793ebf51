"""What is remembered is a record with links, written once, found at once, and written whole or not at all."""

from collections.abc import Iterator

import pytest

import dowse
from dowse.app.noting import title_of
from dowse.app.permissions import Capability, Principal
from dowse.app.workspace import Workspace
from dowse.errors import Forbidden, InvalidRecord, InvalidRequest, NotFound


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with dowse.open(":memory:") as opened:
        opened.put(kind="item", key="task-17", title="Cap the retries", space="harbour")
        opened.put(kind="page", key="retry-policy", title="Retry policy", content="Five at most.")
        yield opened


def edges(workspace: Workspace, key: str) -> list[tuple[str, str]]:
    return [(item.edge.kind, item.record.key) for item in workspace.neighbours(key, direction="outgoing")]


@pytest.mark.parametrize(
    ("kind", "field", "edge"),
    [("page", "content", "references"), ("item", "description", "relates_to"), ("knowledge", "content", "references")],
)
def test_the_text_stands_where_its_kind_keeps_it_and_links_lead_to_what_it_is_about(
    workspace: Workspace, kind: str, field: str, edge: str
) -> None:
    made = workspace.remember("Gauges die silently\n\nSo five retries.", kind=kind, about=["task-17", "retry-policy"], tags=["sea"])
    assert (made.kind, made.title, made.tags, made.version) == (kind, "Gauges die silently", ("sea",), 1)
    assert made.fields[field] == "Gauges die silently\n\nSo five retries."
    assert edges(workspace, made.key) == [(edge, "retry-policy"), (edge, "task-17")]


def test_a_note_hangs_below_its_item_and_lives_in_its_space(workspace: Workspace) -> None:
    made = workspace.remember("Ask the harbour master first.", kind="note", parent="task-17", about=["retry-policy"])
    assert (made.key, made.parent, made.space) == ("task-17#note/ask-the-harbour-master-first", "task-17", "harbour")
    assert made.fields == {"body": "Ask the harbour master first."}
    assert [hit.record.key for hit in workspace.search("master", surface="notes").hits] == [made.key]


def test_a_note_needs_an_item(workspace: Workspace) -> None:
    with pytest.raises(InvalidRecord, match="needs a parent: the key of a item"):
        workspace.remember("Ask first.", kind="note")
    with pytest.raises(InvalidRecord, match="hangs below a item; 'retry-policy' is a page"):
        workspace.remember("Ask first.", kind="note", parent="retry-policy")


def test_what_is_remembered_is_found_at_once(workspace: Workspace) -> None:
    workspace.remember("The kraken sleeps under the pier.", kind="knowledge")
    assert workspace.search("kraken").hits[0].record.title == "The kraken sleeps under the pier."


@pytest.mark.parametrize("kind", ["page", "item", "knowledge", "note"])
def test_the_same_title_again_changes_the_record_instead_of_doubling_it(workspace: Workspace, kind: str) -> None:
    parent = "task-17" if kind == "note" else None
    first = workspace.remember("One", title="Tides", kind=kind, tags=["sea"], parent=parent)
    second = workspace.remember("Two", title="Tides", kind=kind, about=["retry-policy"], parent=parent)
    assert (second.key, second.version, second.tags) == (first.key, 2, ("sea",))
    assert "Two" in second.fields.values()
    assert workspace.list(kinds=(kind,), tags=("sea",)).total == 1


def test_the_very_same_again_changes_nothing(workspace: Workspace) -> None:
    first = workspace.remember("One", title="Tides", about=["task-17"])
    generation = workspace.status().generation
    assert workspace.remember("One", title="Tides", about=["task-17"]) == first
    assert workspace.status().generation == generation


def test_a_record_that_has_the_title_under_another_key_is_the_one_meant(workspace: Workspace) -> None:
    made = workspace.remember("Five are enough.", title="Cap the retries", kind="item", space="harbour")
    assert (made.key, made.version, made.fields["description"]) == ("task-17", 2, "Five are enough.")


def test_the_same_title_in_another_space_is_another_record(workspace: Workspace) -> None:
    here = workspace.remember("Here", title="Tides", space="a")
    there = workspace.remember("There", title="Tides", space="b")
    assert (here.key, there.key) == ("tides", "tides-2")
    assert workspace.remember("There again", title="Tides", space="b").key == "tides-2"
    assert workspace.get("tides").fields["content"] == "Here"


def test_links_of_a_page_last_when_its_text_is_written_again(workspace: Workspace) -> None:
    made = workspace.remember("See [[Retry policy]].", title="Tides", about=["task-17"])
    assert edges(workspace, made.key) == [("links_to", "retry-policy"), ("references", "task-17")]
    workspace.update(made.key, content="Nothing to see.")
    assert edges(workspace, made.key) == [("references", "task-17")]


def test_an_unknown_link_is_an_error_and_nothing_is_written(workspace: Workspace) -> None:
    before = workspace.status()
    with pytest.raises(NotFound, match="No record has the id 'nowhere'"):
        workspace.remember("Tides", about=["task-17", "nowhere"])
    assert workspace.status() == before


def test_a_deleted_record_is_nothing_to_link_to(workspace: Workspace) -> None:
    workspace.delete("retry-policy")
    with pytest.raises(NotFound, match="'retry-policy' is deleted"):
        workspace.remember("Tides", about=["retry-policy"])


def test_a_record_cannot_be_about_itself(workspace: Workspace) -> None:
    with pytest.raises(InvalidRecord, match="to itself"):
        workspace.remember("Six at most.", title="Retry policy", about=["retry-policy"])
    assert workspace.get("retry-policy").version == 1


def test_remembering_a_deleted_record_brings_it_back(workspace: Workspace) -> None:
    workspace.delete("retry-policy")
    made = workspace.remember("Six at most.", title="Retry policy")
    assert (made.key, made.deleted) == ("retry-policy", False)
    assert workspace.search("six").hits[0].record.key == "retry-policy"


def test_a_beginning_of_an_id_is_enough(workspace: Workspace) -> None:
    assert edges(workspace, workspace.remember("Tides", about=["retry-p"]).key) == [("references", "retry-policy")]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Heading\n\ntext", "Heading"),
        ("\n\n- [ ] Buy rope", "Buy rope"),
        ("> quoted  twice", "quoted twice"),
        ("###", "###"),
        ("First sentence here. " + "Word " * 40, "First sentence here."),
        ("word " * 40, "word " * 15 + "word"),
        ("x" * 200, "x" * 80),
    ],
)
def test_without_a_title_the_first_line_gives_one(text: str, title: str) -> None:
    assert title_of(text) == title


def test_nothing_and_other_kinds_are_refused(workspace: Workspace) -> None:
    with pytest.raises(InvalidRequest, match="blank"):
        workspace.remember(" \n")
    with pytest.raises(InvalidRequest, match="kind is page, item, note, knowledge"):
        workspace.remember("Tides", kind="symbol")


def test_whoever_may_not_write_remembers_nothing(workspace: Workspace) -> None:
    reader = Workspace(workspace._engine, principal=Principal("guest", frozenset({Capability.READ, Capability.SEARCH_USE})))
    with pytest.raises(Forbidden, match="Write"):
        reader.remember("Tides")
