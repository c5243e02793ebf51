"""Which library is meant, and what do its documents say?"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dowse.domains import library as domain
from dowse.errors import InvalidRequest, NotFound
from dowse.model.declaring import dataclass
from dowse.model.record import Record
from dowse.model.request import Scope, SearchRequest
from dowse.model.schema import Schema
from dowse.model.surface import Surface
from dowse.ports import View
from dowse.search.pipeline import rank

if TYPE_CHECKING:
    from dowse.model.change import Change
    from dowse.model.library import LibraryEntry


@dataclass(frozen=True, slots=True)
class LibraryMatch:
    """A library that may be meant, with its versions."""

    library: Record
    versions: tuple[str, ...]
    score: float


# How many snippets are looked at for libraries that speak of what is asked.
_SNIPPETS_SEEN = 100
# What one snippet that speaks of the question is worth beside a name in the description.
_SPEAKS = 10.0


def resolve(view: View, schema: Schema, docs: Surface, name: str, query: str | None, limit: int) -> tuple[LibraryMatch, ...]:
    """Libraries whose name, id, description or documentation fits, the surest first. Only those that can answer."""
    if not 1 <= limit <= 100:
        raise InvalidRequest(f"limit is {limit}; it must be from 1 to 100.")
    ready = _ready(view)
    speaking = _speaking(view, schema, docs, query or name)
    scores = {}
    for item in ready:
        identity = domain.identity(item, name)
        spoken = sum(speaking.get(space, 0.0) for space in spaces_of(view, item))
        if identity or spoken:
            scores[item.key] = domain.score(item, name) + spoken
    exact = {item.key for item in ready if domain.identity(item, name) >= domain.EXACT}
    chosen = sorted(
        (item for item in ready if item.key in scores), key=lambda item: (item.key not in exact, -scores[item.key], item.key)
    )
    return tuple(LibraryMatch(item, versions_of(view, item), scores[item.key]) for item in chosen[:limit])


def default_space(view: View, library: str, version: str | None) -> str:
    """Where the snippets of a version are; without one, of the library's default version. Never a mix."""
    record = view.find([library]).get(library)
    if record is None or record.kind != "library" or record.deleted:
        raise NotFound(f"There is no library {library!r}. Look it up with 'dowse resolve-library'.")
    if version is None:
        return domain.space(library, str(record.facets.get("defaultVersion") or ""))
    if version not in versions_of(view, record) and version != record.facets.get("defaultVersion"):
        known = ", ".join(versions_of(view, record)) or "none"
        raise NotFound(f"{library} has no version {version!r}; it has {known}.")
    return domain.space(library, version)


def replace_snippets(view: View, library: Record, version: str, snippets: Sequence[Record]) -> "list[Change]":
    """The changes that put a newly indexed version in the place of the old one, with trust counted anew."""
    from dowse.model.change import Delete, Put  # searching writes nothing

    space = domain.space(library.key, version)
    old = view.fetch(view.recent(view.select(Scope(kinds=("snippet",), spaces=(space,)))).handles)
    new = {snippet.key for snippet in snippets}
    changes: list[Change] = [Delete(record.key, purge=True) for record in old if record.key not in new]
    changes += [Put(replace(snippet, space=space)) for snippet in snippets]
    if version:
        changes.append(
            Put(
                Record(
                    f"{library.key}@{version}",
                    "version",
                    version,
                    space=library.key,
                    parent=library.key,
                    facets={"tag": version},
                    updated=library.updated,
                )
            )
        )
    others = [item for item in spaces_of(view, library) if item != space]
    default = {"defaultVersion": version} if version else {}
    indexed = replace(library, facets={**default, **library.facets, "state": "indexed", "ready": True})
    total = len(snippets) + (count_snippets(view, others) if others else 0)
    return [Put(counted(indexed, total)), *changes]


def recount(view: View) -> "list[Change]":
    """The changes that bring every library's snippet count and trust up to what is stored."""
    from dowse.model.change import Put

    changes: list[Change] = []
    for library in view.fetch(view.recent(view.select(Scope(kinds=("library",)))).handles):
        recounted = counted(library, count_snippets(view, spaces_of(view, library)))
        if recounted != library:
            changes.append(Put(recounted, expected=library.version))
    return changes


def listed(view: View) -> "tuple[LibraryEntry, ...]":
    """The libraries of the workspace, by id."""
    found = view.fetch(view.recent(view.select(Scope(kinds=("library",)))).handles)
    return tuple(_entry(view, library) for library in sorted(found, key=lambda library: library.key))


def _entry(view: View, library: Record) -> "LibraryEntry":
    from dowse.model.library import LibraryEntry

    facets = library.facets
    return LibraryEntry(
        library=library.key,
        title=library.title,
        versions=versions_of(view, library),
        default_version=str(facets.get("defaultVersion") or ""),
        snippets=int(facets.get("snippets") or 0),
        state=str(facets.get("state") or ""),
        ready=facets.get("ready") is True,
        trust=float(facets.get("trust") or 0),
        source=str(facets.get("source") or ""),
        origin=str(facets.get("origin") or ""),
        updated=library.updated,
        error=str(facets.get("error") or ""),
    )


def counted(library: Record, snippets: int) -> Record:
    """The library with its size and its trust as they are now."""
    facets = {**library.facets, "snippets": snippets}
    return replace(library, facets={**facets, "trust": domain.trust(replace(library, facets=facets), snippets)})


def count_snippets(view: View, spaces: Sequence[str]) -> int:
    """How many snippets these versions hold."""
    return view.select(Scope(kinds=("snippet",), spaces=tuple(spaces))).size


def _ready(view: View) -> list[Record]:
    """Libraries with a good generation, also while a newer one is being made."""
    scope = Scope(kinds=("library",), facets={"ready": (True,)})
    return view.fetch(view.recent(view.select(scope)).handles)


def _speaking(view: View, schema: Schema, docs: Surface, text: str) -> dict[str, float]:
    """How many of the best snippets for the text each space has."""
    if not text.strip():
        return {}
    answer = rank(view, SearchRequest(text, limit=_SNIPPETS_SEEN), docs, schema)
    found: dict[str, float] = {}
    best = max((place.score for place in answer.places), default=0.0) or 1.0
    for record, place in zip(view.fetch([place.handle for place in answer.places]), answer.places, strict=True):
        found[record.space] = max(found.get(record.space, 0.0), _SPEAKS * place.score / best)
    return found


def versions_of(view: View, library: Record) -> tuple[str, ...]:
    """The tags of its versions."""
    scope = Scope(kinds=("version",), parents=(library.key,))
    return tuple(sorted(record.title for record in view.fetch(view.recent(view.select(scope)).handles)))


def spaces_of(view: View, library: Record) -> list[str]:
    """Where the snippets of all its versions are."""
    return [domain.space(library.key), *(domain.space(library.key, version) for version in versions_of(view, library))]
