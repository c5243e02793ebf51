"""What every engine promises of a change, asserted alike of all of them."""

from dataclasses import replace

import pytest
from asking import EVERYWHERE, asked, by_key, everything, found, get, note, page, put, scores, selected

from dowse.errors import Conflict, NotFound, StorageError
from dowse.model.change import Applied, Change, Delete, Link, Mark, Put, Relink, RenameTag, Restore, Unlink
from dowse.model.record import Edge, Record
from dowse.model.request import Lane, ListPlan, Scope
from dowse.ports import Engine


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

    def test_what_was_prepared_of_tags_out_of_order_is_found_as_they_are_stored(self, engine: Engine) -> None:
        record = page("a", tags=("b", "a", "b"))
        prepare = engine.preparer()
        engine.apply([Put(record, prepared=prepare([record])[0] if prepare is not None else None), Put(page("c", tags=("a", "b")))])
        found_now = scores(engine, "b")
        assert found_now["a"] == found_now["c"]
        assert [finding for finding in engine.examine() if not finding.ok] == []

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
