"""Which operation answers at which address, and how is it run? Made from the declarations."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dowse.app.operations import OPERATIONS, Group, Operation, Type
from dowse.app.permissions import Capability

PREFIX = "/api/"
# Parameters that make an operation write which otherwise only reads: not for GET, which promises to change nothing.
WRITING = ("fresh", "repair")
# With this a damaged file is replaced, which only who alone has it open can do.
REPAIRING = "repair"
# Parameters with which a search takes seconds: files are read, or a slow model scores.
_SLOWING = (*WRITING, "rescore")
_READING = (None, Capability.SEARCH_USE, Capability.READ)
# They go through the whole workspace, or hold its one writer for long.
_SLOW = frozenset({"reindex", "doctor", "bench", "export", "forget", "library_remove"})
# Their answers tell of more than what the index holds: of files, models, or the machine.
_UNSTEADY = frozenset({"projects"})


class Lane(StrEnum):
    """Who works on it. Each lane has threads of its own, so that none waits for a slower one."""

    LOOK = "look"
    """What takes no time, such as who calls, must not stand in line behind what does."""
    READ = "read"
    WRITE = "write"
    LONG = "long"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An operation at its address. ``takes`` names the parameter that the body is the file of, ``gives`` the stream that is
    the answer, ``reports`` the one that is told of progress."""

    operation: Operation
    path: str
    methods: tuple[str, ...]
    takes: str | None
    gives: str | None
    reports: str | None
    lane: Lane
    steady: bool

    def lane_of(self, given: dict[str, Any]) -> Lane:
        return Lane.LONG if any(given.get(name) for name in _SLOWING) else self.lane

    def is_shared(self, given: dict[str, Any]) -> bool:
        """Whether any process that has the workspace open can answer it: it reads the index, and nothing else."""
        return self.steady and self.lane_of(given) is Lane.READ


def path_of(operation: Operation) -> str:
    return f"{PREFIX}{operation.name.replace('_', '-')}"


def endpoint(operation: Operation) -> Endpoint:
    named = {item.type: item.name for item in operation.parameters}
    takes, gives, reports = named.get(Type.INPUT), named.get(Type.OUTPUT), named.get(Type.REPORT)
    reads = operation.capability in _READING and (takes is None or gives is not None)
    return Endpoint(
        operation=operation,
        path=path_of(operation),
        methods=("GET", "HEAD", "POST") if reads else ("POST",),
        takes=takes,
        gives=gives,
        reports=reports,
        lane=_lane(operation, reports),
        steady=operation.group in (Group.FIND, Group.READ) and operation.name not in _UNSTEADY,
    )


def _lane(operation: Operation, reports: str | None) -> Lane:
    if reports is not None or operation.name in _SLOW:
        return Lane.LONG
    return Lane.READ if operation.capability in _READING else Lane.WRITE


ENDPOINTS: dict[str, Endpoint] = {path_of(item): endpoint(item) for item in OPERATIONS.values()}
