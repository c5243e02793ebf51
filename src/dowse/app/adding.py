"""How does a library get from where it is into the workspace, and how does it stay current?

What is read is compared by content: a file that is as it was, or as it is in another version, is not parsed again, and only
snippets that differ are written. A version is replaced in one commit; until then, and if anything fails, the old one answers.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, replace
from pathlib import Path
from typing import Self

from dowse.app import libraries
from dowse.app.permissions import OWNER, Capability, Principal
from dowse.app.shelving import Shelf
from dowse.domains import library as domain
from dowse.errors import Conflict, DowseError, InvalidRequest, NotFound
from dowse.ingest.libraries import From, Material, Origin, Wanted, opened, tell
from dowse.ingest.libraries.repositories import is_url
from dowse.ingest.libraries.versions import newest
from dowse.model.change import Change, Delete, DropSource, Put
from dowse.model.declaring import dataclass
from dowse.model.library import LibraryProgress, LibrarySummary
from dowse.model.record import Facet, Record
from dowse.model.request import Scope
from dowse.ports import Engine, View

Report = Callable[[LibraryProgress], None]

_KEY = re.compile(r"/[^/\s@#]+/[^/\s@#]+")
# A name, as packages have it, and no path.
_NAME = re.compile(r"(@[\w.-]*\w/)?\w[\w.-]*")
# More are a mistake, or a day's work.
_MOST_VERSIONS = 100
# Long enough for any sentence that says what went wrong.
_LONGEST_ERROR = 500


@dataclass(frozen=True, slots=True)
class Asked:
    """What a user wants of a library besides its source."""

    key: str | None = None
    wanted: Wanted = field(default_factory=Wanted)
    stars: int | None = None
    keep_secrets: bool = False


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a source is looked for, what time it is, and who wants to know how far it is."""

    folder: Path
    environment: Mapping[str, str]
    clock: Callable[[], float]
    report: Report
    principal: Principal = OWNER

    @classmethod
    def here(cls, clock: Callable[[], float], report: Report | None, principal: Principal) -> Self:
        return cls(Path.cwd(), os.environ, clock, report or (lambda _: None), principal)

    def permit_source(self, source: str) -> None:
        """Refuses what a user typed, where that can be told before anything is looked at: an address, or a path."""
        kind, colon, rest = source.partition(":")
        place = rest if colon and kind in tuple(From) and not rest.startswith("//") else source
        if _is_address(place):
            self._permit_address(place)
        elif not _NAME.fullmatch(place):
            # Not where it would lie if "~" were a folder: that leads home, or nowhere.
            self.principal.require_path(place if place.startswith("~") else self.folder / place)

    def permit(self, origin: Origin) -> None:
        """Refuses a source that the one who asks may not have read.

        What is installed here lies outside of any project: for those who are confined to folders, only an admin has it read.
        """
        if _is_address(origin.place):
            self._permit_address(origin.place)
        elif origin.kind is From.NPM:
            here = self.folder.absolute()
            self.principal.require_path(origin.place, tuple(folder / "node_modules" for folder in (here, *here.parents)))
        elif origin.kind is not From.PYPI:
            self.principal.require_path(origin.place)
        elif self.principal.roots is not None:
            self.principal.require(Capability.ADMIN)

    def _permit_address(self, address: str) -> None:
        self.principal.require(Capability.ADMIN)
        self.principal.require_address(address)


def asked(key: str | None, tags: tuple[str, ...], newest: int | None, stars: int | None, keep_secrets: bool) -> Asked:
    """What a user wants, checked."""
    if key is not None and not _KEY.fullmatch(key):
        raise InvalidRequest(f"The id of a library is /owner/name, not {key!r}.")
    if tags and newest is not None:
        raise InvalidRequest("Give either version or versions: some tags, or how many of the newest.")
    if newest is not None and not 1 <= newest <= _MOST_VERSIONS:
        raise InvalidRequest(f"versions is {newest}; it must be from 1 to {_MOST_VERSIONS}.")
    if stars is not None and stars < 0:
        raise InvalidRequest(f"stars is {stars}; it must be 0 or more.")
    return Asked(key, Wanted(tags, newest or 0), stars, keep_secrets)


