"""The Python API: what can be done with a workspace, and what it refuses."""

import io
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse.app.workspace import Workspace
from dowse.errors import AmbiguousId, Conflict, InvalidRecord, InvalidRequest, InvalidScope, NotFound, StorageError
from dowse.model.change import Link, Put
from dowse.model.page import Branch
from dowse.model.record import Edge, Record

Found = Callable[..., list[str]]


def item(workspace: Workspace, key: str, parent: str | None = None, **values: Any) -> Record:
    return workspace.put(kind="item", key=key, parent=parent, **{"title": key, **values})


@pytest.fixture
def family(workspace: Workspace) -> Workspace:
    item(workspace, "grandparent")
    item(workspace, "parent", "grandparent")
    item(workspace, "child", "parent")
    workspace.put(kind="note", parent="child", noteKey="plan", body="plans")
    return workspace


def shape(branch: Branch) -> Any:
    return {branch.record.key: [shape(child) for child in branch.children]}


# Writing


def test_a_record_is_put_from_parts_a_mapping_or_a_record(workspace: Workspace) -> None:
    parts = workspace.put(kind="item", key="a", title="One", summary="s", role="work", tags=["y", "x"])
    mapping = workspace.put({"kind": "item", "key": "a", "title": "One", "summary": "s", "role": "work", "tags": ["x", "y"]})
    record = workspace.put(Record("a", "item", "One", {"summary": "s"}, tags=("x", "y"), facets={"role": "work"}))
    assert parts == mapping == record == workspace.get("a")
    assert (parts.version, parts.tags, parts.facets) == (1, ("x", "y"), {"role": "work"})


def test_a_record_without_a_key_gets_one(workspace: Workspace) -> None:
    assert workspace.put(kind="page", title="The Router!").key == "the-router"
    first, second = (workspace.put(kind="item", title="x").key for _ in range(2))
    assert first != second


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"kind": "itm"}, "Did you mean 'item'"),
        ({"kind": "item", "sumary": "x"}, "Did you mean 'summary'"),
        ({"kind": "item", "role": "wrk"}, "it is one of queue"),
        ({"kind": "item", "title": 5}, "'title' must be text"),
        ({"kind": "item", "summary": 5}, "must be text"),
        ({"kind": "item", "tags": "x"}, "tags must be a list"),
        ({"kind": "item", "tags": [" "]}, "tags must be a list"),
        ({"kind": "item", "fields": {"body": "x"}}, "no field 'body'"),
        ({"kind": "item", "facets": {"size": 1}}, "no facet 'size'"),
        ({"kind": "item", "priority": ["high"]}, "must be a text, number or truth value"),
        ({"kind": "item", "key": "x" * 1025}, "1 to 1024 characters"),
        ({"kind": "item", "title": "\ud800"}, "no valid Unicode"),
        ({"kind": "item", "priority": "\ud800"}, "no valid Unicode"),
        ({"kind": "note", "body": "x"}, "needs a parent"),
        ({"kind": "file", "parent": "x"}, "has no parent"),
    ],
)
def test_a_record_that_does_not_fit_its_kind_is_refused(workspace: Workspace, values: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRecord, match=message):
        workspace.put(values)
    assert workspace.status().records == {}


def test_an_update_changes_parts_and_leaves_the_rest(workspace: Workspace) -> None:
    item(workspace, "item-a", summary="s", description="d", role="work", tags=["x"])
    updated = workspace.update("item", summary="new", role="review")
    assert (updated.title, updated.fields, updated.facets, updated.tags, updated.version) == (
        "item-a",
        {"summary": "new", "description": "d"},
        {"role": "review"},
        ("x",),
        2,
    )
    assert workspace.update("item-a", summary=None).fields == {"description": "d"}


def test_an_update_of_a_node_keeps_the_kind_of_node_apart_from_the_kind_of_record(workspace: Workspace) -> None:
    workspace.put(kind="node", key="service.a", summary="old", facets={"kind": "service"})
    updated = workspace.update("service.a", summary="new")
    assert (updated.kind, updated.facets, updated.text("summary")) == ("node", {"kind": "service"}, "new")
    assert workspace.update("service.a", facets={"kind": "adr"}).facets == {"kind": "adr"}


