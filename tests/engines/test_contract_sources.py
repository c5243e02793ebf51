"""What every engine promises of files and their names, of records under new keys, and of the edges parents have to children."""

from dataclasses import replace

import pytest
from asking import edges, everything, found, get, note, page, put, selected

from dowse.errors import Conflict, NotFound
from dowse.model.change import Delete, DropSource, Link, Mark, Put, PutSource, Rename, Restamp, Restore, Settle
from dowse.model.record import Edge, Record
from dowse.model.request import Lane, Scope
from dowse.model.source import Definition, Reference, Source, Stamp
from dowse.ports import Direction, Engine

STAMP = Stamp(12, 34, "abc", "reader-1")


def source(path: str, *, defines: str = "", refers: str = "", space: str = "acme", **more: object) -> Source:
    """A file that defines and refers to some words, and is settled."""
    key = f"{space}:{path}"
    values = {
        "keys": (key,),
        "defines": tuple(Definition(name, key) for name in defines.split()),
        "refers": tuple(Reference(key, "links", (name,)) for name in refers.split()),
        "settled": True,
        **more,
    }
    return Source(space, path, STAMP, **values)  # type: ignore[arg-type]


def keep(engine: Engine, *sources: Source) -> None:
    engine.apply([PutSource(item) for item in sources])


def known(engine: Engine, *paths: str, space: str = "acme") -> list[Source]:
    with engine.view() as view:
        return view.sources(space, paths)


def waiting(engine: Engine, space: str = "acme", limit: int = 100) -> list[str]:
    with engine.view() as view:
        return [item.path for item in view.unsettled(space, limit)]


def definers(engine: Engine, *names: str, space: str = "acme", limit: int = 100) -> dict[str, tuple[str, ...]]:
    with engine.view() as view:
        return view.definers(space, names, limit)


class TestRemembering:
    WHOLE = Source(
        "acme",
        "src/a b.py",
        Stamp(7, 1_700_000_000_123_456_789, "d1", "r1"),
        ("acme:src/a b.py", "acme:src/a b.py#é"),
        (Definition("é", "acme:src/a b.py#é", "python"), Definition("é", "acme:src/a b.py#é")),
        (Reference("acme:src/a b.py", "imports", ("b", "./b"), "python"), Reference("?x", "uses", ("y",))),
        (Edge("acme:src/a b.py", "acme:b.py", "imports", {"line": 3}),),
        settled=True,
    )

    @pytest.mark.parametrize("settled", [True, False])
    def test_a_source_comes_back_as_it_was_put(self, engine: Engine, settled: bool) -> None:
        whole = replace(self.WHOLE, settled=settled)
        keep(engine, whole)
        assert known(engine, whole.path) == [whole]
        assert known(engine, whole.path)[0].links[0].facets == {"line": 3}

    def test_sources_come_by_path_and_only_those_that_are_known(self, engine: Engine) -> None:
        keep(engine, source("b"), source("a"), source("c"))
        assert [item.path for item in known(engine, "c", "a", "nobody", "a")] == ["a", "c"]

    def test_a_source_put_again_takes_the_place_of_the_first(self, engine: Engine) -> None:
        keep(engine, source("a", defines="gull heron", refers="tern"))
        keep(engine, source("a", defines="gull", refers="plover"))
        assert known(engine, "a") == [source("a", defines="gull", refers="plover")]
        assert definers(engine, "gull", "heron") == {"gull": ("a",)}

    def test_stamps_are_told_by_path(self, engine: Engine) -> None:
        keep(engine, source("b"), replace(source("a"), stamp=Stamp(1, 2, "x", "y")))
        with engine.view() as view:
            assert list(view.stamps("acme").items()) == [("a", Stamp(1, 2, "x", "y")), ("b", STAMP)]

    def test_restamping_changes_nothing_else(self, engine: Engine) -> None:
        keep(engine, self.WHOLE, source("b", refers="é"))
        engine.apply([Restamp("acme", self.WHOLE.path, STAMP)])
        assert known(engine, self.WHOLE.path) == [replace(self.WHOLE, stamp=STAMP)]
        assert waiting(engine) == []

    def test_a_file_that_is_not_known_can_be_neither_restamped_nor_settled_nor_dropped_and_that_is_no_error(
        self, engine: Engine
    ) -> None:
        engine.apply([Restamp("acme", "a", STAMP), Settle("acme", "a", ()), DropSource("acme", "a")])
        assert known(engine, "a") == []

    def test_a_dropped_source_is_gone_with_its_names_and_leaves_its_records(self, engine: Engine) -> None:
        put(engine, page("acme:a", "gull"))
        keep(engine, source("a", defines="gull"))
        engine.apply([DropSource("acme", "a")])
        assert (known(engine, "a"), definers(engine, "gull")) == ([], {})
        assert found(engine, "gull") == ["acme:a"]

    def test_all_of_a_batch_is_kept_or_nothing(self, engine: Engine) -> None:
        with pytest.raises(NotFound):
            engine.apply([PutSource(source("a", defines="gull")), Mark("project:acme", "x"), Delete("nobody")])
        assert (known(engine, "a"), definers(engine, "gull")) == ([], {})
        with engine.view() as view:
            assert view.marks("") == {}

    def test_sources_survive_a_reindex(self, engine: Engine) -> None:
        keep(engine, self.WHOLE)
        engine.reindex()
        assert known(engine, self.WHOLE.path) == [self.WHOLE]

    def test_marks_are_told_by_how_they_begin(self, engine: Engine) -> None:
        engine.apply([Mark("project:b", "2"), Mark("project:a", "1"), Mark("projects", "3"), Mark("Project:c", "4")])
        with engine.view() as view:
            assert list(view.marks("project:").items()) == [("project:a", "1"), ("project:b", "2")]


