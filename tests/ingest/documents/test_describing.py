from datetime import date

from dowse.ingest.documents.describing import facets, tags


def test_dates_are_facets_as_iso_text() -> None:
    assert facets({"date": date(2024, 5, 1)}) == {"date": "2024-05-01"}


def test_names_that_mean_something_else_are_no_facets() -> None:
    front = {"kind": "a", "Title": "b", "tags": "c", "placeholder": True, "language": "d", "path": "e"}
    assert facets(front) == {}


def test_names_are_cut_to_identifiers() -> None:
    assert facets({"sidebar: label!": 1, "??": 2}) == {"sidebar_label": 1}


def test_what_no_engine_can_keep_is_left_out() -> None:
    assert facets({"huge": 10**30, "nan": float("nan"), "none": None, "empty": "", "deep": [["x"]], "map": {"a": 1}}) == {}


def test_tags_are_sorted_and_said_once() -> None:
    assert tags({"tags": ["#b", "a", "a", 7, None, ""]}) == ("7", "a", "b")
