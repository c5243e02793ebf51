"""How is Python kept from looking for garbage among records by the thousand, of which none is?"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# New objects after which garbage is looked for. A batch of records is some hundred thousand of them, and with Python's own 700 a
# tenth of the time went into looking at them again and again, with 100,000 a fiftieth; what files leave behind until then is a few
# megabytes.
_SELDOM = 500_000

_lock = threading.Lock()
_before: list[tuple[int, int, int]] = []
_running = 0


@contextmanager
def seldom() -> Iterator[None]:
    """While many records pass. Of several who do this at once the last one out restores what was."""
    global _running
    with _lock:
        if not _running:
            _before.append(gc.get_threshold())
            collect_seldom()
        _running += 1
    try:
        yield
    finally:
        with _lock:
            _running -= 1
            if not _running:
                gc.set_threshold(*_before.pop())


def collect_seldom() -> None:
    """For the rest of this process."""
    _, second, third = gc.get_threshold()
    gc.set_threshold(_SELDOM, second, third)
