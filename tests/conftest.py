"""What tests of the whole product start from: an empty workspace, and two ways to ask it."""

import itertools
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import dowse
from dowse.app.workspace import Workspace
from dowse.present.shape import shape

# A red run means a change of ours: examples are the same every time, and how long one takes is no test.
settings.register_profile("dowse", derandomize=True, deadline=None)
settings.load_profile("dowse")

# Who runs the tests in the background of a shell has them ignore Ctrl-C, and what they start would too: tests that send it would
# wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """An empty workspace whose clock ticks a second at every look."""
    with dowse.open(tmp_path / "test.dowse", clock=map(float, itertools.count(1000)).__next__) as opened:
        yield opened


@pytest.fixture
def by_words(tmp_path: Path) -> Iterator[Workspace]:
    """An empty workspace without a model."""
    with dowse.open(tmp_path / "words.dowse", clock=map(float, itertools.count(1000)).__next__, model="none") as opened:
        yield opened


@pytest.fixture
def found(workspace: Workspace) -> Callable[..., list[str]]:
    """The keys of a page, best first."""

    def search(query: str | None, surface: str = "everything", **parameters: Any) -> list[str]:
        return [hit.record.key for hit in workspace.search(query, surface=surface, **parameters).hits]

    return search


@pytest.fixture
def answered(workspace: Workspace) -> Callable[..., Any]:
    """A page as the JSON of its surface."""

    def search(query: str | None, surface: str = "everything", **parameters: Any) -> Any:
        return shape(workspace.search(query, surface=surface, **parameters), workspace.surface(surface))

    return search
