"""Is an error that nobody expected a fault of ours, or does the file not hold what was written? The file is asked."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from json import JSONDecodeError
from threading import Lock

from dowse.engines.sqlite.driver import REFUSED
from dowse.errors import DowseError, NotAWorkspace
from dowse.ports import Finding

# What reading bytes that nobody wrote may end in: numbers that count what is not there, names that lead nowhere, texts in the place
# of numbers, lengths beyond any memory, and what SQLite refuses because its rules do not hold any more.
_ODD = (REFUSED, ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, TypeError, ValueError)
# To look at everything takes a while; whoever makes a server fail again and again shall not have it done each time.
_REMEMBERED_SECONDS = 60.0

Examine = Callable[[], tuple[Finding, ...]]


class Doubt:
    """Tells damage as damage. Where every check of the file is clean, the error is ours and stays what it is."""

    def __init__(self, location: str, examine: Examine, clock: Callable[[], float] = time.monotonic) -> None:
        self._location = location
        self._examine = examine
        self._clock = clock
        self._lock = Lock()
        self._named = ""
        self._until = float("-inf")

    @contextmanager
    def doubted(self) -> Iterator[None]:
        try:
            yield
        except _ODD as error:
            # Nobody could have stored JSON that is none: it needs no further proof.
            named = str(error) if isinstance(error, JSONDecodeError) else self._damage()
            if not named:
                raise
            raise NotAWorkspace(
                f"{self._location} is damaged ({named}). Run 'dowse doctor --repair', or 'dowse restore-backup' with a backup."
            ) from error

    def _damage(self) -> str:
        with self._lock:
            if self._clock() >= self._until:
                self._named = _damage(self._examine)
                self._until = self._clock() + _REMEMBERED_SECONDS
            return self._named


def _damage(examine: Examine) -> str:
    try:
        found = next((finding for finding in examine() if not finding.ok), None)
    except (DowseError, *_ODD) as error:
        # It cannot even be looked at.
        return f"it cannot be read: {error}"
    return f"{found.name}: {found.detail}" if found is not None else ""
