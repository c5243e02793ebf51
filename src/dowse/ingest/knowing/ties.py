"""How does one node of an architecture say what it has to do with another?"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from dowse.domains.everything import SCHEMA
from dowse.ingest.knowing.loose import first, given, items, line, unique
from dowse.model.source import NAMED, Definition, Reference

FAMILY = "node"

# What people write for the edges of the schema.
_SAME = {"dependencies": "depends_on", "depends": "depends_on", "parent": "part_of", "touches": "touches_entity"}
# Edges that are stored the other way round.
_INVERSE = {
    "contains": "part_of",
    "has_part": "part_of",
    "dependency_of": "depends_on",
    "used_by": "uses",
    "called_by": "calls",
    "implemented_by": "implements",
}
# A node may name these at its own level; every other name there is a property of the node.
_ON_NODE = (
    *("depends_on", "part_of", "uses", "touches_entity", "relates_to", "implements", "extends", "calls", "requires"),
    *_SAME,
    *_INVERSE,
)
_ANY = "relates_to"


@dataclass(slots=True)
class Links:
    """The links of a file's nodes as they are found; nodes are named, for they may stand in other files."""

    refers: list[Reference] = field(default_factory=list)

    def add(self, source: str, target: str, word: str) -> None:
        """``source`` and ``target`` are ref_ids; a word that is no edge of the schema links them all the same."""
        name = snake(word)
        name = _SAME.get(name, name)
        if name in _INVERSE:
            source, target, name = target, source, _INVERSE[name]
        if not source or not target or source == target:
            return
        kind = name if name in SCHEMA.edges else _ANY
        self.refers.append(Reference(f"{NAMED}node:{source}", kind, (f"node:{target}",), FAMILY))


def node_names(key: str, *names: str) -> tuple[Definition, ...]:
    return tuple(Definition(name, key, FAMILY) for name in unique(f"node:{name}" for name in names if name))


def links_on_node(data: object) -> Iterator[tuple[str, str]]:
    """The links that stand on the node itself, as pairs of the word and the other's id."""
    for name, value in given(data).items():
        if snake(name) in _ON_NODE:
            yield from ((snake(name), _target(other)) for other in items(value))
        elif name == "edges":
            yield from _edges(value)


def ends(edge: object) -> tuple[str, str, str]:
    """Source, target and word of an edge that stands beside the nodes; empty where it does not say."""
    said = given(edge)
    return line(first(said, "source", "from")), _target(edge), line(first(said, "kind", "type", "label"))


def snake(word: str) -> str:
    """
    >>> snake("dependsOn"), snake("Touches entity"), snake("PART-OF")
    ('depends_on', 'touches_entity', 'part_of')
    """
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", word)
    return "_".join(re.findall(r"[^\W_]+", apart.lower()))


def _edges(value: object) -> Iterator[tuple[str, str]]:
    """A list of ids, a list of mappings, or a mapping from words to ids."""
    for name, others in given(value).items():
        yield from ((name, _target(other)) for other in items(others))
    for edge in () if isinstance(value, dict) else items(value):
        yield ends(edge)[2], _target(edge)


def _target(value: object) -> str:
    return line(first(given(value), "target", "to", "ref_id", "refId", "ref", "id")) or line(value)
