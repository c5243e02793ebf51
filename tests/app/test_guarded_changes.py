"""Does every change of someone who sees a part begin and end within it?"""

from collections.abc import Iterator

import pytest

import dowse
from dowse.app.permissions import Capability, Principal, Reach
from dowse.app.workspace import Workspace
from dowse.errors import Forbidden, InvalidRequest, NotFound
from dowse.model.change import Delete, Link, Mark, Put, RenameTag, UseModel
from dowse.model.record import Edge, Record

WRITING = frozenset(Capability) - {Capability.ADMIN}
OF_SPACE = Principal("writer", WRITING, Reach(spaces=("open",)))
OF_SUBTREE = Principal("writer", WRITING, Reach(under=("root",)))


@pytest.fixture
def owner() -> Iterator[Workspace]:
    with dowse.open(":memory:", model="none") as opened:
        opened.put(kind="item", key="top", title="Top", space="vault")
        opened.put(kind="item", key="root", title="Root", space="open", parent="top")
        opened.put(kind="item", key="child", title="Child", space="open", parent="root")
        opened.put(kind="item", key="secret", title="Secret", space="vault")
        yield opened


def told(error: pytest.ExceptionInfo[Exception], key: str) -> str:
    return str(error.value).replace(key, "KEY")


@pytest.mark.parametrize("principal", [OF_SPACE, OF_SUBTREE])
def test_putting_onto_an_unseen_key_is_told_like_putting_a_new_record_outside(owner: Workspace, principal: Principal) -> None:
    writer = owner.acting_as(principal)
    with pytest.raises(Forbidden) as onto:
        writer.put(kind="item", key="secret", title="Mine", space="open")
    with pytest.raises(Forbidden) as outside:
        writer.put(kind="item", key="brand-new", title="Mine", space="vault")
    assert told(onto, "secret") == told(outside, "brand-new")
    assert owner.get("secret").title == "Secret"


def test_a_new_record_goes_where_the_writer_sees(owner: Workspace) -> None:
    assert owner.acting_as(OF_SPACE).put(kind="item", key="a", title="A", space="open").key == "a"
    assert owner.acting_as(OF_SUBTREE).put(kind="item", key="b", title="B", parent="child").parent == "child"
    with pytest.raises(Forbidden):
        owner.acting_as(OF_SUBTREE).put(kind="item", key="c", title="C")


def test_a_record_cannot_be_moved_out_or_hung_below_what_is_not_seen(owner: Workspace) -> None:
    with pytest.raises(Forbidden):
        owner.acting_as(OF_SPACE).update("child", space="vault")
    with pytest.raises(NotFound, match="'secret' of 'child' does not exist"):
        owner.acting_as(OF_SUBTREE).update("child", parent="secret")
    assert owner.get("child").space == "open"


def test_a_change_leaves_a_record_below_the_one_its_writer_cannot_see(owner: Workspace) -> None:
    writer = owner.acting_as(OF_SUBTREE)
    assert writer.get("root").parent is None
    assert writer.update("root", title="Renamed").parent is None
    assert (owner.get("root").parent, owner.get("root").title) == ("top", "Renamed")


def test_what_is_not_seen_cannot_be_deleted_restored_tagged_or_linked(owner: Workspace) -> None:
    writer = owner.acting_as(OF_SPACE)
    for call in (
        lambda key: writer.delete(key),
        lambda key: writer.restore(key),
        lambda key: writer.tag(key, add=["x"]),
        lambda key: writer.link(key, "child", "blocks"),
        lambda key: writer.link("child", key, "blocks"),
        lambda key: writer.unlink("child", key, "blocks"),
        lambda key: writer.update(key, title="Mine"),
    ):
        with pytest.raises(NotFound) as unseen:
            call("secret")
        with pytest.raises(NotFound) as absent:
            call("nobody")
        assert told(unseen, "secret") == told(absent, "nobody")


def test_many_changes_at_once_are_checked_in_their_order(owner: Workspace) -> None:
    writer = owner.acting_as(OF_SUBTREE)
    above, below = Record("x", "item", "X", parent="child"), Record("y", "item", "Y", parent="x")
    assert writer.apply([Put(above), Put(below), Link(Edge("y", "child", "blocks"))]).records == 2
    assert writer.apply([Delete("y", purge=True), Put(below)]).generation
    with pytest.raises(Forbidden):
        writer.apply([Put(Record("z", "item", "Z", parent="child")), Put(Record("secret", "item", "Mine", parent="child"))])
    assert "z" not in [record.key for record in owner.list().records]


@pytest.mark.parametrize("change", [RenameTag("a", "b"), Mark("model", "none"), Mark("token:1", "{}"), UseModel(None)])
def test_what_concerns_the_whole_workspace_is_refused(owner: Workspace, change: RenameTag | Mark | UseModel) -> None:
    with pytest.raises(Forbidden, match="concerns the whole workspace"):
        owner.acting_as(OF_SPACE).apply([change])


def test_a_link_to_what_is_not_seen_is_told_like_one_to_nothing(owner: Workspace) -> None:
    writer = owner.acting_as(OF_SPACE)
    with pytest.raises(Forbidden) as unseen:
        writer.apply([Link(Edge("child", "secret", "blocks"))])
    with pytest.raises(Forbidden) as absent:
        writer.apply([Link(Edge("child", "nobody", "blocks"))])
    assert told(unseen, "secret") == told(absent, "nobody")


def test_the_words_of_a_page_may_name_anything_and_reveal_nothing(owner: Workspace) -> None:
    owner.put(kind="page", key="hidden", title="Hidden", space="vault")
    writer = owner.acting_as(OF_SPACE)
    writer.put(kind="page", key="mine", title="Mine", space="open", content="See [[Hidden]] and [[Nowhere]].")
    assert writer.neighbours("mine") == ()
    assert [item.record.key for item in owner.neighbours("mine")] == ["hidden"]


def test_a_tag_can_be_renamed_only_by_those_who_see_everything(owner: Workspace) -> None:
    with pytest.raises(Forbidden, match="rename a tag"):
        owner.acting_as(OF_SPACE).rename_tag("a", "b")
    with pytest.raises(InvalidRequest):
        owner.acting_as(Principal("writer", WRITING)).rename_tag("a", " ")