def test_writing_what_is_there_already_is_no_change(workspace: Workspace) -> None:
    item(workspace, "a")
    generation = workspace.status().generation
    item(workspace, "a")
    assert (workspace.status().generation, workspace.get("a").version) == (generation, 1)


def test_a_write_over_another_version_is_refused(workspace: Workspace) -> None:
    item(workspace, "a")
    workspace.put(kind="item", key="a", title="second", expected=1)
    with pytest.raises(Conflict, match="is at version 2, not 1"):
        workspace.put(kind="item", key="a", title="third", expected=1)
    with pytest.raises(Conflict):
        workspace.put(kind="item", key="a", title="new", expected=0)
    assert workspace.get("a").title == "second"


def test_a_parent_must_exist_and_be_of_the_right_kind(workspace: Workspace) -> None:
    with pytest.raises(NotFound, match="Put it first"):
        item(workspace, "a", "nobody")
    workspace.put(kind="page", key="page")
    with pytest.raises(InvalidRequest, match="hangs below a item"):
        item(workspace, "a", "page")


@pytest.mark.parametrize("key", ["grandparent", "parent"])
def test_a_record_cannot_hang_below_itself(family: Workspace, key: str) -> None:
    with pytest.raises(Conflict):
        family.update(key, parent="child")
    with pytest.raises(Conflict):
        family.update(key, parent=key)


def test_many_changes_are_applied_all_or_none(workspace: Workspace) -> None:
    good = Put(Record("a", "item", "A"))
    with pytest.raises(Conflict):
        workspace.apply([good, Put(Record("b", "item", "B"), expected=7)])
    with pytest.raises(InvalidRecord):
        workspace.apply([good, Link(Edge("a", "b", "knows"))])
    assert workspace.status().records == {}
    applied = workspace.apply([good, Put(Record("b", "item", "B")), Link(Edge("a", "b", "blocks"))])
    assert (applied.records, applied.edges) == (2, 1)


def test_a_record_with_others_below_is_deleted_only_with_them(family: Workspace) -> None:
    with pytest.raises(Conflict, match="has 2 records below it"):
        family.delete("parent")
    assert family.delete("parent", recursive=True) == 3
    assert family.list().total == 1
    assert family.status().deleted == 3


def test_a_deleted_record_is_listed_apart_and_can_be_restored(family: Workspace, found: Found) -> None:
    family.delete("child", recursive=True)
    assert found("child") == []
    assert [record.key for record in family.list(deleted=True, kinds=["item"]).records] == ["child"]
    restored = family.restore("child")
    assert (restored.deleted, found("child")) == (False, ["child"])


def test_a_purged_record_is_gone_for_good(workspace: Workspace) -> None:
    item(workspace, "a")
    assert workspace.delete("a", purge=True) == 1
    for act in (workspace.get, workspace.restore, workspace.delete):
        with pytest.raises(NotFound):
            act("a")


def test_a_link_needs_two_records_and_a_known_kind(family: Workspace) -> None:
    assert family.link("child", "grandparent", "blocks", reason="late") == Edge(
        "child", "grandparent", "blocks", {"reason": "late"}
    )
    assert family.neighbours("child")[0].edge.facets == {"reason": "late"}
    with pytest.raises(InvalidRecord, match="Did you mean 'blocks'"):
        family.link("child", "parent", "block")
    with pytest.raises(InvalidRecord, match="itself"):
        family.link("child", "child", "blocks")
    with pytest.raises(NotFound):
        family.link("child", "nobody", "blocks")


def test_unlinking_says_whether_there_was_a_link(family: Workspace) -> None:
    family.link("child", "parent", "blocks")
    assert family.unlink("child", "parent", "blocks") is True
    assert family.unlink("child", "parent", "blocks") is False
    assert family.neighbours("child") == ()


