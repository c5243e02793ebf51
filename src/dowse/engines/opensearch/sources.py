"""Where does a record come from, and whose references does a change touch? The files of a batch, as they will be."""

from collections.abc import Sequence
from dataclasses import replace

from dowse.engines.opensearch.documents import load_source, name_token, source_document, source_id
from dowse.engines.opensearch.driver import Cluster, Operation
from dowse.engines.opensearch.scanning import scan
from dowse.engines.opensearch.scoping import all_of, terms_query
from dowse.engines.sourcing import changed_names
from dowse.model.change import Change, DropSource, PutSource, Restamp, Settle
from dowse.model.source import Source, names_wanted

Place = tuple[str, str]


class Sources:
    """The files a batch touches."""

    def __init__(self, cluster: Cluster, truth: str) -> None:
        self._cluster = cluster
        self._truth = truth
        self._before: dict[Place, Source] = {}
        self._now: dict[Place, Source | None] = {}
        self._renamed: set[tuple[str, str]] = set()
        """Names that mean something else now, by space; who refers to them is unsettled once for many files."""

    def load(self, changes: Sequence[Change]) -> None:
        wanted: set[Place] = set()
        for change in changes:
            match change:
                case PutSource(source):
                    wanted.add((source.space, source.path))
                case Restamp(space, path) | Settle(space, path) | DropSource(space, path):
                    wanted.add((space, path))
                case _:
                    pass
        if wanted:
            found = self._cluster.get_all(self._truth, sorted(source_id(*place) for place in wanted))
            self._before = {(source.space, source.path): source for source in map(load_source, found.values())}

    def fold_in(self, change: PutSource | Restamp | Settle | DropSource) -> None:
        match change:
            case PutSource(source):
                if source.settled:
                    self.unsettle()
                self._put((source.space, source.path), replace(source, settled=False))
                if source.settled:
                    # Its own names unsettle the others, not itself: its links were made in their knowledge.
                    self.unsettle()
                    self._now[source.space, source.path] = source
            case Restamp(space, path, stamp):
                if (stored := self._at((space, path))) is not None:
                    self._now[space, path] = replace(stored, stamp=stamp)
            case Settle(space, path, links):
                self.unsettle()
                if (stored := self._at((space, path))) is not None:
                    self._now[space, path] = replace(stored, links=links, settled=True)
            case DropSource(space, path):
                self._put((space, path), None)

    def unsettle(self) -> None:
        """Once for many files, but before anyone is settled: that must not be undone by what came earlier."""
        if not self._renamed:
            return
        for space in sorted({space for space, _ in self._renamed}):
            names = {name for of, name in self._renamed if of == space}
            query = all_of(
                [
                    {"term": {"c": "source"}},
                    {"term": {"space": space}},
                    {"term": {"settled": True}},
                    terms_query("refers", sorted(map(name_token, names))),
                ]
            )
            for hit in scan(self._cluster, self._truth, query, ["path"], size=500):
                source = load_source(hit["_source"])
                self._before.setdefault((source.space, source.path), source)
            for place in sorted(self._before.keys() | self._now.keys()):
                source_now = self._at(place)
                if source_now is not None and place[0] == space and source_now.settled and names & names_wanted(source_now):
                    self._now[place] = replace(source_now, settled=False)
        self._renamed.clear()

    def operations(self) -> list[Operation]:
        operations = []
        for place, source in sorted(self._now.items(), key=lambda item: item[0]):
            before = self._before.get(place)
            document = source_document(source) if source is not None else None
            # As documents: links that differ in their facets alone are equal as edges.
            if document != (source_document(before) if before is not None else None):
                operations.append(Operation(self._truth, source_id(*place), document))
        return operations

    def _put(self, place: Place, source: Source | None) -> None:
        self._renamed |= {(place[0], name) for name in changed_names(self._at(place), source)}
        self._now[place] = source

    def _at(self, place: Place) -> Source | None:
        return self._now[place] if place in self._now else self._before.get(place)
