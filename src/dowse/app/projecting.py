"""What can be done with the projects of a workspace?"""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.app import freshness
from dowse.app.freshness import KnownProject
from dowse.app.locking import alone
from dowse.app.permissions import Capability
from dowse.app.service import Service
from dowse.errors import Forbidden, InvalidRequest, NotFound

if TYPE_CHECKING:
    from dowse.ingest.indexing import Report
    from dowse.model.run import Freshness, Summary


class Projecting(Service):
    """Folders whose files are in the workspace."""

    def index(
        self,
        folder: str | Path = ".",
        *,
        space: str | None = None,
        excludes: Sequence[str] | None = None,
        hide_secrets: bool | None = None,
        afresh: bool = False,
        jobs: int | None = None,
        dry_run: bool = False,
        report: "Report | None" = None,
    ) -> "Summary":
        """Makes everything in a project findable, or brings what is known of it up to date.

        A folder inside a known project stands for that project. ``afresh``: every file is read, also those that look
        unchanged. ``excludes``: patterns as in .gitignore; ``hide_secrets``: what looks like a key or token is not kept. Both are
        remembered for the next time.
        """
        from dowse.app import projects  # loads the readers, which searching never needs

        self._principal.require(Capability.WRITE)
        if jobs is not None and jobs < 1:
            raise InvalidRequest(f"jobs is {jobs}; it must be 1 or more.")
        self._permit_folder(Path(folder), space, excludes)
        with alone(None if dry_run else self._location):
            return projects.index(
                self._engine,
                self._place,
                Path(folder),
                clock=self._clock,
                space=space,
                excludes=None if excludes is None else tuple(excludes),
                hide_secrets=hide_secrets,
                afresh=afresh,
                jobs=jobs,
                dry_run=dry_run,
                report=report,
            )

    def refresh(self, *, report: "Report | None" = None) -> "tuple[Summary, ...]":
        """Brings what is known of every project up to date; one whose folder is not there is left as it is."""
        return tuple(self.index(item.root, space=item.space, report=report) for item in self.projects() if item.root.is_dir())

    def watch(self, stop: threading.Event) -> "Iterator[Summary]":
        """Keeps every project up to date until ``stop`` is set; yields what each update did."""
        from dowse.app.watching import updates

        roots = tuple(item.root for item in self.projects() if item.root.is_dir())
        if not roots:
            raise NotFound("There is no project to watch. Index one first with 'dowse index'.")
        return updates(roots, self.refresh, stop, own=self._place, ready=self._make_ready())

    def projects(self) -> tuple[KnownProject, ...]:
        """The projects whose files are in this workspace."""
        self._principal.require(Capability.READ)
        with self._engine.view() as view:
            return freshness.known(view, self._home)

    def freshness(self) -> "tuple[Freshness, ...]":
        """For each project when it was indexed and how many of its files look different now."""
        self._principal.require(Capability.READ)
        with self._engine.view() as view:
            return tuple(freshness.glance(view, item, self._home) for item in freshness.known(view, self._home))

    def forget(self, space: str) -> int:
        """Takes a project out of the workspace, with everything that was made of its files; returns how many files went."""
        from dowse.app import projects

        self._principal.require(Capability.WRITE)
        with alone(self._location):
            return projects.forget(self._engine, space)

    def _make_ready(self) -> "Iterator[None]":
        """Loads what reads the files of the projects: parsers and their queries take as long as a small update."""
        from dowse.ingest.reading import make_ready

        with self._engine.view() as view:
            paths = [path for item in freshness.known(view, self._home) for path in view.stamps(item.space)]
        yield from make_ready(paths)

    def _permit_folder(self, folder: Path, space: str | None, excludes: Sequence[str] | None) -> None:
        """Refuses a folder outside the roots, and a project of which only a part is seen.

        A project that is in the workspace already may be read again as it was: someone chose it, and what to leave out of it.
        """
        from dowse.app import projects

        if self._principal.roots is None and self._principal.reach.is_everything:
            return
        with self._engine.view() as view:
            chosen = [item.root for item in freshness.known(view, self._home) if excludes is None and space in (None, item.space)]
            self._principal.require_path(folder, tuple(chosen))
            if not self._principal.reach.is_everything:
                project = projects.choose(view, self._home, folder, space, None)
                if not self._principal.reach.covers(project.space):
                    raise Forbidden(
                        f"{self._principal.name} may not index the space {project.space!r}: files become records of many kinds and"
                        f" places, and they see only a part of the workspace ({self._principal.reach})."
                    )