def test_tags_are_added_removed_and_renamed_everywhere(workspace: Workspace) -> None:
    item(workspace, "a", tags=["x"])
    item(workspace, "b", tags=["x", "y"])
    assert workspace.tag("a", add=["z", " w "], remove=["x"]).tags == ("w", "z")
    assert workspace.rename_tag("y", "x") == 1
    assert workspace.get("b").tags == ("x",)
    with pytest.raises(InvalidRecord):
        workspace.tag("a", add=[" "])
    with pytest.raises(InvalidRequest, match="blank"):
        workspace.rename_tag("x", " ")


# Reading


def test_an_id_may_be_shortened_to_four_characters_if_it_stays_unambiguous(workspace: Workspace) -> None:
    item(workspace, "abcd-1")
    assert workspace.get("abcd").key == "abcd-1"
    with pytest.raises(NotFound):
        workspace.get("abc")
    item(workspace, "abcd-2")
    with pytest.raises(AmbiguousId, match="'abcd-1' and 'abcd-2'"):
        workspace.get("abcd")
    item(workspace, "abcd")
    assert workspace.get("abcd").key == "abcd"


def test_a_short_id_is_found_whole(workspace: Workspace) -> None:
    item(workspace, "ab")
    assert workspace.get("ab").key == "ab"


@pytest.mark.parametrize("key", ["", "nobody", "a\x00b", "\ud800", "%", "____"])
def test_an_id_that_no_record_has_is_not_found(workspace: Workspace, key: str) -> None:
    item(workspace, "somebody")
    with pytest.raises(NotFound):
        workspace.get(key)


def test_a_listing_is_latest_first_in_pages_with_the_true_total(workspace: Workspace) -> None:
    for number in range(60):
        item(workspace, f"item-{number:02}")
    first = workspace.list()
    assert (len(first.records), first.total, first.next_offset) == (50, 60, 50)
    assert first.records[0].key == "item-59"
    rest = workspace.list(offset=50)
    assert (len(rest.records), rest.next_offset) == (10, None)
    assert len({record.key for record in first.records + rest.records}) == 60


def test_a_listing_is_narrowed_by_every_filter(family: Workspace) -> None:
    item(family, "tagged", tags=["x"], role="work", space="north")

    def keys(**filters: Any) -> list[str]:
        return sorted(record.key for record in family.list(**filters).records)

    assert keys(kinds=["note"]) == ["child#note/plan"]
    assert keys(spaces=["north"]) == keys(tags=["x"]) == keys(facets={"role": "work"}) == ["tagged"]
    assert keys(parent="parent") == ["child"]
    assert keys(under="parent") == ["child", "child#note/plan", "parent"]


