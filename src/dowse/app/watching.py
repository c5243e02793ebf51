"""How does what is known stay true while people work? Changed files are read as soon as they rest for a moment."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from dowse.model.run import Summary

# A file is often written several times at once, by an editor or a branch switch: milliseconds of rest, and the longest wait.
_REST, _LONGEST = 50, 400
# So that a stop is noticed also when nothing changes.
_LOOK_UP = 500
# Changes in these are never those of a project's files.
_OWN = frozenset({".dowse", ".git", ".hg", ".svn", ".jj", "__pycache__", "node_modules"})


def updates(roots: tuple[Path, ...], update: Callable[[], tuple[Summary, ...]], stop: threading.Event) -> Iterator[Summary]:
    """What each update did, for as long as nobody says stop. The first one brings everything up to date."""
    from watchfiles import Change, watch  # loads an event loop that nothing else needs

    def matters(_: Change, path: str) -> bool:
        return _OWN.isdisjoint(Path(path).parts)

    # Watching starts before the first update, so that no change falls between the two.
    changes = watch(
        *roots,
        watch_filter=matters,
        debounce=_LONGEST,
        step=_REST,
        stop_event=stop,
        rust_timeout=_LOOK_UP,
        yield_on_timeout=True,
        raise_interrupt=False,
    )
    pending = True
    for changed in changes:
        if changed or pending:
            pending = False
            yield from (summary for summary in update() if summary.has_changes)
