"""An OpenSearch cluster as an engine: truth, lanes and vectors in its indices, behind the verbs of the port."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from dowse.engines.embedding import Meaning, quantised
from dowse.engines.opensearch import indices, mapping
from dowse.engines.opensearch.address import Address
from dowse.engines.opensearch.batching import Batch
from dowse.engines.opensearch.committing import Ledger, Lost, Read, State, advanced
from dowse.engines.opensearch.documents import edge_document, edge_id, mark_document, mark_id
from dowse.engines.opensearch.driver import TIMEOUT, Cluster, Operation
from dowse.engines.opensearch.examining import examine, status
from dowse.engines.opensearch.keeping import Keeper, Known, known_of
from dowse.engines.opensearch.lanes import StemAll, Stemmer
from dowse.engines.opensearch.placing import Placed, Placing, operations
from dowse.engines.opensearch.preparing import prepare
from dowse.engines.opensearch.rebuilding import Rebuilder
from dowse.engines.opensearch.snapshots import Reader, Snapshots
from dowse.engines.opensearch.viewing import OpenSearchView
from dowse.engines.opensearch.vocabulary import Learnt, absent, word_lines
from dowse.errors import Busy, NotFound, StorageError
from dowse.model.change import Applied, Change
from dowse.model.passage import Profile
from dowse.model.schema import Schema
from dowse.ports import Embedder, Finding, Opening, Preparer, Status

# How often a writer begins anew because others were faster, before it says so.
_ATTEMPTS = 50


class OpenSearchEngine:
    """Reads scale over threads and nodes; writes take turns, over all processes. ``stem_all``: engines that share it rank alike.

    ``expected``: how many records a new workspace will have about, for the number of its shards.
    """

    def __init__(
        self,
        address: Address,
        schema: Schema,
        stem_all: StemAll,
        *,
        create: bool = True,
        expected: int = 0,
        timeout: float = TIMEOUT,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
        notify: Callable[[str], None] | None = None,
    ) -> None:
        self._address = address
        self._schema = schema
        self._stem_all = stem_all
        self._stemmer = Stemmer(stem_all)
        self._clock = clock
        self._sleep = sleep
        self._cluster = Cluster(address, timeout=timeout, sleep=sleep)
        self._ledger = Ledger(self._cluster, indices.state_index(address.prefix), sleep=sleep)
        self._snapshots = Snapshots(self._cluster, self._ledger, sleep=sleep, now=time.monotonic)
        self._write_lock = threading.Lock()
        self._learnt = Learnt()
        self._closed = False
        self.version = indices.check_version(self._cluster)
        self._open(create, expected, notify)

    @property
    def trips(self) -> int:
        """Requests to the cluster so far: what a search costs besides its work."""
        return self._cluster.trips

    def preparer(self, embedder: Embedder | None = None) -> Preparer:
        return partial(prepare, self._schema, self._stem_all, embedder)

    def opening(self) -> Opening | None:
        # Its keys and certificates are this process's; and there the work is the cluster's.
        return None

    def apply(self, changes: Iterable[Change]) -> Applied:
        listed = list(changes)
        with self._write_lock:
            self._refuse_closed()
            for attempt in range(_ATTEMPTS):
                try:
                    return self._apply(self._ledger.idle(), listed)
                except Lost:
                    self._sleep(min(0.01 * 2**attempt, 1.0))
            raise Busy(f"{self._address} is written by others all the time. Try again.")

    @contextmanager
    def view(self) -> Iterator[OpenSearchView]:
        self._refuse_closed()
        reader = Reader(self._cluster, self._snapshots)
        try:
            yield OpenSearchView(reader, self._schema, self._stemmer)
        finally:
            reader.close()

    def reindex(self) -> int:
        """Makes every index again from the records, aside, and swaps them in; returns how many records can be found."""
        with self._write_lock:
            self._refuse_closed()
            read = self._ledger.idle()
            truth, words = (indices.following(name) for name in (read.state.truth, read.state.words))
            passages = indices.following(read.state.passages) if read.state.passages is not None else None
            building = [name for name in (truth, words, passages) if name is not None]
            indices.drop(self._cluster, building)
            rebuilder = self._rebuilder(self._ledger.lease(read, building))
            try:
                found = rebuilder.truth(truth, words)
                profile = indices.load_profile(read.state.profile)
                if passages is not None and profile is not None:
                    rebuilder.passages(passages, profile, {})
                after = replace(
                    advanced(read.state, changed=True, updated=None),
                    fingerprint=mapping.fingerprint(self._schema),
                    truth=truth,
                    words=words,
                    passages=passages,
                )
                self._ledger.commit(rebuilder.held, after, ())
            except BaseException:
                self._give_up(rebuilder, building)
                raise
            self._learnt.clear()
            self._swapped(read.state, after)
            return found

    def status(self) -> Status:
        self._refuse_closed()
        with self.view() as view:
            return status(self._cluster, view)

    def examine(self) -> tuple[Finding, ...]:
        self._refuse_closed()
        return examine(self._cluster, self._ledger, self._schema, self.version)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        with self._write_lock:
            self._snapshots.close()
            self._cluster.close()

    def _open(self, create: bool, expected: int, notify: Callable[[str], None] | None) -> None:
        read = self._ledger.read()
        if read is None:
            if not create:
                raise NotFound(
                    f"There is no workspace at {self._address}. Make one with 'dowse migrate', or by indexing into it with"
                    " 'dowse index --workspace'."
                )
            prefix = self._address.prefix
            self._ledger.found(indices.found_workspace(self._cluster, prefix, mapping.fingerprint(self._schema), expected))
        elif read.state.fingerprint != mapping.fingerprint(self._schema):
            if notify is not None:
                notify(
                    f"{self._address} was indexed by another version of dowse; its search index is made again. This may take a"
                    " while."
                )
            self.reindex()

    def _apply(self, read: Read, changes: list[Change]) -> Applied:
        state = read.state
        batch = Batch(self._cluster, state.truth)
        batch.fold_in(changes)
        placing = Placing(batch, self._schema, self._stemmer)
        placed = list(placing.placed())
        edges = batch.changed_edges()
        written = operations(state.truth, placed, placing.gone())
        written += [
            Operation(state.truth, edge_id(*name), edge_document(edge) if edge is not None else None)
            for name, edge in edges.items()
        ]
        written += [
            Operation(state.truth, mark_id(name), mark_document(name, content) if content is not None else None)
            for name, content in sorted(batch.marks.items())
        ]
        written += batch.sources.operations()
        before = indices.load_profile(state.profile)
        profile = batch.model.profile if batch.model is not None else before
        known, made = self._meanings(batch, profile)
        if profile is not None and not indices.is_same_model(before, profile):
            return self._apply_with_model(read, batch, placing, placed, written, profile, known)
        embedded = 0
        if profile is not None and state.passages is not None and (placed or placing.gone() or known):
            keeper = Keeper(self._cluster, state.passages, profile, self._schema)
            more, embedded = keeper.operations(placed, placing.gone(), made, known)
            written += more
        after = replace(state, profile=indices.dump_profile(profile), passages=state.passages if profile is not None else None)
        changed = bool(placing.changed or edges or embedded or profile != before)
        if not written and not changed:
            return Applied(state.generation, 0, 0)
        touched = bool(placing.changed or edges)
        after = advanced(after, changed=changed, updated=self._clock() if touched else None)
        done = self._commit(read, after, written, placed)
        if state.passages is not None and after.passages is None:
            self._swapped(state, after)
        return Applied(done.generation, len(placing.changed), len(edges))

    def _apply_with_model(
        self,
        read: Read,
        batch: Batch,
        placing: Placing,
        placed: list[Placed],
        written: list[Operation],
        profile: Profile,
        known: Known,
    ) -> Applied:
        """Another model: every passage is made anew in an index of its own, and waits."""
        largest = mapping.largest_dimension(indices.numbers_of(self.version))
        if profile.dimension > largest:
            raise StorageError(
                f"{self._address} holds vectors of up to {largest} numbers; those of {profile.name} have {profile.dimension}."
                " Choose another model."
            )
        state = read.state
        index = indices.following(state.passages) if state.passages is not None else self._first_passages()
        indices.drop(self._cluster, [index])
        # Vectors of another model are of no use here.
        rebuilder = self._rebuilder(self._ledger.lease(replace(read, state=state), [index]))
        try:
            touched = {item.record.key for item in placed} | set(placing.gone())
            rebuilder.passages(index, profile, known, touched, before=False)
            keeper = Keeper(self._cluster, index, profile, self._schema)
            written = [*written, *keeper.all_waiting(placed, known)]
            edges = batch.changed_edges()
            moved = bool(placing.changed or edges)
            after = advanced(state, changed=True, updated=self._clock() if moved else None)
            after = replace(after, profile=indices.dump_profile(profile), passages=index)
            done = self._commit(rebuilder.held, after, written, placed)
        except BaseException:
            self._give_up(rebuilder, [index])
            raise
        self._swapped(state, after)
        return Applied(done.generation, len(placing.changed), len(edges))

    def _first_passages(self) -> str:
        """A number that no index of passages had before: readers may still have one open."""
        prefix = self._address.prefix
        listed = self._cluster.request("GET", f"/_cat/indices/{prefix}-passages-*", parameters={"format": "json", "h": "index"})
        numbers = [int(item["index"].rpartition("-")[2]) for item in listed]
        return indices.numbered(prefix, "passages", max(numbers, default=0) + 1)

    def _meanings(self, batch: Batch, profile: Profile | None) -> tuple[Known, dict[str, Meaning]]:
        """The vectors that came along, and what was made of records beforehand."""
        if profile is None:
            return {}, {}
        fitting = [kept for kept in batch.kept if kept.fingerprint == profile.fingerprint]
        known = known_of([*batch.meanings, *(quantised(kept, profile) for kept in fitting)], profile)
        made: dict[str, Meaning] = {}
        for key, held in batch.after.items():
            prepared = batch.prepared_for(held[1]) if held is not None else None
            if prepared is not None and prepared.meaning is not None:
                made[key] = prepared.meaning
        return known, made

    def _commit(self, read: Read, after: State, written: Sequence[Operation], placed: Sequence[Placed]) -> State:
        unknown = self._unknown(placed)
        lines = list(word_lines(after.words, absent(self._cluster, after.words, unknown)))
        done = self._ledger.commit(read, after, written, lines)
        self._learnt.remember(unknown)
        return done

    def _unknown(self, placed: Sequence[Placed]) -> dict[str, str]:
        """The words that this process has not seen in the index yet, with their stems."""
        found: dict[str, str] = {}
        for item in placed:
            if item.lanes is not None:
                found.update(item.lanes.vocabulary())
        return self._learnt.unknown(found)

    def _rebuilder(self, held: Read) -> Rebuilder:
        return Rebuilder(self._cluster, self._ledger, self._schema, self._stemmer, held)

    def _give_up(self, rebuilder: Rebuilder, building: Sequence[str]) -> None:
        try:
            if self._ledger.release(rebuilder.held):
                indices.drop(self._cluster, building)
        except StorageError:
            return  # The cluster is in trouble; whoever writes next clears the way.

    def _swapped(self, before: State, after: State) -> None:
        """Names the new indices to the world, and lets the old ones go."""
        indices.point(self._cluster, self._address.prefix, after)
        kept = {after.truth, after.words, after.passages}
        self._snapshots.retire(
            [name for name in (before.truth, before.words, before.passages) if name is not None and name not in kept]
        )

    def _refuse_closed(self) -> None:
        if self._closed:
            raise StorageError(f"The workspace {self._address} is closed.")
