"""Operations are declared once: complete, consistent, and free of any shell's words."""

import re
from collections.abc import Iterator

import pytest

import dowse
from dowse.app.operations import OPERATIONS, Type
from dowse.app.operations.find import on_surface
from dowse.app.workspace import Workspace
from dowse.domains.everything import SURFACES
from dowse.errors import InvalidRequest


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with dowse.open(":memory:") as opened:
        opened.put(kind="item", key="task-1", title="Cap the retries", role="work")
        opened.put(kind="node", key="service.courier", summary="Retries with a cap", facets={"kind": "service"})
        yield opened


def test_the_operations_are_these() -> None:
    assert sorted(OPERATIONS) == [
        *("backlinks", "backup", "bench", "context", "delete", "doctor", "embed", "export", "forget", "get", "import", "index"),
        *("kinds", "library_add", "library_list", "library_remove", "library_update", "link", "list", "model_add"),
        *("model_list", "model_use", "neighbours", "projects", "put", "query_docs", "recall", "reindex", "related"),
        *("remember", "rename_tag", "resolve_library", "restore", "restore_backup", "search", "search_files", "similar", "status"),
        *("surfaces", "tag", "token_add", "token_list", "token_revoke", "tree", "unlink", "update", "why_not"),
    ]


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_an_operation_says_what_it_does_and_gives_an_example_that_checks(operation: dowse.app.operations.Operation) -> None:
    assert operation.summary.endswith(".")
    assert operation.examples
    for example in operation.examples:
        operation.check(example)
    for parameter in operation.parameters:
        assert parameter.about or parameter.type is Type.REPORT
        assert not (parameter.required and parameter.default is not None)


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_an_operation_knows_nothing_of_shells(operation: dowse.app.operations.Operation) -> None:
    words = " ".join([operation.summary, *(parameter.about for parameter in operation.parameters)])
    assert not re.search(r"--\w|\bHTTP\b|\bMCP\b|\bargv\b|\bflag\b", words)


def test_an_unknown_name_is_refused_with_the_close_one() -> None:
    with pytest.raises(InvalidRequest, match="Did you mean 'limit'"):
        OPERATIONS["search"].check({"query": "x", "limt": 3})


def test_a_missing_value_is_named() -> None:
    with pytest.raises(InvalidRequest, match="why_not needs key, query"):
        OPERATIONS["why_not"].check({})


@pytest.mark.parametrize("value", ["many", True, 1.5, [1]])
def test_a_value_of_another_type_is_refused(value: object) -> None:
    with pytest.raises(InvalidRequest, match="limit must be a whole number"):
        OPERATIONS["search"].check({"query": "x", "limit": value})


def test_an_id_that_is_no_valid_unicode_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="key must be an id"):
        OPERATIONS["get"].check({"key": "\udcff"})


def test_text_is_read_as_the_type_needs() -> None:
    checked = OPERATIONS["search"].check({"query": "x", "limit": "3", "explain": "yes", "kinds": "item"})
    assert (checked["limit"], checked["explain"], checked["kinds"]) == (3, True, ("item",))


def test_a_common_name_becomes_the_surfaces_own() -> None:
    values = {"under": "task-1", "tags": ("net",), "mode": "text", "facets": {"role": "work"}, "limit": 3}
    assert on_surface(SURFACES["items"], values) == {
        "scope.ancestorId": "task-1",
        "scope.tags": ("net",),
        "matchMode": "text",
        "scope.role": "work",
        "limit": 3,
    }
    assert on_surface(SURFACES["code_search"], {"limit": 3, "mode": "keyword"}) == {"maxResults": 3, "searchMode": "keyword"}


@pytest.mark.requirement("B-11")
def test_kinds_are_kinds_of_records_or_on_architecture_of_nodes(workspace: Workspace) -> None:
    search = OPERATIONS["search"]
    everywhere = search.perform(workspace, {"query": "retries", "kinds": ["item"]})
    nodes = search.perform(workspace, {"query": "retries", "kinds": ["service"], "surface": "architecture"})
    assert [hit.record.key for hit in everywhere.hits] == ["task-1"]
    assert [hit.record.key for hit in nodes.hits] == ["service.courier"]
    with pytest.raises(InvalidRequest, match="one value"):
        search.perform(workspace, {"query": "retries", "kinds": ["service", "adr"], "surface": "architecture"})


def test_what_a_surface_cannot_do_is_refused_never_ignored(workspace: Workspace) -> None:
    with pytest.raises(InvalidRequest, match="architecture cannot be asked for offset"):
        OPERATIONS["search"].perform(workspace, {"query": "x", "surface": "architecture", "offset": 10})


def test_a_limit_of_nothing_is_refused_never_taken_for_none(workspace: Workspace) -> None:
    with pytest.raises(InvalidRequest, match="limit is 0"):
        OPERATIONS["search"].perform(workspace, {"query": "x", "limit": 0})


def test_a_surfaces_own_parameter_wins_and_is_read_as_its_type(workspace: Workspace) -> None:
    page = OPERATIONS["search"].perform(
        workspace, {"query": "retries", "surface": "items", "limit": 9, "parameters": {"limit": "2"}}
    )
    assert page.limit == 2


def test_operations_return_the_nouns_of_the_model(workspace: Workspace) -> None:
    made = OPERATIONS["put"].perform(workspace, {"kind": "page", "title": "Tides", "set": {"content": "High water."}})
    assert made == OPERATIONS["get"].perform(workspace, {"key": "tides"})
    assert OPERATIONS["update"].perform(workspace, {"key": "tides", "tags": ["sea"]}).tags == ("sea",)
    assert OPERATIONS["delete"].perform(workspace, {"key": "tides"}) == {"deleted": 1}
    assert OPERATIONS["list"].perform(workspace, {"kinds": ["page"]}).total == 0
