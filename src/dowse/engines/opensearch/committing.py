"""How is a batch written all or none, by one writer at a time, on a cluster that knows no transactions?

One document, the *state*, says which commit is the last. A writer puts what it is about to do into it, over the state that it
read: that is the moment of the commit, and of two writers one finds that the state is another by now and begins anew. Then it sends
the operations, makes them visible and takes its note away. If it dies in between, whoever comes next finds the note and does the
rest: every operation is a whole document under its own id, so doing it twice is doing it once. Operations carry the number of their
commit as version; a writer that was given up and wakes again cannot write over newer ones.
"""

import json
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, replace
from typing import Any

from dowse.engines.opensearch.driver import BULK_BYTES, Cluster, Conflicted, Json, Operation, Stored
from dowse.errors import Busy, StorageError

STATE = "state"
# Operations of up to so many bytes travel in the note itself; more are put beside it first.
_INLINE_BYTES = 512 << 10
# Seconds after which a writer that shows no sign of life is taken for dead, and how often a living one shows one.
DEAD_AFTER = 20.0
_SIGN_EVERY = 5.0
# Seconds that a writer waits for others before it gives up.
_PATIENCE = 120.0
_LOOK_EVERY = 0.05
# Requests of a large batch that are under way at once.
_AT_A_TIME = 3


@dataclass(frozen=True, slots=True)
class State:
    """What the last commit left. ``commit`` counts all of them, ``generation`` those that changed what searches may find.

    ``truth`` and ``passages`` are the indices in use; no passages without a model.
    """

    fingerprint: str
    truth: str
    words: str
    passages: str | None = None
    profile: Json | None = None
    commit: int = 0
    generation: int = 0
    updated: float = 0.0


class Lost(Exception):
    """Another writer was faster: what was read is not what is there."""


@dataclass(frozen=True, slots=True)
class Read:
    """The state as it was read, with what proves it; ``pending``: what someone is doing right now."""

    state: State
    proof: Stored
    pending: Json | None


