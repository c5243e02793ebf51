"""What every engine promises of its lanes, its scores and its reading, asserted alike of all of them."""

from collections.abc import Mapping

import numpy as np
import pytest
from asking import EVERYWHERE, WORD_LANES, asked, by_key, coverage, everything, found, note, page, put, scores, selected

from dowse.model.change import Applied, Change, Delete, Link, Put
from dowse.model.record import Edge, Record
from dowse.model.request import Front, Lane, ListPlan, Scope, Weights
from dowse.model.schema import Column
from dowse.model.terms import Query, Term
from dowse.ports import Engine


class TestSpelling:
    def misspelt(self, engine: Engine, query: str | Query) -> dict[str, list[str]]:
        with engine.view() as view:
            return view.misspelt(asked(query) if isinstance(query, str) else query, ListPlan("list", Lane.STEMS))

    def test_a_word_that_stands_nowhere_is_told_with_those_spelt_like_it(self, engine: Engine) -> None:
        put(engine, page("a", "websocket websockets"), page("b", "getMiddlewareFor a harbour"))
        assert self.misspelt(engine, "websokets middelware harbour") == {
            "websokets": ["websocket", "websockets"],
            "middelware": ["middleware"],
        }

    def test_a_word_that_stands_somewhere_or_within_another_is_no_slip(self, engine: Engine) -> None:
        put(engine, page("a", "harbour harbor readableStreams"), page("b", body="streamed"))
        assert self.misspelt(engine, "harbour harbor eadable stream readablestreem") == {"readablestreem": ["readablestreams"]}

    def test_what_left_the_workspace_stands_nowhere(self, engine: Engine) -> None:
        put(engine, page("a", "harbour"), page("b", "harbuor"))
        assert self.misspelt(engine, "harbuor") == {}
        engine.apply([Delete("b")])
        assert self.misspelt(engine, "harbuor") == {"harbuor": ["harbour"]}

    def test_what_was_typed_with_care_is_taken_as_it_is(self, engine: Engine) -> None:
        put(engine, page("a", "harbour"))
        careful = [Term(("harbuor",), exact=True), Term(("harbuor",), prefix=True), Term(("harbuor",), columns=(Column.TITLE,))]
        assert self.misspelt(engine, Query("", (*careful, Term(("harbuor", "gate"))))) == {}


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

    def test_whoever_is_asked_for_the_front_lists_it_and_says_how_many_more_there_are(self, engine: Engine) -> None:
        put(engine, *(page(key, "sea") for key in "zyxabc"), page("best", "sea sea sea"))
        with engine.view() as view:
            named = np.asarray(view.handles(["z"]), np.int64)
            front = Front(2, 2, also=named, gains=np.ones(1))
            within = view.select(EVERYWHERE)
            ranking = view.match(asked("sea"), ListPlan("list", Lane.STEMS, front=front), within)
            more = ranking.unlisted.count if ranking.unlisted is not None else 0
            assert len(ranking.handles) + more == 7
            assert {record.key for record in view.fetch(list(ranking.handles))} >= {"best", "z"}

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

    def test_the_nearest_record_of_a_kind_above_another_is_its_container(self, engine: Engine) -> None:
        put(engine, page("a"), page("b", parent="a"), note("n", "sea", "b"), note("o", "sea", "nobody"))
        with engine.view() as view:
            a, b, n, o = view.handles(["a", "b", "n", "o"])
            wanted = [handle for handle in (a, b, n, o) if handle is not None]
            assert [int(handle) for handle in view.containers(wanted, ("page",))] == [a, b, b, 0]
            assert [int(handle) for handle in view.containers(wanted, ("note",))] == [0, 0, n, o]
            assert [int(handle) for handle in view.containers(wanted, ())] == [0, 0, 0, 0]

    def test_a_record_is_found_by_its_title_whatever_the_case(self, engine: Engine) -> None:
        put(engine, page("b", "Router"), page("a", "router"), page("c", "Routers"), page("d", "Router"))
        engine.apply([Delete("d")])
        with engine.view() as view:
            found = view.entitled(["ROUTER", "nobody"])
            assert [title for _, title in found] == ["router", "Router"]
            assert view.names([handle for handle, _ in found]) == [("a", "router"), ("b", "Router")]

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
