"""What every engine promises, asserted alike of all of them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest

from dowse.errors import Conflict, NotFound, StorageError
from dowse.model.change import Applied, Change, Delete, Link, Mark, Put, Relink, RenameTag, Restore, Unlink
from dowse.model.ranking import Ranking
from dowse.model.record import Edge, Record
from dowse.model.request import Lane, ListPlan, Scope, Weights
from dowse.model.schema import Column
from dowse.model.terms import Clause, Either, Must, Not, Query, Term
from dowse.ports import Direction, Engine, View
from dowse.text.folding import fold
from dowse.text.words import plain_words

EVERYWHERE = Scope()
WORD_LANES = (Lane.STEMS, Lane.WORDS, Lane.NAMES, Lane.PREFIX)


def page(key: str, title: str = "", body: str = "", **more: object) -> Record:
    return Record(key, "page", title, {"body": body} if body else {}, **more)  # type: ignore[arg-type]


def note(key: str, body: str, parent: str) -> Record:
    return Record(key, "note", "", {"body": body}, parent=parent)


def put(engine: Engine, *records: Record) -> Applied:
    return engine.apply([Put(record) for record in records])


def asked(text: str, *, prefix: bool = False) -> Query:
    """Every word of the text is a term; the text as a whole is the string to look for."""
    return Query(text, tuple(Term((word,), prefix=prefix) for word in plain_words(text)), literals=(fold(text),))


def scores(
    engine: Engine, query: str | Query, lane: Lane = Lane.STEMS, scope: Scope = EVERYWHERE, **plan: object
) -> dict[str, float]:
    """What one list says, best first; equals by key."""
    with engine.view() as view:
        listed = ListPlan("list", lane, **plan)  # type: ignore[arg-type]
        ranking = view.match(asked(query) if isinstance(query, str) else query, listed, view.select(scope))
        found = by_key(view, ranking)
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def by_key(view: View, ranking: Ranking) -> dict[str, float]:
    records = view.fetch(ranking.handles)
    return {record.key: float(score) for record, score in zip(records, ranking.scores, strict=True)}


def found(engine: Engine, query: str | Query, lane: Lane = Lane.STEMS, scope: Scope = EVERYWHERE) -> list[str]:
    return list(scores(engine, query, lane, scope))


def coverage(engine: Engine, query: str | Query, lane: Lane = Lane.STEMS) -> dict[str, float]:
    with engine.view() as view:
        query = asked(query) if isinstance(query, str) else query
        ranking = view.match(query, ListPlan("list", lane), view.select(EVERYWHERE))
        return dict(zip((r.key for r in view.fetch(ranking.handles)), map(float, ranking.coverage), strict=True))


def selected(engine: Engine, scope: Scope = EVERYWHERE, clause: Clause | None = None, folds: tuple[str, ...] = ()) -> list[str]:
    """The keys a scope and a filter admit."""
    with engine.view() as view:
        within = view.select(scope, clause, folds)
        ranking = view.recent(within)
        keys = sorted(record.key for record in view.fetch(ranking.handles))
        assert within.size == len(keys)
        return keys


def get(engine: Engine, key: str) -> Record | None:
    with engine.view() as view:
        return view.find([key]).get(key)


def edges(engine: Engine, keys: Iterable[str], direction: Direction, *kinds: str) -> list[Edge]:
    with engine.view() as view:
        return view.edges(list(keys), direction, kinds)


def everything(engine: Engine) -> list[Record | Edge]:
    with engine.view() as view:
        return list(view.scan())


class TestWriting:
    def test_a_record_comes_back_as_it_was_put(self, engine: Engine) -> None:
        record = Record(
            "a",
            "page",
            "Título 東京",
            {"body": 'line one\nline "two"\ttab \x00 end'},
            space="s",
            parent="p",
            tags=("one", "two"),
            facets={"role": "work", "size": 3, "share": 0.5, "done": True},
            updated=12.5,
        )
        put(engine, record)
        assert get(engine, "a") == replace(record, version=1)

    def test_tags_come_back_sorted_and_once(self, engine: Engine) -> None:
        put(engine, page("a", tags=("b", "a", "b")))
        stored = get(engine, "a")
        assert stored is not None
        assert stored.tags == ("a", "b")

    def test_a_key_nobody_wrote_is_not_found(self, engine: Engine) -> None:
        assert get(engine, "nobody") is None

    def test_each_write_of_a_record_counts_its_version_up(self, engine: Engine) -> None:
        for title in ("one", "two", "three"):
            put(engine, page("a", title))
        stored = get(engine, "a")
        assert stored is not None
        assert (stored.version, stored.title) == (3, "three")

    @pytest.mark.requirement("T-03", "G-10")
    @pytest.mark.parametrize("lane", [Lane.STEMS, Lane.WORDS, Lane.NAMES, Lane.SUBSTRING, Lane.PREFIX])
    def test_a_record_is_found_as_soon_as_it_is_written(self, engine: Engine, lane: Lane) -> None:
        put(engine, page("a", "lighthouse"))
        assert found(engine, "lighthouse", lane) == ["a"]

    @pytest.mark.requirement("G-10", "I-08")
    @pytest.mark.parametrize("lane", [Lane.STEMS, Lane.WORDS, Lane.NAMES, Lane.SUBSTRING, Lane.PREFIX])
    def test_an_updated_record_is_found_by_its_new_words_only(self, engine: Engine, lane: Lane) -> None:
        put(engine, page("a", "lighthouse"))
        put(engine, page("a", "harbour"))
        assert found(engine, "harbour", lane) == ["a"]
        assert found(engine, "lighthouse", lane) == []

    @pytest.mark.requirement("G-10", "I-08")
    @pytest.mark.parametrize("lane", [Lane.STEMS, Lane.WORDS, Lane.NAMES, Lane.SUBSTRING, Lane.PREFIX])
    @pytest.mark.parametrize("purge", [False, True])
    def test_a_deleted_record_leaves_every_lane(self, engine: Engine, lane: Lane, purge: bool) -> None:
        put(engine, page("a", "lighthouse"), page("b", "lighthouse"))
        engine.apply([Delete("a", purge=purge)])
        assert found(engine, "lighthouse", lane) == ["b"]

    @pytest.mark.requirement("I-08")
    @pytest.mark.parametrize("lane", [Lane.STEMS, Lane.WORDS, Lane.NAMES, Lane.SUBSTRING, Lane.PREFIX])
    def test_a_restored_record_returns_to_every_lane(self, engine: Engine, lane: Lane) -> None:
        put(engine, page("a", "lighthouse"))
        engine.apply([Delete("a")])
        engine.apply([Restore("a")])
        assert found(engine, "lighthouse", lane) == ["a"]

    def test_a_deleted_record_is_still_known_by_its_key(self, engine: Engine) -> None:
        put(engine, page("a", "lighthouse"))
        engine.apply([Delete("a")])
        assert get(engine, "a") == page("a", "lighthouse", deleted=True, version=2)

    def test_a_purged_record_is_gone_for_good(self, engine: Engine) -> None:
        put(engine, page("a"))
        engine.apply([Delete("a", purge=True)])
        assert get(engine, "a") is None
        with pytest.raises(NotFound, match="'a'"):
            engine.apply([Restore("a")])

    def test_putting_a_deleted_record_brings_it_back(self, engine: Engine) -> None:
        put(engine, page("a", "lighthouse"))
        engine.apply([Delete("a")])
        put(engine, page("a", "lighthouse"))
        assert found(engine, "lighthouse") == ["a"]

    @pytest.mark.parametrize("change", [Delete("a"), Delete("a", purge=True), Restore("a")])
    def test_deleting_or_restoring_what_never_was_is_an_error(self, engine: Engine, change: Change) -> None:
        with pytest.raises(NotFound, match="'a'"):
            engine.apply([change])

    def test_deleting_or_restoring_twice_changes_nothing(self, engine: Engine) -> None:
        put(engine, page("a"))
        deleted = engine.apply([Delete("a")])
        assert engine.apply([Delete("a")]) == Applied(deleted.generation, 0, 0)
        restored = engine.apply([Restore("a")])
        assert engine.apply([Restore("a")]) == Applied(restored.generation, 0, 0)

    def test_writing_what_is_there_already_is_no_change(self, engine: Engine) -> None:
        first = put(engine, page("a", "lighthouse", updated=1.0))
        assert put(engine, page("a", "lighthouse", updated=2.0)) == Applied(first.generation, 0, 0)
        assert get(engine, "a") == page("a", "lighthouse", updated=1.0, version=1)

    def test_a_purged_record_may_be_written_anew_in_the_same_batch(self, engine: Engine) -> None:
        put(engine, page("a", "lighthouse"), note("n", "beam", "a"))
        engine.apply([Delete("a", purge=True), Put(page("a", "harbour"))])
        assert get(engine, "a") == page("a", "harbour", version=1)
        assert (found(engine, "lighthouse"), found(engine, "harbour")) == ([], ["a"])
        assert selected(engine, Scope(keys=("a",)), folds=("note",)) == ["a", "n"]

    def test_a_batch_sees_its_own_earlier_changes(self, engine: Engine) -> None:
        engine.apply([Put(page("a", "one")), Put(page("a", "two"), expected=1), Delete("a"), Restore("a")])
        assert get(engine, "a") == page("a", "two", version=4)


class TestVersions:
    def test_a_put_over_the_expected_version_succeeds(self, engine: Engine) -> None:
        put(engine, page("a", "one"))
        engine.apply([Put(page("a", "two"), expected=1)])
        assert found(engine, "two") == ["a"]

    @pytest.mark.parametrize("expected", [0, 2])
    def test_a_put_over_another_version_is_a_conflict_that_names_both(self, engine: Engine, expected: int) -> None:
        put(engine, page("a", "one"))
        with pytest.raises(Conflict, match=rf"'a' is at version 1, not {expected}"):
            engine.apply([Put(page("a", "two"), expected=expected)])
        assert found(engine, "one") == ["a"]

    def test_expecting_nothing_there_yet_admits_only_a_new_record(self, engine: Engine) -> None:
        engine.apply([Put(page("a", "one"), expected=0)])
        with pytest.raises(Conflict):
            engine.apply([Put(page("a", "two"), expected=0)])

    def test_a_deletion_counts_as_a_version(self, engine: Engine) -> None:
        put(engine, page("a", "one"))
        engine.apply([Delete("a")])
        with pytest.raises(Conflict, match="at version 2"):
            engine.apply([Put(page("a", "two"), expected=1)])


class TestBatches:
    def test_a_failing_change_leaves_nothing_of_its_batch(self, engine: Engine) -> None:
        put(engine, page("a", "lighthouse", tags=("old",)))
        last = engine.apply([Link(Edge("a", "a", "links"))])
        before = everything(engine)
        batch = [
            Put(page("b", "lighthouse")),
            Put(page("a", "harbour")),
            RenameTag("old", "new"),
            Link(Edge("a", "b", "links")),
            Unlink("a", "a", "links"),
            Mark("done", "b"),
            Delete("nobody"),
        ]
        with pytest.raises(NotFound):
            engine.apply(batch)
        assert everything(engine) == before
        assert (found(engine, "lighthouse"), found(engine, "harbour")) == (["a"], [])
        with engine.view() as view:
            assert (view.generation, view.mark("done")) == (last.generation, None)

    def test_the_engine_goes_on_after_a_failed_batch(self, engine: Engine) -> None:
        with pytest.raises(NotFound):
            engine.apply([Put(page("a", "lighthouse")), Delete("nobody")])
        put(engine, page("a", "lighthouse"))
        assert found(engine, "lighthouse") == ["a"]

    def test_generations_rise_with_every_change_and_only_then(self, engine: Engine) -> None:
        applied = [
            put(engine, page("a")),
            put(engine, page("a")),
            engine.apply([]),
            engine.apply([Link(Edge("a", "b", "links"))]),
            engine.apply([Delete("a")]),
        ]
        first = applied[0].generation
        assert [item.generation - first for item in applied] == [0, 0, 0, 1, 2]

    def test_a_batch_says_how_many_records_and_edges_it_changed(self, engine: Engine) -> None:
        batch = [Put(page("a")), Put(page("b")), Put(page("a", "again")), Link(Edge("a", "b", "links"))]
        applied = engine.apply(batch)
        assert (applied.records, applied.edges) == (2, 1)

    @pytest.mark.parametrize(
        "change",
        [
            Link(Edge("a", "b", "links", {"n": 1})),
            Unlink("a", "c", "links"),
            Relink("a", "links", (Edge("a", "b", "links", {"n": 1}),)),
        ],
    )
    def test_linking_what_is_linked_and_unlinking_what_is_not_change_nothing(self, engine: Engine, change: Change) -> None:
        first = engine.apply([Link(Edge("a", "b", "links", {"n": 1}))])
        assert engine.apply([change]) == Applied(first.generation, 0, 0)

    @pytest.mark.requirement("U-05")
    def test_a_view_tells_the_generation_and_the_time_of_the_last_change(self, engine: Engine) -> None:
        put(engine, page("a"))
        last = put(engine, page("b"))
        put(engine, page("b"))
        with engine.view() as view:
            status = engine.status()
            assert view.generation == status.generation == last.generation
            assert view.updated == status.updated
            assert 1000.0 < view.updated < 1010.0

    def test_a_view_does_not_see_what_is_written_after_it_was_opened(self, engine: Engine) -> None:
        first = put(engine, page("a", "lighthouse"))
        with engine.view() as view:
            put(engine, page("b", "lighthouse"))
            engine.apply([Delete("a")])
            ranking = view.match(asked("lighthouse"), ListPlan("list", Lane.STEMS), view.select(EVERYWHERE))
            assert list(by_key(view, ranking)) == ["a"]
            assert (list(view.find(["a", "b"])), view.generation) == (["a"], first.generation)
        assert found(engine, "lighthouse") == ["b"]

    def test_a_closed_engine_says_so(self, engine: Engine) -> None:
        engine.close()
        with pytest.raises(StorageError, match="closed"):
            put(engine, page("a"))
        with pytest.raises(StorageError, match="closed"), engine.view():
            pass


class TestMarks:
    def test_a_mark_is_remembered_until_it_is_forgotten(self, engine: Engine) -> None:
        told = []
        for value in ("one", "two", None):
            engine.apply([Mark("done", value)])
            with engine.view() as view:
                told.append(view.mark("done"))
        assert told == ["one", "two", None]

    def test_a_mark_is_no_change_to_the_records(self, engine: Engine) -> None:
        first = put(engine, page("a"))
        assert engine.apply([Mark("done", "a")]) == Applied(first.generation, 0, 0)


class TestLineage:
    @pytest.mark.parametrize("parent", ["a", "b", "c"])
    def test_a_record_cannot_be_its_own_ancestor(self, engine: Engine, parent: str) -> None:
        put(engine, page("a"), page("b", parent="a"), page("c", parent="b"))
        with pytest.raises(Conflict, match="'a' cannot be placed below"):
            put(engine, page("a", parent=parent))

    def test_a_circle_within_one_batch_is_refused(self, engine: Engine) -> None:
        with pytest.raises(Conflict):
            put(engine, page("a", parent="b"), page("b", parent="a"))
        assert everything(engine) == []

    def test_a_circle_through_a_deleted_record_is_refused(self, engine: Engine) -> None:
        put(engine, page("a"), page("b", parent="a"))
        engine.apply([Delete("b")])
        with pytest.raises(Conflict):
            put(engine, page("a", parent="b"))

    def test_a_parent_may_be_written_after_its_child(self, engine: Engine) -> None:
        put(engine, note("n", "beam", "a"))
        put(engine, page("a"))
        with engine.view() as view:
            child, parent = view.handles(["n", "a"])
            assert child is not None
            assert list(view.parents([child], ("note",))) == [parent]


class TestTags:
    @pytest.mark.requirement("I-08")
    def test_a_renamed_tag_is_found_by_its_new_name_only(self, engine: Engine) -> None:
        put(engine, page("a", tags=("colour", "sea")), page("b", tags=("sea",)))
        engine.apply([RenameTag("colour", "paint")])
        assert (found(engine, "paint"), found(engine, "colour")) == (["a"], [])
        assert selected(engine, Scope(tags=("paint",))) == ["a"]
        assert selected(engine, Scope(tags=("colour",))) == []

    @pytest.mark.requirement("I-08")
    def test_an_added_and_a_removed_tag_are_followed(self, engine: Engine) -> None:
        put(engine, page("a", tags=("sea",)))
        put(engine, page("a", tags=("land",)))
        assert (found(engine, "land"), found(engine, "sea")) == (["a"], [])

    def test_renaming_to_a_tag_the_record_has_leaves_one(self, engine: Engine) -> None:
        put(engine, page("a", tags=("x", "y")))
        engine.apply([RenameTag("x", "y")])
        assert get(engine, "a") == page("a", tags=("y",), version=2)

    def test_a_deleted_record_has_its_tags_renamed_too(self, engine: Engine) -> None:
        put(engine, page("a", tags=("x",)))
        engine.apply([Delete("a"), RenameTag("x", "y"), Restore("a")])
        assert selected(engine, Scope(tags=("y",))) == ["a"]

    def test_a_rename_reaches_records_of_the_same_batch(self, engine: Engine) -> None:
        engine.apply([Put(page("a", tags=("x",))), RenameTag("x", "y")])
        assert selected(engine, Scope(tags=("y",))) == ["a"]

    @pytest.mark.parametrize(("old", "new"), [("x", "x"), ("nobody", "y")])
    def test_a_rename_that_renames_nothing_is_no_change(self, engine: Engine, old: str, new: str) -> None:
        first = put(engine, page("a", tags=("x",)))
        assert engine.apply([RenameTag(old, new)]) == Applied(first.generation, 0, 0)


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


class TestWords:
    @pytest.mark.requirement("T-04")
    def test_the_stems_lane_finds_every_form_of_a_word(self, engine: Engine) -> None:
        put(engine, page("a", "running"), page("b", "runs"), page("c", "run"), page("d", "runner"))
        assert sorted(found(engine, "run")) == sorted(found(engine, "running")) == ["a", "b", "c"]

    def test_the_words_lane_finds_the_word_as_it_is(self, engine: Engine) -> None:
        put(engine, page("a", "running"), page("b", "runs"))
        assert found(engine, "running", Lane.WORDS) == ["a"]
        limited = Query("running", (Term(("running",), columns=(Column.TITLE,)),))
        assert found(engine, limited, Lane.WORDS) == ["a"]

    def test_the_names_lane_looks_at_names_alone(self, engine: Engine) -> None:
        symbol = Record("s", "symbol", "parse", {"path": "src/reader.py", "body": "sea"})
        put(engine, page("a", "sea", "harbour"), page("b", "other", "sea"), symbol, note("n", "sea", "a"))
        assert found(engine, "sea", Lane.NAMES) == ["a"]
        assert found(engine, "reader", Lane.NAMES) == ["s"]

    @pytest.mark.parametrize("lane", WORD_LANES)
    def test_case_and_diacritics_do_not_matter(self, engine: Engine, lane: Lane) -> None:
        put(engine, page("a", "CAFÉ Straße Ａｂｃ Ångström"))
        for query in ("cafe", "Café", "STRASSE", "abc", "angstrom", "cafe\u0301"):
            assert found(engine, query, lane) == ["a"], query

    @pytest.mark.requirement("G-11")
    @pytest.mark.parametrize("query", ["getUserById", "getuserbyid", "user", "get user"])
    def test_an_identifier_is_found_by_its_whole_and_by_its_parts(self, engine: Engine, query: str) -> None:
        put(engine, page("a", "getUserById"), page("b", "unrelated"))
        assert found(engine, query) == ["a"]
        assert found(engine, query, Lane.NAMES) == ["a"]

    def test_an_identifier_with_underscores_is_found_written_together(self, engine: Engine) -> None:
        put(engine, page("a", "get_user_name"))
        assert found(engine, "getusername") == ["a"]

    @pytest.mark.requirement("I-05")
    def test_words_are_split_at_everything_but_letters_and_digits(self, engine: Engine) -> None:
        put(engine, page("a", body="{{age:34}}"))
        assert (found(engine, "age"), found(engine, "34")) == (["a"], ["a"])

    @pytest.mark.parametrize("lane", [Lane.STEMS, Lane.WORDS, Lane.PREFIX])
    @pytest.mark.parametrize(
        ("text", "query"),
        [
            ("東京都の図書館", "京都"),
            ("東京都の図書館", "図書館"),
            ("再試行の上限", "再試行"),
            ("สวัสดีชาวโลก", "โลก"),
            ("데이터베이스를 만든다", "데이터베이스"),
            ("ｶﾀｶﾅの本", "カタカナ"),
            ("カタカナの本", "ｶﾀｶﾅ"),
            ("東京都の図書館", "書"),
            ("第㊀章", "第一章"),
        ],
    )
    def test_scripts_without_spaces_are_found_by_their_parts(self, engine: Engine, lane: Lane, text: str, query: str) -> None:
        put(engine, page("a", body=text), page("b", body="something else"))
        assert coverage(engine, query, lane) == {"a": 1.0}

    def test_a_term_that_may_go_on_finds_longer_words(self, engine: Engine) -> None:
        put(engine, page("a", "lighthouse"), page("b", "light"), page("c", "moonlight"))
        assert sorted(found(engine, asked("ligh", prefix=True), Lane.PREFIX)) == ["a", "b"]

    def test_what_lies_past_the_ranked_length_is_found_without_score(self, engine: Engine) -> None:
        body = "the beginning is ranked, the faraway ending is found"
        put(engine, Record("s", "symbol", "name", {"body": body}))
        assert scores(engine, "faraway") == {"s": 0.0}
        assert scores(engine, "beginning")["s"] > 0

    def test_the_ranked_length_never_cuts_a_word(self, engine: Engine) -> None:
        word = "क\u094dषे\u0924\u094d\u0930"
        put(engine, *(Record(str(n), "symbol", "", {"body": "x" * n + " " + word}) for n in range(16, 26)))
        assert len(found(engine, word)) == len(found(engine, word, Lane.SUBSTRING)) == 10

    def test_a_field_that_no_kind_declares_is_stored_and_not_searched(self, engine: Engine) -> None:
        put(engine, Record("n", "note", "lighthouse ->", {"body": "sea", "other": "harbour ->"}, tags=("red->",)))
        for query in ("lighthouse", "harbour", "red"):
            assert found(engine, query) == found(engine, query, Lane.SUBSTRING) == [], query
        assert found(engine, "->", Lane.SUBSTRING) == []

    @pytest.mark.parametrize("lane", [*WORD_LANES, Lane.SUBSTRING])
    def test_no_words_find_nothing(self, engine: Engine, lane: Lane) -> None:
        put(engine, page("a", "lighthouse"))
        assert found(engine, Query(""), lane) == []

    @pytest.mark.parametrize("lane", [*WORD_LANES, Lane.SUBSTRING])
    def test_an_empty_workspace_answers_with_nothing(self, engine: Engine, lane: Lane) -> None:
        assert found(engine, "lighthouse", lane) == []
        assert selected(engine) == []


class TestSubstring:
    @pytest.mark.requirement("T-04")
    @pytest.mark.parametrize(
        ("text", "query"),
        [
            ("EmbeddingStore", "dingst"),
            ("EmbeddingStore", "EMBED"),
            ("x = a->b;", "->"),
            ("x = a->b;", "a->b"),
            ("def get_user(id):", "user(id)"),
            ("def get_user(id):", "t_u"),
            ("50% of all", "0%"),
            ("snake_case", "_"),
            ("path/to/file.py", "to/fi"),
            ("abc", "b"),
            ("abc", "bc"),
            ("crème brûlée", "eme bru"),
            ("CRÈME", "crè"),
            ("東京都の図書館", "京都の"),
            ("東京都の図書館", "書"),
            ("東京tower", "京to"),
            ("ｶﾀｶﾅ", "タカ"),
            ("日\u0301本", "日本"),
            ("㊀二三", "一二"),
            ("สวัสดีชาวโลก", "ดีชา"),
            ("데이터베이스를", "베이스를"),
            ("naïve façade", "ve fa"),
            ("Straße", "SS"),
            ("two\nlines", "o\nl"),
            ("a\x00b", "a\x00"),
            ("emoji 🎉 party", "🎉 p"),
            ("x" * 300 + "needle" + "y" * 300, "xneedley"),
            ("x" * 300 + "needle" + "y" * 300, "x" * 100 + "needle" + "y" * 100),
            ('it\'s 100\\% "quoted"', '% "q'),
        ],
    )
    def test_a_text_is_found_by_any_string_it_contains(self, engine: Engine, text: str, query: str) -> None:
        put(engine, page("a", body=text), page("b", "filler"), page("c"))
        assert found(engine, query, Lane.SUBSTRING) == ["a"]

    @pytest.mark.parametrize(
        ("text", "query"),
        [
            ("user by id", "userby"),
            ("get-user", "get_user"),
            ("abc", "abcd"),
            ("aXb", "a%b"),
            ("a b", "a  b"),
            ("東京都", "東都"),
            ("x" * 300, "x" * 301),
        ],
    )
    def test_a_text_is_not_found_by_a_string_it_does_not_contain(self, engine: Engine, text: str, query: str) -> None:
        put(engine, page("a", body=text))
        assert found(engine, query, Lane.SUBSTRING) == []

    @pytest.mark.parametrize("field", ["title", "body", "tags"])
    def test_every_field_is_looked_at(self, engine: Engine, field: str) -> None:
        values: dict[str, Record] = {
            "title": page("a", "light.house"),
            "body": page("a", body="light.house"),
            "tags": page("a", tags=("light.house",)),
        }
        put(engine, values[field])
        assert found(engine, "t.h", Lane.SUBSTRING) == found(engine, "ghth"[:2], Lane.SUBSTRING) == ["a"]

    def test_a_string_is_not_found_across_two_fields(self, engine: Engine) -> None:
        put(engine, page("a", "light", "house"))
        assert found(engine, "light house", Lane.SUBSTRING) == []

    def test_a_record_of_nothing_but_punctuation_is_found(self, engine: Engine) -> None:
        put(engine, page("a", "->"))
        assert scores(engine, "->", Lane.SUBSTRING)["a"] > 0

    def test_what_lies_past_the_ranked_length_is_contained_too(self, engine: Engine) -> None:
        put(engine, Record("s", "symbol", "n", {"body": "the beginning is ranked, the far.away ending"}))
        assert found(engine, "r.aw", Lane.SUBSTRING) == found(engine, "endi", Lane.SUBSTRING) == ["s"]


class TestScores:
    def test_a_rarer_word_is_worth_more(self, engine: Engine) -> None:
        put(engine, page("a", "common rare"), page("b", "common word"), page("c", "common thing"))
        assert scores(engine, "rare")["a"] > scores(engine, "common")["a"] > 0

    def test_more_occurrences_score_higher(self, engine: Engine) -> None:
        put(engine, page("a", body="sea sea sea land"), page("b", body="sea hill land moor"))
        assert found(engine, "sea") == ["a", "b"]

    def test_the_same_word_in_a_shorter_text_scores_higher(self, engine: Engine) -> None:
        put(engine, page("a", body="sea " + "land " * 30), page("b", body="sea"))
        assert found(engine, "sea") == ["b", "a"]

    @pytest.mark.requirement("I-06")
    def test_column_weights_decide_what_a_field_counts_for(self, engine: Engine) -> None:
        put(engine, page("b", "x y", "sea"), page("t", "sea y", "x"), page("g", "x y", tags=("sea",)))
        weights = Weights(title=10.0, body=1.0, tags=5.0).in_order()
        assert list(scores(engine, "sea", column_weights=weights)) == ["t", "g", "b"]

    def test_the_weight_of_a_term_multiplies_its_score(self, engine: Engine) -> None:
        put(engine, page("a", "sea"), page("b", "land"))
        double = Query("sea", (Term(("sea",), weight=2.0),))
        assert scores(engine, double)["a"] == pytest.approx(2 * scores(engine, "sea")["a"])

    def test_coverage_is_the_share_of_the_weight_that_a_record_holds(self, engine: Engine) -> None:
        put(engine, page("a", "sea land"), page("b", "sea"), page("c", "land"))
        shares = coverage(engine, "sea land")
        assert shares == {"a": 1.0, "b": pytest.approx(0.5), "c": pytest.approx(0.5)}

    def test_a_term_that_is_not_required_scores_and_is_not_missed(self, engine: Engine) -> None:
        put(engine, page("a", "sea land"), page("b", "sea fog"), page("c", "land fog"))
        query = Query("", (Term(("sea",)), Term(("land",), required=False)))
        assert coverage(engine, query) == {"a": 1.0, "b": 1.0}
        assert found(engine, query) == ["a", "b"]

    def test_a_phrase_ranks_the_records_that_hold_it(self, engine: Engine) -> None:
        put(engine, page("a", "red shoes"), page("b", "shoes red"))
        query = Query("", (Term(("red", "shoes"), exact=True),))
        assert found(engine, query) == found(engine, query, Lane.NAMES) == ["a"]

    def test_handles_stand_in_ascending_order(self, engine: Engine) -> None:
        put(engine, *(page(key, "sea") for key in "zyxabc"))
        with engine.view() as view:
            ranking = view.match(asked("sea"), ListPlan("list", Lane.STEMS), view.select(EVERYWHERE))
            handles = [int(handle) for handle in ranking.handles]
            assert handles == sorted(handles)


class TestReading:
    def test_order_puts_handles_in_the_order_of_their_keys(self, engine: Engine) -> None:
        put(engine, *(page(key) for key in ("b", "é", "a/2", "a", "Z", "東")))
        with engine.view() as view:
            handles = [handle for handle in view.handles(["é", "Z", "東", "a", "b", "a/2"]) if handle is not None]
            assert [record.key for record in view.fetch(view.order(handles))] == ["Z", "a", "a/2", "b", "é", "東"]
            assert list(view.order([])) == []

    def test_records_are_fetched_in_the_order_asked_for(self, engine: Engine) -> None:
        put(engine, *(page(key) for key in "abc"))
        with engine.view() as view:
            handles = [handle for handle in view.handles(["c", "a", "b"]) if handle is not None]
            assert [record.key for record in view.fetch(handles)] == ["c", "a", "b"]
            assert view.fetch([]) == []

    def test_keys_without_a_record_have_no_handle(self, engine: Engine) -> None:
        put(engine, page("a"))
        with engine.view() as view:
            known, unknown = view.handles(["a", "nobody"])
            assert known is not None
            assert unknown is None

    def test_a_part_is_answered_by_its_parent(self, engine: Engine) -> None:
        put(engine, page("a"), note("n", "sea", "a"), page("b", parent="a"), note("o", "sea", "nobody"))
        with engine.view() as view:
            a, n, b, o = view.handles(["a", "n", "b", "o"])
            wanted = [handle for handle in (a, n, b, o) if handle is not None]
            assert [int(handle) for handle in view.parents(wanted, ("note",))] == [a, a, b, o]
            assert [int(handle) for handle in view.parents(wanted, ())] == wanted

    @pytest.mark.parametrize("change", [Delete("a"), Delete("a", purge=True)])
    def test_a_parent_that_is_gone_answers_for_nobody(self, engine: Engine, change: Change) -> None:
        put(engine, page("a"), note("n", "sea", "a"))
        engine.apply([change])
        with engine.view() as view:
            (handle,) = view.handles(["n"])
            assert handle is not None
            assert [int(answering) for answering in view.parents([handle], ("note",))] == [handle]

    def test_a_folded_kind_is_in_scope_where_its_parent_is(self, engine: Engine) -> None:
        put(engine, page("a", tags=("red",)), page("b"), note("n", "sea", "a"), note("o", "sea", "b"))
        scope = Scope(kinds=("page",), tags=("red",))
        assert selected(engine, scope, folds=("note",)) == ["a", "n"]
        assert selected(engine, scope, Term(("sea",)), folds=("note",)) == ["n"]

    def test_recent_scores_by_the_time_of_the_last_change(self, engine: Engine) -> None:
        put(engine, page("a", updated=3.0), page("b", updated=9.5), page("c", updated=1.0))
        with engine.view() as view:
            recent = view.recent(view.select(Scope(keys=("a", "b"))))
            assert by_key(view, recent) == {"a": 3.0, "b": 9.5}
            assert list(recent.coverage) == [1.0, 1.0]

    def test_a_prefix_resolves_to_the_keys_that_start_with_it(self, engine: Engine) -> None:
        put(engine, *(page(key) for key in ("ab12", "ab34", "abc", "b", "a%", "a_")))
        with engine.view() as view:
            assert view.resolve("ab1") == ["ab12"]
            assert view.resolve("ab") == ["ab12", "ab34"]
            assert view.resolve("ab", limit=5) == ["ab12", "ab34", "abc"]
            assert (view.resolve("a%"), view.resolve("nobody")) == (["a%"], [])

    def test_forms_are_the_words_that_count_as_a_term(self, engine: Engine) -> None:
        put(engine, page("a", "running runs runner", "runway red"))
        terms = (
            Term(("run",)),
            Term(("runs",), exact=True),
            Term(("runn",), prefix=True),
            Term(("red", "run"), exact=True),
            Term(("run", "r"), exact=True, prefix=True),
        )
        with engine.view() as view:
            forms = view.forms(terms)
        assert [sorted(forms[term]) for term in terms] == [
            ["run", "running", "runs"],
            ["runs"],
            ["runner", "running"],
            ["red", "run"],
            ["red", "run", "runner", "running", "runs", "runway"],
        ]

    def test_scan_gives_records_by_key_and_then_edges(self, engine: Engine) -> None:
        put(engine, page("b"), page("a"), page("c"))
        engine.apply([Link(Edge("b", "a", "links")), Link(Edge("a", "c", "links")), Link(Edge("a", "c", "blocks"))])
        engine.apply([Delete("c")])
        assert everything(engine) == [
            page("a", version=1),
            page("b", version=1),
            page("c", version=2, deleted=True),
            Edge("a", "c", "blocks"),
            Edge("a", "c", "links"),
            Edge("b", "a", "links"),
        ]

    def test_scanned_records_and_edges_can_be_written_back_into_the_same_state(self, engine: Engine) -> None:
        put(engine, page("a", "sea", tags=("x",), facets={"size": 1}), note("n", "land", "a"))
        last = engine.apply([Link(Edge("a", "n", "links", {"line": 1}))])
        again: list[Change] = [Put(item) if isinstance(item, Record) else Link(item) for item in everything(engine)]
        assert engine.apply(again) == Applied(last.generation, 0, 0)


class TestUpkeep:
    @pytest.mark.requirement("B-03")
    def test_reindexing_counts_the_records_and_changes_no_answer(self, engine: Engine) -> None:
        put(engine, page("a", "sea"), page("b", "sea land"), page("c", "sea"), page("@p", "sea"), note("n", "sea", "a"))
        engine.apply([Delete("c")])
        before = [scores(engine, "sea", lane) for lane in (*WORD_LANES, Lane.SUBSTRING)]
        assert (engine.reindex(), engine.reindex()) == (3, 3)
        assert [scores(engine, "sea", lane) for lane in (*WORD_LANES, Lane.SUBSTRING)] == before

    def test_status_counts_what_is_there(self, engine: Engine) -> None:
        put(engine, page("a", "sea", space="s"), page("b", "sea"), page("c"), note("n", "land", "a"))
        engine.apply([Delete("c"), Link(Edge("a", "b", "links"))])
        status = engine.status()
        counts: tuple[Mapping[str, int], int, Mapping[str, int], int, int] = (
            status.records,
            status.deleted,
            status.edges,
            status.spaces,
            status.words,
        )
        assert counts == ({"note": 1, "page": 2}, 1, {"links": 1}, 2, 2)

    @pytest.mark.requirement("B-09")
    def test_a_sound_engine_passes_its_own_examination(self, engine: Engine) -> None:
        put(engine, page("a", "sea"), page("@p", "sea"), page("b", "land"), page("->", "->"))
        engine.apply([Delete("b")])
        assert [finding for finding in engine.examine() if not finding.ok] == []
