"""What does a change of a file mean for the others? What every engine must agree on about sources."""

from dowse.model.source import Source


def changed_names(old: Source | None, new: Source | None) -> set[str]:
    """The names that mean something else once ``new`` stands where ``old`` stood."""
    if old is None or new is None:
        return {definition.name for source in (old, new) if source is not None for definition in source.defines}
    return {definition.name for definition in set(old.defines) ^ set(new.defines)}


def names_defined(source: Source) -> set[str]:
    return {definition.name for definition in source.defines}
