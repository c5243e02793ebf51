"""Do FTS5's pages say what FTS5 says? After any history of writing, deleting and merging; and they do no harm when damaged."""

import shutil
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dowse.engines.sqlite import leaves
from dowse.engines.sqlite.driver import Connection, connect_plainly
from dowse.engines.sqlite.leaves import Leaves, Packing, Told

# Some begin with others, so that pages keep only what is new of them.
WORDS = ("a", "ab", "abc", "abd", "b", "ba", "harbour", "harbours", "hafen", "海港", "港", "zebra", "zz")
MERGES = (("merge", 2), ("merge", -5), ("optimize", None), ("automerge", 2), ("usermerge", 2))
COLUMNS = bytes((1, 0, 2))
PACKED = {
    Told.RECORDS: "doc",
    Told.CELLS: "doc * 8 + case col when 'body' then 1 when 'title' then 0 else 2 end",
    Told.PLACES: "(doc << 27) | (case col when 'body' then 1 when 'title' then 0 else 2 end << 24) | min(offset, 16777215)",
}


@pytest.fixture(autouse=True)
def _compiled() -> None:
    if leaves.compiled is None and shutil.which("cc") is None:
        pytest.skip("there is no compiler here, and FTS5 is asked")


def index(page_size: int) -> Connection:
    connection = connect_plainly(":memory:")
    connection.execute(f"""
        create virtual table lane using fts5(body, title, tags, content='', contentless_delete=1, tokenize='ascii');
        create virtual table lane_instances using fts5vocab(lane, instance);
        insert into lane (lane, rank) values ('pgsz', {page_size});
    """)
    return connection


texts = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
# Numbers of records lie close together and far apart; some are written again after they were deleted.
records = st.one_of(st.integers(0, 30), st.integers(0, 2**31 - 1))
steps = st.one_of(
    st.tuples(st.just("write"), st.lists(st.tuples(records, texts, texts, texts), min_size=1, max_size=12)),
    st.tuples(st.just("write many"), st.tuples(st.integers(1, 400), st.sampled_from(WORDS), st.integers(1, 60))),
    st.tuples(st.just("delete"), st.lists(st.integers(0, 500), max_size=8)),
    st.tuples(st.just("merge"), st.sampled_from(MERGES)),
)


def play(connection: Connection, history: list[tuple[str, object]]) -> Iterator[None]:
    there: set[int] = set()
    for kind, about in history:
        if kind == "write":
            for identity, *columns in about:  # type: ignore[attr-defined]
                put(connection, there, identity, columns)
        elif kind == "write many":
            count, word, often = about  # type: ignore[misc]
            with connection:
                for identity in range(100, 100 + count):
                    put(connection, there, identity, [" ".join([word] * (1 + identity % often)), WORDS[identity % len(WORDS)], ""])
        elif kind == "delete":
            chosen = sorted(there)
            for number in about if chosen else ():  # type: ignore[attr-defined]
                identity = chosen[number % len(chosen)]
                there.discard(identity)
                connection.execute("delete from lane where rowid = ?", (identity,))
        else:
            command, amount = about  # type: ignore[misc]
            connection.execute("insert into lane (lane, rank) values (?, ?)", (command, amount))
        yield


def put(connection: Connection, there: set[int], identity: int, columns: list[str]) -> None:
    if identity in there:
        connection.execute("delete from lane where rowid = ?", (identity,))
    there.add(identity)
    connection.execute("insert into lane (rowid, body, title, tags) values (?, ?, ?, ?)", (identity, *columns))


def told_by_fts5(connection: Connection, words: tuple[str, ...], told: Told) -> list[int]:
    if told is Told.COUNTS:
        return sorted(identity << 24 | count for identity, count in Counter(told_by_fts5(connection, words, Told.RECORDS)).items())
    rows = connection.execute(f"select {PACKED[told]} from lane_instances where term in ({','.join('?' * len(words))})", words)
    return sorted(number for (number,) in rows)


def added_up(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often each record holds any of the words: each word is counted by itself, and so is every segment."""
    sums: Counter[int] = Counter()
    for number in numbers.tolist():
        sums[number >> 24] += number & 0xFFFFFF
    return np.array(sorted(record << 24 | count for record, count in sums.items()), np.int64)


@given(st.sampled_from((32, 64, 200, 4050)), st.lists(steps, min_size=1, max_size=12))
@settings(max_examples=150, deadline=None, database=None, derandomize=True)
def test_pages_tell_what_fts5_tells_after_any_history(page_size: int, history: list[tuple[str, object]]) -> None:
    connection = index(page_size)
    for _ in play(connection, history):
        read = Leaves(connection, "lane")
        for words in [*((word,) for word in WORDS), WORDS, ("nowhere", "ab")]:
            for told in Told:
                found = read.occurrences(words, Packing(told, COLUMNS, 3, 24))
                assert found is not None
                if told is Told.COUNTS:
                    found = added_up(found)
                assert found.tolist() == told_by_fts5(connection, words, told)
        event(f"segments: {len(read._segments or ())}")
        event("records were deleted from a segment" if any(part.deleted for part in read._segments or ()) else "none deleted")
    connection.close()


@given(st.data(), st.integers(0, 2**32 - 1))
@settings(max_examples=150, deadline=None, database=None, derandomize=True)
def test_damaged_pages_do_no_harm(data: st.DataObject, seed: int) -> None:
    connection = index(data.draw(st.sampled_from((32, 200, 4050))))
    for _ in play(connection, [("write many", (300, "harbour", 9)), ("delete", [3, 8])]):
        pass
    chance = np.random.default_rng(seed)
    blocks = list(connection.execute("select id, block from lane_data where id >= 10"))
    for _ in range(data.draw(st.integers(1, 20))):
        identity, block = blocks[int(chance.integers(len(blocks)))]
        changed = bytearray(block)
        changed[int(chance.integers(len(changed)))] = int(chance.choice((0, 1, 127, 128, 255, int(chance.integers(256)))))
        kept = int(chance.integers(len(changed) + 1)) if chance.random() < 0.2 else len(changed)
        connection.execute("update lane_data set block = ? where id = ?", (bytes(changed[:kept]), identity))
    read = Leaves(connection, "lane")
    for told in Told:
        found = read.occurrences(WORDS, Packing(told, COLUMNS, 3, 24))
        assert found is None or found.dtype == np.int64
    connection.close()


def test_a_table_of_another_kind_is_left_to_fts5() -> None:
    connection = connect_plainly(":memory:")
    connection.execute("create virtual table lane using fts5(body); insert into lane values ('harbour')")
    assert Leaves(connection, "lane").occurrences(("harbour",), Packing(Told.RECORDS, b"\0", 3, 24)) is None
    connection.close()
