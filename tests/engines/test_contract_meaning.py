"""What every engine promises of passages and their vectors, asserted alike of all of them."""

import numpy as np
import pytest
from asking import found, note, page, put
from modelling import (
    MODEL,
    OTHER,
    SLOW,
    WordModel,
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

from dowse.errors import EmbeddingFailed
from dowse.model.change import KeepVectors, Put, UseModel
from dowse.model.passage import Embedding
from dowse.model.record import Record
from dowse.model.request import Scope
from dowse.ports import Engine

# Longer than a passage, each about one thing.
SEA = "The tide turns and the sea runs over the sand. " * 30
FOREST = "Birch and alder stand in the forest by the brook. " * 30


class TestWaiting:
    def test_without_a_model_there_are_no_passages(self, engine: Engine) -> None:
        put(engine, page("a", "sea"))
        assert (told(engine), waiting(engine)) == (Embedding(), [])
        assert engine.status().embedding == Embedding()
        assert nearest(engine, "sea") == []

    def test_a_record_waits_until_its_vector_comes(self, engine: Engine) -> None:
        use(engine)
        put(engine, page("a", "sea", "salt water"))
        assert (counts(engine), nearest(engine, "salt sea")) == ((0, 1), [])
        assert waiting(engine) == ["sea\nsalt water"]
        assert catch_up(engine) == 1
        assert (counts(engine), nearest(engine, "salt sea")) == ((1, 0), ["a"])

    def test_records_that_were_there_before_the_model_wait_too(self, engine: Engine) -> None:
        put(engine, page("a", "sea"), page("b", "land"))
        use(engine)
        assert counts(engine) == (0, 2)
        catch_up(engine)
        assert nearest(engine, "land") == ["b"]

    def test_status_tells_how_far_it_is(self, engine: Engine) -> None:
        use(engine)
        put(engine, page("a", "sea"), page("b", "land"))
        catch_up(engine, limit=1)
        assert engine.status().embedding == told(engine) == Embedding(MODEL.profile, 1, 1)

    def test_half_of_the_vectors_answer_while_the_others_wait(self, engine: Engine) -> None:
        use(engine)
        put(engine, page("a", "sea"), page("b", "sea shore"))
        catch_up(engine, limit=1)
        assert (counts(engine), nearest(engine, "sea")) == ((1, 1), ["a"])

    def test_no_text_waits_twice(self, engine: Engine) -> None:
        use(engine)
        put(engine, page("a", "sea"), page("b", "sea"), page("c", "land"))
        assert (counts(engine), sorted(waiting(engine))) == ((0, 3), ["land", "sea"])
        assert len(waiting(engine, limit=1)) == 1
        catch_up(engine)
        assert (counts(engine), nearest(engine, "sea")) == ((3, 0), ["a", "b"])

    def test_a_placeholder_has_no_passages(self, engine: Engine) -> None:
        use(engine)
        put(engine, page("@gone", "sea"), page("a", "sea", facets={"placeholder": True}))
        assert counts(engine) == (0, 0)

    def test_a_record_without_any_text_has_no_passages(self, engine: Engine) -> None:
        use(engine)
        put(engine, page("a"))
        assert counts(engine) == (0, 0)


class TestPreparing:
    def test_vectors_that_were_made_beforehand_come_with_the_record(self, engine: Engine) -> None:
        use(engine)
        prepared(engine, page("a", "sea"), page("b", "land"))
        assert (counts(engine), nearest(engine, "land")) == ((2, 0), ["b"])

    def test_the_model_and_the_first_records_may_come_in_one_batch(self, engine: Engine) -> None:
        prepare = engine.preparer(MODEL)
        assert prepare is not None
        engine.apply([Put(page("a", "sea"), prepared=prepare([page("a", "sea")])[0]), UseModel(MODEL.profile)])
        assert counts(engine) == (1, 0)

    def test_vectors_of_another_model_are_not_taken(self, engine: Engine) -> None:
        use(engine)
        prepared(engine, page("a", "sea"), model=OTHER)
        assert (counts(engine), waiting(engine)) == ((0, 1), ["sea"])

    def test_without_a_model_in_use_they_are_not_taken_either(self, engine: Engine) -> None:
        prepared(engine, page("a", "sea"))
        assert told(engine) == Embedding()

    def test_a_slow_model_leaves_them_to_be_made_later(self, engine: Engine) -> None:
        use(engine, SLOW)
        prepared(engine, page("a", "sea"), model=SLOW)
        assert counts(engine) == (0, 1)

    def test_a_model_that_fails_does_not_stop_the_writing(self, engine: Engine) -> None:
        use(engine)
        prepared(engine, page("a", "sea"), model=WordModel(broken=True))
        assert (counts(engine), found(engine, "sea")) == ((0, 1), ["a"])

    def test_what_was_prepared_for_an_earlier_text_of_the_batch_is_not_taken_for_the_last(self, engine: Engine) -> None:
        use(engine)
        prepare = engine.preparer(MODEL)
        assert prepare is not None
        engine.apply([Put(page("a", "sea"), prepared=prepare([page("a", "sea")])[0]), Put(page("a", "land"))])
        assert waiting(engine) == ["land"]

    def test_a_vector_that_comes_with_one_record_serves_all_who_wait_for_it(self, engine: Engine) -> None:
        use(engine)
        put(engine, page("a", "sea"))
        prepared(engine, page("b", "sea"))
        assert (counts(engine), nearest(engine, "sea")) == ((2, 0), ["a", "b"])


class TestNearest:
    @pytest.fixture(autouse=True)
    def _shelf(self, engine: Engine) -> None:
        use(engine)
        prepared(
            engine,
            page("both", "Walks", f"{SEA}\n\n{FOREST}"),
            page("sea", "Walks", SEA, tags=("wet",)),
            page("land", "Plains", "grass and wind", space="s"),
            note("n", "sea gulls", "land"),
        )

    def test_the_best_passage_stands_for_the_record(self, engine: Engine) -> None:
        scores = close(engine, "tide sea sand")
        with engine.view() as view:
            rows = view.meanings(view.handles(["both"]))[0]
        assert rows is not None
        assert len(rows) > 2
        assert scores["both"] == pytest.approx(max(rows @ MODEL.embed(["tide sea sand"])[0]), abs=1e-3)

    def test_scores_are_cosines(self, engine: Engine) -> None:
        exact = MODEL.embed(["Plains\ngrass and wind"]) @ MODEL.embed(["grass"])[0]
        assert close(engine, "grass")["land"] == pytest.approx(float(exact[0]), abs=5e-3)

    def test_what_a_text_says_itself_is_as_close_as_can_be(self, engine: Engine) -> None:
        assert close(engine, "Plains\ngrass and wind")["land"] == pytest.approx(1.0, abs=1e-3)

    @pytest.mark.parametrize(
        ("scope", "expected"),
        [
            (Scope(kinds=("note",)), ["n"]),
            (Scope(tags=("wet",)), ["sea"]),
            (Scope(spaces=("s",)), ["land"]),
            (Scope(keys=("both", "n")), ["both", "n"]),
        ],
    )
    def test_only_what_is_selected_answers(self, engine: Engine, scope: Scope, expected: list[str]) -> None:
        assert sorted(nearest(engine, "sea", scope, floor=-1.0)) == expected

    def test_a_filter_leaves_room_for_those_it_admits(self, engine: Engine) -> None:
        assert nearest(engine, "tide sea", Scope(spaces=("s",)), limit=1, floor=-1.0) == ["land"]

    def test_nothing_below_the_floor_answers(self, engine: Engine) -> None:
        scores = close(engine, "sea", floor=-1.0)
        bound = sorted(scores.values())[1]
        assert close(engine, "sea", floor=bound) == {key: score for key, score in scores.items() if score >= bound}
        assert close(engine, "sea", floor=1.0) == {}

    @pytest.mark.parametrize("limit", [0, 1, 2, 3, 9])
    def test_the_best_of_them_as_many_as_asked_for(self, engine: Engine, limit: int) -> None:
        assert nearest(engine, "sea", limit=limit, floor=-1.0) == nearest(engine, "sea", floor=-1.0)[:limit]

    def test_equals_at_the_limit_are_told_apart_by_key(self, engine: Engine) -> None:
        prepared(engine, *(page(key, "Quince jam") for key in ("z", "m", "q")))
        assert nearest(engine, "quince jam", limit=2) == ["m", "q"]

    def test_a_query_that_says_nothing_to_the_model_finds_nothing(self, engine: Engine) -> None:
        assert nearest(engine, "->", floor=-1.0) == []

    def test_a_text_that_says_nothing_to_the_model_is_never_close(self, engine: Engine) -> None:
        prepared(engine, page("deaf", "xyzzy"), model=WordModel(deaf=("xyzzy",)))
        assert counts(engine)[1] == 0
        assert "deaf" not in nearest(engine, "xyzzy", floor=-1.0)

    def test_a_vector_of_another_size_is_refused_in_plain_words(self, engine: Engine) -> None:
        with engine.view() as view, pytest.raises(EmbeddingFailed, match=r"vectors of 7 numbers.*have 32"):
            view.nearest(np.ones(7), view.select(Scope()), 10, 0.0)


class TestRecordsInTheirMeaning:
    @pytest.fixture(autouse=True)
    def _shelf(self, engine: Engine) -> None:
        use(engine)
        prepared(engine, page("both", "Walks", f"{SEA}\n\n{FOREST}"), page("land", "Plains", "grass and wind"))
        put(engine, page("late", "sea"))

    def test_similarity_is_that_of_the_best_passage_and_nothing_where_there_is_none(self, engine: Engine) -> None:
        scores = close(engine, "birch forest", floor=-1.0)
        with engine.view() as view:
            handles = sorted(handle for handle in view.handles(["both", "land", "late"]) if handle is not None)
            similar = list(view.similarity(MODEL.embed(["birch forest"])[0], handles))
            keys = [record.key for record in view.fetch(handles)]
        assert dict(zip(keys, similar, strict=True)) == pytest.approx({**scores, "late": 0.0})

    def test_a_query_that_says_nothing_is_similar_to_nothing(self, engine: Engine) -> None:
        with engine.view() as view:
            handles = view.handles(["both", "land"])
            assert list(view.similarity(np.zeros(32), handles)) == [0.0, 0.0]
            assert view.passages(np.zeros(32), handles) == [None, None]

    def test_the_closest_passage_shows_where_in_the_text_it_stands(self, engine: Engine) -> None:
        sea, forest, none = (
            best(engine, "tide sand", "both")[0],
            best(engine, "alder brook", "both")[0],
            best(engine, "x", "late")[0],
        )
        assert sea is not None
        assert forest is not None
        body = f"{SEA}\n\n{FOREST}"
        assert "tide" in body[sea.start : sea.end]
        assert "alder" in body[forest.start : forest.end]
        assert sea.field == forest.field == "body"
        assert none is None

    def test_the_meaning_of_a_record_is_a_row_for_each_passage_in_order(self, engine: Engine) -> None:
        with engine.view() as view:
            both, late = view.handles(["both", "late"])
            rows, missing = view.meanings([both, late])
            assert missing is None
        assert rows is not None
        assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(len(rows)), abs=1e-5)
        towards = rows @ MODEL.embed(["tide sea sand"])[0]
        assert towards[0] > towards[-1]


