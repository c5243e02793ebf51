"""What every engine promises of text that did not change: it is never embedded again."""

import pytest
from asking import page, put
from modelling import (
    MODEL,
    best,
    catch_up,
    close,
    counts,
    kept,
    nearest,
    prepared,
    told,
    use,
    waiting,
)

from dowse.errors import Conflict
from dowse.model.change import Delete, Put, Rename, RenameTag, Restore, UseModel
from dowse.model.request import Scope
from dowse.ports import Engine

# Longer than a passage, each about one thing.
SEA = "The tide turns and the sea runs over the sand. " * 30
FOREST = "Birch and alder stand in the forest by the brook. " * 30


class TestUnchangedText:
    @pytest.fixture(autouse=True)
    def _shelf(self, engine: Engine) -> None:
        use(engine)
        put(engine, page("a", "Walks", f"{SEA}\n\n{FOREST}"), page("b", "land"))
        catch_up(engine)

    def test_another_tag_time_or_place_leaves_every_vector(self, engine: Engine) -> None:
        put(engine, page("a", "Walks", f"{SEA}\n\n{FOREST}", tags=("new",), parent="b", space="s", updated=9.0))
        engine.apply([RenameTag("new", "newer")])
        assert waiting(engine) == []

    def test_of_a_text_that_changed_at_its_end_only_the_end_waits(self, engine: Engine) -> None:
        done = counts(engine)[0]
        put(engine, page("a", "Walks", f"{SEA}\n\n{FOREST} And then we went home."))
        assert counts(engine) == (done - 1, 1)
        assert "went home" in waiting(engine)[0]

    def test_passages_that_moved_keep_their_vectors(self, engine: Engine) -> None:
        put(engine, page("c", "Walks", f"{FOREST}\n\n{SEA}"))
        catch_up(engine)
        put(engine, page("c", "Walks", f"{SEA}\n\n{FOREST}"))
        assert counts(engine)[1] == 0
        assert best(engine, "tide sand", "a") == best(engine, "tide sand", "c")

    def test_a_text_that_another_record_has_is_not_embedded_again(self, engine: Engine) -> None:
        put(engine, page("c", "land"))
        assert (waiting(engine), nearest(engine, "land")) == ([], ["b", "c"])

    def test_a_text_that_a_deleted_record_has_is_not_embedded_again(self, engine: Engine) -> None:
        engine.apply([Delete("b")])
        put(engine, page("c", "land"))
        assert (waiting(engine), nearest(engine, "land")) == ([], ["c"])

    def test_a_text_that_goes_from_one_record_to_another_in_a_batch_keeps_its_vector(self, engine: Engine) -> None:
        put(engine, page("b", "hill"), page("c", "land"))
        assert waiting(engine) == ["hill"]
        assert nearest(engine, "land") == ["c"]

    def test_a_deleted_record_comes_back_with_its_vectors(self, engine: Engine) -> None:
        engine.apply([Delete("b")])
        assert nearest(engine, "land") == []
        assert nearest(engine, "land", Scope(deleted=True)) == ["b"]
        engine.apply([Restore("b")])
        assert (waiting(engine), nearest(engine, "land")) == ([], ["b"])

    def test_a_purged_record_takes_its_vectors_along(self, engine: Engine) -> None:
        done = counts(engine)[0]
        engine.apply([Delete("b", purge=True)])
        assert (counts(engine), nearest(engine, "land")) == ((done - 1, 0), [])
        put(engine, page("b", "land"))
        assert waiting(engine) == ["land"]

    def test_a_record_purged_and_written_anew_in_a_batch_is_not_embedded_again(self, engine: Engine) -> None:
        engine.apply([Delete("b", purge=True), Put(page("b", "land"))])
        assert (waiting(engine), nearest(engine, "land")) == ([], ["b"])

    def test_a_renamed_record_keeps_its_vectors(self, engine: Engine) -> None:
        engine.apply([Rename((("b", "z"),))])
        assert (waiting(engine), nearest(engine, "land")) == ([], ["z"])

    def test_making_the_index_again_leaves_the_vectors(self, engine: Engine) -> None:
        before = close(engine, "tide land", floor=-1.0)
        engine.reindex()
        assert (waiting(engine), close(engine, "tide land", floor=-1.0)) == ([], before)

    def test_a_batch_that_fails_leaves_every_vector_as_it_was(self, engine: Engine) -> None:
        before = (told(engine), close(engine, "land", floor=-1.0))
        with pytest.raises(Conflict):
            engine.apply([Delete("b", purge=True), Put(page("c", "sea")), UseModel(None), Put(page("a"), expected=99)])
        assert (told(engine), close(engine, "land", floor=-1.0)) == before

    def test_the_same_vectors_once_more_are_no_change(self, engine: Engine) -> None:
        before = engine.status().generation
        assert engine.apply([kept(MODEL, "land")]).generation == before

    def test_places_that_became_free_are_taken_by_others(self, engine: Engine) -> None:
        for number in range(5):
            engine.apply([Delete("b", purge=True)])
            prepared(engine, page("b", f"land {number}"), page(f"n{number}", f"shore {number}"))
        assert nearest(engine, "land 4")[0] == "b"
        assert nearest(engine, "shore 2")[0] == "n2"
        assert [finding for finding in engine.examine() if not finding.ok] == []
