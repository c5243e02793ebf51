"""Do the schemas say what operations really take and give? Held against every operation over the sample records."""

import io
import json
from typing import Any

import jsonschema
import pytest
from every_operation import CALLS, SAMPLE, calls, prepare

import dowse
from dowse.app.answering import answer
from dowse.app.operations import OPERATIONS, Operation, Type
from dowse.app.workspace import Workspace
from dowse.present.schemas import Schemas
from dowse.shells.describing import answer_schema, parameter_schema, parameters_schema


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Any]]:
    """What every operation answers, one after the other."""
    folder = tmp_path_factory.mktemp("described")
    prepare(folder)
    patch = pytest.MonkeyPatch()
    patch.chdir(folder)
    with dowse.open(folder / "test.dowse") as workspace:
        workspace.import_file(SAMPLE)
        found = [(name, perform(workspace, name, values)) for name, values in calls()]
    patch.undo()
    return found


def perform(workspace: Workspace, name: str, values: dict[str, Any]) -> Any:
    operation = OPERATIONS[name]
    needs_stream = [item.name for item in operation.parameters if item.type is Type.OUTPUT and "file" not in values]
    checked = operation.check({**values, **{item: io.StringIO() for item in needs_stream}})
    return json.loads(json.dumps(answer(operation, checked, operation.run(workspace, checked), workspace)))


def whole(operation: Operation) -> dict[str, Any]:
    schemas = Schemas()
    schema = answer_schema(operation, schemas)
    return {**schema, "$defs": schemas.definitions}


@pytest.mark.parametrize("name", CALLS)
def test_every_answer_fits_the_schema_of_its_operation(name: str, answers: list[tuple[str, Any]]) -> None:
    schema = whole(OPERATIONS[name])
    jsonschema.Draft202012Validator.check_schema(schema)
    given = [value for operation, value in answers if operation == name]
    assert given
    for value in given:
        jsonschema.Draft202012Validator(schema).validate(value)


@pytest.mark.parametrize("name", CALLS)
def test_no_answer_has_a_name_that_the_schema_does_not_know(name: str, answers: list[tuple[str, Any]]) -> None:
    closed = _closed(whole(OPERATIONS[name]))
    for value in (value for operation, value in answers if operation == name):
        jsonschema.Draft202012Validator(closed).validate(value)


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_the_examples_of_an_operation_fit_the_schema_of_its_parameters(operation: Operation) -> None:
    schema = parameters_schema(operation)
    jsonschema.Draft202012Validator.check_schema(schema)
    for example in operation.examples:
        given = {name: value for name, value in example.items() if name in schema["properties"]}
        jsonschema.Draft202012Validator(schema).validate(json.loads(json.dumps(given)))


def test_a_name_that_an_operation_does_not_know_does_not_fit() -> None:
    with pytest.raises(jsonschema.ValidationError, match="limt"):
        jsonschema.validate({"query": "x", "limt": 3}, parameters_schema(OPERATIONS["search"]))


def test_what_no_message_can_carry_is_no_parameter() -> None:
    assert "report" not in parameters_schema(OPERATIONS["index"])["properties"]
    assert "out" not in parameters_schema(OPERATIONS["export"])["properties"]
    assert parameters_schema(OPERATIONS["search"], leave_out=("fresh",))["properties"].keys().isdisjoint({"fresh"})


def test_choices_are_offered_only_where_they_are_all_there_are() -> None:
    kinds = OPERATIONS["list"].parameter("kinds")
    search = OPERATIONS["search"]
    of_nodes = search.parameter("kinds")
    assert kinds is not None
    assert of_nodes is not None
    assert "item" in parameter_schema(kinds)["items"]["enum"]
    assert "enum" not in parameter_schema(of_nodes, search.examples)["items"]


def _closed(schema: Any) -> Any:
    """The same schema, but an object has no further names than those it lists."""
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: _closed(value) for name, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "additionalProperties" not in schema:
        inner["additionalProperties"] = False
    return inner
