"""What every engine promises of edges, scopes and filters, asserted alike of all of them."""

import pytest
from asking import EVERYWHERE, asked, by_key, edges, found, note, page, put, scores, selected

from dowse.model.change import Delete, Link, Relink, Restore, Unlink
from dowse.model.record import Edge, Record
from dowse.model.request import Lane, ListPlan, Scope
from dowse.model.schema import Column
from dowse.model.terms import Clause, Either, Must, Not, Term
from dowse.ports import Direction, Engine


class TestEdges:
    def test_an_edge_comes_back_with_its_facets(self, engine: Engine) -> None:
        put(engine, page("a"), page("b"))
        engine.apply([Link(Edge("a", "b", "links", {"line": 3, "why": "x"}))])
        (edge,) = edges(engine, ["a"], Direction.OUTGOING)
        assert (edge, edge.facets) == (Edge("a", "b", "links"), {"line": 3, "why": "x"})

    @pytest.mark.requirement("T-17", "T-18")
    @pytest.mark.parametrize(
        ("direction", "expected"),
        [
            (Direction.OUTGOING, [Edge("b", "c", "links")]),
            (Direction.INCOMING, [Edge("a", "b", "links")]),
            (Direction.ALL, [Edge("a", "b", "links"), Edge("b", "c", "links")]),
        ],
    )
    def test_edges_are_told_by_direction(self, engine: Engine, direction: Direction, expected: list[Edge]) -> None:
        put(engine, page("a"), page("b"), page("c"))
        engine.apply([Link(Edge("a", "b", "links")), Link(Edge("b", "c", "links")), Link(Edge("a", "c", "links"))])
        assert edges(engine, ["b"], direction) == expected

    @pytest.mark.requirement("T-17")
    def test_edges_are_told_by_kind(self, engine: Engine) -> None:
        put(engine, page("a"), page("b"))
        engine.apply([Link(Edge("a", "b", "links")), Link(Edge("a", "b", "blocks"))])
        assert edges(engine, ["b"], Direction.INCOMING, "blocks") == [Edge("a", "b", "blocks")]
        assert len(edges(engine, ["b"], Direction.INCOMING, "blocks", "links")) == 2
        assert edges(engine, ["b"], Direction.INCOMING, "other") == []

    def test_an_edge_between_two_of_the_records_asked_for_is_told_once(self, engine: Engine) -> None:
        put(engine, page("a"), page("b"))
        engine.apply([Link(Edge("a", "b", "links")), Link(Edge("a", "a", "links"))])
        assert edges(engine, ["a", "b"], Direction.ALL) == [Edge("a", "a", "links"), Edge("a", "b", "links")]

    def test_an_edge_counts_once_both_ends_exist(self, engine: Engine) -> None:
        engine.apply([Link(Edge("a", "b", "links"))])
        assert edges(engine, ["a", "b"], Direction.ALL) == []
        put(engine, page("a"))
        assert edges(engine, ["a", "b"], Direction.ALL) == []
        put(engine, page("b"))
        assert edges(engine, ["a"], Direction.ALL) == [Edge("a", "b", "links")]

    @pytest.mark.parametrize("end", ["a", "b"])
    def test_an_edge_rests_while_one_of_its_ends_is_deleted(self, engine: Engine, end: str) -> None:
        put(engine, page("a"), page("b"))
        engine.apply([Link(Edge("a", "b", "links")), Delete(end)])
        assert edges(engine, ["a", "b"], Direction.ALL) == []
        engine.apply([Restore(end)])
        assert edges(engine, ["a", "b"], Direction.ALL) == [Edge("a", "b", "links")]

    def test_a_purged_record_takes_the_edges_it_points_with_along(self, engine: Engine) -> None:
        put(engine, page("a"), page("b"))
        engine.apply([Link(Edge("a", "b", "links")), Link(Edge("b", "a", "links"))])
        engine.apply([Delete("a", purge=True)])
        put(engine, page("a"))
        assert edges(engine, ["a"], Direction.ALL) == [Edge("b", "a", "links")]

    def test_an_unlinked_edge_is_gone(self, engine: Engine) -> None:
        put(engine, page("a"), page("b"))
        engine.apply([Link(Edge("a", "b", "links")), Link(Edge("a", "b", "blocks"))])
        engine.apply([Unlink("a", "b", "links")])
        assert edges(engine, ["a"], Direction.ALL) == [Edge("a", "b", "blocks")]

    def test_relinking_replaces_the_edges_of_one_kind_that_leave_a_record(self, engine: Engine) -> None:
        put(engine, *(page(key) for key in "abc"))
        engine.apply([Link(Edge("a", "b", "links")), Link(Edge("a", "b", "blocks")), Link(Edge("c", "b", "links"))])
        applied = engine.apply([Relink("a", "links", (Edge("a", "c", "links"),))])
        assert edges(engine, ["a"], Direction.ALL) == [Edge("a", "b", "blocks"), Edge("a", "c", "links")]
        assert edges(engine, ["c"], Direction.OUTGOING) == [Edge("c", "b", "links")]
        assert (applied.records, applied.edges) == (0, 2)

    def test_the_last_of_two_writes_of_an_edge_in_a_batch_wins(self, engine: Engine) -> None:
        put(engine, page("a"), page("b"))
        engine.apply([Link(Edge("a", "b", "links")), Unlink("a", "b", "links")])
        assert edges(engine, ["a"], Direction.ALL) == []
        engine.apply([Unlink("a", "b", "links"), Link(Edge("a", "b", "links"))])
        assert edges(engine, ["a"], Direction.ALL) == [Edge("a", "b", "links")]


