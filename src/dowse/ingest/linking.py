"""What does a name mean, seen from a file? References become edges where one record is meant and no other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dowse.model.change import Change, Link, Settle, Unlink
from dowse.model.record import Edge
from dowse.model.source import NAMED, Definition, Reference, Source, names_wanted
from dowse.ports import View

# A name that more files define than this means nothing in particular, except to the files that import one of them.
_MANY = 12
# So many definitions are kept at hand while a space is settled, about thirty megabytes: to read those of a file again costs more
# than to settle it.
_REMEMBERED = 200_000
_NAMES_REMEMBERED = 50_000
# Longer endings of a path than this are as good as the whole path.
_ENDINGS = 6
IMPORTS = "imports"

_Found = tuple[str, Definition]


def path_definitions(path: str, key: str) -> tuple[Definition, ...]:
    """The names a file has by its place: its exact path, and every ending of it.

    >>> [definition.name for definition in path_definitions("docs/guide/a.md", "acme:docs/guide/a.md")]
    ['/docs/guide/a.md', 'a.md', 'guide/a.md', 'docs/guide/a.md']
    """
    parts = path.split("/")
    endings = ["/".join(parts[-length:]) for length in range(1, min(len(parts), _ENDINGS) + 1)]
    return tuple(Definition(name, key) for name in (f"/{path}", *endings))


# Where an edge starts, where it ends, and of which kind it is.
_Plain = tuple[str, str, str]


class Settled(NamedTuple):
    """What the references of a file mean now, in what goes cheaply from process to process. ``before``: what they meant."""

    space: str
    path: str
    links: tuple[_Plain, ...]
    before: tuple[_Plain, ...]

    def changes(self) -> Iterator[Change]:
        links = tuple([Edge(*link) for link in self.links])
        before, after = set(self.before), set(self.links)
        yield from (Unlink(*link) for link in self.before if link not in after)
        yield from (Link(edge) for edge, link in zip(links, self.links, strict=True) if link not in before)
        yield Settle(self.space, self.path, links)


@dataclass(slots=True)
class Linker:
    """Settles the files of one space. Good for as long as nobody changes what names mean."""

    space: str
    _definers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _defined: dict[str, dict[str, list[Definition]]] = field(default_factory=dict)
    _remembered: int = 0

    def changes(self, view: View, sources: Sequence[Source]) -> list[Change]:
        """The changes that make the edges of these files what their references mean now."""
        return [change for settled in self.settled(view, sources) for change in settled.changes()]

    def settled(self, view: View, sources: Sequence[Source]) -> list[Settled]:
        self._look_up(view, set().union(*map(names_wanted, sources)))
        for source in sources:
            # Whoever is settled is likely to be meant by others.
            self._keep(source)
        return [
            Settled(
                source.space,
                source.path,
                self._links(view, source),
                tuple([(edge.source, edge.target, edge.kind) for edge in source.links]),
            )
            for source in sources
        ]

    def _links(self, view: View, source: Source) -> tuple[_Plain, ...]:
        imports = [reference for reference in source.refers if reference.kind == IMPORTS]
        others = [reference for reference in source.refers if reference.kind != IMPORTS]
        found = {reference: self._meant(view, source, reference, frozenset()) for reference in imports}
        imported = frozenset(place for meant in found.values() if meant is not None for place in [meant[0]])
        found |= {reference: self._meant(view, source, reference, imported) for reference in others}
        edges = {
            (start, meant[1].key, reference.kind)
            for reference, meant in found.items()
            if meant is not None and (start := self._start(view, source, reference)) is not None
        }
        return tuple([edge for edge in sorted(edges) if edge[0] != edge[1]])

    def _start(self, view: View, source: Source, reference: Reference) -> str | None:
        """The key that a reference starts from."""
        if not reference.source.startswith(NAMED):
            return reference.source
        named = Reference("", reference.kind, (reference.source.removeprefix(NAMED),), reference.family)
        meant = self._meant(view, source, named, frozenset())
        return meant[1].key if meant is not None else None

    def _meant(self, view: View, source: Source, reference: Reference, imported: frozenset[str]) -> _Found | None:
        """The file and the definition that a reference means."""
        for name in reference.names:
            definers = self._definers[name]
            if not definers:
                continue
            # Of a name that many define, only some of the definers are known.
            is_common = len(definers) > _MANY
            own = self._definitions(view, [source.path], reference, name) if is_common or source.path in definers else []
            if own:
                # What a file defines itself hides what others mean by the name.
                if _is_one(own):
                    return own[0]
                continue
            near = sorted(imported) if is_common else [path for path in definers if path in imported]
            found = self._definitions(view, near, reference, name)
            if not _is_one(found) and not is_common:
                found = self._definitions(view, definers, reference, name)
            meant = found[0] if _is_one(found) else _nearest(source.path, found)
            if meant is not None:
                return meant
        return None

    def _definitions(self, view: View, paths: Sequence[str], reference: Reference, name: str) -> list[_Found]:
        """What these files mean by a name, as far as the reference can mean it; never the record that refers."""
        family = reference.family
        return [
            (path, definition)
            for path in paths
            for definition in self._defined_in(view, path).get(name, ())
            if definition.key != reference.source and (not family or definition.family == family)
        ]

    def _defined_in(self, view: View, path: str) -> dict[str, list[Definition]]:
        if path not in self._defined:
            for source in view.sources(self.space, [path]):
                self._keep(source)
        return self._defined.get(path, {})

    def _keep(self, source: Source) -> None:
        if source.path in self._defined:
            return
        self._remembered += len(source.defines)
        while self._defined and self._remembered > _REMEMBERED:
            oldest = self._defined.pop(next(iter(self._defined)))
            self._remembered -= sum(map(len, oldest.values()))
        by_name = self._defined[source.path] = {}
        for definition in source.defines:
            by_name.setdefault(definition.name, []).append(definition)

    def _look_up(self, view: View, names: set[str]) -> None:
        if len(self._definers) > _NAMES_REMEMBERED:
            self._definers.clear()
        unknown = sorted(names - self._definers.keys())
        self._definers |= dict.fromkeys(unknown, ())
        self._definers |= view.definers(self.space, unknown, _MANY + 1)


def _is_one(found: Sequence[_Found]) -> bool:
    return len({definition.key for _, definition in found}) == 1


def _nearest(path: str, found: Sequence[_Found]) -> _Found | None:
    """Of several files whose path ends as it was said, the one that lies nearest; None if two lie equally near."""
    if not found or any("#" in definition.key for _, definition in found):
        return None
    shared = [_shared_folders(path, place) for place, _ in found]
    best = max(shared)
    return found[shared.index(best)] if shared.count(best) == 1 else None


def _shared_folders(one: str, other: str) -> int:
    count = 0
    for left, right in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if left != right:
            break
        count += 1
    return count