def add(engine: Engine, source: str, asked: Asked, around: Surroundings) -> LibrarySummary:
    """Adds a library, or another version of it."""
    began = around.clock()
    around.permit_source(source)
    origin = tell(source, around.folder, around.environment)
    around.permit(origin)
    with opened(origin, asked.wanted, around.folder, around.environment) as material:
        return _index(engine, material, origin, asked, around, began)


def update(engine: Engine, library: Record | None, around: Surroundings) -> tuple[LibrarySummary, ...]:
    """Reads a library again from where it was read before; or all of them, where one that fails does not stop the others."""
    if library is not None:
        return (_updated(engine, library, around),)
    with engine.view() as view:
        found = view.fetch(view.recent(view.select(Scope(kinds=("library",)))).handles)
    added = sorted((item for item in found if item.facets.get("origin")), key=lambda item: item.key)
    return tuple(_tried(engine, item, around) for item in added)


def origin_of(library: Record) -> Origin:
    """Where a library was read from."""
    kind, _, place = str(library.facets.get("origin") or "").partition(":")
    if kind not in tuple(From):
        raise InvalidRequest(f"{library.key} was not added from a source, so there is nothing to read again.")
    return Origin(From(kind), place)


def remove(engine: Engine, library: Record, version: str | None) -> int:
    """Takes a library, or one version of it, out of the workspace; returns how many snippets went."""
    with engine.view() as view:
        known = libraries.versions_of(view, library)
        if version is not None and version not in known:
            raise NotFound(f"{library.key} has no version {version!r}; it has {', '.join(known) or 'none'}.")
        spaces = libraries.spaces_of(view, library)
        going = spaces if version is None else [domain.space(library.key, version)]
        left = [space for space in spaces if space not in going and libraries.count_snippets(view, [space])]
        changes, gone = _removed(view, going)
        if version is None or not left:
            changes.append(Delete(library.key, purge=True))
        else:
            rest = tuple(item for item in known if item != version)
            default = "" if domain.space(library.key) in left else _newest(rest)
            kept = replace(library, facets=_filled({**library.facets, "defaultVersion": default}))
            changes.append(Put(libraries.counted(kept, libraries.count_snippets(view, left))))
    engine.apply(changes)
    return gone


def _tried(engine: Engine, library: Record, around: Surroundings) -> LibrarySummary:
    try:
        return _updated(engine, library, around)
    except (DowseError, OSError) as error:
        facets = library.facets
        snippets, trust = int(facets.get("snippets") or 0), float(facets.get("trust") or 0)
        origin = str(facets.get("origin"))
        return LibrarySummary(library.key, library.title, origin, snippets=snippets, trust=trust, error=str(error))


def _updated(engine: Engine, library: Record, around: Surroundings) -> LibrarySummary:
    origin = origin_of(library)
    around.permit(origin)
    keep = library.facets.get("keepSecrets") is True
    began = around.clock()
    with engine.view() as view:
        wants = _wants(view, library, origin)
    done: list[LibrarySummary] = []
    for wanted in wants:
        asked = Asked(library.key, wanted, keep_secrets=keep)
        with _told(engine, library.key), opened(origin, wanted, around.folder, around.environment) as material:
            done.append(_index(engine, material, origin, asked, around, began))
    return replace(
        done[-1],
        versions=tuple(version for summary in done for version in summary.versions),
        changed=any(summary.changed for summary in done),
        problems=tuple(problem for summary in done for problem in summary.problems),
    )


def _index(engine: Engine, material: Material, origin: Origin, asked: Asked, around: Surroundings, began: float) -> LibrarySummary:
    key = asked.key or f"/{material.owner}/{material.name}"
    with engine.view() as view:
        stored = view.find([key]).get(key)
    if stored is not None and not stored.deleted:
        _refuse_other(stored, origin)
    else:
        stored = None
    library = _described(stored, key, material, origin, asked, around.clock())
    if stored is None:
        engine.apply([Put(replace(library, facets={**library.facets, "state": "pending", "ready": False}))])
    with _told(engine, key):
        shelf = Shelf(engine, library, keep_secrets=asked.keep_secrets, clock=around.clock, report=around.report)
        # What is installed is what is asked about, whatever newer versions were read before.
        default, last = origin.kind in (From.PYPI, From.NPM), material.editions[-1]
        done = [shelf.place(edition, is_last=edition is last, default=default) for edition in material.editions]
    with engine.view() as view:
        now = view.find([key])[key]
    return LibrarySummary(
        library=key,
        title=now.title,
        origin=str(origin),
        versions=tuple(version for version, _ in done),
        snippets=int(now.facets.get("snippets") or 0),
        trust=float(now.facets.get("trust") or 0),
        changed=any(changed for _, changed in done),
        problems=(*material.problems, *shelf.problems),
        seconds=around.clock() - began,
    )


