"""What the campaigns on requests, messages and queries found: values and headers that ended in an error of ours."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from starlette.testclient import TestClient

from dowse.app.operations import OPERATIONS
from dowse.app.workspace import Workspace
from dowse.errors import InvalidRequest, NotFound
from dowse.shells.http.app import App, Serving
from dowse.shells.mcp.seeds import TOOLS_OF
from dowse.shells.mcp.server import Service

HUGE = 10**400


@pytest.fixture
def client(by_words: Workspace, tmp_path: Path) -> Iterator[TestClient]:
    app = App(by_words, Serving(roots=(tmp_path,)))
    with TestClient(app, "http://localhost", client=("127.0.0.1", 50000), raise_server_exceptions=False) as made:
        yield made


def test_an_origin_that_is_no_address_is_refused(client: TestClient) -> None:
    answer = client.get("/api/status", headers={"Origin": "http://[::1"})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


def test_a_length_of_thousands_of_digits_is_refused(client: TestClient) -> None:
    answer = client.post("/api/search", headers={"Content-Length": "9" * 5000, "Content-Type": "application/json"}, content=b"{}")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")


def test_a_number_beyond_all_numbers_is_refused_by_every_surface(by_words: Workspace) -> None:
    for surface in by_words.surfaces.values():
        for parameter in surface.parameters:
            if parameter.type == "number":
                with pytest.raises(InvalidRequest):
                    by_words.search("tide", surface=surface.name, **{parameter.name: HUGE})


def test_a_number_beyond_all_numbers_is_refused_by_every_operation() -> None:
    numbers = [
        (operation, item.name) for operation in OPERATIONS.values() for item in operation.parameters if item.type == "number"
    ]
    assert numbers
    for operation, name in numbers:
        required = {item.name: "x" for item in operation.parameters if item.required}
        with pytest.raises(InvalidRequest, match=f"{name} must be a number, not 1000"):
            operation.check({**required, name: HUGE})


def test_what_is_quoted_of_a_wrong_value_is_short() -> None:
    with pytest.raises(InvalidRequest) as caught:
        OPERATIONS["search"].check({"query": ["x" * 100_000]})
    assert len(str(caught.value)) < 300


def test_half_a_character_is_asked_for_like_any_other_text(workspace: Workspace) -> None:
    workspace.put(kind="page", title="Tide", content="The gauge tells how high the tide is.")
    for query in ("tide \udc80", "\ud800", 'title:"\udfff tide"', "tide\ud83d*"):
        for mode in ("auto", "text", "substring", "keyword", "hybrid"):
            workspace.search(query, mode=mode)
    assert workspace.search("tide \udc80 gauge").total == 1


@pytest.mark.parametrize(
    "body", [b'{"text": "\xed\xa0\x80 tide"}', b'{"text": "\\ud800 tide"}', '{"text": "tide"}'.encode("utf-16")]
)
def test_a_body_that_is_no_utf8_is_refused(client: TestClient, body: bytes) -> None:
    """Python's reader of JSON takes bytes for text that stand for half a character, and other encodings."""
    answer = client.post("/api/remember", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")


def test_half_a_character_is_not_remembered(by_words: Workspace) -> None:
    for values in ({"text": "\ud800"}, {"text": "tide", "title": "\udc80"}, {"text": "tide", "space": "\udfff"}):
        with pytest.raises(InvalidRequest, match="no valid Unicode"):
            by_words.remember(**values)


def answered(workspace: Workspace, tool: str, **arguments: Any) -> Any:
    async def ask() -> Any:
        service = Service(lambda _: workspace, tuple(TOOLS_OF), 8000)
        async with Client(service.server()) as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("import", {"path": 5}),
        ("code_search", {"query": 5}),
        ("docs_search", {"query": ["a", "b"]}),
        ("get_page", {"slug": ["a"]}),
        ("tasks_search", {"query": "a", "minScore": HUGE}),
        ("query-docs", {"libraryId": "/local/rich", "query": "a", "tokens": "many"}),
    ],
)
def test_a_value_of_another_type_is_told_to_the_agent(by_words: Workspace, tool: str, arguments: dict[str, Any]) -> None:
    answer = answered(by_words, tool, **arguments)
    assert answer.is_error
    assert answer.content[0].text.startswith("invalid_request: ")


@pytest.mark.parametrize("name", ["self", "query", "key", "surface", "graph"])
@pytest.mark.parametrize("operation", ["search", "why_not"])
def test_what_a_search_takes_by_itself_is_no_parameter_of_a_surface(by_words: Workspace, operation: str, name: str) -> None:
    chosen = OPERATIONS[operation]
    values = {item.name: "tide" for item in chosen.parameters if item.required}
    with pytest.raises(InvalidRequest, match=f"has no parameter '{name}'"):
        chosen.run(by_words, chosen.check({**values, "parameters": {name: "x"}}))


@pytest.mark.parametrize("kind", ["", "file:", "git:", "npm:", "archive:", "llms:", "pypi:"])
def test_a_library_whose_name_no_file_can_have_is_not_found(client: TestClient, kind: str) -> None:
    answer = client.post("/api/library-add", json={"source": f"{kind}{'project' * 60}", "id": "/acme/rocket"})
    assert answer.status_code < 500
    assert answer.json()["code"] in ("not_found", "forbidden", "invalid_request")


@pytest.mark.parametrize(
    ("operation", "parameter"),
    [("index", "folder"), ("backup", "path"), ("restore-backup", "path"), ("library-add", "source")],
)
def test_a_path_that_no_file_can_have_is_refused(client: TestClient, tmp_path: Path, operation: str, parameter: str) -> None:
    answer = client.post(f"/api/{operation}", json={parameter: str(tmp_path / ("long" * 100))})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")


@pytest.mark.parametrize("kind", ["", "file:", "git:", "npm:", "archive:", "llms:"])
def test_the_home_of_nobody_is_no_source_of_a_library(client: TestClient, workspace: Workspace, kind: str) -> None:
    source = f"{kind}~nobody-of-that-name/kit"
    answer = client.post("/api/library-add", json={"source": source})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    with pytest.raises(NotFound):
        workspace.add_library(source)