class Ledger:
    """Reads and moves the state of one workspace."""

    def __init__(
        self,
        cluster: Cluster,
        index: str,
        *,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.monotonic,
        dead_after: float = DEAD_AFTER,
    ) -> None:
        self._cluster = cluster
        self.index = index
        self._sleep = sleep
        self._now = now
        self._dead_after = dead_after
        self._own = ""

    def read(self) -> Read | None:
        """The state; None where there is no workspace."""
        stored = self._cluster.get(self.index, STATE)
        return _to_read(stored) if stored is not None else None

    def found(self, state: State) -> None:
        """Makes the first state; it is no error if someone else just did."""
        try:
            self._cluster.swap(self.index, STATE, {"state": asdict(state), "pending": None}, None)
        except Conflicted:
            return

    def idle(self) -> Read:
        """The state once nobody is writing. Finishes what a writer that died left."""
        began = seen_at = self._now()
        seen = -1
        while True:
            read = self.read()
            if read is None:
                raise StorageError(f"{self._cluster.address} holds no workspace any more: its state is gone.")
            if read.pending is None:
                return read
            if read.proof.sequence != seen:
                seen, seen_at = read.proof.sequence, self._now()
            # Our own note is there when the cluster failed us half-way: nobody else will go on with it.
            ours = read.pending["token"] == self._own
            if ours or self._now() - seen_at >= self._dead_after:
                self._take_over(read)
                continue
            if self._now() - began >= _PATIENCE:
                raise Busy(f"{self._cluster.address} has been written by someone else for a long time. Try again.")
            self._sleep(_LOOK_EVERY)

    def lease(self, read: Read, building: Sequence[str]) -> Read:
        """Keeps other writers out for long work that nobody sees yet; ``building``: indices that go if it is never finished."""
        return self._swap(read, read.state, {"token": uuid.uuid4().hex, "lease": list(building)})

    def release(self, read: Read) -> bool:
        """Gives a lease back, with nothing done; false if it has become a commit meanwhile, or someone else's."""
        try:
            self._swap(read, read.state, None)
        except Lost:
            return False
        return True

    def alive(self, read: Read) -> Read:
        """Shows that the holder of a lease lives."""
        pending = dict(read.pending or {})
        return self._swap(read, read.state, {**pending, "sign": pending.get("sign", 0) + 1})

    def commit(self, read: Read, after: State, operations: Sequence[Operation], words: Sequence[str] = ()) -> State:
        """Writes the operations and what follows of them. Raises ``Lost`` if the state is not the one that was read.

        ``words``: prepared lines for the index of words, which may be there already.
        """
        lines = [*words, *(line_of(operation._replace(version=after.commit)) for operation in operations)]
        size = sum(map(len, lines))
        if not lines:
            return self._swap(read, after, None).state
        small = size <= _INLINE_BYTES
        token = self._own = uuid.uuid4().hex
        pending: Json = {"token": token, "after": asdict(after), "small": small}
        if small:
            pending["lines"] = "\n".join(lines)
        else:
            pending["pages"] = self._put_aside(token, lines)
        held = self._swap(read, read.state, pending)
        held = self._send(held, lines, len(words), small=small)
        if not small:
            held = self._show(held, after)
        done = self._swap(held, after, None)
        if not small:
            self._clear(token, pending["pages"])
        return done.state

    def _send(self, held: Read, lines: Sequence[str], words: int, *, small: bool) -> Read:
        """Sends everything. A small batch is made visible at once, while readers wait for the moment that takes.

        A large one goes in several requests at a time: while one node takes what another has just written, the next is prepared.
        """
        if small:
            self._refuse(self._cluster.bulk(lines, refresh=True), lines[:words])
            return held
        with ThreadPoolExecutor(_AT_A_TIME) as sending:
            waiting = {sending.submit(self._cluster.bulk, chunk) for chunk in chunks(lines)}
            while waiting:
                done, waiting = wait(waiting, timeout=_SIGN_EVERY, return_when=FIRST_EXCEPTION)
                for sent in done:
                    self._refuse(sent.result(), lines[:words])
                if waiting:
                    held = self.alive(held)
        return held

    def _refuse(self, refused: Sequence[tuple[str, Json]], words: Sequence[str]) -> None:
        """Words that are there already are no reason."""
        there = set(words) if refused else set()
        rest = [(line, why) for line, why in refused if line not in there]
        if rest:
            raise self._refusal(rest)

    def _show(self, held: Read, after: State) -> Read:
        """Makes a large batch visible. Readers wait only from here on."""
        held = self._swap(held, held.state, {**(held.pending or {}), "small": True})
        indices = [index for index in (after.truth, after.passages, after.words) if index is not None]
        self._cluster.refresh(*indices)
        return held

    def _take_over(self, read: Read) -> None:
        """Finishes what someone else began."""
        pending = dict(read.pending or {})
        try:
            held = self._swap(read, read.state, {**pending, "sign": pending.get("sign", 0) + 1, "small": True})
        except Lost:
            return
        if "after" not in pending:
            self._drop(pending.get("lease", ()))
            self.release(held)
            return
        after = State(**pending["after"])
        lines = self._lines(pending)
        for chunk in chunks(lines):
            # What stands against it is newer: it was written already, and more after it.
            self._cluster.bulk(chunk)
            held = self.alive(held)
        held = self._show(held, after)
        self._swap(held, after, None)
        if "pages" in pending:
            self._clear(pending["token"], pending["pages"])

    def _lines(self, pending: Json) -> list[str]:
        if "lines" in pending:
            return operations_in(pending["lines"])
        pages = [self._cluster.get(self.index, _page(pending["token"], number)) for number in range(pending["pages"])]
        if any(page is None for page in pages):
            raise StorageError(
                f"{self._cluster.address}: a batch was begun and its journal is lost. Restore a snapshot of the indices."
            )
        return [line for page in pages if page is not None for line in operations_in(page.document["lines"])]

    def _put_aside(self, token: str, lines: Sequence[str]) -> int:
        number = 0
        for chunk in chunks(lines):
            self._cluster.request("PUT", f"/{self.index}/_doc/{_page(token, number)}", {"lines": "\n".join(chunk)})
            number += 1
        return number

    def _clear(self, token: str, pages: int) -> None:
        self._cluster.bulk([json.dumps({"delete": {"_index": self.index, "_id": _page(token, n)}}) for n in range(pages)])

    def _drop(self, indices: Sequence[str]) -> None:
        for index in indices:
            self._cluster.request("DELETE", f"/{index}", parameters={"ignore": 404})

    def _swap(self, read: Read, state: State, pending: Json | None) -> Read:
        document = {"state": asdict(state), "pending": pending, "mark": uuid.uuid4().hex}
        try:
            stored = self._cluster.swap(self.index, STATE, document, read.proof)
        except Conflicted as error:
            # The first of two attempts may have arrived although its answer did not.
            found = self._cluster.get(self.index, STATE)
            if found is None or found.document.get("mark") != document["mark"]:
                raise Lost from error
            stored = found
        return Read(state, stored, pending)

    def _refusal(self, refused: Sequence[tuple[str, Json]]) -> StorageError:
        line, outcome = refused[0]
        reason = (outcome.get("error") or {}).get("reason", outcome)
        if all(why.get("status") == 409 for _, why in refused):
            return StorageError(
                f"{self._cluster.address}: this writer was silent for so long that another one finished its batch. It is written;"
                " go on from what is there."
            )
        return StorageError(
            f"{self._cluster.address} refused {len(refused)} documents of a batch, the first {line[:80]!r}: {reason}. The batch is"
            " written in part; repair the cause, and whoever writes next finishes it."
        )


