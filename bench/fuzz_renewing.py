"""What are inputs tried against? Something that is made anew now and then, lest it grow for as long as a campaign lasts."""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Generic, TypeVar

from bench.fuzz_campaign import ROOT, Wrong
from bench.fuzz_queries import sample_workspace
from dowse.app.workspace import Workspace

Tried = TypeVar("Tried")


class Renewed(Generic[Tried]):
    """Makes it when it is first needed, and again after so many times, or after it was closed."""

    def __init__(self, make: Callable[[], AbstractContextManager[Tried]], most: int) -> None:
        self._make = make
        self._most = most
        self._opened: tuple[AbstractContextManager[Tried], Tried] | None = None
        self.count = 0
        """How often it was taken in all."""

    def take(self) -> Tried:
        if self.count % self._most == 0:
            self.close()
        self.count += 1
        if self._opened is None:
            opened = self._make()
            self._opened = (opened, opened.__enter__())
        return self._opened[1]

    def close(self) -> None:
        if self._opened is not None:
            opened, self._opened = self._opened[0], None
            opened.__exit__(None, None, None)


@contextmanager
def prepared(folder: Path) -> Iterator[tuple[Path, Workspace]]:
    """A new place with everything that the calls of the tests name, and a workspace with records of every kind."""
    place = folder / "place"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    every_operation().prepare(place)
    with sample_workspace(place / "tried.dowse") as workspace:
        yield place, workspace


def every_operation() -> Any:
    """The calls with which the tests hold the shells against each other: every operation has some."""
    if "every_operation" not in sys.modules:
        spec = spec_from_file_location("every_operation", ROOT / "tests" / "shells" / "every_operation.py")
        if spec is None or spec.loader is None:
            raise Wrong("the tests are not there")
        module = module_from_spec(spec)
        sys.modules["every_operation"] = module
        spec.loader.exec_module(module)
    return sys.modules["every_operation"]
