"""Does any operation tell or do more than its caller may see and touch? Every operation, as every kind of caller.

Every record has words of its own that begin with ``zq``: in its key, its title, its texts. Whatever a caller is answered, or told
in an error, must hold none of those of records outside their reach, except what they typed themselves.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from trying import ALL, EVERY, Place, made_in, markers, tried

import dowse
from dowse.app.operations import OPERATIONS
from dowse.app.permissions import Capability, Principal, Reach
from dowse.app.recording import to_json
from dowse.app.workspace import Workspace
from dowse.errors import Forbidden
from dowse.model.record import Edge, Record

READING = frozenset({Capability.SEARCH_USE, Capability.READ})
WRITING = READING | {Capability.WRITE}

SPACE = Reach(spaces=("open",))
SUBTREE = Reach(under=("zqopenroot", "zqopenpage"))
KIND = Reach(kinds=("page", "section"))
LIMITED = {
    "reader of a space": Principal("reader", READING, SPACE),
    "reader of two subtrees": Principal("reader", READING, SUBTREE),
    "reader of two kinds": Principal("reader", READING, KIND),
    "writer of a space": Principal("writer", WRITING, SPACE),
    "writer of two subtrees": Principal("writer", WRITING, SUBTREE),
    "admin of a space": Principal("admin", ALL, SPACE),
    "admin of two kinds": Principal("admin", ALL, KIND),
}
INCAPABLE = {
    "nobody": Principal("nobody", frozenset()),
    "searcher": Principal("searcher", frozenset({Capability.SEARCH_USE})),
    "mere reader": Principal("reader", frozenset({Capability.READ})),
}


def test_every_operation_is_tried() -> None:
    assert sorted(EVERY) == sorted(OPERATIONS)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return made_in(tmp_path_factory.mktemp("reach"))


@pytest.fixture(scope="module")
def shared(place: Place) -> Iterator[Workspace]:
    """For those who write nothing."""
    with dowse.open(place.workspace) as workspace:
        yield workspace


@pytest.fixture
def owner(place: Place, tmp_path: Path, shared: Workspace, request: pytest.FixtureRequest) -> Iterator[Workspace]:
    """The workspace; a copy of it for those who write."""
    principal: Principal = request.getfixturevalue("principal")
    if Capability.WRITE not in principal.capabilities:
        yield shared
        return
    shutil.copy(place.workspace, tmp_path / "copy.dowse")
    with dowse.open(tmp_path / "copy.dowse") as workspace:
        yield workspace


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("principal", INCAPABLE.values(), ids=INCAPABLE)
def test_without_its_capability_nothing_is_done(place: Place, owner: Workspace, principal: Principal, name: str) -> None:
    workspace = owner.acting_as(principal)
    needed = OPERATIONS[name].capability
    for given in EVERY[name](place):
        told, error = tried(workspace, name, given)
        if needed is not None and needed not in principal.capabilities:
            assert isinstance(error, Forbidden), (given, told)
            assert markers(told) <= markers(given)


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("principal", LIMITED.values(), ids=LIMITED)
def test_nothing_outside_the_reach_is_told_or_touched(place: Place, owner: Workspace, principal: Principal, name: str) -> None:
    records, edges = everything(owner)
    seen = inside(records, principal.reach)
    secret = told_only_outside(records, seen)
    secret |= {f"zq{space}folder" for space in ("open", "vault") if not principal.reach.covers(space)}
    known: set[str] = set()
    for given in EVERY[name](place):
        known |= typed(given)
        told, _ = tried(owner.acting_as(principal), name, given)
        assert markers(told) & secret <= known, (given, told)
        assert "zqholder" not in told or "zqholder" in markers(given)
        assert "zqtokenspace" not in told
    now, linked = everything(owner)
    assert {key: record for key, record in now.items() if key not in seen} == {
        **{key: record for key, record in records.items() if key not in seen},
        **{key: record for key, record in now.items() if key not in records and key in inside(now, principal.reach)},
    }
    outside = records.keys() - seen
    assert {edge for edge in linked if edge.source in outside} == {edge for edge in edges if edge.source in outside}


@pytest.mark.parametrize("principal", LIMITED.values(), ids=LIMITED)
def test_everything_within_the_reach_is_told(owner: Workspace, principal: Principal) -> None:
    records, _ = everything(owner)
    seen = {key for key in inside(records, principal.reach) if not records[key].deleted}
    workspace = owner.acting_as(principal)
    assert {record.key for record in workspace.list(limit=1000).records} == seen
    assert sum(workspace.status().records.values()) == len(seen)
    with_the_word = {key for key in seen if "tide" in json.dumps(to_json(records[key])).lower()}
    page = workspace.search("tide", limit=100)
    shown = {key for hit in page.hits for key in (hit.record.key, *hit.copies)}
    assert shown
    assert shown <= seen
    assert {key for key in with_the_word if records[key].kind in ("item", "page")} <= shown


def typed(given: Mapping[str, Any]) -> set[str]:
    """The words that a caller knows: their own, and those of a file that they have asked about."""
    asked = Path(given["file"]).read_text() if "file" in given else ""
    return markers(given) | markers(asked)


def everything(workspace: Workspace) -> tuple[dict[str, Record], set[Edge]]:
    with workspace.embedding.view() as view:
        items = list(view.scan())
    return {item.key: item for item in items if isinstance(item, Record)}, {item for item in items if isinstance(item, Edge)}


def inside(records: Mapping[str, Record], reach: Reach) -> set[str]:
    def lineage(key: str | None) -> Iterator[str]:
        while key is not None:
            yield key
            key = records[key].parent if key in records else None

    return {
        key
        for key, record in records.items()
        if (not reach.spaces or record.space in reach.spaces)
        and (not reach.kinds or record.kind in reach.kinds)
        and (not reach.under or any(item in reach.under for item in lineage(key)))
    }


def told_only_outside(records: Mapping[str, Record], seen: set[str]) -> set[str]:
    """The words of records outside that no record inside has. What one hangs below is no word of its own."""
    own = {key: markers(json.dumps({**to_json(record), "parent": None}).lower()) for key, record in records.items()}
    everyone = set[str]().union(*own.values())
    return everyone - set[str]().union(*(own[key] for key in seen))
