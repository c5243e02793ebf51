"""What was so a moment ago? For what costs too much to find out for every request."""

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
# Seconds for which it is not looked again whether files changed, or which projects there are.
FRESH = 2.0
# More callers than a workspace has; beyond that the memory starts anew.
_MOST = 256


class Recent(Generic[K, V]):
    """Values by key, each found out at most every ``seconds``. While one caller looks again, others get what was so before."""

    def __init__(self, find: Callable[[K], V], seconds: float, clock: Callable[[], float]) -> None:
        self._find = find
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[K, tuple[float, V]] = {}

    def get(self, key: K) -> V:
        with self._lock:
            now = self._clock()
            known = self._known.get(key)
            if known is not None and now < known[0]:
                return known[1]
            if known is not None:
                self._known[key] = (now + self._seconds, known[1])
        found = self._find(key)
        with self._lock:
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[key] = (self._clock() + self._seconds, found)
        return found