class TestModels:
    def test_another_model_makes_every_passage_wait_again(self, engine: Engine) -> None:
        use(engine)
        prepared(engine, page("a", "sea"), page("b", "land"))
        use(engine, OTHER)
        assert (told(engine), nearest(engine, "sea")) == (Embedding(OTHER.profile, 0, 2), [])
        catch_up(engine, OTHER)
        assert list(close(engine, "sea", model=OTHER)) == ["a"]

    def test_a_model_of_another_size_takes_over(self, engine: Engine) -> None:
        wide = WordModel("wide", 40)
        use(engine)
        prepared(engine, page("a", "sea"))
        assert nearest(engine, "sea") == ["a"]
        use(engine, wide)
        catch_up(engine, wide)
        assert list(close(engine, "sea", model=wide)) == ["a"]

    def test_the_same_model_again_changes_nothing(self, engine: Engine) -> None:
        first = use(engine)
        prepared(engine, page("a", "sea"))
        before = engine.status()
        assert use(engine).generation == before.generation > first.generation
        assert engine.status().embedding == before.embedding

    def test_another_floor_of_the_same_model_is_kept_and_the_vectors_too(self, engine: Engine) -> None:
        use(engine)
        prepared(engine, page("a", "sea"))
        strict = WordModel(floor=0.9)
        use(engine, strict)
        assert told(engine) == Embedding(strict.profile, 1, 0)

    def test_no_model_any_more_means_no_passages(self, engine: Engine) -> None:
        use(engine)
        prepared(engine, page("a", "sea"))
        use(engine, None)
        assert (told(engine), nearest(engine, "sea"), waiting(engine)) == (Embedding(), [], [])
        use(engine)
        assert counts(engine) == (0, 1)

    def test_vectors_of_another_model_are_ignored_when_they_come_too_late(self, engine: Engine) -> None:
        use(engine)
        put(engine, page("a", "sea"))
        before = engine.status().generation
        assert engine.apply([kept(OTHER, "sea")]).generation == before
        assert counts(engine) == (0, 1)

    def test_vectors_of_a_text_that_nobody_has_are_no_error(self, engine: Engine) -> None:
        use(engine)
        put(engine, page("a", "sea"))
        engine.apply([kept(MODEL, "land", "sea")])
        assert counts(engine) == (1, 0)
        put(engine, page("b", "land"))
        assert waiting(engine) == ["land"]

    def test_vectors_of_the_wrong_size_are_refused(self, engine: Engine) -> None:
        use(engine)
        put(engine, page("a", "sea"))
        with pytest.raises(EmbeddingFailed, match="vectors of 7 numbers"):
            engine.apply([KeepVectors(MODEL.profile.fingerprint, (b"x" * 16,), np.ones((1, 7)))])
        with pytest.raises(EmbeddingFailed, match="1 vectors for 2 texts"):
            engine.apply([KeepVectors(MODEL.profile.fingerprint, (b"x" * 16, b"y" * 16), np.ones((1, 32)))])

    def test_vectors_alone_make_a_new_generation_and_no_newer_content(self, engine: Engine) -> None:
        use(engine)
        put(engine, page("a", "sea"))
        before = engine.status()
        catch_up(engine)
        after = engine.status()
        assert (after.generation, after.updated) == (before.generation + 1, before.updated)

    def test_a_reader_keeps_seeing_the_vectors_it_began_with(self, engine: Engine) -> None:
        use(engine)
        prepared(engine, page("a", "sea"))
        with engine.view() as view:
            prepared(engine, page("a", "land"))
            use(engine, OTHER)
            ranking = view.nearest(MODEL.embed(["sea"])[0], view.select(Scope()), 10, 0.3)
            assert [record.title for record in view.fetch(ranking.handles)] == ["sea"]


def test_the_words_of_a_path_are_part_of_what_is_meant(engine: Engine) -> None:
    use(engine)
    put(engine, Record("a", "symbol", "open", {"path": "src/harbour/gate_keeper.py", "body": "def open(): ..."}))
    assert waiting(engine) == ["open\nsrc harbour gate keeper py\ndef open(): ..."]
