"""What hangs below a record, and what lies around it?"""

from dowse.model.page import Branch, Neighbour
from dowse.model.record import Record
from dowse.model.request import Scope
from dowse.ports import Direction, View


def children(view: View, key: str) -> list[Record]:
    """The records right below one, by title."""
    handles = view.recent(view.select(Scope(parents=(key,)))).handles
    return sorted(view.fetch(handles), key=lambda record: (record.title, record.key))


def below(view: View, key: str) -> list[Record]:
    """Everything below a record, parents before their children. A loop, because a tree may be deeper than the stack."""
    found: list[Record] = []
    level = [key]
    while level:
        here = [child for parent in level for child in children(view, parent)]
        found += here
        level = [child.key for child in here]
    return found


def branch(view: View, root: Record, depth: int | None) -> Branch:
    """A record and what hangs below it, down to some depth."""
    levels = [[root]]
    while levels[-1] and (depth is None or len(levels) <= depth):
        levels.append([child for record in levels[-1] for child in children(view, record.key)])
    branches: dict[str, Branch] = {}
    for level in reversed(levels):
        hanging: dict[str | None, list[Branch]] = {}
        for item in branches.values():
            hanging.setdefault(item.record.parent, []).append(item)
        branches = {record.key: Branch(record, tuple(hanging.get(record.key, ()))) for record in level}
    return branches[root.key]


def neighbours(view: View, key: str, direction: Direction, kinds: tuple[str, ...], depth: int) -> tuple[Neighbour, ...]:
    """Records along edges, each at its shortest distance."""
    seen = {key}
    frontier = [key]
    found: list[Neighbour] = []
    for distance in range(1, depth + 1):
        edges = view.edges(frontier, direction, kinds)
        here = set(frontier)
        ends = [
            (edge, forward, edge.target if forward else edge.source)
            for edge in edges
            for forward in (True, False)
            if (edge.source if forward else edge.target) in here
            and not (forward and direction is Direction.INCOMING)
            and not (not forward and direction is Direction.OUTGOING)
        ]
        records = view.find({end for _, _, end in ends})
        found += [Neighbour(edge, forward, records[end], distance) for edge, forward, end in ends if end not in seen]
        frontier = sorted({end for _, _, end in ends} - seen)
        seen.update(frontier)
        if not frontier:
            break
    return tuple(sorted(found, key=lambda item: (item.distance, item.edge, item.forward)))