class TestSettling:
    def test_who_refers_to_a_name_that_is_new_is_unsettled_and_others_are_not(self, engine: Engine) -> None:
        keep(engine, source("a", refers="gull"), source("b", refers="heron"), source("c"))
        assert waiting(engine) == []
        keep(engine, source("d", defines="gull"))
        assert waiting(engine) == ["a"]

    def test_who_refers_to_a_name_that_goes_is_unsettled(self, engine: Engine) -> None:
        keep(engine, source("d", defines="gull heron"), source("a", refers="gull"), source("b", refers="heron"))
        keep(engine, source("d", defines="heron"))
        assert waiting(engine) == ["a"]

    def test_who_refers_to_what_a_dropped_file_defined_is_unsettled(self, engine: Engine) -> None:
        keep(engine, source("d", defines="gull"), source("a", refers="gull"), source("b", refers="heron"))
        engine.apply([DropSource("acme", "d")])
        assert waiting(engine) == ["a"]

    @pytest.mark.parametrize("other", [Definition("gull", "acme:d#other"), Definition("gull", "acme:d", "python")])
    def test_a_name_that_means_another_record_or_is_of_another_family_unsettles(self, engine: Engine, other: Definition) -> None:
        keep(engine, source("d", defines="gull"), source("a", refers="gull"))
        keep(engine, replace(source("d"), defines=(other,)))
        assert waiting(engine) == ["a"]

    def test_a_file_that_defines_what_it_did_unsettles_nobody(self, engine: Engine) -> None:
        keep(engine, source("d", defines="gull"), source("a", refers="gull"))
        keep(engine, replace(source("d", defines="gull", refers="tern"), stamp=Stamp(9, 9, "z", "r")))
        assert waiting(engine) == []

    def test_a_file_that_is_put_settled_stays_so_whatever_it_defines_itself(self, engine: Engine) -> None:
        engine.apply([PutSource(source("a", defines="gull", refers="gull")), PutSource(source("b", refers="gull"))])
        assert waiting(engine) == []

    def test_any_of_the_names_that_a_reference_may_mean_unsettles(self, engine: Engine) -> None:
        keep(engine, source("a", refers=""), replace(source("b"), refers=(Reference("acme:b", "links", ("gull", "tern")),)))
        keep(engine, source("d", defines="tern"))
        assert waiting(engine) == ["b"]

    def test_a_reference_that_starts_from_a_name_is_unsettled_by_that_name(self, engine: Engine) -> None:
        keep(engine, replace(source("b"), refers=(Reference("?gull", "links", ("tern",)),)))
        keep(engine, source("d", defines="gull"))
        assert waiting(engine) == ["b"]

    def test_settling_stores_the_links_and_settles(self, engine: Engine) -> None:
        keep(engine, source("a", refers="gull", settled=False))
        assert waiting(engine) == ["a"]
        links = (Edge("acme:a", "acme:d", "links"),)
        engine.apply([Settle("acme", "a", links)])
        assert known(engine, "a") == [source("a", refers="gull", links=links)]
        assert waiting(engine) == []

    def test_unsettled_files_come_by_path_as_many_as_asked_for(self, engine: Engine) -> None:
        keep(engine, *(source(path, settled=False) for path in "cab"))
        assert (waiting(engine), waiting(engine, limit=2)) == (["a", "b", "c"], ["a", "b"])


