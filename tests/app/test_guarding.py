"""How does a workspace act for someone else, and what does it cost those who see everything?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import dowse
from dowse.app.embedding import EmbeddingEngine
from dowse.app.guarded_view import GuardedView
from dowse.app.guarding import GuardedEngine
from dowse.app.permissions import OWNER, Capability, Principal, Reach
from dowse.app.workspace import Workspace
from dowse.errors import Forbidden
from dowse.model.request import Scope
from dowse.ports import View

ALL = frozenset(Capability)
READING = frozenset({Capability.SEARCH_USE, Capability.READ})
GUEST = Principal("guest", READING, Reach(spaces=("open",)))


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with dowse.open(tmp_path / "test.dowse", model="none") as opened:
        for space in ("open", "vault"):
            opened.put(kind="page", key=f"{space}-1", title="Tides", content="The tide turns", space=space)
            opened.put(kind="item", key=f"{space}-2", title="Watch the tide", space=space)
            opened.link(f"{space}-2", f"{space}-1", "relates_to")
        opened.link("open-1", "vault-1", "links_to")
        yield opened


def keys(workspace: Workspace, query: str = "tide") -> list[str]:
    return sorted(hit.record.key for hit in workspace.search(query).hits)


def test_a_guest_is_answered_from_their_part_and_the_owner_from_all(workspace: Workspace) -> None:
    assert keys(workspace.acting_as(GUEST)) == ["open-1", "open-2"]
    assert keys(workspace) == ["open-1", "open-2", "vault-1", "vault-2"]


def test_a_page_remembered_for_one_is_not_given_to_another(workspace: Workspace) -> None:
    other = Principal("guest", READING, Reach(spaces=("vault",)))
    assert keys(workspace) != keys(workspace.acting_as(GUEST)) != keys(workspace.acting_as(other))
    assert keys(workspace.acting_as(other)) == ["vault-1", "vault-2"]


def test_whoever_comes_back_finds_their_pages_and_few_are_kept(workspace: Workspace) -> None:
    first = workspace.acting_as(GUEST)
    assert workspace.acting_as(GUEST) is first
    for number in range(100):
        workspace.acting_as(Principal(f"guest {number}", READING))
    assert workspace.acting_as(GUEST) is not first
    assert keys(first) == ["open-1", "open-2"]


def test_closing_for_one_leaves_the_workspace_open_for_all(workspace: Workspace) -> None:
    with workspace.acting_as(GUEST) as acting:
        assert acting.get("open-1").title == "Tides"
    assert acting.get("open-1").title == "Tides"
    assert workspace.get("vault-1").title == "Tides"


def test_those_who_see_everything_have_the_engine_itself(workspace: Workspace) -> None:
    assert type(workspace.acting_as(Principal("colleague", ALL)).embedding) is EmbeddingEngine
    assert type(workspace.acting_as(GUEST).embedding) is GuardedEngine


def test_a_guest_cannot_act_as_someone_else(workspace: Workspace) -> None:
    with pytest.raises(Forbidden, match="act as someone else"):
        workspace.acting_as(Principal("admin", ALL, Reach(spaces=("open",)))).acting_as(OWNER)


@pytest.mark.usefixtures("workspace")
def test_a_workspace_opened_for_a_guest_is_guarded_as_well(tmp_path: Path) -> None:
    with dowse.open(tmp_path / "test.dowse", principal=GUEST, model="none") as opened:
        assert keys(opened) == ["open-1", "open-2"]


def test_the_status_counts_what_is_seen_and_says_nothing_of_the_file(workspace: Workspace) -> None:
    status = workspace.acting_as(GUEST).status()
    assert (status.records, status.edges, status.spaces, status.deleted) == ({"item": 1, "page": 1}, {"relates_to": 1}, 1, 0)
    assert (status.location, status.bytes, status.words) == ("", 0, 0)
    workspace.delete("open-2")
    status = workspace.acting_as(GUEST).status()
    assert (status.records, status.deleted) == ({"page": 1}, 1)


def test_where_the_file_lies_is_told_to_admins_alone(workspace: Workspace) -> None:
    assert workspace.acting_as(Principal("colleague", READING)).status().location == ""
    assert workspace.acting_as(Principal("admin", ALL)).status().location.endswith("test.dowse")


def test_health_is_told_without_its_details(workspace: Workspace) -> None:
    findings = workspace.acting_as(GUEST).doctor()
    assert {(finding.ok, finding.detail) for finding in findings} == {(True, "in order")}
    assert [finding.name for finding in findings] == [finding.name for finding in workspace.doctor()]


def test_a_way_through_an_unseen_record_is_not_walked(workspace: Workspace) -> None:
    workspace.link("vault-1", "open-2", "links_to")
    guest = workspace.acting_as(Principal("guest", READING, Reach(spaces=("open",))))
    around = [item.record.key for item in guest.neighbours("open-1", direction="outgoing", depth=3)]
    assert around == []
    assert [item.record.key for item in workspace.neighbours("open-1", direction="outgoing", depth=2)] == ["vault-1", "open-2"]


def test_a_part_whose_whole_is_not_seen_answers_for_itself(workspace: Workspace) -> None:
    workspace.put(kind="node", key="vault-node", title="Harbour", space="vault", facets={"kind": "service"})
    workspace.put(kind="chunk", key="chunk", title="Ebb", content="ebb and flow", parent="vault-node", space="open")
    assert [hit.record.key for hit in workspace.search("ebb", surface="architecture").hits] == ["vault-node"]
    guest = workspace.acting_as(GUEST)
    assert [hit.record.key for hit in guest.search("ebb", surface="architecture").hits] == []
    assert [hit.record.key for hit in guest.search("ebb").hits] == ["chunk"]
    with guest.embedding.view() as view:
        (chunk,) = view.handles(["chunk"])
        assert chunk is not None
        assert [(item.key, item.parent) for item in view.fetch(view.parents([chunk], ("chunk",)))] == [("chunk", None)]
        assert [int(handle) for handle in view.containers([chunk], ("node",))] == [0]


def test_an_unseen_record_is_explained_like_one_that_nobody_has(workspace: Workspace) -> None:
    guest = workspace.acting_as(GUEST)
    unseen, absent = guest.why_not("vault-1", "tide"), guest.why_not("vault-9", "tide")
    assert unseen.reason.replace("vault-1", "vault-9") == absent.reason


def test_a_view_that_is_guarded_answers_everything_that_a_view_does() -> None:
    asked = {name for name in vars(View) if not name.startswith("_")}
    assert asked <= set(vars(GuardedView))


def test_nothing_lies_below_what_is_not_seen(workspace: Workspace) -> None:
    workspace.put(kind="item", key="open-3", title="Tide tables", space="open", parent="vault-2")
    with workspace.acting_as(GUEST).embedding.view() as view:
        assert view.select(Scope(parents=("vault-2",))).size == 0
        assert view.select(Scope(ancestor="vault-2")).size == 0
        assert view.select(Scope(ancestor="open-3")).size == 1


def test_files_are_known_to_those_who_see_their_whole_space(workspace: Workspace, tmp_path: Path) -> None:
    for space in ("open", "vault"):
        (tmp_path / space).mkdir()
        (tmp_path / space / "tide.py").write_text("def turn():\n    return 1\n")
        workspace.index(tmp_path / space)
    with workspace.acting_as(GUEST).embedding.view() as view:
        for space, known in (("open", True), ("vault", False)):
            assert bool(view.stamps(space)) is known
            assert bool(view.sources(space, ["tide.py"])) is known
            assert bool(view.definers(space, ["turn"], 2)) is known
        assert list(view.marks("project:")) == ["project:open"]
    part = Principal("guest", READING, Reach(kinds=("symbol",)))
    assert workspace.acting_as(part).projects() == ()
    with workspace.acting_as(part).embedding.view() as view:
        assert view.stamps("open") == {}
        assert view.unsettled("open", 9) == []


def test_a_writer_of_a_whole_space_keeps_its_project_up_to_date(workspace: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    (folder / "tide.py").write_text("def turn():\n    return 1\n")
    (folder / "use.py").write_text("from tide import turn\n\n\ndef ebb():\n    return turn()\n")
    writer = workspace.acting_as(Principal("writer", frozenset(Capability), Reach(spaces=("open",)), roots=(tmp_path,)))
    assert writer.index(folder).added == 2
    (folder / "tide.py").rename(folder / "tides.py")
    (folder / "use.py").write_text("from tides import turn\n\n\ndef ebb():\n    return turn()\n")
    assert (
        writer.index(folder).moved,
        [item.record.title for item in writer.neighbours("open:tides.py#turn", kinds=["calls"])],
    ) == (
        1,
        ["ebb"],
    )
    (tmp_path / "other").mkdir()
    with pytest.raises(Forbidden, match="may not index the space 'other'"):
        writer.index(tmp_path / "other")
    assert writer.forget("open") == 2
    assert [project.space for project in workspace.projects()] == []


def test_how_many_passages_wait_is_not_told(tmp_path: Path) -> None:
    with dowse.open(tmp_path / "static.dowse") as opened:
        opened.put(kind="page", key="a", title="Tides", space="open")
        opened.put(kind="page", key="b", title="Tides turn", content="The tide turns", space="vault")
        assert opened.status().embedding.done > 1
        embedding = opened.acting_as(GUEST).status().embedding
        assert (embedding.done, embedding.waiting, embedding.specification) == (1, 0, "static")


def test_a_handle_that_was_never_given_away_is_not_answered(workspace: Workspace) -> None:
    with workspace.embedding.view() as whole:
        (unseen,) = whole.handles(["vault-1"])
    assert unseen is not None
    with workspace.acting_as(GUEST).embedding.view() as view:
        for ask in (view.fetch, view.names):
            with pytest.raises(LookupError):
                ask([unseen])
