"""How does an agent see what it has just written? Files are followed while it works, and looked at before a search."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.app.watching import updates
from dowse.errors import Busy, Conflict, DowseError, StorageError
from dowse.model.run import Freshness, IndexProgress, Stage, Summary
from dowse.shells.mcp.running import how_far

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace

# Files that are read before an answer. More than an agent edits at once is a branch switch, which the watcher catches up with.
_MOST_CHANGED = 50
# A look at every file may take this share of the time: at 5 ms for 600 files, ten looks a second.
_SHARE = 0.05
_SOONEST = 0.1
# Seconds to wait for an update that runs already; after that the answer is worth more than the news.
_PATIENCE = 0.5
# Seconds that the first question waits for the first index: most projects are read by then, and an agent that is told "no hits"
# before believes it. Who asked once in vain is told how far it is from then on.
_FIRST = 10.0


class Keeper:
    """Keeps a workspace true to its projects, in threads that end with it. ``say`` gets what a person at the server should read."""

    def __init__(
        self,
        workspace: "Workspace",
        place: Path | None,
        say: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        first: float = _FIRST,
    ) -> None:
        self._workspace = workspace
        self._place = place
        self._say = say
        self._clock = clock
        self._stop = threading.Event()
        self._updating = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._seen: tuple[Freshness, ...] = ()
        self._look_after = float("-inf")
        self._progress: IndexProgress | None = None
        self._failed = ""
        self._first = first
        self._indexed = threading.Event()

    def start(self, folder: Path | None, *, watch: bool) -> None:
        """Indexes a folder, if one is given, and from then on follows changes, if wanted. Returns at once."""
        if folder is not None:
            self._progress = IndexProgress(Stage.LOOKING)
        thread = threading.Thread(target=self._run, args=(folder, watch), name="dowse-keeping", daemon=True)
        self._threads.append(thread)
        thread.start()

    def close(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def notes(self) -> list[str]:
        """What every answer should say: that not everything is there yet."""
        if self._progress is not None:
            share, told = how_far((self._progress,), 0.0)
            return [f"The project is being indexed, {share:.0f} % so far ({told}): answers are not complete yet."]
        return [f"The project could not be indexed: {self._failed}"] if self._failed else []

    def catch_up(self) -> None:
        """Reads the few files that changed since the last look; while the first index is made, waits for it a little."""
        if self._progress is not None and not self._indexed.wait(self._first):
            self._first = 0.0
        if self._progress is not None or self._clock() < self._look_after:
            return
        if self._updating.acquire(timeout=_PATIENCE):
            try:
                changed = sum(item.changed or 0 for item in self._look())
                if 0 < changed <= _MOST_CHANGED:
                    self._refresh()
                    self._look()
            finally:
                self._updating.release()

    def freshness(self, workspace: "Workspace") -> tuple[Freshness, ...]:
        """How fresh what this caller sees is, as of the last look."""
        if self._clock() >= self._look_after:
            self._look()
        seen = {project.space for project in workspace.projects()}
        return tuple(item for item in self._seen if item.space in seen)

    def _look(self) -> tuple[Freshness, ...]:
        started = self._clock()
        self._seen = self._workspace.freshness()
        now = self._clock()
        self._look_after = now + max(_SOONEST, (now - started) / _SHARE)
        return self._seen

    def _refresh(self) -> tuple[Summary, ...]:
        # Someone else is indexing, or holds the file: they bring the news.
        with suppress(Conflict, StorageError, _Stopped):
            return self._workspace.refresh(report=self._heed)
        return ()

    def _run(self, folder: Path | None, watch: bool) -> None:
        try:
            if folder is not None:
                self._index(folder)
            if watch:
                self._follow()
        except _Stopped:
            pass
        except (DowseError, OSError) as error:
            self._failed = str(error)
            self._say(f"cannot keep the index up to date: {error}")

    def _index(self, folder: Path) -> None:
        try:
            with self._updating:
                done = self._workspace.index(folder, report=self._tell)
            self._say(f"indexed {done.files:,} files of {done.root}")
        except Conflict as error:
            self._say(str(error))
        finally:
            self._progress = None
            self._look_after = float("-inf")
            self._indexed.set()

    def _follow(self) -> None:
        roots = tuple(item.root for item in self._workspace.projects() if item.root.is_dir())
        if not roots:
            return
        for summary in updates(roots, self._update, self._stop, own=self._place):
            self._look_after = float("-inf")
            self._say(f"{summary.space}: {summary.added + summary.changed + summary.moved} files read, {summary.gone} gone")

    def _update(self) -> tuple[Summary, ...]:
        try:
            with self._updating:
                return self._workspace.refresh(report=self._heed)
        except Busy as error:
            # Who waits for someone that indexes waits for someone that writes as well.
            raise Conflict(str(error)) from error

    def _tell(self, progress: IndexProgress) -> None:
        self._progress = progress
        self._heed(progress)

    def _heed(self, _: IndexProgress) -> None:
        if self._stop.is_set():
            raise _Stopped


class _Stopped(Exception):
    """The server ends."""