class TestDefiners:
    def test_who_defines_a_name_is_told_in_order_and_limited(self, engine: Engine) -> None:
        keep(engine, *(source(path, defines="gull") for path in ("c", "a", "b/a", "B")), source("z", defines="heron"))
        assert definers(engine, "gull", "heron", "nobody") == {"gull": ("B", "a", "b/a", "c"), "heron": ("z",)}
        assert definers(engine, "gull", "heron", limit=2) == {"gull": ("B", "a"), "heron": ("z",)}

    def test_a_file_that_defines_a_name_twice_is_told_once(self, engine: Engine) -> None:
        keep(engine, replace(source("a"), defines=(Definition("gull", "acme:a#1"), Definition("gull", "acme:a#2"))))
        assert definers(engine, "gull") == {"gull": ("a",)}


class TestSpaces:
    def test_the_files_of_a_space_are_not_those_of_another(self, engine: Engine) -> None:
        keep(engine, source("a", defines="gull"), source("a", defines="tern", space="other"))
        assert [item.space for item in known(engine, "a", space="other")] == ["other"]
        with engine.view() as view:
            assert view.stamps("nobody") == {}
        engine.apply([DropSource("other", "a")])
        assert [item.space for item in known(engine, "a")] == ["acme"]

    @pytest.mark.parametrize(("space", "name"), [("other", "gull"), ("acm", "egull"), ("acmeg", "ull")])
    def test_names_mean_nothing_in_another_space(self, engine: Engine, space: str, name: str) -> None:
        keep(engine, source("a", refers="gull"), source("b", space=space, defines=name))
        assert waiting(engine) == []
        assert definers(engine, "gull") == {}
        assert definers(engine, name, space=space) == {name: ("b",)}


class TestRenaming:
    def test_a_renamed_record_is_the_same_under_another_key(self, engine: Engine) -> None:
        put(engine, page("a", "gull", "at sea", tags=("bird",), facets={"role": "work"}, space="acme"))
        with engine.view() as view:
            before = view.handles(["a"])
        engine.apply([Rename((("a", "b"),))])
        with engine.view() as view:
            after, gone = view.handles(["b"]), view.handles(["a"])
        # A port's numbers are good for one view. The engines of one file keep them; the cluster makes them of the keys.
        assert gone == [None]
        assert after == before or type(engine).__name__ == "OpenSearchEngine"
        assert after != [None]
        record = get(engine, "b")
        assert record == page("b", "gull", "at sea", tags=("bird",), facets={"role": "work"}, space="acme", version=2)
        assert get(engine, "a") is None

    @pytest.mark.parametrize("lane", [Lane.STEMS, Lane.WORDS, Lane.NAMES, Lane.SUBSTRING, Lane.PREFIX])
    def test_a_renamed_record_is_found_by_what_it_says_and_only_under_its_new_key(self, engine: Engine, lane: Lane) -> None:
        put(engine, page("a", "gull"), page("z", "gull"))
        engine.apply([Rename((("a", "b"),))])
        assert sorted(found(engine, "gull", lane)) == ["b", "z"]

    def test_tags_and_facets_select_a_renamed_record(self, engine: Engine) -> None:
        put(engine, page("a", "gull", tags=("bird",), facets={"role": "work"}))
        engine.apply([Rename((("a", "b"),))])
        assert selected(engine, Scope(tags=("bird",), facets={"role": ("work",)})) == ["b"]

    def test_edges_follow_both_ways_with_their_facets(self, engine: Engine) -> None:
        put(engine, page("a"), page("c"))
        engine.apply([Link(Edge("a", "c", "links", {"line": 1})), Link(Edge("c", "a", "blocks")), Link(Edge("a", "a", "links"))])
        engine.apply([Rename((("a", "b"),))])
        assert edges(engine, ["b"], Direction.ALL) == [Edge("b", "b", "links"), Edge("b", "c", "links"), Edge("c", "b", "blocks")]
        assert edges(engine, ["b"], Direction.OUTGOING)[1].facets == {"line": 1}
        assert not [item for item in everything(engine) if isinstance(item, Edge) and "a" in (item.source, item.target)]

    def test_edges_of_the_same_batch_follow_too(self, engine: Engine) -> None:
        put(engine, page("a"), page("c"))
        engine.apply([Link(Edge("c", "a", "links")), Rename((("a", "b"),))])
        assert edges(engine, ["c"], Direction.OUTGOING) == [Edge("c", "b", "links")]

    def test_children_follow(self, engine: Engine) -> None:
        put(engine, page("a"), page("below", parent="a"), note("n", "sea", "below"))
        engine.apply([Rename((("a", "b"),))])
        assert selected(engine, Scope(ancestor="b")) == ["b", "below", "n"]
        assert selected(engine, Scope(parents=("b",))) == ["below"]
        assert selected(engine, Scope(ancestor="a")) == []

    def test_a_parent_and_its_children_are_renamed_together(self, engine: Engine) -> None:
        put(engine, page("a"), Record("a#x", "symbol", "gull", parent="a"))
        engine.apply([Rename((("a", "b"), ("a#x", "b#x")))])
        assert edges(engine, ["b"], Direction.ALL) == [Edge("b", "b#x", "contains")]
        assert selected(engine) == ["b", "b#x"]

    def test_two_records_can_change_places(self, engine: Engine) -> None:
        put(engine, page("a", "gull"), page("b", "tern"))
        engine.apply([Rename((("a", "b"), ("b", "a")))])
        assert (found(engine, "gull"), found(engine, "tern")) == (["b"], ["a"])

    def test_a_taken_key_is_refused_and_nothing_changes(self, engine: Engine) -> None:
        put(engine, page("a", "gull"), page("b", "tern"))
        with pytest.raises(Conflict, match="'a' cannot become 'b'"):
            engine.apply([Rename((("a", "b"),))])
        assert (found(engine, "gull"), found(engine, "tern")) == (["a"], ["b"])

    def test_the_key_of_a_deleted_record_is_taken(self, engine: Engine) -> None:
        put(engine, page("a"), page("b"))
        engine.apply([Delete("b")])
        with pytest.raises(Conflict):
            engine.apply([Rename((("a", "b"),))])

    def test_nobody_cannot_be_renamed(self, engine: Engine) -> None:
        with pytest.raises(NotFound, match="'nobody'"):
            engine.apply([Rename((("nobody", "b"),))])

    def test_a_record_can_be_renamed_and_written_in_one_batch(self, engine: Engine) -> None:
        put(engine, page("a", "gull"))
        engine.apply([Rename((("a", "b"),)), Put(page("b", "tern"))])
        assert (found(engine, "gull"), found(engine, "tern")) == ([], ["b"])

    def test_the_old_key_is_free_at_once(self, engine: Engine) -> None:
        put(engine, page("a", "gull"))
        engine.apply([Rename((("a", "b"),)), Put(page("a", "tern"))])
        assert (found(engine, "gull"), found(engine, "tern")) == (["b"], ["a"])
        assert [finding for finding in engine.examine() if not finding.ok] == []


