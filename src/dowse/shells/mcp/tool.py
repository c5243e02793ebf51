"""What is a tool? A name, what it takes and gives, and the call it stands for."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dowse.app.permissions import Capability
from dowse.errors import InvalidRequest
from dowse.model.run import Freshness
from dowse.present.schemas import Json
from dowse.text.suggesting import did_you_mean

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

Values = Mapping[str, Any]
# Called with whatever the operation tells of its progress.
Report = Callable[..., None]
TellFreshness = Callable[["Workspace"], tuple[Freshness, ...]]
# What has no type of its own answers with a list; the protocol wants an object around it.
LIST = "result"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool. ``tokens``: the most that an answer may take.

    ``report`` is told of progress, and raises where nobody waits for the answer any more.
    """

    tool: str
    workspace: "Workspace"
    arguments: Values
    tokens: int
    report: Report
    freshness: TellFreshness | None = None

    def again(self, **changed: Any) -> str:
        """The call that goes on where this one ended, as answers write it."""
        return written(self.tool, {**self.arguments, **changed})


@dataclass(frozen=True, slots=True)
class Answer:
    """``data`` for programs, ``text`` for whoever reads; ``warnings``: what could not be done, in words."""

    data: Json
    text: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tool:
    """``capability`` None: anyone may call it. ``fresh``: files that changed are looked at before it answers.

    ``takes`` and ``gives`` are JSON Schemas. ``writes``, ``destroys`` and ``repeatable`` (again changes nothing more) are told to
    clients, who may ask the user before. ``here``: it tells of more than the index, so the process that serves has to answer it.
    """

    name: str
    title: str
    description: str
    capability: Capability | None
    takes: Json
    gives: Json
    perform: Callable[[Call], Answer] = field(repr=False)
    writes: bool = False
    destroys: bool = False
    repeatable: bool = True
    fresh: bool = False
    here: bool = False

    def check(self, arguments: Values) -> None:
        """Refuses names that it does not know, and values that are missing."""
        check_names(self.name, self.takes, arguments)


def check_names(place: str, schema: Json, arguments: Values) -> None:
    properties: Mapping[str, Json] = schema["properties"]
    for name, value in arguments.items():
        if name not in properties:
            raise InvalidRequest(f"{place} has no parameter {name!r}. {did_you_mean(name, properties)}")
        if isinstance(value, Mapping) and "properties" in properties[name]:
            check_names(f"{name} of {place}", properties[name], value)
    missing = [name for name in schema.get("required", ()) if arguments.get(name) is None]
    if missing:
        raise InvalidRequest(f"{place} needs {', '.join(missing)}. Give {'it' if len(missing) == 1 else 'them'} and call again.")


def written(name: str, arguments: Values) -> str:
    """A call as answers write it: no value in it can be taken for something else.

    >>> written("search", {"query": 'a "b"', "offset": 10})
    'search(query="a \\\\"b\\\\"", offset=10)'
    """
    return f"{name}({', '.join(f'{key}={_value(value)}' for key, value in arguments.items())})"


def _value(value: Any) -> str:
    """JSON in which every character can be seen: what cannot is written by its number."""
    told = json.dumps(value, ensure_ascii=False)
    return told if told.isprintable() else "".join(item if item.isprintable() else json.dumps(item)[1:-1] for item in told)


def takes(properties: Mapping[str, Json], required: Collection[str] = ()) -> Json:
    """The schema of arguments by name; others are refused."""
    return {"type": "object", "properties": dict(properties), "required": list(required), "additionalProperties": False}


def text(about: str, **more: Any) -> Json:
    return {"type": "string", **more, "description": about}


def texts(about: str, **more: Any) -> Json:
    return {"type": "array", "items": {"type": "string"}, **more, "description": about}


def whole(about: str, **more: Any) -> Json:
    return {"type": "integer", **more, "description": about}


def choice(about: str, *values: str) -> Json:
    return {"type": "string", "enum": list(values), "description": about}


def as_object(answer: Any) -> Json:
    """The answer as an object: a list stands under a name."""
    return answer if isinstance(answer, dict) else {LIST: answer}
