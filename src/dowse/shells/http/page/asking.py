"""What does the page ask? Each address stands for one of these; the answer is JSON, made by whoever has the workspace open."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dowse.app.workspace import Workspace
from dowse.errors import InvalidRequest
from dowse.shells.http.page.finding import found, why
from dowse.shells.http.page.overseeing import health, overview, status
from dowse.shells.http.page.reading import read
from dowse.shells.http.page.surrounding import around, links

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class PageAsked:
    """``given``: the parameters of the address, in their order; ``at_home``: the owner asks, from this machine."""

    name: str
    given: Pairs
    at_home: bool = False

    def answer(self, workspace: Workspace) -> bytes:
        made = _ANSWERS[self.name](workspace, self)
        return json.dumps(made, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()

    @property
    def is_shared(self) -> bool:
        """Whether the answer tells of the index alone, and any process can give it."""
        return self.name not in _TELL_OF_MORE

    @property
    def key(self) -> str:
        key = dict(self.given).get("key", "")
        if not key:
            raise InvalidRequest("Which record? Name it with key.")
        return key


_ANSWERS: dict[str, Callable[[Workspace, PageAsked], Any]] = {
    "search": lambda workspace, asked: found(workspace, asked.given),
    "why": lambda workspace, asked: why(workspace, asked.key, asked.given),
    "record": lambda workspace, asked: read(workspace, asked.key, at_home=asked.at_home),
    "around": lambda workspace, asked: around(workspace, asked.key),
    "links": lambda workspace, asked: links(workspace, asked.key),
    "overview": lambda workspace, _: overview(workspace),
    "status": lambda workspace, _: status(workspace),
    "health": lambda workspace, _: health(workspace),
}
NAMES = tuple(_ANSWERS)
# Of files, of the model, and of what this process does.
_TELL_OF_MORE = ("overview", "status", "health")
