"""Whose child is whose? A record may not be its own ancestor, on any engine."""

from collections.abc import Callable

from dowse.errors import Conflict


def refuse_cycle(key: str, parent: str | None, parent_of: Callable[[str], str | None]) -> None:
    """Raises if hanging ``key`` below ``parent`` would close a circle."""
    seen = set()
    ancestor = parent
    while ancestor is not None and ancestor not in seen:
        if ancestor == key:
            raise Conflict(f"{key!r} cannot be placed below {parent!r}: that is the record itself or one below it.")
        seen.add(ancestor)
        ancestor = parent_of(ancestor)
