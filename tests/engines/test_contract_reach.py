"""What every engine promises to those who see only a part of it, asserted alike of all of them."""

import pytest
from asking import note, page, put

from dowse.model.change import Delete, Link
from dowse.model.reach import Reach
from dowse.model.record import Edge, Record
from dowse.model.request import Scope
from dowse.ports import Engine, View


@pytest.fixture
def filled(engine: Engine) -> Engine:
    put(
        engine,
        page("a", "sea", space="s"),
        page("b", "sea", parent="a"),
        note("n", "sea", "b"),
        page("c", "sea", space="s"),
        Record("@p", "page", "elsewhere", parent="c"),
        Record("d", "symbol", "gone", parent="c"),
        page("orphan", parent="nobody"),
    )
    engine.apply([Delete("d"), Link(Edge("a", "c", "links")), Link(Edge("a", "n", "links")), Link(Edge("c", "d", "blocks"))])
    return engine


def reached(engine: Engine, reach: Reach) -> list[str]:
    with engine.view() as view:
        return keys(view, view.handles(["a", "b", "n", "c", "@p", "d", "orphan"]), reach)


def keys(view: View, handles: list[int | None], reach: Reach) -> list[str]:
    there = [handle for handle in handles if handle is not None]
    return sorted(record.key for record in view.fetch(view.among(view.reached(reach), there)))


@pytest.mark.parametrize(
    ("reach", "seen"),
    [
        (Reach(), ["@p", "a", "b", "c", "d", "n", "orphan"]),
        (Reach(spaces=("s",)), ["a", "c"]),
        (Reach(spaces=("s", "")), ["@p", "a", "b", "c", "d", "n", "orphan"]),
        (Reach(kinds=("note", "symbol")), ["d", "n"]),
        (Reach(under=("a",)), ["a", "b", "n"]),
        (Reach(under=("b", "c")), ["@p", "b", "c", "d", "n"]),
        (Reach(under=("nobody",)), ["orphan"]),
        (Reach(under=("a",), kinds=("page",)), ["a", "b"]),
        (Reach(under=("a",), spaces=("s",)), ["a"]),
        (Reach(spaces=("unknown",)), []),
    ],
)
def test_a_reach_is_every_record_in_it_whatever_its_state(filled: Engine, reach: Reach, seen: list[str]) -> None:
    assert reached(filled, reach) == seen


def test_a_record_that_moves_below_another_is_reached_with_it(filled: Engine) -> None:
    put(filled, page("b", "sea", parent="c"))
    assert reached(filled, Reach(under=("a",))) == ["a"]
    assert reached(filled, Reach(under=("c",))) == ["@p", "b", "c", "d", "n"]


def test_a_selection_within_another_is_as_if_there_were_no_others(filled: Engine) -> None:
    with filled.view() as view:
        within = view.reached(Reach(kinds=("note", "symbol")))
        live = view.recent(view.select(Scope(), within=within)).handles
        gone = view.recent(view.select(Scope(deleted=True), within=within)).handles
        # The note's parent is in scope, but not there.
        folded = view.recent(view.select(Scope(kinds=("page",)), None, ("note",), within)).handles
        assert [record.key for record in view.fetch(live)] == ["n"]
        assert [record.key for record in view.fetch(gone)] == ["d"]
        assert len(folded) == 0


def test_a_part_is_in_scope_with_its_parent_where_both_are_there(filled: Engine) -> None:
    with filled.view() as view:
        within = view.reached(Reach(under=("a",)))
        folded = view.recent(view.select(Scope(keys=("b",)), None, ("note",), within)).handles
        assert sorted(record.key for record in view.fetch(folded)) == ["b", "n"]


def test_edges_are_counted_where_both_ends_are_seen(filled: Engine) -> None:
    with filled.view() as view:
        assert view.linked(view.reached(Reach())) == {"blocks": 1, "links": 2}
        assert view.linked(view.reached(Reach(spaces=("s",)))) == {"links": 1}
        assert view.linked(view.reached(Reach(kinds=("note",)))) == {}
