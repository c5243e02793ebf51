"""Which passages are there, which have a vector, and which wait for one? Kept by digest, so that no text is embedded twice."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from dowse.engines import passaging
from dowse.engines.embedding import Meaning, cut
from dowse.engines.quantising import Values
from dowse.engines.sqlite import rows
from dowse.engines.sqlite.driver import Connection, value
from dowse.engines.sqlite.vectors import BLOCK, read_kept, read_owners, write_vectors
from dowse.model.passage import Embedding, Pooling, Profile
from dowse.model.record import Record
from dowse.model.schema import Schema

# Records whose passages are made at once when all are: some megabytes.
_CHUNK = 2000

# The vector of each digest, as its numbers are kept.
Known = dict[bytes, Values]


class _Passage(NamedTuple):
    slot: int
    number: int
    digest: bytes
    waiting: bool


class _Added(NamedTuple):
    record: int
    number: int
    digest: bytes


@dataclass(slots=True)
class _Difference:
    """What must be written so that the passages are those of some records."""

    added: list[_Added] = field(default_factory=list)
    moved: list[tuple[int, int]] = field(default_factory=list)
    """Their new number, and where they are."""
    gone: list[_Passage] = field(default_factory=list)


NOTED = ("model", "vectors_done", "vectors_waiting")


def embedding(connection: Connection) -> Embedding:
    """Whose vectors there are and how far they are; three small rows."""
    return to_embedding(dict(connection.execute("select name, value from meta where name in (?, ?, ?)", NOTED)))


_NOBODYS = Embedding()


def to_embedding(noted: Mapping[str, Any]) -> Embedding:
    if "model" not in noted:
        return _NOBODYS
    return Embedding(to_profile(noted["model"]), noted["vectors_done"], noted["vectors_waiting"])


@lru_cache(maxsize=16)
def to_profile(stored: str) -> Profile:
    told = json.loads(stored)
    return Profile(**{**told, "pooling": Pooling(told["pooling"])})


def is_outdated(connection: Connection, schema: Schema) -> bool:
    """Whether the passages were made in another way than they would be now."""
    stored = value(connection, "select value from meta where name = 'passaging'")
    return stored is not None and stored != passaging.fingerprint(schema)


def known_of(meanings: Iterable[Meaning], profile: Profile) -> Known:
    """The vectors that came along, as far as this model made them."""
    return {
        digest: row
        for meaning in meanings
        if meaning.values is not None and meaning.fingerprint == profile.fingerprint
        for digest, row in zip(meaning.digests, meaning.values, strict=True)
    }


class Keeper:
    """Keeps passages and vectors in step with the records of one transaction."""

    def __init__(self, connection: Connection, schema: Schema, generation: int) -> None:
        self._connection = connection
        self._schema = schema
        self._generation = generation
        self._before = embedding(connection)
        self.profile = self._before.profile
        self._done, self._waiting = self._before.done, self._before.waiting

    def use(self, profile: Profile | None) -> bool:
        """Vectors are this model's from now on; returns whether that is new."""
        old, self.profile = self.profile, profile
        if profile == old:
            return False
        if profile is not None and old is not None:
            if (profile.fingerprint, profile.dimension) != (old.fingerprint, old.dimension):
                self._drop_vectors()
                self._connection.execute("update passage set waiting = 1 where not waiting")
                self._done, self._waiting = 0, self._done + self._waiting
            return True
        self._drop_vectors()
        self._connection.execute("delete from passage; delete from passage_free")
        self._done = self._waiting = 0
        if profile is not None:
            self._make_all()
        return True

    def replace(self, gone: Sequence[int], after: Mapping[int, Record], made: Mapping[int, Meaning], known: Known) -> None:
        """Takes out the passages of records that are gone and makes those of others what they should be.

        ``made``: what was made of a record beforehand. ``known``: vectors that came along.
        """
        if self.profile is None:
            return
        wanted = {identity: (made.get(identity) or cut(self._schema, record)).digests for identity, record in after.items()}
        difference = self._compare(gone, wanted)
        # Read before anything is written: a text may leave one record and enter another.
        elsewhere = self._elsewhere({added.digest for added in difference.added} - known.keys())
        self._write(difference, known | elsewhere)

    def keep(self, known: Known) -> int:
        """Gives waiting passages their vectors; returns how many got one."""
        if not known or not self._waiting:
            return 0
        find = "select id, record from passage where digest = ? and waiting"
        found = [(*place, digest) for digest in sorted(known) for place in self._connection.execute(find, (digest,))]
        self._connection.executemany("update passage set waiting = 0 where id = ?", [(slot,) for slot, _, _ in found])
        self._fill([(slot, record, known[digest]) for slot, record, digest in found])
        self._done += len(found)
        self._waiting -= len(found)
        return len(found)

    def repair(self) -> None:
        """Makes passages and blocks again what the records say; vectors of texts that stayed are kept."""
        if self.profile is None:
            return
        lost = misplaced(self._connection, self.profile.dimension)
        self._connection.execute("delete from vector where length(data) <> ?", (BLOCK * self.profile.dimension,))
        self._connection.executemany("update passage set waiting = 1 where id = ?", [(slot,) for slot in lost])
        self._fill([], lost)
        counted = "select count(*) filter (where not waiting), count(*) filter (where waiting) from passage"
        self._done, self._waiting = next(self._connection.execute(counted))
        gone = self._connection.execute("select distinct record from passage where record not in (select id from record)")
        self.replace([identity for (identity,) in gone], {}, {}, {})
        self._make_all()

    def finish(self) -> None:
        """Notes whose the vectors are and how many, for readers to know at once."""
        now = Embedding(self.profile, self._done, self._waiting)
        if now == self._before:
            return
        if self.profile is None:
            self._connection.execute("delete from meta where name in ('model', 'passaging', 'vectors_done', 'vectors_waiting')")
            return
        noted = {"model": rows.dump(asdict(self.profile)), "vectors_done": self._done, "vectors_waiting": self._waiting}
        self._connection.executemany("insert or replace into meta values (?, ?)", list(noted.items()))

    def _make_all(self) -> None:
        every = rows.every(self._connection)
        while chunk := dict(islice(every, _CHUNK)):
            self.replace([], chunk, {}, {})
        self._connection.execute("insert or replace into meta values ('passaging', ?)", (passaging.fingerprint(self._schema),))

    def _drop_vectors(self) -> None:
        self._connection.execute("delete from sketch; delete from vector")
        self._connection.execute("insert or replace into meta values ('vectors_since', ?)", (self._generation,))

    def _compare(self, gone: Sequence[int], wanted: Mapping[int, tuple[bytes, ...]]) -> _Difference:
        stored = self._stored([*gone, *wanted])
        difference = _Difference()
        for identity in gone:
            difference.gone += stored.get(identity, ())
        for identity, digests in sorted(wanted.items()):
            before = stored.get(identity, [])
            if tuple(passage.digest for passage in before) == digests:
                continue
            spare: dict[bytes, list[_Passage]] = {}
            for passage in reversed(before):
                spare.setdefault(passage.digest, []).append(passage)
            for number, digest in enumerate(digests):
                if not spare.get(digest):
                    difference.added.append(_Added(identity, number, digest))
                elif (passage := spare[digest].pop()).number != number:
                    difference.moved.append((number, passage.slot))
            difference.gone += [passage for left in spare.values() for passage in left]
        return difference

    def _stored(self, records: Sequence[int]) -> dict[int, list[_Passage]]:
        """The passages of some records in order."""
        found = self._connection.execute(
            "select passage.record, passage.id, number, digest, waiting from json_each(?) wanted"
            " cross join passage on passage.record = wanted.value order by passage.record, number",
            (rows.dump(list(records)),),
        )
        stored: dict[int, list[_Passage]] = {}
        for record, slot, number, digest, waiting in found:
            stored.setdefault(record, []).append(_Passage(slot, number, digest, bool(waiting)))
        return stored

    def _elsewhere(self, digests: set[bytes]) -> Known:
        """The vectors of texts that some passage has already."""
        assert self.profile is not None
        if not self._done:
            return {}
        find = "select id from passage where digest = ? and not waiting limit 1"
        found = {digest: slot for digest in sorted(digests) if (slot := value(self._connection, find, (digest,))) is not None}
        return dict(zip(found, read_kept(self._connection, list(found.values()), self.profile.dimension), strict=True))

    def _write(self, difference: _Difference, known: Known) -> None:
        added = [(*item, known.get(item.digest)) for item in difference.added]
        self._connection.executemany("delete from passage where id = ?", [(passage.slot,) for passage in difference.gone])
        self._connection.executemany("insert into passage_free values (?)", [(passage.slot,) for passage in difference.gone])
        self._connection.executemany("update passage set number = ? where id = ?", difference.moved)
        slots = self._slots(len(added))
        self._connection.executemany(
            "insert into passage (id, record, number, digest, waiting) values (?, ?, ?, ?, ?)",
            [(slot, record, number, digest, row is None) for slot, (record, number, digest, row) in zip(slots, added, strict=True)],
        )
        filled = [(slot, record, row) for slot, (record, _, _, row) in zip(slots, added, strict=True) if row is not None]
        emptied = [passage.slot for passage in difference.gone if not passage.waiting]
        self._fill(filled, emptied)
        self._done += len(filled) - len(emptied)
        self._waiting += len(added) - len(filled) - (len(difference.gone) - len(emptied))

    def _slots(self, count: int) -> list[int]:
        """Places for new passages: those that were left, then behind all others."""
        if not count:
            return []
        left = [slot for (slot,) in self._connection.execute("select id from passage_free order by id limit ?", (count,))]
        self._connection.executemany("delete from passage_free where id = ?", [(slot,) for slot in left])
        last = max([value(self._connection, "select max(id) from passage") or 0, *left])
        return [*left, *range(last + 1, last + 1 + count - len(left))]

    def _fill(self, filled: Sequence[tuple[int, int, Values]], emptied: Sequence[int] = ()) -> None:
        if filled or emptied:
            assert self.profile is not None
            slots, owners = [slot for slot, _, _ in filled], [record for _, record, _ in filled]
            values = np.array([row for _, _, row in filled], np.int8).reshape(len(filled), self.profile.dimension)
            write_vectors(self._connection, self._generation, slots, owners, values, emptied)


def misplaced(connection: Connection, dimension: int) -> list[int]:
    """The places where the blocks hold something else than the passages say."""
    stored = list(read_owners(connection))
    done = np.array(list(connection.execute("select id, record from passage where not waiting")), np.int64).reshape(-1, 2)
    blocks = max(*(block for block, _, _ in stored), *(done[:, 0] // BLOCK).tolist(), 0, 0) + 1
    expected, found = np.zeros(blocks * BLOCK, np.int64), np.zeros((blocks, BLOCK), np.int64)
    expected[done[:, 0]] = done[:, 1]
    sound = np.zeros(blocks, np.bool_)
    for block, owners, size in stored:
        found[block] = owners
        # A block of nothing but vectors of nothing has no numbers.
        sound[block] = size == BLOCK * dimension if owners.any() else size >= 0
    held = found.reshape(-1)
    wrong = ((held != 0) & (held != expected)) | ((expected != 0) & ~np.repeat(sound, BLOCK))
    return [int(slot) for slot in np.flatnonzero(wrong)]
