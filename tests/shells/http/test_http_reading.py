"""What does a request ask for? In a query string, and in a JSON body."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.app.operations import OPERATIONS
from dowse.errors import InvalidRequest
from dowse.shells.http.reading import from_json, from_query

SEARCH, LIST, IMPORT = OPERATIONS["search"], OPERATIONS["list"], OPERATIONS["import"]


def test_lists_repeat_their_name_and_objects_name_their_members() -> None:
    assert from_query(SEARCH, b"query=a+b&kinds=item&kinds=page&facets.role=work&parameters.scope.role=x&limit=5") == {
        "query": "a b",
        "kinds": ["item", "page"],
        "facets": {"role": "work"},
        "parameters": {"scope.role": "x"},
        "limit": "5",
    }


def test_members_may_stand_in_brackets_as_openapi_writes_them() -> None:
    assert from_query(LIST, b"facets[role]=work&facets%5Bpriority%5D=high") == {"facets": {"role": "work", "priority": "high"}}


def test_a_member_given_twice_has_both_values() -> None:
    assert from_query(LIST, b"facets.role=a&facets.role=b&facets.role=c") == {"facets": {"role": ["a", "b", "c"]}}


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (b"query=x&limt=3", "Did you mean 'limit'"),
        (b"query=x&query=y", "query is given twice"),
        (b"query=x&facets=y", "facets is an object"),
        (b"query=x&kinds.a=y", "no parameter 'kinds.a'"),
        (b"query=%ff", "no valid UTF-8"),
        (b"query=x&fresh=true", "does not take 'fresh'"),
    ],
)
def test_what_cannot_be_meant_is_refused(query: bytes, message: str) -> None:
    with pytest.raises(InvalidRequest, match=message):
        from_query(SEARCH, query, leave_out=("fresh",))


@pytest.mark.parametrize("name", [b"path", b"report"])
def test_what_no_query_string_can_carry_is_refused(name: bytes) -> None:
    with pytest.raises(InvalidRequest, match="does not take"):
        from_query(IMPORT, name + b"=/etc/passwd")


def test_no_body_stands_for_an_empty_object() -> None:
    assert from_json(LIST, b"") == {}
    assert from_json(LIST, b"{}") == {}


def test_values_of_a_body_are_taken_as_they_are() -> None:
    body = '{"query": "wähle", "limit": 5, "facets": {"stars": 3, "role": ["a"]}}'
    assert from_json(SEARCH, body.encode()) == {"query": "wähle", "limit": 5, "facets": {"stars": 3, "role": ["a"]}}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{", "no valid JSON"),
        (b"[]", "must be a JSON object"),
        (b'{"query": "x", "limit": "5"}', "limit must be a whole number"),
        (b'{"query": "x", "limit": true}', "limit must be a whole number"),
        (b'{"query": "x", "limit": null}', "limit must be a whole number"),
        (b'{"query": "x", "kinds": "item"}', "kinds must be a list of texts"),
        (b'{"query": "x", "kinds": [1]}', "kinds must be a list of texts"),
        (b'{"query": "x", "facets": []}', "facets must be an object"),
        (b'{"query": "x", "explain": 1}', "explain must be true or false"),
        (b'{"query": "x", "limt": 1}', "Did you mean 'limit'"),
        (b'{"query": "\\ud800"}', "no valid JSON"),
        (b'{"query": "x", "limit": NaN}', "no number that JSON knows"),
        (b"\xff", "no valid JSON"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_body_that_does_not_fit_is_refused(body: bytes, message: str) -> None:
    with pytest.raises(InvalidRequest, match=message):
        from_json(SEARCH, body)


@given(st.binary(max_size=200))
def test_any_query_string_and_any_body_are_read_or_refused(text: bytes) -> None:
    for read in (from_query, from_json):
        try:
            read(SEARCH, text)
        except InvalidRequest:
            continue