class TestPlaceholders:
    PLACEHOLDERS = (page("@lib", "lighthouse"), page("x", "lighthouse", facets={"placeholder": True}))

    @pytest.mark.requirement("G-17")
    @pytest.mark.parametrize("lane", [Lane.STEMS, Lane.WORDS, Lane.NAMES, Lane.SUBSTRING, Lane.PREFIX])
    def test_a_placeholder_is_never_found(self, engine: Engine, lane: Lane) -> None:
        put(engine, *self.PLACEHOLDERS, page("a", "lighthouse"))
        assert found(engine, "lighthouse", lane) == ["a"]
        assert selected(engine) == ["a"]

    def test_a_placeholder_carries_edges(self, engine: Engine) -> None:
        put(engine, *self.PLACEHOLDERS)
        engine.apply([Link(Edge("x", "@lib", "links"))])
        assert edges(engine, ["@lib"], Direction.INCOMING) == [Edge("x", "@lib", "links")]

    def test_a_placeholder_does_not_make_words_common(self, engine: Engine) -> None:
        put(engine, page("a", "lighthouse"), page("b", "harbour"))
        alone = scores(engine, "lighthouse")
        put(engine, *self.PLACEHOLDERS)
        assert scores(engine, "lighthouse") == pytest.approx(alone)


class TestScopes:
    RECORDS = (
        page("a", "sea", space="one", tags=("red",), facets={"role": "work", "size": 1, "done": True}),
        page(
            "b",
            "sea",
            space="two",
            parent="a",
            tags=("red", "blue"),
            facets={"role": "queue", "size": 2, "done": False},
        ),
        page("c", "sea", space="two", parent="b", tags=("green",), facets={"role": "work", "size": 1.5}),
        note("n", "sea", "c"),
        page("z", "sea"),
    )

    @pytest.mark.parametrize(
        ("scope", "expected"),
        [
            (Scope(), "abcnz"),
            pytest.param(Scope(kinds=("page",)), "abcz", marks=pytest.mark.requirement("B-06", "U-01")),
            (Scope(kinds=("page", "note")), "abcnz"),
            (Scope(kinds=("symbol",)), ""),
            (Scope(kinds=("pag",)), ""),
            (Scope(spaces=("two",)), "bc"),
            (Scope(spaces=("",)), "nz"),
            (Scope(spaces=("one", "two")), "abc"),
            (Scope(spaces=("three",)), ""),
            pytest.param(Scope(ancestor="a"), "abcn", marks=pytest.mark.requirement("T-12")),
            pytest.param(Scope(ancestor="c"), "cn", marks=pytest.mark.requirement("T-12")),
            (Scope(ancestor="nobody"), ""),
            pytest.param(Scope(keys=("b",)), "b", marks=pytest.mark.requirement("T-13")),
            (Scope(keys=("b", "z", "nobody")), "bz"),
            (Scope(keys=()), ""),
            (Scope(parents=("a", "c")), "bn"),
            (Scope(parents=()), ""),
            pytest.param(Scope(tags=("red",)), "ab", marks=pytest.mark.requirement("T-14")),
            pytest.param(Scope(tags=("blue", "green")), "bc", marks=pytest.mark.requirement("T-14")),
            (Scope(tags=("re",)), ""),
            pytest.param(Scope(facets={"role": ("work",)}), "ac", marks=pytest.mark.requirement("T-15")),
            (Scope(facets={"role": ("work", "queue")}), "abc"),
            (Scope(facets={"role": ("work",), "size": (1,)}), "a"),
            (Scope(facets={"size": (1.5, 2.0)}), "bc"),
            (Scope(facets={"size": ("1",)}), ""),
            (Scope(facets={"done": (True,)}), "a"),
            (Scope(facets={"done": (False,)}), "b"),
            (Scope(facets={"nobody": ("x",)}), ""),
            (Scope(kinds=("page",), ancestor="a", tags=("red",), spaces=("two",)), "b"),
        ],
    )
    def test_a_scope_admits_what_it_names(self, engine: Engine, scope: Scope, expected: str) -> None:
        put(engine, *self.RECORDS)
        assert "".join(selected(engine, scope)) == expected
        assert "".join(sorted(found(engine, "sea", scope=scope))) == expected

    def test_a_subtree_goes_on_below_a_deleted_record(self, engine: Engine) -> None:
        put(engine, *self.RECORDS)
        engine.apply([Delete("b")])
        assert selected(engine, Scope(ancestor="a")) == ["a", "c", "n"]

    def test_a_subtree_is_followed_to_any_depth(self, engine: Engine) -> None:
        put(engine, page("0"), *(page(str(n), parent=str(n - 1)) for n in range(1, 60)))
        assert len(selected(engine, Scope(ancestor="0"))) == 60

    def test_a_record_that_moves_leaves_the_subtree_it_was_in(self, engine: Engine) -> None:
        put(engine, *self.RECORDS)
        put(engine, page("c", "sea", parent="z"))
        assert selected(engine, Scope(ancestor="a")) == ["a", "b"]
        assert selected(engine, Scope(ancestor="z")) == ["c", "n", "z"]

    def test_deleted_records_are_listed_on_demand_and_never_found(self, engine: Engine) -> None:
        put(engine, *self.RECORDS)
        engine.apply([Delete("a"), Delete("n")])
        assert selected(engine, Scope(deleted=True)) == ["a", "n"]
        assert selected(engine, Scope(deleted=True, kinds=("note",))) == ["n"]
        assert found(engine, "sea", scope=Scope(deleted=True)) == []

    def test_the_scope_does_not_change_the_scores(self, engine: Engine) -> None:
        put(engine, *self.RECORDS)
        everywhere = scores(engine, "sea")
        assert scores(engine, "sea", scope=Scope(keys=("a",)))["a"] == pytest.approx(everywhere["a"])

    def test_a_selection_tells_whether_it_holds_a_record(self, engine: Engine) -> None:
        put(engine, *self.RECORDS)
        with engine.view() as view:
            within = view.select(Scope(tags=("red",)))
            held = [view.holds(within, handle) for handle in view.handles(["a", "b", "c"]) if handle is not None]
            assert held == [True, True, False]


