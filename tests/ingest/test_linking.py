"""Does a name mean what a reader of the file would take it to mean?"""

from collections.abc import Iterator

import pytest
from indexed import opened

from dowse.ingest.linking import Linker, path_definitions
from dowse.model.change import Link, Put, PutSource, Settle, Unlink
from dowse.model.record import Edge, Record
from dowse.model.source import Definition, Reference, Source, Stamp
from dowse.ports import Engine

STAMP = Stamp(1, 1, "", "")


@pytest.fixture
def engine() -> Iterator[Engine]:
    with opened() as engine:
        yield engine


def defined(path: str, *names: str, family: str = "") -> Source:
    """A file in which each name is a part of its own; a name with a number behind ``~`` is a second part of that name."""
    parts = tuple(Definition(name.partition("~")[0], f"acme:{path}#{name}", family) for name in names)
    return Source("acme", path, STAMP, (), (*path_definitions(path, f"acme:{path}"), *parts))


def referring(path: str, *refers: Reference, defines: tuple[Definition, ...] = ()) -> Source:
    return Source("acme", path, STAMP, (), (*path_definitions(path, f"acme:{path}"), *defines), refers)


def call(path: str, *names: str, kind: str = "calls", family: str = "") -> Reference:
    return Reference(f"acme:{path}", kind, names, family)


def meant(engine: Engine, *sources: Source) -> dict[str, list[str]]:
    """What the references of each file mean, once all of them are settled."""
    engine.apply([PutSource(source) for source in sources])
    linker = Linker("acme")
    with engine.view() as view:
        waiting = view.unsettled("acme", 100)
        changes = linker.changes(view, waiting)
    engine.apply(changes)
    settled = [change for change in changes if isinstance(change, Settle)]
    return {change.path: sorted(f"{edge.kind} {edge.target.removeprefix('acme:')}" for edge in change.links) for change in settled}


class TestWhere:
    def test_what_a_file_defines_itself_hides_what_it_imports(self, engine: Engine) -> None:
        own = referring(
            "app.py",
            call("app.py", "lib.py", kind="imports"),
            call("app.py", "gull"),
            defines=(Definition("gull", "acme:app.py#gull"),),
        )
        assert meant(engine, own, defined("lib.py", "gull"))["app.py"] == ["calls app.py#gull", "imports lib.py"]

    def test_what_a_file_imports_goes_before_everything_else(self, engine: Engine) -> None:
        own = referring("app.py", call("app.py", "lib.py", kind="imports"), call("app.py", "gull"))
        others = (defined("lib.py", "gull"), defined("other.py", "gull"))
        assert meant(engine, own, *others)["app.py"] == ["calls lib.py#gull", "imports lib.py"]

    def test_a_name_that_one_file_of_all_defines_means_that(self, engine: Engine) -> None:
        others = (defined("lib.py", "gull"), defined("other.py", "tern"))
        assert meant(engine, referring("app.py", call("app.py", "gull")), *others)["app.py"] == ["calls lib.py#gull"]

    def test_a_name_that_several_define_means_nothing(self, engine: Engine) -> None:
        others = (defined("lib.py", "gull"), defined("other.py", "gull"))
        assert meant(engine, referring("app.py", call("app.py", "gull")), *others)["app.py"] == []

    def test_a_name_that_an_imported_file_defines_twice_means_nothing(self, engine: Engine) -> None:
        own = referring("app.py", call("app.py", "lib.py", kind="imports"), call("app.py", "gull"))
        assert meant(engine, own, defined("lib.py", "gull", "gull~2"))["app.py"] == ["imports lib.py"]

    def test_what_a_file_defines_twice_itself_is_not_looked_for_elsewhere(self, engine: Engine) -> None:
        twice = (Definition("gull", "acme:app.py#gull"), Definition("gull", "acme:app.py#gull~2"))
        own = referring("app.py", call("app.py", "gull"), defines=twice)
        assert meant(engine, own, defined("lib.py", "gull"))["app.py"] == []

    def test_two_names_for_the_same_record_are_one_meaning(self, engine: Engine) -> None:
        twice = (Definition("gull", "acme:lib.py#gull"), Definition("gull", "acme:lib.py#gull", "python"))
        lib = referring("lib.py", defines=twice)
        assert meant(engine, referring("app.py", call("app.py", "gull")), lib)["app.py"] == ["calls lib.py#gull"]

    def test_a_record_never_means_itself(self, engine: Engine) -> None:
        own = referring("app.py", call("app.py#gull", "gull"), defines=(Definition("gull", "acme:app.py#gull"),))
        assert meant(engine, own, defined("lib.py", "gull"))["app.py"] == ["calls lib.py#gull"]

    def test_a_name_that_dozens_define_still_means_the_imported_one(self, engine: Engine) -> None:
        many = [defined(f"m{number:02}.py", "run") for number in range(40)]
        own = referring("app.py", call("app.py", "m07.py", kind="imports"), call("app.py", "run"))
        other = referring("other.py", call("other.py", "run"))
        found = meant(engine, own, other, *many)
        assert (found["app.py"], found["other.py"]) == (["calls m07.py#run", "imports m07.py"], [])


