"""Domains are values: what they declare fits together."""

import pytest

from dowse.app.requesting import to_request
from dowse.domains.everything import SCHEMA, SURFACES
from dowse.domains.library import identity
from dowse.domains.pages import slug, wiki_links
from dowse.domains.preparing import default_key, prepare
from dowse.model.page import Page
from dowse.model.record import Record
from dowse.model.request import Lane
from dowse.model.surface import Surface
from dowse.present.shape import shape


@pytest.mark.parametrize("surface", SURFACES.values(), ids=SURFACES)
def test_a_surface_searches_known_kinds_and_fields(surface: Surface) -> None:
    assert set(surface.kinds) <= set(SCHEMA.kinds)
    assert set(surface.fold_kinds) <= set(SCHEMA.kinds)
    assert set(surface.excerpt_fields) <= {
        field.name for kind in surface.kinds or SCHEMA.kinds for field in SCHEMA.kinds[kind].fields
    }
    assert surface.mode in surface.lists
    assert surface.about


@pytest.mark.parametrize("name", SURFACES)
def test_the_lists_of_a_mode_have_names_of_their_own(name: str) -> None:
    for lists in SURFACES[name].lists.values():
        assert len({item.name for item in lists}) == len(lists)
        assert all(0 < item.weight <= 2 for item in lists)


@pytest.mark.parametrize("name", SURFACES)
def test_an_empty_page_has_the_shape_of_its_surface(name: str) -> None:
    empty = shape(Page((), 0, 0, 10), SURFACES[name])
    assert empty == [] if SURFACES[name].shape.bare else [] in empty.values()


@pytest.mark.parametrize("name", SURFACES)
def test_every_parameter_reaches_the_request(name: str) -> None:
    samples = {
        "string": "word",
        "id": "abcd",
        "integer": 1,
        "number": 0.5,
        "boolean": True,
        "strings": ["x"],
        "facets": {"role": "work"},
    }
    given = {
        parameter.name: parameter.choices[0] if parameter.choices else samples[parameter.type]
        for parameter in SURFACES[name].parameters
    }
    default = to_request("q", SURFACES[name], {}, str, lambda library, _: library) if name != "docs" else None
    for parameter, value in given.items():
        needed = {"repositoryId": "/a/b"} if name == "docs" and parameter != "repositoryId" else {}
        request = to_request(
            "q", SURFACES[name], {parameter: value, **needed}, str, lambda library, version: f"{library}@{version}"
        )
        assert request != default, parameter


def test_kinds_name_kinds_and_choose_among_their_own_facets() -> None:
    for kind in SCHEMA.kinds.values():
        assert set(kind.parents) <= set(SCHEMA.kinds)
        assert set(kind.choices) <= set(kind.facets)
        assert not (kind.parent_required and not kind.parents)
        assert len({field.name for field in kind.fields}) == len(kind.fields)


@pytest.mark.requirement("G-03", "G-05")
def test_decays_are_shares_and_only_imports_are_one_way() -> None:
    assert all(edge.decay is None or 0 < edge.decay <= 1 for edge in SCHEMA.edges.values())
    assert [edge.name for edge in SCHEMA.edges.values() if not edge.incoming] == ["imports"]


@pytest.mark.requirement("I-06")
def test_pages_weigh_title_ten_tags_five_and_content_one() -> None:
    (words, *_) = SURFACES["pages"].lists[SURFACES["pages"].mode]
    assert words.lane is Lane.STEMS
    assert words.column_weights[:3] == (10.0, 1.0, 5.0)


@pytest.mark.parametrize(
    ("title", "expected"), [("Design: the Router!", "design-the-router"), ("Ünï 東京_x", "ünï-東京-x"), ("—", "")]
)
def test_a_slug_is_made_of_the_words_of_a_title(title: str, expected: str) -> None:
    assert slug(title) == expected


@pytest.mark.parametrize(
    ("content", "targets"),
    [
        ("[[A Page]]", ["a-page"]),
        ("[[Shown|real]] [[Shown|real]]", ["real"]),
        ("[[]] [[ ]] [[a|b|c]] [a] [[a]", []),
        ("[[me]] [[One]][[Two]]", ["one", "two"]),
    ],
)
def test_wiki_links_are_edges_to_slugs(content: str, targets: list[str]) -> None:
    assert [edge.target for edge in wiki_links(Record("me", "page", fields={"content": content}))] == targets


def test_a_kind_derives_what_callers_leave_out() -> None:
    assert prepare(Record("home", "page")).facets == {"slug": "home"}
    assert prepare(Record("service.a", "node")).title == "service.a"
    assert prepare(Record("a#note/plan", "note", parent="a")).facets == {"noteKey": "plan"}
    library = prepare(Record("/acme/kit", "library"))
    assert (library.title, library.fields["identifier"]) == ("kit", "/acme/kit")
    assert default_key("note", "", "a", {"noteKey": "plan"}) == "a#note/plan"
    assert default_key("item", "Title", None, {}) is None


@pytest.mark.requirement("R-08", "R-09")
@pytest.mark.parametrize(
    ("name", "expected"), [("React Router", 100), ("react", 50), ("router", 20), ("declarative", 20), ("vue", 0), ("%", 0), ("", 0)]
)
def test_how_surely_a_name_means_a_library(name: str, expected: float) -> None:
    library = Record("/remix-run/react-router", "library", "React Router", {"description": "Declarative routing"})
    assert identity(library, name) == expected