@pytest.mark.parametrize(
    ("filters", "error"),
    [
        ({"limit": 0}, InvalidRequest),
        ({"limit": 1001}, InvalidRequest),
        ({"offset": -1}, InvalidRequest),
        ({"kinds": ["items"]}, InvalidScope),
        ({"facets": {"role": "x"}}, InvalidScope),
        ({"under": "nobody"}, NotFound),
        ({"parent": "nobody"}, NotFound),
    ],
)
def test_a_listing_refuses_what_cannot_be(workspace: Workspace, filters: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        workspace.list(**filters)


def test_a_tree_shows_what_hangs_below_to_a_depth(family: Workspace) -> None:
    item(family, "another", "parent")
    assert shape(family.tree("parent")) == {"parent": [{"another": []}, {"child": [{"child#note/plan": []}]}]}
    assert shape(family.tree("grandparent", depth=1)) == {"grandparent": [{"parent": []}]}
    assert shape(family.tree("grandparent", depth=0)) == {"grandparent": []}


def test_a_tree_may_be_deeper_than_the_stack(workspace: Workspace) -> None:
    depth = 1200
    workspace.apply(Put(Record(f"n{n:04}", "item", parent=f"n{n - 1:04}" if n else None)) for n in range(depth))
    branch = workspace.tree("n0000")
    for _ in range(depth - 1):
        (branch,) = branch.children
    assert branch.record.key == f"n{depth - 1:04}"
    assert workspace.delete("n0000", recursive=True) == depth


def test_neighbours_are_reached_up_to_a_depth_each_at_its_distance(workspace: Workspace) -> None:
    for key in "abcde":
        item(workspace, key)
    for source, target in itertools.pairwise("abcd"):
        workspace.link(source, target, "blocks")
    workspace.link("d", "a", "relates_to")
    near = {found.record.key: found.distance for found in workspace.neighbours("a", depth=3)}
    assert near == {"b": 1, "d": 1, "c": 2}
    assert [found.record.key for found in workspace.neighbours("a", direction="outgoing", kinds=["blocks"], depth=9)] == list("bcd")
    assert [found.record.key for found in workspace.neighbours("a", direction="incoming")] == ["d"]


@pytest.mark.parametrize("wrong", [{"direction": "up"}, {"kinds": ["block"]}, {"depth": 0}])
def test_neighbours_refuse_what_cannot_be(family: Workspace, wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest):
        family.neighbours("child", **wrong)


def test_an_unknown_surface_or_parameter_is_refused_with_the_close_one(workspace: Workspace) -> None:
    with pytest.raises(InvalidRequest, match="Did you mean 'items'"):
        workspace.search("x", surface="item")
    with pytest.raises(InvalidRequest, match="Did you mean 'limit'"):
        workspace.search("x", limt=3)


# Care


def test_the_status_counts_what_is_there(family: Workspace) -> None:
    family.link("child", "parent", "blocks")
    family.put(kind="page", key="gone")
    family.delete("gone")
    status = family.status()
    assert (status.records, status.deleted, status.edges) == ({"item": 3, "note": 1}, 1, {"blocks": 1})
    assert status.words > 0
    assert status.bytes > 0


def test_a_sound_workspace_passes_every_check(family: Workspace) -> None:
    findings = family.doctor()
    assert {finding.name for finding in findings} >= {"file", "index", "lane words", "lane names", "content", "edges"}
    assert [finding for finding in findings if not finding.ok] == []


def test_what_is_exported_and_imported_is_the_same(family: Workspace, tmp_path: Path) -> None:
    family.link("child", "grandparent", "blocks", reason="spät")
    family.put(kind="page", title="Ünïcode 東京", content="line\nbreak \u2028 \x00 end", tags=["a b", "ü"])
    family.put(kind="node", key="@proxy", facets={"kind": "service", "placeholder": True})
    family.index_library({"key": "/acme/kit", "stars": 3}, [{"title": "T", "content": "c", "type": "code"}], version="v1")
    family.delete("child", recursive=True)
    first = io.StringIO()
    counts = family.export(first)
    path = tmp_path / "export.jsonl"
    path.write_text(first.getvalue(), encoding="utf-8", newline="")
    with dowse.open(tmp_path / "copy.dowse") as copy:
        progress = copy.import_file(path)
        assert (progress.records, progress.edges, progress.skipped) == (*counts, 0)
        second = io.StringIO()
        assert copy.export(second) == counts
        assert [json.loads(line) for line in second.getvalue().split("\n")[:-1]] == [
            json.loads(line) for line in first.getvalue().split("\n")[:-1]
        ]
        assert copy.search("end").total == family.search("end").total == 1


def test_a_closed_workspace_says_so(tmp_path: Path) -> None:
    workspace = dowse.open(tmp_path / "a.dowse")
    workspace.close()
    workspace.close()
    with pytest.raises(StorageError, match="closed"):
        workspace.search("x")


def test_a_workspace_outlives_its_process(tmp_path: Path) -> None:
    with dowse.open(tmp_path / "a.dowse") as workspace:
        item(workspace, "a", title="harbour")
    with dowse.open(tmp_path / "a.dowse", create=False) as workspace:
        assert [hit.record.key for hit in workspace.search("harbour").hits] == ["a"]