class TestPaths:
    def test_an_ending_of_a_path_means_the_file_that_lies_nearest(self, engine: Engine) -> None:
        own = referring("web/src/app.js", call("web/src/app.js", "util.js", kind="imports"))
        others = (defined("web/src/lib/util.js"), defined("web/util.js"), defined("api/util.js"))
        assert meant(engine, own, *others)["web/src/app.js"] == ["imports web/src/lib/util.js"]

    def test_of_two_that_lie_equally_near_none_is_meant(self, engine: Engine) -> None:
        own = referring("web/app.js", call("web/app.js", "util.js", kind="imports"))
        assert meant(engine, own, defined("web/a/util.js"), defined("web/b/util.js"))["web/app.js"] == []

    def test_a_whole_path_means_that_file_wherever_others_lie(self, engine: Engine) -> None:
        own = referring("web/app.js", call("web/app.js", "/util.js", kind="imports"))
        assert meant(engine, own, defined("web/util.js"), defined("util.js"))["web/app.js"] == ["imports util.js"]

    def test_symbols_are_not_chosen_by_nearness(self, engine: Engine) -> None:
        own = referring("web/app.js", call("web/app.js", "gull"))
        assert meant(engine, own, defined("web/a.js", "gull"), defined("api/a.js", "gull"))["web/app.js"] == []


class TestNames:
    def test_the_first_name_that_means_one_thing_is_meant(self, engine: Engine) -> None:
        own = referring("app.py", call("app.py", "nobody", "gull", "tern", "heron"))
        others = (defined("a.py", "gull", "tern"), defined("b.py", "gull", "heron"))
        assert meant(engine, own, *others)["app.py"] == ["calls a.py#tern"]

    def test_a_name_is_looked_for_within_its_family(self, engine: Engine) -> None:
        own = referring("app.py", call("app.py", "gull", family="python"))
        others = (defined("a.py", "gull", family="python"), defined("a.js", "gull", family="javascript"), defined("a.md", "gull"))
        assert meant(engine, own, *others)["app.py"] == ["calls a.py#gull"]

    def test_without_a_family_every_language_counts(self, engine: Engine) -> None:
        others = (defined("a.py", "gull", family="python"), defined("a.js", "tern", family="javascript"))
        own = referring("a.md", call("a.md", "gull", kind="documents"), call("a.md", "tern", kind="documents"))
        assert meant(engine, own, *others)["a.md"] == ["documents a.js#tern", "documents a.py#gull"]

    def test_an_edge_can_start_from_a_name_as_well(self, engine: Engine) -> None:
        drawn = referring("edges.yaml", Reference("?node:gull", "uses", ("node:tern",)))
        engine.apply([PutSource(drawn), PutSource(defined("nodes.yaml", "node:gull", "node:tern"))])
        with engine.view() as view:
            changes = Linker("acme").changes(view, view.sources("acme", ["edges.yaml"]))
        assert Link(Edge("acme:nodes.yaml#node:gull", "acme:nodes.yaml#node:tern", "uses")) in changes

    @pytest.mark.parametrize("names", [("node:gull", "node:gull~2"), ()])
    def test_an_edge_from_a_name_that_means_nothing_or_two_things_is_none(self, engine: Engine, names: tuple[str, ...]) -> None:
        drawn = referring("edges.yaml", Reference("?node:gull", "uses", ("node:tern",)))
        assert meant(engine, drawn, defined("nodes.yaml", "node:tern", *names))["edges.yaml"] == []

    def test_an_edge_from_a_name_to_itself_is_none(self, engine: Engine) -> None:
        drawn = referring("edges.yaml", Reference("?node:gull", "uses", ("node:gull",)))
        assert meant(engine, drawn, defined("nodes.yaml", "node:gull"))["edges.yaml"] == []


class TestCircles:
    def test_files_that_import_each_other_are_both_linked(self, engine: Engine) -> None:
        one = referring(
            "a.py",
            call("a.py", "b.py", kind="imports"),
            call("a.py", "tern"),
            defines=(Definition("gull", "acme:a.py#gull"),),
        )
        other = referring(
            "b.py",
            call("b.py", "a.py", kind="imports"),
            call("b.py", "gull"),
            defines=(Definition("tern", "acme:b.py#tern"),),
        )
        elsewhere = defined("c.py", "gull", "tern")
        assert meant(engine, one, other, elsewhere) == {
            "a.py": ["calls b.py#tern", "imports b.py"],
            "b.py": ["calls a.py#gull", "imports a.py"],
            "c.py": [],
        }

    def test_a_file_that_imports_itself_has_no_edge_to_itself(self, engine: Engine) -> None:
        assert meant(engine, referring("a.py", call("a.py", "a.py", kind="imports")))["a.py"] == []


def test_an_edge_that_is_no_longer_meant_is_taken_away_and_one_that_still_is_stays(engine: Engine) -> None:
    engine.apply([Put(Record(f"acme:{path}", "file", path, {"path": path}, "acme")) for path in ("a.md", "b.md", "c.md")])
    own = referring("a.md", call("a.md", "b.md", kind="references"), call("a.md", "c.md", kind="references"))
    meant(engine, own, defined("b.md"), defined("c.md"))
    again = defined("b.md", "new")
    engine.apply([PutSource(Source("acme", "c.md", STAMP)), PutSource(again)])
    with engine.view() as view:
        changes = Linker("acme").changes(view, view.sources("acme", ["a.md"]))
    assert [change for change in changes if isinstance(change, Link)] == []
    assert [change for change in changes if isinstance(change, Unlink)] == [Unlink("acme:a.md", "acme:c.md", "references")]