class TestFilters:
    RECORDS = (
        page("a", "running shoes", "buy red running shoes today", tags=("sport",)),
        page("b", "red paint", "shoes that run; running of the red bulls"),
        page("c", "getUserById", "nothing"),
        Record("s", "symbol", "tail", {"body": "the beginning is ranked, the faraway ending is found"}),
    )

    @pytest.mark.parametrize(
        ("clause", "expected"),
        [
            (Term(("red",)), "ab"),
            (Term(("runs",)), "ab"),
            (Term(("runs",), exact=True), ""),
            (Term(("run",), exact=True), "b"),
            (Term(("user",)), "c"),
            (Term(("faraway",)), "s"),
            (Term(("red", "running"), exact=True), "a"),
            (Term(("running", "red"), exact=True), ""),
            (Term(("running", "shoes", "today"), exact=True), "a"),
            (Term(("faraway", "ending"), exact=True), "s"),
            (Term(("shoe",), prefix=True), "ab"),
            (Term(("sho",), prefix=True), "ab"),
            (Term(("shoes",), prefix=True), "ab"),
            (Term(("hoe",), prefix=True), ""),
            (Term(("red", "run"), prefix=True, exact=True), "a"),
            (Term(("red",), columns=(Column.TITLE,)), "b"),
            (Term(("red",), columns=(Column.BODY,)), "ab"),
            (Term(("sport",), columns=(Column.TAGS,)), "a"),
            (Term(("sport",), columns=(Column.TITLE, Column.BODY)), ""),
            (Term(("running", "shoes"), columns=(Column.TITLE,), exact=True), "a"),
            (Term(("red", "running"), columns=(Column.TITLE,), exact=True), ""),
            (Not(Term(("red",))), "cs"),
            (Not(Not(Term(("red",)))), "ab"),
            (Not(Term(("nobody",))), "abcs"),
            (Must((Term(("red",)), Term(("sport",)))), "a"),
            (Must((Term(("red",)), Not(Term(("sport",))))), "b"),
            (Either((Term(("sport",)), Term(("user",)))), "ac"),
            (Either((Term(("nobody",)), Must((Term(("red",)), Term(("paint",)))))), "b"),
        ],
    )
    def test_a_filter_admits_the_records_it_holds_for(self, engine: Engine, clause: Clause, expected: str) -> None:
        put(engine, *self.RECORDS)
        assert "".join(selected(engine, clause=clause)) == expected

    def test_a_filter_narrows_what_a_list_answers(self, engine: Engine) -> None:
        put(engine, *self.RECORDS)
        with engine.view() as view:
            within = view.select(EVERYWHERE, Not(Term(("sport",))))
            ranking = view.match(asked("shoes"), ListPlan("list", Lane.STEMS), within)
            assert list(by_key(view, ranking)) == ["b"]

    def test_a_filter_and_a_scope_both_narrow(self, engine: Engine) -> None:
        put(engine, *self.RECORDS)
        assert selected(engine, Scope(tags=("sport",)), Not(Term(("paint",)))) == ["a"]
