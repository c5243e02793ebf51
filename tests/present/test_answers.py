from dowse.domains.everything import SCHEMA, SURFACES
from dowse.model.page import Branch, Listing, Neighbour
from dowse.model.ranking import Explanation, ListScore
from dowse.model.record import Edge, Record
from dowse.present.answers import answer_json

RECORD = Record("a", "page", "A", {"content": "x"}, tags=("t",))


def test_a_record_is_the_same_wherever_it_stands() -> None:
    alone = answer_json(RECORD)
    assert answer_json(Branch(RECORD, (Branch(RECORD),))) == {"record": alone, "children": [{"record": alone, "children": []}]}
    assert answer_json(Neighbour(Edge("b", "a", "links_to"), False, RECORD))["record"] == alone


def test_a_listing_says_where_the_next_page_begins() -> None:
    answer = answer_json(Listing((RECORD,), 3, 0, 1))
    assert {name: answer[name] for name in ("total", "offset", "limit", "nextOffset")} == {
        "total": 3,
        "offset": 0,
        "limit": 1,
        "nextOffset": 1,
    }


def test_an_explanation_keeps_its_lists() -> None:
    answer = answer_json(Explanation("a", True, "It is hit 1 of 1.", 1, 2.0, (ListScore("text", 1, 2.0, 2.0),)))
    assert answer["lists"] == [{"name": "text", "rank": 1, "raw": 2.0, "share": 2.0}]
    assert answer["missing"] == []


def test_a_surface_tells_its_parameters_and_no_internals() -> None:
    answer = answer_json(SURFACES["architecture"])
    assert list(answer) == ["name", "about", "kinds", "modes", "mode", "limit", "parameters"]
    assert [item["name"] for item in answer["parameters"]] == ["kind", "limit"]


def test_a_kind_tells_its_fields_facets_and_choices() -> None:
    answer = answer_json(SCHEMA.kinds["note"])
    assert (answer["fields"], answer["facets"], answer["parents"]) == (
        ["body"],
        ["noteKey", "role", "path", "url", "author"],
        ["item"],
    )
    assert "queue" in answer["choices"]["role"]
