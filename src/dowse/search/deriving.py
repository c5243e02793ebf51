"""What follows from a declaration? Worked out once: surfaces live as long as the program, and every search asks for the same."""

from collections.abc import Callable
from typing import Generic, TypeVar

_Declared = TypeVar("_Declared")
_Made = TypeVar("_Made")

# More than all surfaces declare; tests make others.
_MOST_KEPT = 256


class Derived(Generic[_Declared, _Made]):
    """By which declaration it is: to compare what it says would take longer than to work it out."""

    def __init__(self, make: Callable[[_Declared], _Made]) -> None:
        self._make = make
        self._known: dict[int, tuple[_Declared, _Made]] = {}

    def of(self, declared: _Declared) -> _Made:
        known = self._known.get(id(declared))
        if known is None or known[0] is not declared:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            known = self._known[id(declared)] = (declared, self._make(declared))
        return known[1]
