"""What lies around a record? Its neighbours as a graph that fits on a screen, and as lists."""

from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

from dowse.app.operations import OPERATIONS
from dowse.app.workspace import Workspace
from dowse.errors import NotFound
from dowse.model.page import Hit, Listing, Neighbour, Page
from dowse.model.record import Record
from dowse.shells.http.page.places import brief

# More nodes than this are a tangle.
_NODES = 40
# A record with fewer neighbours shows some of theirs too, and how its neighbours are tied to each other.
_FEW = 14
_FURTHER = 12
# Of what a neighbour holds nothing is shown: the rest of a file tells nothing about one function in it.
_HOLDING = ("contains", "part_of")
# What hangs below a record is told beside its links, some of it.
_CHILDREN = 12
_ALIKE = 8
# The link between a record and what it hangs below, where none is written.
_HOLDS = "holds"

Tie = tuple[str, str, str]


def around(workspace: Workspace, key: str) -> dict[str, Any]:
    """The neighbourhood: nodes with their distance, ties between them by kind, and how many nodes there would be."""
    centre: Record = OPERATIONS["get"].perform(workspace, {"key": key})
    records = {centre.key: centre}
    ties = dict.fromkeys(_family(workspace, centre, records))
    distances = {name: 0 if name == centre.key else 1 for name in records}
    near = _neighbours(workspace, centre.key, 1)
    total = len({item.record.key for item in near} | records.keys())
    _add(near, records, ties, distances, 1)
    if len(records) <= _FEW:
        beyond = [item for name in sorted(records) if name != centre.key for item in _neighbours(workspace, name, 1)]
        further = [item for item in beyond if item.edge.kind not in _HOLDING or item.record.key in records]
        total = len({item.record.key for item in further} | records.keys())
        _add(further, records, ties, distances, 2, most=len(records) + _FURTHER)
    nodes = [{**brief(records[name]), "distance": distance} for name, distance in distances.items()]
    return {
        "centre": centre.key,
        "nodes": nodes,
        "edges": [{"source": source, "target": target, "kind": kind} for source, target, kind in sorted(ties)],
        "total": max(total, len(nodes)),
    }


def links(workspace: Workspace, key: str) -> dict[str, Any]:
    """Who points at a record, what it points at, and what is like it."""
    near = _neighbours(workspace, key, 1)
    alike: Page = OPERATIONS["similar"].perform(workspace, {"key": key, "limit": _ALIKE})
    return {
        "backlinks": [_tied(item) for item in near if not item.forward],
        "links": [_tied(item) for item in near if item.forward],
        "similar": [_alike(hit) for hit in alike.hits],
        "degraded": list(alike.degraded),
    }


def _neighbours(workspace: Workspace, key: str, depth: int) -> tuple[Neighbour, ...]:
    found: tuple[Neighbour, ...] = OPERATIONS["neighbours"].perform(workspace, {"key": key, "depth": depth})
    return found


def _family(workspace: Workspace, centre: Record, records: dict[str, Record]) -> list[Tie]:
    """The record above it and some below it."""
    ties: list[Tie] = []
    below: Listing = OPERATIONS["list"].perform(workspace, {"parent": centre.key, "limit": _CHILDREN})
    for child in below.records:
        records[child.key] = child
        ties.append((centre.key, child.key, _HOLDS))
    if centre.parent is not None:
        try:
            records[centre.parent] = workspace.get(centre.parent)
        except NotFound:
            return ties
        ties.append((centre.parent, centre.key, _HOLDS))
    return ties


def _add(
    found: Iterable[Neighbour],
    records: dict[str, Record],
    ties: dict[Tie, None],
    distances: dict[str, int],
    distance: int,
    *,
    most: int = _NODES,
) -> None:
    """Neighbours up to the number of nodes, each kind of link in turn, so that a hundred calls do not hide the one test."""
    by_kind: dict[str, list[Neighbour]] = {}
    for item in found:
        by_kind.setdefault(item.edge.kind, []).append(item)
    for item in (one for turn in zip_longest(*by_kind.values()) for one in turn if one is not None):
        if item.record.key not in records and len(records) >= most:
            continue
        records.setdefault(item.record.key, item.record)
        distances.setdefault(item.record.key, distance)
        if item.edge.source in records and item.edge.target in records:
            # A link that is written tells more than that one holds the other.
            ties.pop((item.edge.source, item.edge.target, _HOLDS), None)
            ties[(item.edge.source, item.edge.target, item.edge.kind)] = None


def _tied(item: Neighbour) -> dict[str, Any]:
    return {**brief(item.record), "edge": item.edge.kind.replace("_", " ")}


def _alike(hit: Hit) -> dict[str, Any]:
    return {**brief(hit.record), "score": hit.score}
