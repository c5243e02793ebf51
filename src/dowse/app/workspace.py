"""The Python API: one workspace, everything that can be done with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from dowse.app import libraries, recording, walking
from dowse.app.benching import Benching
from dowse.app.caring import Caring
from dowse.app.contextual import Contextual
from dowse.app.libraries import LibraryMatch
from dowse.app.modelling import Modelling
from dowse.app.noting import Noting
from dowse.app.permissions import Capability
from dowse.app.projecting import Projecting
from dowse.app.requesting import accepted, to_request
from dowse.app.shelf import Shelf
from dowse.app.tokens import Tokens
from dowse.domains.everything import SURFACES
from dowse.domains.graphs import FILE_SURFACES
from dowse.domains.preparing import relinks
from dowse.errors import AmbiguousId, Conflict, InvalidRequest, NotFound
from dowse.model.page import Branch, Listing, Neighbour, Page
from dowse.model.ranking import Explanation
from dowse.model.record import Edge, Record
from dowse.model.request import Scope, SearchRequest
from dowse.model.schema import Schema
from dowse.model.surface import Blank, Surface
from dowse.ports import Direction, Finding, Status, View
from dowse.search.explain import why_not
from dowse.search.listing import browse
from dowse.search.pipeline import search
from dowse.search.plan import check_limit, check_offset
from dowse.text.suggesting import did_you_mean

if TYPE_CHECKING:
    from dowse.app import transfer
    from dowse.model.change import Applied, Change


# What writes, and what moves records in and out, is imported by the methods that do: whoever types a search waits for every module.
class Workspace(Projecting, Shelf, Modelling, Benching, Contextual, Noting, Tokens, Caring):
    """Everything a project knows, in one place.

    >>> import dowse
    >>> with dowse.open(":memory:") as workspace:
    ...     _ = workspace.put(kind="page", title="Retries", content="Retries are capped at five.")
    ...     [hit.record.title for hit in workspace.search("how are retries capped").hits]
    ['Retries']
    """

    # Writing

    def put(self, record: Record | Mapping[str, Any] | None = None, *, expected: int | None = None, **values: Any) -> Record:
        """Adds a record, or replaces the one with its key. ``expected``: only over that version.

        Give a Record, a mapping, or its parts: ``put(kind="item", title="Fix the router", role="work")``.
        """
        from dowse.model.change import Put

        self._principal.require(Capability.WRITE)
        made = self._make(record, values)
        if made.parent is not None:
            self._check_parent(made)
        self._engine.apply([Put(made, expected), *relinks(made)])
        return self._fetch(made.key)

    def update(self, key: str, **values: Any) -> Record:
        """Changes parts of a record and leaves the rest; fails if someone else wrote it in between."""
        self._principal.require(Capability.WRITE)
        old = self._fetch(self.resolve(key))
        return self.put(recording.merge(old, values), expected=old.version)

    def apply(self, changes: Iterable[Change]) -> Applied:
        """Many changes at once, all or none."""
        from dowse.model.change import Link, Put

        self._principal.require(Capability.WRITE)
        checked = list(changes)
        for change in checked:
            if isinstance(change, Put):
                recording.check(change.record, self._schema)
            elif isinstance(change, Link):
                recording.check_edge(change.edge, self._schema)
        return self._engine.apply(checked)

    def delete(self, key: str, *, purge: bool = False, recursive: bool = False) -> int:
        """Takes a record out of every answer; ``restore`` brings it back unless ``purge``. Returns how many went."""
        from dowse.model.change import Delete

        self._principal.require(Capability.WRITE)
        wanted = self.resolve(key)
        with self._engine.view() as view:
            below = [item.key for item in walking.below(view, wanted)]
        if below and not recursive:
            raise Conflict(f"{wanted!r} has {len(below)} records below it. Delete them too with recursive, or move them first.")
        self._engine.apply([Delete(item, purge) for item in [*reversed(below), wanted]])
        return len(below) + 1

    def restore(self, key: str) -> Record:
        """Brings a deleted record back."""
        from dowse.model.change import Restore

        self._principal.require(Capability.WRITE)
        wanted = self.resolve(key)
        self._engine.apply([Restore(wanted)])
        return self._fetch(wanted)

    def link(self, source: str, target: str, kind: str, **facets: Any) -> Edge:
        """Adds an edge between two records."""
        from dowse.model.change import Link

        self._principal.require(Capability.WRITE)
        edge = Edge(self.resolve(source), self.resolve(target), kind, facets)
        recording.check_edge(edge, self._schema)
        self._engine.apply([Link(edge)])
        return edge

    def unlink(self, source: str, target: str, kind: str) -> bool:
        """Takes an edge away; says whether it was there."""
        from dowse.model.change import Unlink

        self._principal.require(Capability.WRITE)
        start, end = self.resolve(source), self.resolve(target)
        with self._engine.view() as view:
            there = any(edge.target == end for edge in view.edges([start], Direction.OUTGOING, (kind,)))
        self._engine.apply([Unlink(start, end, kind)])
        return there

    def tag(self, key: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> Record:
        """Adds and removes tags of one record."""
        self._principal.require(Capability.WRITE)
        old = self._fetch(self.resolve(key))
        tags = sorted({*old.tags, *recording.to_tags(add)} - set(remove))
        return self.put(replace(old, tags=tuple(tags), updated=self._clock()), expected=old.version)

    def rename_tag(self, old: str, new: str) -> int:
        """Renames a tag on every record that has it; returns how many have it."""
        from dowse.model.change import RenameTag

        self._principal.require(Capability.WRITE)
        self._principal.require_everything("rename a tag")
        if not new.strip():
            raise InvalidRequest("The new tag is blank.")
        return self._engine.apply([RenameTag(old, new.strip())]).records

    # Reading

    def get(self, key: str) -> Record:
        """One record by id, or by an unambiguous beginning of it of at least four characters."""
        self._principal.require(Capability.READ)
        return self._fetch(self.resolve(key))

    def list(
        self,
        *,
        kinds: Sequence[str] = (),
        spaces: Sequence[str] = (),
        under: str | None = None,
        parent: str | None = None,
        tags: Sequence[str] = (),
        facets: Mapping[str, Any] | None = None,
        deleted: bool = False,
        limit: int = 50,
        offset: int = 0,
    ) -> Listing:
        """Records by filter alone, latest first, with the true total."""
        self._principal.require(Capability.READ)
        scope = Scope(
            kinds=tuple(kinds),
            spaces=tuple(spaces),
            ancestor=self._below(under) if under is not None else None,
            parents=(self.resolve(parent),) if parent is not None else None,
            tags=tuple(tags),
            facets={name: accepted(value) for name, value in (facets or {}).items()},
            deleted=deleted,
        )
        with self._engine.view() as view:
            return browse(view, scope, self._schema, limit, offset)

    def tree(self, key: str, *, depth: int | None = None) -> Branch:
        """A record and what hangs below it."""
        self._principal.require(Capability.READ)
        if depth is not None and depth < 0:
            raise InvalidRequest(f"depth is {depth}; it must be 0 or more.")
        root = self._fetch(self.resolve(key))
        with self._engine.view() as view:
            return walking.branch(view, root, depth)

    def search(self, query: str | None = None, *, surface: str = "everything", **parameters: Any) -> Page:
        """One page of the answer. A surface gives the parameters their names and defaults; see ``surfaces``."""
        self._principal.require(Capability.SEARCH_USE)
        chosen = self.surface(surface)
        if chosen.blank is Blank.EMPTY and not (query or "").strip():
            # Nothing is asked, so nothing is read, except what checking the other parameters takes.
            request = to_request(query, chosen, parameters, self._resolve, self._library_space, self._below)
            return Page((), 0, check_offset(request.offset), check_limit(request.limit, chosen.limit, chosen))
        with self._engine.view() as view:
            request = self._request(view, query, chosen, parameters)
            if request.rescore is not None:
                self._permit_model(request.rescore)
            asked = (chosen.name, repr(request))
            page = self._pages.get(view.generation, asked)
            if page is None:
                page = search(view, request, chosen, self._schema, self._engine.asked(view), self._engine.second(request.rescore))
                if page.passing:
                    return replace(page, degraded=self._engine.with_failure(page.degraded))
                self._pages.put(view.generation, asked, page)
            return page

    def search_files(self, query: str, *, graph: str = "files", **parameters: Any) -> Page:
        """Files by path and by what they declare; ``graph`` is code, docs or files."""
        if graph not in FILE_SURFACES:
            raise InvalidRequest(f"There are no files of {graph!r}; graph is {', '.join(FILE_SURFACES)}.")
        return self.search(query, surface=FILE_SURFACES[graph], **parameters)

    def recall(self, query: str, **parameters: Any) -> Page:
        """Skills for the task at hand, with a lower bar than search."""
        return self.search(query, surface="skills_recall", **parameters)

    def why_not(self, key: str, query: str, *, surface: str = "everything", **parameters: Any) -> Explanation:
        """Why a record is absent from an answer, or where it stands in it."""
        self._principal.require(Capability.SEARCH_USE)
        chosen = self.surface(surface)
        with self._engine.view() as view:
            wanted = self._known(view, key)
            request = self._request(view, query, chosen, parameters)
            return why_not(view, wanted, request, chosen, self._schema, self._engine.asked(view))

    def resolve_library(self, name: str, query: str | None = None, *, limit: int = 10) -> tuple[LibraryMatch, ...]:
        """Libraries a name may mean, the surest first."""
        self._principal.require(Capability.SEARCH_USE)
        with self._engine.view() as view:
            return libraries.resolve(view, self._schema, SURFACES["docs"], name, query, limit)

    def query_docs(self, library: str, query: str, *, version: str | None = None, tokens: int = 5000, **parameters: Any) -> str:
        """What a library's documentation says, as text within a token budget."""
        from dowse.present.library import snippets_text

        page = self.search(query, surface="docs", repositoryId=library, versionId=version, **parameters)
        return snippets_text(page, self._fetch(self._resolve(library)), tokens)

    def backlinks(self, key: str, *, kind: str | None = None) -> tuple[Neighbour, ...]:
        """Who points at this record: every edge that ends here, with the record it starts from."""
        return self.neighbours(key, direction="incoming", kinds=(kind,) if kind is not None else ())

    def neighbours(self, key: str, *, direction: str = "all", kinds: Sequence[str] = (), depth: int = 1) -> tuple[Neighbour, ...]:
        """Records along the edges of this one, each with the edge that leads to it."""
        self._principal.require(Capability.READ)
        if direction not in tuple(Direction):
            raise InvalidRequest(f"direction cannot be {direction!r}; it is one of {', '.join(Direction)}.")
        for kind in kinds:
            if kind not in self._schema.edges:
                raise InvalidRequest(f"There is no edge kind {kind!r}. {did_you_mean(kind, self._schema.edges)}")
        if depth < 1:
            raise InvalidRequest(f"depth is {depth}; it must be 1 or more.")
        wanted = self.resolve(key)
        with self._engine.view() as view:
            return walking.neighbours(view, wanted, Direction(direction), tuple(kinds), depth)

    # Care

    def reindex(self) -> int:
        """Makes every search index again from the records; returns how many can be found. Searches go on meanwhile."""
        self._principal.require(Capability.ADMIN)
        return self._engine.reindex()

    def status(self) -> Status:
        """What the workspace holds and how fresh it is."""
        self._principal.require(Capability.READ)
        status = self._engine.status()
        # Where the file lies is the owner's to know.
        return status if Capability.ADMIN in self._principal.capabilities else replace(status, location="")

    def doctor(self) -> tuple[Finding, ...]:
        """Every health check with its result."""
        self._principal.require(Capability.READ)
        return self._engine.examine()

    def export(self, out: IO[str]) -> tuple[int, int]:
        """Writes everything as JSON lines; returns how many records and edges."""
        from dowse.app import transfer

        self._principal.require(Capability.READ)
        with self._engine.view() as view:
            return transfer.export(view, out)

    def import_file(
        self, path: str | Path, *, report: transfer.Report | None = None, skip_bad: bool = False, restart: bool = False
    ) -> transfer.Progress:
        """Reads records and edges from JSON lines, in committed batches. The same file again goes on where it stopped."""
        from dowse.app import transfer

        self._principal.require(Capability.WRITE)
        self._principal.require_everything("import a file")
        self._principal.require_path(path)
        done = transfer.import_file(
            self._engine, self._schema, Path(path), now=self._clock, report=report, skip_bad=skip_bad, restart=restart
        )
        with self._engine.view() as view:
            recounted = libraries.recount(view)
        self._engine.apply(recounted)
        return done

    # Names

    @property
    def surfaces(self) -> Mapping[str, Surface]:
        """The surfaces by name, each with its parameters."""
        return SURFACES

    @property
    def schema(self) -> Schema:
        return self._schema

    def surface(self, name: str) -> Surface:
        if name not in SURFACES:
            raise InvalidRequest(f"There is no surface {name!r}. {did_you_mean(name, SURFACES)}")
        return SURFACES[name]

    def _request(self, view: View, query: str | None, surface: Surface, parameters: Mapping[str, Any]) -> SearchRequest:
        def space_of(key: str, version: str | None) -> str:
            return libraries.default_space(view, key, version)

        return to_request(query, surface, parameters, self._resolver(view), space_of, self._scoper(view))

    def _known(self, view: View, key: str) -> str:
        """The id of the record that is meant; what is no record's stays as it is, for the answer to name."""
        try:
            return self._resolver(view)(key)
        except AmbiguousId:
            raise
        except NotFound:
            return key

    def _library_space(self, key: str, version: str | None) -> str:
        with self._engine.view() as view:
            return libraries.default_space(view, key, version)

    def _check_parent(self, record: Record) -> None:
        with self._engine.view() as view:
            parent = view.find([record.parent or ""]).get(record.parent or "")
        if parent is None or parent.deleted:
            raise NotFound(f"The parent {record.parent!r} of {record.key!r} does not exist. Put it first.")
        allowed = self._schema.kinds[record.kind].parents
        if parent.kind not in allowed:
            raise InvalidRequest(f"A {record.kind} hangs below a {' or '.join(allowed)}; {parent.key!r} is a {parent.kind}.")
