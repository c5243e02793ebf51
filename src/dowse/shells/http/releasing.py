"""What does a process that runs for days give back? Memory that its allocator holds although nothing lies in it any more.

Whoever ranks needs arrays of many sizes for a moment, in one thread after the other. The allocator keeps what they leave, for each
thread apart and in pieces, and of that ever more in an hour of commits; everything in use goes on lying where it lies. So threads
share one heap: what one leaves, the next one uses.
"""

import sys
from collections.abc import Callable
from functools import cache

# Seconds between two times. Each takes a millisecond for some dozen megabytes. In between, questions find places among all that was
# left before, and after some hundred of them most of it is the process's again.
EVERY = 10.0
# glibc's own number for how many heaps there may be (M_ARENA_MAX).
_HEAPS = -8


def share_heap() -> bool:
    """Has threads that start from now on take their memory from one heap; whether the system's allocator knows how.

    They wait for each other there, which costs nothing while the interpreter lets one of them run at a time.
    """
    option = _allocator("mallopt")
    return option is not None and bool(option(_HEAPS, 1))


def release() -> bool:
    """Whether something was given back; where the system's allocator knows no way, nothing is."""
    trim = _allocator("malloc_trim")
    return trim is not None and bool(trim(0))


@cache
def _allocator(name: str) -> Callable[..., int] | None:
    if sys.platform != "linux":
        return None
    import ctypes

    found: Callable[..., int] | None = getattr(ctypes.CDLL(None), name, None)
    return found
