"""What does a process that runs for days give back? Memory that its allocator holds although nothing lies in it any more.

Whoever ranks needs arrays of many sizes for a moment, in one thread after the other. The allocator keeps what they leave, for each
thread apart and in pieces, and of that ever more in an hour of commits; everything in use goes on lying where it lies.
"""

import sys
from collections.abc import Callable
from functools import cache

# Seconds between two times. Each takes milliseconds, and what is needed again must be got again.
EVERY = 60.0


def release() -> bool:
    """Whether something was given back; where the system's allocator knows no way, nothing is."""
    trim = _trim()
    return trim is not None and bool(trim(0))


@cache
def _trim() -> Callable[[int], int] | None:
    if sys.platform != "linux":
        return None
    import ctypes

    found: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return found
