"""What is an operation? A name, its parameters and the call it stands for; every shell is made from these."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from os import PathLike
from typing import TYPE_CHECKING, Any

from dowse.app.permissions import Capability
from dowse.errors import InvalidRequest
from dowse.model.declaring import dataclass
from dowse.text.suggesting import did_you_mean

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

# What is quoted of a wrong value: enough to find it by.
_LONGEST_SHOWN = 200

Values = Mapping[str, Any]
Run = Callable[["Workspace", Values], Any]


class Group(StrEnum):
    """What someone who calls wants to do."""

    FIND = "find"
    READ = "read"
    WRITE = "write"
    CARE = "care"


class Type(StrEnum):
    """What a parameter takes. The last four are not data: a shell that cannot provide one leaves it out."""

    STRING = "string"
    ID = "id"
    """A record's id, or an unambiguous beginning of it."""
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    STRINGS = "strings"
    OBJECT = "object"
    INPUT = "input"
    """The path of a file to read."""
    FOLDER = "folder"
    """The path of a folder to read."""
    OUTPUT = "output"
    """A text stream to write to."""
    REPORT = "report"
    """Called with the progress, now and then."""


@dataclass(frozen=True, slots=True)
class OperationParameter:
    """A named value. ``one``: the word for one of many. ``choices``: to offer; the workspace refuses others."""

    name: str
    type: Type = Type.STRING
    about: str = ""
    required: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()
    one: str = ""


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that can be done with a workspace.

    ``capability`` None: it tells what dowse knows and needs no stored workspace. ``surface`` names the surface whose
    shape the resulting page has. ``makes``: a workspace that does not exist yet is made for it. ``anywhere``: it can be done
    also where there is no workspace. ``unopened``: also with one that cannot be opened.
    """

    name: str
    summary: str
    group: Group
    capability: Capability | None
    run: Run
    parameters: tuple[OperationParameter, ...] = ()
    examples: tuple[Values, ...] = ()
    surface: Callable[[Values], str] | None = None
    makes: bool = False
    anywhere: bool = False
    unopened: bool = False

    def parameter(self, name: str) -> OperationParameter | None:
        return next((parameter for parameter in self.parameters if parameter.name == name), None)

    def perform(self, workspace: "Workspace", given: Values) -> Any:
        """Checks the values and does it."""
        return self.run(workspace, self.check(given))

    def check(self, given: Values) -> dict[str, Any]:
        """The values as their types ask, with defaults; unknown and missing names are refused."""
        for name in given:
            if self.parameter(name) is None:
                known = [parameter.name for parameter in self.parameters]
                raise InvalidRequest(f"{self.name} has no parameter {name!r}. {did_you_mean(name, known)}")
        missing = [item.name for item in self.parameters if item.required and given.get(item.name) is None]
        if missing:
            raise InvalidRequest(f"{self.name} needs {', '.join(missing)}.")
        values = {}
        for parameter in self.parameters:
            value = given.get(parameter.name)
            values[parameter.name] = parameter.default if value is None else to_type(parameter.name, parameter.type, value)
        return values


def operation(
    group: Group,
    capability: Capability | None,
    *parameters: OperationParameter,
    examples: tuple[Values, ...] = ({},),
    name: str = "",
    surface: Callable[[Values], str] | None = None,
    makes: bool = False,
    anywhere: bool = False,
    unopened: bool = False,
) -> Callable[[Run], Operation]:
    """Declares the operation that the function below it performs; the function's docstring is its summary."""

    def declare(run: Run) -> Operation:
        summary = (run.__doc__ or "").strip()
        named = name or run.__name__
        return Operation(named, summary, group, capability, run, parameters, examples, surface, makes, anywhere, unopened)

    return declare


def to_type(name: str, type: str, value: Any) -> Any:
    """The value as the type asks. For callers that have only text, a text is read as the number or truth value needed.

    >>> to_type("limit", "integer", "5"), to_type("explain", "boolean", "yes"), to_type("tags", "strings", "a")
    (5, True, ('a',))
    """
    if type not in _READERS:
        return value
    expected, read = _READERS[type]
    try:
        return read(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidRequest(f"{name} must be {expected}, not {_shown(value)}.") from error


def _shown(value: Any) -> str:
    """A value as it is told: anyone may send a number of a thousand digits."""
    shown = repr(value)
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}…"


_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _path(value: Any) -> Any:
    if not isinstance(value, str | PathLike):
        raise TypeError
    return value


def _identifier(value: Any) -> str:
    # No key holds what cannot be encoded, so it cannot be the beginning of one either.
    return _string(value).encode().decode()


def _integer(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError
    return int(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError
    return float(value)


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if _string(value).lower() in _TRUE:
        return True
    if value.lower() in _FALSE:
        return False
    raise ValueError


def _strings(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(_string(item) for item in value)


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError
    return dict(value)


_READERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    Type.STRING: ("a text", _string),
    Type.FOLDER: ("the path of a folder", _string),
    Type.INPUT: ("the path of a file", _path),
    Type.ID: ("an id", _identifier),
    Type.INTEGER: ("a whole number", _integer),
    Type.NUMBER: ("a number", _number),
    Type.BOOLEAN: ("true or false", _boolean),
    Type.STRINGS: ("a list of texts", _strings),
    Type.OBJECT: ("an object", _object),
}