class TestParentEdges:
    FAMILY = (
        page("a"),
        Record("s", "symbol", "gull", parent="a"),
        Record("t", "symbol", "tern", parent="s"),
        page("p", parent="a"),
    )

    def test_a_parents_edge_to_its_child_is_there_both_ways_without_being_written(self, engine: Engine) -> None:
        put(engine, *self.FAMILY)
        assert edges(engine, ["a"], Direction.OUTGOING) == [Edge("a", "s", "contains")]
        assert edges(engine, ["s"], Direction.INCOMING) == [Edge("a", "s", "contains")]
        assert edges(engine, ["s"], Direction.ALL) == [Edge("a", "s", "contains"), Edge("s", "t", "contains")]
        assert not [item for item in everything(engine) if isinstance(item, Edge)]

    def test_it_is_told_by_kind(self, engine: Engine) -> None:
        put(engine, *self.FAMILY)
        engine.apply([Link(Edge("a", "s", "links"))])
        assert edges(engine, ["s"], Direction.INCOMING, "contains") == [Edge("a", "s", "contains")]
        assert edges(engine, ["s"], Direction.INCOMING, "links") == [Edge("a", "s", "links")]

    @pytest.mark.parametrize("end", ["a", "s"])
    def test_it_rests_while_either_is_deleted(self, engine: Engine, end: str) -> None:
        put(engine, *self.FAMILY)
        engine.apply([Delete(end)])
        assert Edge("a", "s", "contains") not in edges(engine, ["a", "s"], Direction.ALL)
        engine.apply([Restore(end)])
        assert Edge("a", "s", "contains") in edges(engine, ["a", "s"], Direction.ALL)

    def test_it_goes_along_when_a_child_moves(self, engine: Engine) -> None:
        put(engine, *self.FAMILY)
        put(engine, Record("t", "symbol", "tern", parent="a"))
        assert edges(engine, ["t"], Direction.INCOMING) == [Edge("a", "t", "contains")]

    def test_one_that_is_also_written_is_told_once(self, engine: Engine) -> None:
        put(engine, *self.FAMILY)
        engine.apply([Link(Edge("a", "s", "contains"))])
        assert edges(engine, ["a"], Direction.OUTGOING) == [Edge("a", "s", "contains")]
