"""What does a reader see? One point in time of the indices, shared by all who read the same commit."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from dowse.engines.opensearch.committing import Ledger, State
from dowse.engines.opensearch.driver import GONE, Cluster, Gone, Json, is_whole
from dowse.errors import NotFound, StorageError

# How long the cluster holds a point in time that nobody asks; every question starts it anew.
_KEEP = "10m"
# Seconds that a reader waits while a commit is being made visible; then the writer is looked after.
_PATIENCE = 10.0
_LOOK_EVERY = 0.02
# How often what was lost is looked for again, with pauses that double: three seconds in all.
_LOST = 8
# Documents of one page, when all are read.
PAGE = 5000
# What a search may answer with at most: the largest window that OpenSearch gives without asking.
MOST = 10_000


@dataclass(slots=True, eq=False)
class Moment:
    """The points in time of one commit, and what was found out about it. Whoever reads it keeps it open."""

    state: State
    truth: str
    passages: str | None
    whole: bool = True
    """Whether every shard had a copy."""
    readers: int = 0
    facts: dict[Any, Any] = field(default_factory=dict)
    """What was worked out at this commit: counts and means. Small numbers only."""


class Snapshots:
    """Hands out moments. The one of the last commit stays open for the next reader."""

    def __init__(self, cluster: Cluster, ledger: Ledger, *, sleep: Callable[[float], None], now: Callable[[], float]) -> None:
        self._cluster = cluster
        self._ledger = ledger
        self._sleep = sleep
        self._now = now
        self._lock = threading.Lock()
        self._current: Moment | None = None
        self._read: list[Moment] = []
        """Those that someone reads."""
        self._retired: list[str] = []

    def retire(self, names: Iterable[str]) -> None:
        """Lets indices go that no later commit uses, once nobody here reads them. Other processes find the next moment."""
        with self._lock:
            self._retired += names
            self._drop_retired()

    def _drop_retired(self) -> None:
        read = {index for moment in self._read for index in (moment.state.truth, moment.state.passages)}
        for name in [name for name in self._retired if name not in read]:
            self._retired.remove(name)
            self._cluster.request("DELETE", f"/{name}", parameters={"ignore": 404})

    def take(self) -> Moment:
        state = self._visible()
        with self._lock:
            current = self._current
            # A shard that had no copy may have one by now.
            if current is None or current.state != state or not current.whole:
                current = self._renew(state)
            if not current.readers:
                self._read.append(current)
            current.readers += 1
            return current

    def give(self, moment: Moment) -> None:
        with self._lock:
            self._leave(moment)

    def _leave(self, moment: Moment) -> None:
        moment.readers -= 1
        if moment.readers:
            return
        if moment in self._read:
            self._read.remove(moment)
        if moment is not self._current:
            self._close(moment)
        if self._retired:
            self._drop_retired()

    def lost(self, moment: Moment, attempt: int = 0) -> Moment:
        """The moment again, after the cluster lost it; or a later one if there were commits since."""
        if attempt:
            # The other nodes need a moment to know that one is gone.
            self._sleep(_LOOK_EVERY * 2**attempt)
        with self._lock:
            if self._current is moment:
                self._current = None
            self._leave(moment)
        return self.take()

    def close(self) -> None:
        with self._lock:
            current, self._current = self._current, None
            self._read.clear()
            if self._retired:
                self._drop_retired()
        if current is not None:
            self._close(current)

    def _renew(self, state: State) -> Moment:
        before, self._current = self._current, None
        if before is not None and not before.readers:
            self._close(before)
        self._current = self._open(state)
        return self._current

    def _open(self, state: State) -> Moment:
        """Opens the points in time, and makes sure that they are of one commit."""
        for _ in range(20):
            truth, whole = self._cluster.open_moment(state.truth, _KEEP)
            passages, also = self._cluster.open_moment(state.passages, _KEEP) if state.passages is not None else (None, True)
            moment = Moment(state, truth, passages, whole and also)
            later = self._visible()
            if later == state:
                return moment
            self._close(moment)
            state = later
        raise StorageError(f"{self._cluster.address} is written so often that no moment of it could be read. Try again.")

    def _visible(self) -> State:
        """The last commit, once nobody is just making the next one visible."""
        began = self._now()
        while True:
            read = self._ledger.read()
            if read is None:
                raise NotFound(f"There is no workspace at {self._cluster.address}.")
            if read.pending is None or not read.pending.get("small"):
                return read.state
            if self._current is not None and self._current.state == read.state:
                return read.state
            if self._now() - began >= _PATIENCE:
                return self._ledger.idle().state
            self._sleep(_LOOK_EVERY)

    def _close(self, moment: Moment) -> None:
        try:
            self._cluster.close_moments([item for item in (moment.truth, moment.passages) if item is not None])
        except StorageError:
            return  # It ends by itself.


def paged(query: Json, sort: Sequence[Any], size: int = PAGE, **more: Any) -> Json:
    """A search for a page of hits in order."""
    return {"query": query, "sort": list(sort), "size": size, "track_total_hits": False, **more}


class Reader:
    """Searches of one moment. If the cluster loses it, as when a node dies, the next moment takes its place."""

    def __init__(self, cluster: Cluster, snapshots: Snapshots) -> None:
        self._cluster = cluster
        self._snapshots = snapshots
        self.moment = snapshots.take()
        self.partial = False
        """Whether some shard did not answer since this was last looked at."""
        self._told_of_it = False
        """Whether a list has said so: then the page does, and what remains answers."""

    def close(self) -> None:
        self._snapshots.give(self.moment)

    def search(self, body: Json, *, passages: bool = False) -> Json:
        found: Json = self._try(lambda: self._told(self._cluster.search(self._placed(body, passages))))
        return found

    def search_all(self, bodies: Sequence[Json], *, passages: bool = False, words: Sequence[Json] = ()) -> list[Json]:
        """The answers to some searches of the moment; behind them those to searches of the words, of which there are no moments.

        Words only say what to mark: where they cannot be asked, their answers are without hits.
        """

        def ask() -> list[Json]:
            asked: list[tuple[str | None, Json]] = [(None, self._placed(body, passages)) for body in bodies]
            asked += [(self.moment.state.words, body) for body in words]
            answers = self._cluster.search_all(asked, optional=len(words))
            return [*map(self._told, answers[: len(bodies)]), *answers[len(bodies) :]]

        return list(self._try(ask)) if bodies or words else []

    def every(
        self,
        query: Json,
        sort: Sequence[Any],
        *,
        passages: bool = False,
        limit: int | None = None,
        page: int = PAGE,
        first: Json | None = None,
        **more: Any,
    ) -> Iterator[Json]:
        """Every hit in order, a page at a time. ``first``: the first page, if it was asked for along with others."""
        after: list[Any] | None = None
        given = 0
        while limit is None or given < limit:
            size = page if limit is None else min(page, limit - given)
            if first is not None:
                answer, first = first, None
            else:
                body = paged(query, sort, size, **more)
                answer = self.complete({**body, "search_after": after} if after is not None else body, passages=passages)
            hits = answer["hits"]["hits"]
            yield from hits
            given += len(hits)
            if len(hits) < size:
                return
            after = hits[-1]["sort"]

    def first_pages(self, bodies: Sequence[Json]) -> list[Json]:
        """The first page of each of some searches, asked at once; of no use in part."""
        answers = self.search_all(bodies)
        self.refuse_partial()
        return answers

    def complete(self, body: Json, *, passages: bool = False) -> Json:
        """A search whose answer is of no use in part."""
        answer = self.search(body, passages=passages)
        self.refuse_partial()
        return answer

    def remaining(self, body: Json) -> list[Json]:
        """The hits of whoever answers. If someone does not, the lists that follow say so; what is of no use in part is refused."""
        hits: list[Json] = self.search(body)["hits"]["hits"]
        return hits

    def refuse_partial(self) -> None:
        partial, self.partial = self.partial, False
        if partial and not self._told_of_it:
            lacking = self._lacking()
            raise StorageError(f"{lacking[0].upper()}{lacking[1:]} Start them again; 'dowse doctor' says what lacks.")

    def missed(self) -> str:
        """What a list says if some shard did not answer since this was last asked; blank if all did."""
        partial, self.partial = self.partial, False
        self._told_of_it |= partial
        return self._lacking() if partial else ""

    def _lacking(self) -> str:
        return f"some shards of {self._cluster.address} do not answer: nodes are missing."

    def _try(self, ask: Callable[[], Any]) -> Any:
        for attempt in range(_LOST):
            try:
                return ask()
            except Gone:
                self.moment = self._snapshots.lost(self.moment, attempt)
        raise StorageError(f"{self._cluster.address} lost what was being read, again and again. Try again.")

    def _placed(self, body: Json, passages: bool) -> Json:
        moment = self.moment.passages if passages else self.moment.truth
        return {**body, "pit": {"id": moment, "keep_alive": _KEEP}}

    def _told(self, answer: Json) -> Json:
        self.partial |= not self.moment.whole
        if not is_whole(answer):
            # A point in time dies with the node that held it, although another node has the shard: then a new one helps.
            told = str(answer["_shards"].get("failures", ""))
            if any(sign in told for sign in GONE):
                raise Gone(told)
            self.partial = True
        return answer
