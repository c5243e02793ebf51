"""Do Python, the command line and REST give the same? Over all operations, one after the other, each on its own copy."""

import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from every_operation import CALLS, ELSEWHERE, SAMPLE, Values, calls, comparable, prepare
from running_http import calling
from starlette.testclient import TestClient

import dowse
from dowse.app.answering import answer
from dowse.app.operations import OPERATIONS, Type
from dowse.app.workspace import Workspace
from dowse.shells.cli.commands import COMMANDS
from dowse.shells.cli.main import run
from dowse.shells.http.app import App, Serving
from dowse.shells.http.routing import ENDPOINTS, Endpoint


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[Any, Any, Any]]]:
    """For each operation what Python, the command line and REST answered, call by call."""
    places = {name: tmp_path_factory.mktemp(name) / "same" for name in ("python", "cli", "rest")}
    places["python"].mkdir()
    prepare(places["python"])
    with dowse.open(places["python"] / "test.dowse") as workspace:
        workspace.import_file(SAMPLE)
    for name in ("cli", "rest"):
        shutil.copytree(places["python"], places[name])
    found: dict[str, list[tuple[Any, Any, Any]]] = {}
    with pytest.MonkeyPatch.context() as patch, dowse.open(places["python"] / "test.dowse") as python:
        for name in ("DOWSE_WORKSPACE", "DOWSE_MODEL", "DOWSE_MODELS"):
            patch.delenv(name, raising=False)
        with dowse.open(places["rest"] / "test.dowse") as rest, calling(App(rest, Serving(roots=(places["rest"],)))) as client:
            for name, values in calls():
                patch.chdir(places["python"])
                by_python = _by_python(python, name, values)
                patch.chdir(places["cli"])
                by_cli = _by_cli(name, values)
                patch.chdir(places["rest"])
                found.setdefault(name, []).append((by_python, by_cli, _by_rest(client, name, values)))
    return found


@pytest.mark.parametrize("name", CALLS)
def test_an_operation_answers_the_same_through_python_the_command_line_and_rest(
    name: str, everything: dict[str, list[tuple[Any, Any, Any]]]
) -> None:
    for by_python, by_cli, by_rest in everything[name]:
        assert comparable(by_cli) == comparable(by_python)
        assert comparable(by_rest) == comparable(by_python)


def test_every_operation_has_an_address() -> None:
    assert {found.operation.name for found in ENDPOINTS.values()} == OPERATIONS.keys()
    assert set(ENDPOINTS) == {f"/api/{name.replace('_', '-')}" for name in OPERATIONS}
    assert CALLS.keys() | ELSEWHERE == OPERATIONS.keys()


@pytest.mark.parametrize(
    "endpoint", [found for found in ENDPOINTS.values() if found.steady], ids=lambda found: found.operation.name
)
def test_what_only_reads_answers_get_as_it_answers_post(endpoint: Endpoint, client: TestClient) -> None:
    for values in CALLS[endpoint.operation.name]:
        by_get = client.get(endpoint.path, params=_flat(values))
        by_post = client.post(endpoint.path, json=values)
        assert by_get.status_code == by_post.status_code == 200, by_get.text
        assert by_get.json() == by_post.json()


def _by_python(workspace: Workspace, name: str, values: Values) -> Any:
    operation = OPERATIONS[name]
    streams = {item.name: io.StringIO() for item in operation.parameters if item.type is Type.OUTPUT and "file" not in values}
    checked = operation.check({**values, **streams})
    made = answer(operation, checked, operation.run(workspace, checked), workspace)
    lines = [line for stream in streams.values() for line in stream.getvalue().splitlines()]
    return json.loads(json.dumps([made, lines]))


def _by_cli(name: str, values: Values) -> Any:
    """What the command line prints; a stream it writes goes into a file."""
    operation = OPERATIONS[name]
    command = next(item for item in COMMANDS.values() if item.operation is operation)
    streams = [item.name for item in operation.parameters if item.type is Type.OUTPUT and "file" not in values]
    whole = {**values, **dict.fromkeys(streams, "out.jsonl")}
    words = [*command.name.split(), "--workspace", "test.dowse", "--json"]
    for argument in sorted(command.arguments, key=lambda item: bool(item.flag)):
        if argument.name not in whole:
            continue
        value = whole[argument.name]
        given = (
            [f"{left}={right}" for left, right in value.items()]
            if argument.pairs
            else value
            if isinstance(value, list)
            else [value]
        )
        for item in given:
            words += [argument.flag] if argument.flag else []
            words += [str(item)] if argument.metavar else []
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", out)
        patch.setattr("sys.stderr", io.StringIO())
        assert run(words) == 0, words
    lines = Path("out.jsonl").read_text(encoding="utf-8").splitlines() if streams else []
    return [json.loads(out.getvalue()), lines]


def _by_rest(client: TestClient, name: str, values: Values) -> Any:
    endpoint = ENDPOINTS[f"/api/{name.replace('_', '-')}"]
    if endpoint.takes in values:
        content = Path(values[str(endpoint.takes)]).read_bytes()
        rest = {item: value for item, value in values.items() if item != endpoint.takes}
        response = client.post(endpoint.path, params=_flat(rest), content=content, headers={"Content-Type": "application/x-ndjson"})
    elif endpoint.gives is not None:
        response = client.get(endpoint.path, params=_flat(values))
        assert response.status_code == 200, response.text
        return [json.loads(response.headers["Dowse-Answer"]), response.text.splitlines()]
    else:
        response = client.post(endpoint.path, json=values)
    assert response.status_code == 200, response.text
    return [response.json(), []]


def _flat(values: Values) -> list[tuple[str, str]]:
    """As a query string has them."""
    pairs: list[tuple[str, str]] = []
    for name, value in values.items():
        if isinstance(value, dict):
            pairs += [(f"{name}.{member}", str(item)) for member, item in value.items()]
        elif isinstance(value, list):
            pairs += [(name, str(item)) for item in value]
        else:
            pairs.append((name, str(value).lower() if isinstance(value, bool) else str(value)))
    return pairs