def line_of(operation: Operation) -> str:
    """An operation as a bulk request has it: one line, or two with the document."""
    place: dict[str, Any] = {"_index": operation.into, "_id": operation.identity}
    if operation.version is not None:
        place |= {"version": operation.version, "version_type": "external_gte"}
    if operation.document is None:
        return json.dumps({"delete": place})
    # Line breaks in texts are escaped by JSON, so a document is one line; our own are never other than these.
    return f"{json.dumps({'index': place})}\n{json.dumps(operation.document, ensure_ascii=False, separators=(',', ':'))}"


def create_line(index: str, identity: str, document: Json) -> str:
    """A document that is put only where there is none."""
    place = {"create": {"_index": index, "_id": identity}}
    return f"{json.dumps(place)}\n{json.dumps(document, ensure_ascii=False, separators=(',', ':'))}"


def operations_in(text: str) -> list[str]:
    """The operations of a prepared bulk body again."""
    found: list[str] = []
    lines = iter(text.split("\n"))
    for line in lines:
        found.append(line if line.startswith('{"delete"') else f"{line}\n{next(lines)}")
    return found


def chunks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Lines in requests of a size that any node takes."""
    chunk: list[str] = []
    size = 0
    for line in lines:
        if chunk and size + len(line) > BULK_BYTES:
            yield chunk
            chunk, size = [], 0
        chunk.append(line)
        size += len(line)
    if chunk:
        yield chunk


def _page(token: str, number: int) -> str:
    return f"journal-{token}-{number}"


def _to_read(stored: Stored) -> Read:
    return Read(State(**stored.document["state"]), stored, stored.document.get("pending"))


def advanced(state: State, *, changed: bool, updated: float | None) -> State:
    """The state after one more commit."""
    later = replace(state, commit=state.commit + 1, generation=state.generation + changed)
    return replace(later, updated=max(state.updated, updated)) if updated is not None else later
