"""Is what was lent what reading it anew would give, whoever else reads and writes, until it is given back?"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import numpy as np
import pytest

from dowse.domains.everything import SCHEMA
from dowse.engines.sqlite import lanes, scoping
from dowse.engines.sqlite.columns import Columns, read_columns
from dowse.engines.sqlite.driver import Connection, connect, end_reading, generation_of
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.engines.sqlite.ground import BLOCK
from dowse.engines.sqlite.lending import Lender
from dowse.model.change import Change, Put
from dowse.model.record import Record

NAMES = ("updated", "kind", "space", "parent", "words", "names", "state", "check", "live")
KINDS = (("page",), ("item", "page"), ("symbol",))
LEVELS = ("low", "high")


class Snapshot:
    """One state of the file."""

    def __init__(self, path: Path) -> None:
        self.connection = connect(str(path), read_only=True)
        self.connection.execute("begin")
        current = lanes.current(self.connection)
        assert current is not None
        self.lanes = current
        # The first thing read makes it the state of this moment.
        self.generation = generation_of(self.connection)
        self.lent: Columns | None = None

    def lend(self, lender: Lender) -> Columns:
        if self.lent is None:
            self.lent = lender.lend(self.connection, self.lanes, self.generation)
        return self.lent

    def close(self, lender: Lender) -> None:
        if self.lent is not None:
            lender.take_back(self.lent)
        end_reading(self.connection)
        self.connection.close()


def told(connection: Connection, columns: Columns) -> dict[str, Callable[[], object]]:
    """What can be asked of columns, by name."""
    some = np.random.default_rng(columns.generation).permutation(columns.size)[:99]
    asked: dict[str, Callable[[], object]] = {"sizes": lambda: (columns.size, columns.count)}
    for name in NAMES:
        asked[name] = lambda name=name: columns.column(name).tolist()
        asked[f"{name} of some"] = lambda name=name: columns.of(name, some).tolist()
        asked[f"{name} of a block"] = lambda name=name: columns.stretch(name, columns.size - BLOCK, columns.size).tolist()
    for kinds in KINDS:
        asked[str(kinds)] = lambda kinds=kinds: scoping.of_kinds(connection, columns, kinds).mask.tolist()
        asked[f"size of {kinds}"] = lambda kinds=kinds: scoping.of_kinds(connection, columns, kinds).size
    for level in LEVELS:
        asked[level] = lambda level=level: scoping.with_facet(connection, columns, "priority", (level,)).mask.tolist()
    for lane in ("words", "names"):
        asked[f"mean of {lane}"] = lambda lane=lane: columns.mean(lane)
    return asked


def agree(lent: Columns, snapshot: Snapshot, chance: Random) -> None:
    """Not all is asked each time: what nobody asked for must not be taken over half."""
    anew = read_columns(snapshot.connection, snapshot.lanes.columns, snapshot.generation)
    ours, fresh = told(snapshot.connection, lent), told(snapshot.connection, anew)
    for name in chance.sample(sorted(ours), chance.randrange(len(ours) + 1)):
        assert ours[name]() == fresh[name](), name


def written(chance: Random, number: int, most: int) -> Change:
    """A new record, an old one changed, or one deleted; of several kinds and with facets that come and go."""
    if chance.random() < 0.2:
        return Put(Record(f"item-{number}", "item", "Carry the parcel", {}, facets={"priority": chance.choice(LEVELS)}))
    key = f"record-{chance.randrange(most)}"
    return Put(Record(key, "page", f"Page {number}", {"content": "word " * chance.randrange(5)}))


@pytest.mark.parametrize("seed", range(12))
def test_what_is_lent_equals_what_is_read_anew_until_it_is_given_back(tmp_path: Path, seed: int) -> None:
    chance, path, lender = Random(seed), tmp_path / "w.dowse", Lender()
    engine = SqliteEngine(path, SCHEMA)
    # In a small one most blocks change, in a large one few.
    engine.apply([Put(Record(f"record-{number}", "page", "First", {})) for number in range(chance.choice((0, 9 * BLOCK)))])
    open_now: list[Snapshot] = []
    for turn in range(60):
        match chance.choice(("write", "write", "begin", "begin", "ask", "ask", "ask", "end")):
            case "write":
                size = chance.choice((1, 1, 3, 60))
                engine.apply([written(chance, 100 * turn + number, 3 * BLOCK) for number in range(size)])
            case "begin" if len(open_now) < 5:
                open_now.append(Snapshot(path))
            case "ask" if open_now:
                snapshot = chance.choice(open_now)
                agree(snapshot.lend(lender), snapshot, chance)
            case "end" if open_now:
                open_now.pop(chance.randrange(len(open_now))).close(lender)
            case _:
                pass
    for snapshot in open_now:
        agree(snapshot.lend(lender), snapshot, chance)
        snapshot.close(lender)
    engine.close()


def test_one_reader_after_the_other_reads_only_what_changed(tmp_path: Path) -> None:
    lender, path = Lender(), tmp_path / "w.dowse"
    engine = SqliteEngine(path, SCHEMA)
    engine.apply([Put(Record(f"r{number}", "page", "A page", {})) for number in range(3 * BLOCK)])
    seen = []
    for turn in range(4):
        engine.apply([Put(Record(f"r{turn}", "page", "Another", {}))])
        snapshot = Snapshot(path)
        seen.append(snapshot.lend(lender).ground)
        assert not snapshot.lend(lender).changed
        snapshot.close(lender)
    assert all(ground is seen[0] for ground in seen)
    engine.close()


def test_however_many_read_nothing_is_copied_more_than_once(tmp_path: Path) -> None:
    lender, path, grounds, waiting = Lender(), tmp_path / "w.dowse", set(), []
    engine = SqliteEngine(path, SCHEMA)
    engine.apply([Put(Record(f"r{number}", "page", "A page", {})) for number in range(3 * BLOCK)])
    for turn in range(30):
        engine.apply([Put(Record(f"r{turn}", "page", "Another", {}))])
        waiting.append(Snapshot(path))
        grounds.add(id(waiting[-1].lend(lender).ground))
        if len(waiting) > 6:
            waiting.pop(0).close(lender)
    for snapshot in waiting:
        snapshot.close(lender)
    assert len(grounds) == 2
    engine.close()


def test_many_threads_that_read_while_one_writes_see_each_its_own_state(tmp_path: Path) -> None:
    lender, path, done = Lender(), tmp_path / "w.dowse", threading.Event()
    engine = SqliteEngine(path, SCHEMA)
    engine.apply([Put(Record(f"record-{number}", "page", "First", {})) for number in range(4 * BLOCK)])

    def read(seed: int) -> None:
        chance = Random(seed)
        while not done.is_set():
            snapshot = Snapshot(path)
            agree(snapshot.lend(lender), snapshot, chance)
            snapshot.close(lender)

    with ThreadPoolExecutor(4) as readers:
        reading = [readers.submit(read, seed) for seed in range(4)]
        chance = Random(99)
        for turn in range(60):
            engine.apply([written(chance, turn, 4 * BLOCK)])
        done.set()
        for reader in reading:
            reader.result()
    engine.close()


def test_lanes_that_were_made_again_are_read_anew(tmp_path: Path) -> None:
    chance, lender, path = Random(1), Lender(), tmp_path / "w.dowse"
    engine = SqliteEngine(path, SCHEMA)
    engine.apply([Put(Record("one", "page", "One", {}))])
    before = Snapshot(path)
    engine.reindex()
    after = Snapshot(path)
    for snapshot in (after, before):
        agree(snapshot.lend(lender), snapshot, chance)
        assert snapshot.lend(lender).count == 1
        snapshot.close(lender)
    engine.close()


def test_names_are_those_of_the_state_that_is_read(tmp_path: Path) -> None:
    path = tmp_path / "w.dowse"
    engine = SqliteEngine(path, SCHEMA)
    engine.apply([Put(Record("page-1", "page", "Before", {})), Put(Record("page-2", "page", "Other", {}))])
    with engine.view() as first:
        (one, two) = [handle for handle in first.handles(["page-1", "page-2"]) if handle is not None]
        assert first.names([one]) == [("page-1", "Before")]
        engine.apply([Put(Record("page-1", "page", "After", {}))])
        with engine.view() as second:
            assert second.names([two, one]) == [("page-2", "Other"), ("page-1", "After")]
            engine.apply([Put(Record("page-1", "page", "Last", {}))])
            with engine.view() as third:
                assert third.names([one, two]) == [("page-1", "Last"), ("page-2", "Other")]
            assert second.names([one]) == [("page-1", "After")]
        assert first.names([one, two]) == [("page-1", "Before"), ("page-2", "Other")]
    engine.close()


def test_a_kind_that_nobody_had_is_known_as_soon_as_a_record_has_it(tmp_path: Path) -> None:
    engine, lender = SqliteEngine(tmp_path / "w.dowse", SCHEMA), Lender()
    engine.apply([Put(Record("a", "page", "A"))])
    before = Snapshot(tmp_path / "w.dowse")
    assert scoping.of_kinds(before.connection, before.lend(lender), ("symbol",)).size == 0
    engine.apply([Put(Record("b", "symbol", "B", space="later"))])
    after = Snapshot(tmp_path / "w.dowse")
    assert scoping.of_kinds(after.connection, after.lend(lender), ("symbol",)).size == 1
    # Who began before goes on with what was.
    assert scoping.of_kinds(before.connection, before.lend(lender), ("symbol",)).size == 0
    for snapshot in (before, after):
        snapshot.close(lender)
    engine.close()