def _refuse_other(stored: Record, origin: Origin) -> None:
    if stored.kind != "library":
        raise Conflict(f"{stored.key} is a {stored.kind} here, not a library. Choose another id.")
    before = stored.facets.get("origin")
    another_version = str(before or "").startswith(f"{From.ARCHIVE}:") and origin.kind is From.ARCHIVE
    if before and before != str(origin) and not another_version:
        raise Conflict(f"{stored.key} is here already, from {before}. Remove it first, or choose another id for this one.")


def _described(stored: Record | None, key: str, material: Material, origin: Origin, asked: Asked, now: float) -> Record:
    """The library as the source describes it, with what only the user or earlier runs know."""
    facets: dict[str, Facet] = dict(stored.facets) if stored is not None else {}
    facets |= {"source": material.source, "origin": str(origin), "keepSecrets": asked.keep_secrets, "error": ""}
    if asked.stars is not None:
        facets["stars"] = asked.stars
    if asked.wanted.newest or asked.wanted.tags:
        facets["follows"] = asked.wanted.newest
    fields = {"identifier": key, "description": material.description, "rules": "\n".join(material.rules)}
    return Record(
        key,
        "library",
        material.title,
        {name: text for name, text in fields.items() if text},
        facets=_filled(facets),
        tags=stored.tags if stored is not None else (),
        updated=now,
    )


def _filled(facets: Mapping[str, Facet]) -> dict[str, Facet]:
    """Without those that say nothing; whether it is ready, and how large it is, is always said."""
    return {name: value for name, value in facets.items() if value or name in ("ready", "snippets", "trust", "stars")}


@contextmanager
def _told(engine: Engine, key: str) -> Iterator[None]:
    """Remembers with the library why reading it failed; what it held before goes on answering."""
    try:
        yield
    except (DowseError, OSError) as error:
        with engine.view() as view:
            stored = view.find([key]).get(key)
        if stored is not None and not stored.deleted and not isinstance(error, Conflict):
            failed = replace(stored, facets={**stored.facets, "state": "error", "error": str(error)[:_LONGEST_ERROR]})
            engine.apply([Put(libraries.counted(failed, int(stored.facets.get("snippets") or 0)))])
        raise


def _wants(view: View, library: Record, origin: Origin) -> list[Wanted]:
    """What to ask the source for, so that every version that is here is looked at, and new ones that were asked for come."""
    if origin.kind is not From.GIT:
        return [Wanted()]
    follows = int(library.facets.get("follows") or 0)
    if follows:
        return [Wanted(newest=follows)]
    has_current = bool(view.stamps(library.key))
    tags = libraries.versions_of(view, library)
    return [*([Wanted()] if has_current or not tags else []), *([Wanted(tags=tags)] if tags else [])]


def _removed(view: View, spaces: list[str]) -> tuple[list[Change], int]:
    scope = Scope(kinds=("snippet",), spaces=tuple(spaces))
    snippets = view.fetch(view.recent(view.select(scope)).handles)
    changes: list[Change] = [Delete(record.key, purge=True) for record in snippets]
    changes += [Delete(space, purge=True) for space, record in sorted(view.find(spaces).items()) if record.kind == "version"]
    changes += [DropSource(space, path) for space in spaces for path in view.stamps(space)]
    return changes, len(snippets)


def _is_address(place: str) -> bool:
    return "://" in place or is_url(place)


def _newest(tags: tuple[str, ...]) -> str:
    return next(iter(newest(tags, 1)), max(tags, default=""))
