"""What does an operation take and give, as JSON Schema? For shells whose callers are programs."""

import typing
from collections.abc import Collection
from typing import Any

from dowse import ports
from dowse.app import libraries, transfer
from dowse.app.operations import Operation, OperationParameter, Type, Values
from dowse.domains.everything import SURFACES
from dowse.model import benching, evidence, library, modelling, page, ranking, record, run, schema, surface, token
from dowse.present.schemas import Json, Schemas

_TYPES: dict[Type, Json] = {
    Type.STRING: {"type": "string"},
    Type.ID: {"type": "string"},
    Type.INTEGER: {"type": "integer"},
    Type.NUMBER: {"type": "number"},
    Type.BOOLEAN: {"type": "boolean"},
    Type.STRINGS: {"type": "array", "items": {"type": "string"}},
    Type.OBJECT: {"type": "object"},
    Type.INPUT: {"type": "string"},
    Type.FOLDER: {"type": "string"},
}
# What only a process can hand to a function: no program that sends messages can give it.
UNSENDABLE = (Type.OUTPUT, Type.REPORT)
# Operations name what they give in annotations that are read by nobody at run time; here are the words they use.
_NOUNS: dict[str, Any] = {
    name: value
    for module in (
        *(benching, evidence, library, modelling, page, ranking, record, run, schema, surface, token),
        *(ports, libraries, transfer),
    )
    for name, value in vars(module).items()
    if isinstance(value, type)
}


def parameters_schema(operation: Operation, leave_out: Collection[str] = ()) -> Json:
    """The schema of the values an operation takes. Names it does not know are refused."""
    taken = [item for item in operation.parameters if item.type not in UNSENDABLE and item.name not in leave_out]
    return {
        "type": "object",
        "properties": {item.name: parameter_schema(item, operation.examples) for item in taken},
        "required": [item.name for item in taken if item.required],
        "additionalProperties": False,
    }


def parameter_schema(parameter: OperationParameter, examples: Collection[Values] = ()) -> Json:
    """The schema of one value. Choices are all there are, unless an example of the operation goes beyond them."""
    described = dict(_TYPES[parameter.type])
    shown = [value for example in examples for value in _each(example.get(parameter.name))]
    if parameter.choices and all(value in parameter.choices for value in shown):
        if parameter.type is Type.STRINGS:
            described["items"] = {"type": "string", "enum": list(parameter.choices)}
        else:
            described["enum"] = list(parameter.choices)
    if parameter.default not in (None, (), {}):
        described["default"] = parameter.default
    return {**described, "description": parameter.about}


def answer_schema(operation: Operation, schemas: Schemas) -> Json:
    """The schema of what an operation answers; the nouns in it are defined in ``schemas``."""
    if operation.surface is not None:
        return _pages(operation, schemas)
    given = typing.get_type_hints(operation.run, localns={**_NOUNS, "Workspace": object})["return"]
    if given is str:
        return {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    return schemas.of(given)


def _each(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else () if value is None else (value,)


def _pages(operation: Operation, schemas: Schemas) -> Json:
    """A page in the shape of whichever surface the values name."""
    assert operation.surface is not None
    choice = next((item for item in operation.parameters if item.name in ("surface", "graph")), None)
    named = (operation.surface({choice.name: value}) for value in choice.choices) if choice else (operation.surface({}),)
    shapes = [schemas.page(SURFACES[name]) for name in named]
    return {"anyOf": shapes} if len(shapes) > 1 else shapes[0]
