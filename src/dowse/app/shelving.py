"""How does one version of a library take its place? Parsed as far as it is new, compared, and written in one commit."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from dowse.app import libraries
from dowse.domains import library as domain
from dowse.ingest.libraries import Edition, LibraryFile
from dowse.ingest.libraries.pieces import rebased, to_record
from dowse.ingest.libraries.reading import fingerprint, read_pieces
from dowse.ingest.libraries.versions import newest
from dowse.model.change import Change, Delete, DropSource, Put, PutSource
from dowse.model.library import LibraryProgress, VersionSummary
from dowse.model.record import Facet, Record
from dowse.model.request import Scope
from dowse.model.run import Message
from dowse.model.source import Source, Stamp
from dowse.ports import Engine, View

_Files = dict[str, tuple[Record, ...]]
"""The snippets of a version by the path of their file."""


class Shelf:
    """Where the versions of one library stand. ``problems`` is what a user should know of its files."""

    def __init__(
        self,
        engine: Engine,
        library: Record,
        *,
        keep_secrets: bool,
        clock: Callable[[], float],
        report: Callable[[LibraryProgress], None],
    ) -> None:
        self.problems: list[Message] = []
        self._engine = engine
        self._library = library
        self._keep_secrets = keep_secrets
        self._reader = fingerprint(keep_secrets)
        self._clock = clock
        self._report = report

    def place(self, edition: Edition, *, is_last: bool, default: bool) -> tuple[VersionSummary, bool]:
        """Puts an edition in the place of the one before it; says what that took, and whether anything changed.

        ``is_last``: the library is whole then. ``default``: it answers when no version is asked for, whatever others there are.
        """
        space = domain.space(self._library.key, edition.version)
        with self._engine.view() as view:
            own, shared = self._known(view, space, edition)
            is_new = len(own) < len(edition.files) or len(view.stamps(space)) != len(edition.files)
        if is_new:
            self._say_indexing()
        files, parsed = self._read(space, edition, own, shared)
        snippets = {record.key: record for records in files.values() for record in records}
        with self._engine.view() as view:
            changes, written, removed = self._swap(view, space, edition, files, snippets)
            changes.append(Put(self._finished(view, space, edition.version, len(snippets), is_last=is_last, default=default)))
        before = self._generation()
        self._engine.apply(changes)
        count = len(edition.files)
        summary = VersionSummary(edition.version, count, parsed, count - parsed, len(snippets), written, removed)
        return summary, self._generation() != before

    def _known(self, view: View, space: str, edition: Edition) -> tuple[_Files, _Files]:
        """What is stored of the edition's files: in its own place, and in that of other versions."""
        digests = {file.path: file.digest for file in edition.files}
        own = self._stored(view, space, digests)
        shared: _Files = {}
        for other in libraries.spaces_of(view, self._library):
            missing = {path: digest for path, digest in digests.items() if path not in own and path not in shared}
            if other != space and missing:
                found = self._stored(view, other, missing)
                shared |= {
                    path: tuple(rebased(record, other, space, edition.version) for record in records)
                    for path, records in found.items()
                }
        return own, shared

    def _stored(self, view: View, space: str, digests: Mapping[str, str]) -> _Files:
        """The snippets of files that were read by the same code and are as they were; someone may have taken some away."""
        stamps = view.stamps(space)
        same = [path for path, digest in digests.items() if path in stamps and stamps[path].digest == digest]
        same = [path for path in same if stamps[path].reader == self._reader]
        sources = view.sources(space, same)
        records = view.find([key for source in sources for key in source.keys])
        live = {key: record for key, record in records.items() if not record.deleted}
        whole = (source for source in sources if all(key in live for key in source.keys))
        return {source.path: tuple(live[key] for key in source.keys) for source in whole}

    def _read(self, space: str, edition: Edition, own: _Files, shared: _Files) -> tuple[_Files, int]:
        files: _Files = {}
        parsed = snippets = 0
        for number, file in enumerate(edition.files, 1):
            known = own.get(file.path, shared.get(file.path))
            if known is None:
                known = tuple(self._parsed(file, space, edition.version))
                parsed += 1
            files[file.path] = known
            snippets += len(known)
            self._report(LibraryProgress(self._library.key, edition.version, number, len(edition.files), snippets, file.path))
        return files, parsed

    def _parsed(self, file: LibraryFile, space: str, version: str) -> Iterator[Record]:
        pieces, problems = read_pieces(file, keep_secrets=self._keep_secrets)
        self.problems += [Message(file.path, problem) for problem in problems]
        # Two parts of a file that come to the same name are one: the first.
        seen: set[str] = set()
        for piece in pieces:
            record = to_record(piece, space, version, self._clock())
            if record.key not in seen:
                seen.add(record.key)
                yield record

    def _swap(
        self, view: View, space: str, edition: Edition, files: _Files, snippets: Mapping[str, Record]
    ) -> tuple[list[Change], int, int]:
        scope = Scope(kinds=("snippet",), spaces=(space,))
        old = {record.key: record for record in view.fetch(view.recent(view.select(scope)).handles)}
        changes: list[Change] = [Delete(key, purge=True) for key in sorted(old.keys() - snippets.keys())]
        removed = len(changes)
        new = [Put(record) for key, record in snippets.items() if key not in old or _differs(record, old[key])]
        if edition.version and space not in view.find([space]):
            changes.append(Put(self._version(edition.version)))
        return [*changes, *new, *self._sources(view, space, edition, files)], len(new), removed

    def _sources(self, view: View, space: str, edition: Edition, files: _Files) -> Iterator[Change]:
        stamps = view.stamps(space)
        for file in edition.files:
            stamp = Stamp(0, 0, file.digest, self._reader)
            if stamps.get(file.path) != stamp:
                keys = tuple(record.key for record in files[file.path])
                yield PutSource(Source(space, file.path, stamp, keys, settled=True))
        current = {file.path for file in edition.files}
        yield from (DropSource(space, path) for path in stamps if path not in current)

    def _version(self, version: str) -> Record:
        key = self._library.key
        facets: dict[str, Facet] = {"tag": version}
        return Record(domain.space(key, version), "version", version, space=key, parent=key, facets=facets, updated=self._clock())

    def _finished(self, view: View, space: str, version: str, size: int, *, is_last: bool, default: bool) -> Record:
        """The library as it is once this version has its place."""
        others = [other for other in libraries.spaces_of(view, self._library) if other != space]
        facets = {**self._library.facets, "state": "indexed" if is_last else "indexing", "ready": True}
        facets.pop("defaultVersion", None)
        chosen = version if default else self._default(view, version, others)
        facets |= {"defaultVersion": chosen} if chosen else {}
        total = size + (libraries.count_snippets(view, others) if others else 0)
        self._library = libraries.counted(replace(self._library, facets=facets), total)
        return self._library

    def _default(self, view: View, version: str, others: list[str]) -> str:
        """What is current, if that is here; else the newest version."""
        current = self._library.key
        if not version or (current in others and libraries.count_snippets(view, [current])):
            return ""
        known = {*libraries.versions_of(view, self._library), version}
        return next(iter(newest(sorted(known), 1)), max(known))

    def _say_indexing(self) -> None:
        with self._engine.view() as view:
            stored = view.find([self._library.key]).get(self._library.key)
        if stored is not None and stored.facets.get("state") != "indexing":
            self._engine.apply([Put(replace(stored, facets={**stored.facets, "state": "indexing"}))])

    def _generation(self) -> int:
        with self._engine.view() as view:
            return view.generation


def _differs(new: Record, old: Record) -> bool:
    return replace(new, updated=old.updated, version=old.version) != old
