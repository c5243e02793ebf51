"""What does a file's change mean for the others? What every engine must agree on about sources and moved records."""

from collections.abc import Mapping
from dataclasses import replace

from dowse.model.record import Edge
from dowse.model.source import Source


def changed_names(old: Source | None, new: Source | None) -> set[str]:
    """The names that mean something else once ``new`` stands where ``old`` stood."""
    if old is None or new is None:
        return {definition.name for source in (old, new) if source is not None for definition in source.defines}
    return {definition.name for definition in set(old.defines) ^ set(new.defines)}


def names_defined(source: Source) -> set[str]:
    return {definition.name for definition in source.defines}


def renamed_edge(edge: Edge, names: Mapping[str, str]) -> Edge:
    """The edge once the records at its ends are called as the names say."""
    return replace(edge, source=names.get(edge.source, edge.source), target=names.get(edge.target, edge.target))
