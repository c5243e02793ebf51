"""How does what is known stay true while people work? Changed files are read as soon as they rest for a moment."""

import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from dowse.errors import Conflict
from dowse.model.run import Summary

# A file is often written several times at once, by an editor or a branch switch: milliseconds of rest, and the longest wait. What
# rests in the middle for longer is read twice.
_REST, _LONGEST = 25, 400
# So that a stop is noticed also when nothing changes.
_LOOK_UP = 500
# Changes in these are never those of a project's files.
_OWN = frozenset({".dowse", ".git", ".hg", ".svn", ".jj", "__pycache__", "node_modules"})


def updates(
    roots: tuple[Path, ...],
    update: Callable[[], tuple[Summary, ...]],
    stop: threading.Event,
    *,
    own: Path | None = None,
    ready: Iterable[None] = (),
) -> Iterator[Summary]:
    """What each update did, for as long as nobody says stop. The first one brings everything up to date.

    ``own``: the workspace, whose files change with every update. ``ready``: what the next update would wait for, a step for each
    moment in which nothing changes.
    """
    from watchfiles import Change, watch  # loads an event loop that nothing else needs

    def matters(_: Change, path: str) -> bool:
        place = Path(path)
        below = [place.relative_to(root).parts for root in roots if place.is_relative_to(root)]
        return any(_OWN.isdisjoint(parts) for parts in below) and not (own is not None and path.startswith(str(own)))

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
    pending, steps = True, iter(ready)
    for changed in changes:
        if not (changed or pending):
            next(steps, None)
            continue
        try:
            done = update()
        except Conflict:
            # Someone else is indexing: what changed is looked at again in a moment.
            pending = True
            continue
        pending = False
        yield from (summary for summary in done if summary.has_changes)
