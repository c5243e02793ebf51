"""What can be done with the libraries of a workspace?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dowse.app import libraries
from dowse.app.locking import alone
from dowse.app.permissions import Capability
from dowse.app.service import Service
from dowse.errors import NotFound
from dowse.model.record import Record

if TYPE_CHECKING:
    from dowse.app import adding
    from dowse.model.library import LibraryEntry, LibrarySummary


class Shelf(Service):
    """Libraries whose documentation is in the workspace."""

    def index_library(
        self, library: Record | Mapping[str, Any], snippets: Iterable[Mapping[str, Any]], *, version: str = ""
    ) -> Record:
        """Puts a newly indexed version of a library in the place of the old one, at once, and counts its trust anew."""
        self._principal.require(Capability.WRITE)
        self._principal.require_everything("add a library")
        data = library if isinstance(library, Record) else {"kind": "library", **library}
        made = self._make(data, {})
        parent = f"{made.key}@{version}" if version else made.key
        items = [
            self._make(
                {
                    "kind": "snippet",
                    "key": f"{parent}#{number}",
                    "parent": parent,
                    **item,
                    "facets": {**({"version": version} if version else {}), **(item.get("facets") or {})},
                },
                {},
            )
            for number, item in enumerate(snippets)
        ]
        with self._engine.view() as view:
            stored = view.find([made.key]).get(made.key)
            if stored is not None:
                made = replace(made, facets={**stored.facets, **made.facets})
            changes = libraries.replace_snippets(view, made, version, items)
        self._engine.apply(changes)
        return self._fetch(made.key)

    def add_library(
        self,
        source: str,
        *,
        key: str | None = None,
        version: Sequence[str] = (),
        versions: int | None = None,
        stars: int | None = None,
        keep_secrets: bool = False,
        report: "adding.Report | None" = None,
    ) -> "LibrarySummary":
        """Adds a library's documentation from a folder, a git repository, an installed package, an archive or an llms.txt.

        ``version``: tags of a repository; ``versions``: so many of its newest; with neither, what is current there.
        """
        from dowse.app import adding  # loads the readers, which searching never needs

        self._principal.require(Capability.WRITE)
        self._principal.require_everything("add a library")
        asked = adding.asked(key, tuple(version), versions, stars, keep_secrets)
        with alone(self._location):
            return adding.add(self._engine, source, asked, adding.Surroundings.here(self._clock, report, self._principal))

    def update_library(self, library: str | None = None, *, report: "adding.Report | None" = None) -> "tuple[LibrarySummary, ...]":
        """Reads a library, or all that were added, again from where they are; what did not change is not written."""
        from dowse.app import adding

        self._principal.require(Capability.WRITE)
        self._principal.require_everything("read libraries again")
        one = None if library is None else self._library(library)
        with alone(self._location):
            return adding.update(self._engine, one, adding.Surroundings.here(self._clock, report, self._principal))

    def remove_library(self, library: str, *, version: str | None = None) -> int:
        """Takes a library, or one version of it, out of the workspace; returns how many snippets went."""
        from dowse.app import adding

        self._principal.require(Capability.WRITE)
        self._principal.require_everything("remove a library")
        one = self._library(library)
        with alone(self._location):
            return adding.remove(self._engine, one, version)

    def libraries(self) -> "tuple[LibraryEntry, ...]":
        """The libraries of the workspace, by id."""
        self._principal.require(Capability.READ)
        with self._engine.view() as view:
            return libraries.listed(view)

    def _library(self, key: str) -> Record:
        found = self._fetch(self.resolve(key))
        if found.kind != "library" or found.deleted:
            raise NotFound(f"{found.key!r} is no library of this workspace.")
        return found
