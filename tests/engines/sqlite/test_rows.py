"""Long texts are kept compressed, and nobody can tell: not who reads, looks after, backs up or repairs a workspace."""

import json
import random
import string
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from damaging import digest, execute, make
from hypothesis import given
from hypothesis import strategies as st

import dowse
from dowse.app.opening import open_for_care
from dowse.engines.sqlite.driver import Garbled, connect, value
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.engines.sqlite.migrating import migrate
from dowse.engines.sqlite.packing import pack, unpack
from dowse.engines.sqlite.rows import holding
from dowse.engines.sqlite.telling import dump
from dowse.errors import NotAWorkspace
from dowse.model.change import Put
from dowse.model.record import Record
from dowse.model.schema import Column, Field, Kind, Schema
from dowse.text.folding import fold

LONG = "The harbour gauge is read every ten minutes, and the tide table says when to read it again. " * 8
PLAINLY = "fields text not null"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "test.dowse"
    make(made, 40)
    return made


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A workspace as it was before texts were compressed: every text is kept as text, and the column takes nothing else."""
    made = tmp_path / "old.dowse"
    make(made, 40)
    connection = apsw.Connection(str(made))
    connection.create_scalar_function("plainly", lambda *given: unpack(*given[1:])[given[0]])
    connection.execute("update record set (fields, facets) = (plainly(0, key, fields, facets), plainly(1, key, fields, facets))")
    connection.execute(f"""
        pragma writable_schema = on;
        update sqlite_schema set sql = replace(sql, 'fields any not null', '{PLAINLY}') where name = 'record';
        pragma user_version = 5;
    """)
    connection.close()
    assert kept(made) == {"text": 40}
    with pytest.raises(apsw.ConstraintError):
        execute(made, "update record set fields = x'00'")
    return made


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteEngine]:
    """One for all examples: a file each would take minutes."""
    page = Kind("page", (Field("title", Column.TITLE), Field("body"), Field("tags", Column.TAGS)))
    engine = SqliteEngine(tmp_path_factory.mktemp("rows") / "w.dowse", Schema({"page": page}, {}))
    yield engine
    engine.close()


def ask(path: Path, sql: str) -> list[tuple[Any, ...]]:
    connection = apsw.Connection(str(path))
    try:
        return list(connection.execute(sql))
    finally:
        connection.close()


def kept(path: Path) -> dict[str, int]:
    return dict(ask(path, "select typeof(fields), count(*) from record group by 1"))


def garble(path: Path, key: str) -> None:
    """As a disk does that gives back other bytes than it took: no page says so."""
    execute(path, f"update record set fields = cast(substr(fields, 1, length(fields) - 6) || 'tidily' as blob) where key = '{key}'")


@given(
    st.text(max_size=20),
    st.dictionaries(st.text(max_size=5), st.text(max_size=2000), max_size=3),
    st.dictionaries(
        st.text(max_size=5) | st.just("placeholder"), st.text(max_size=200) | st.booleans() | st.integers(), max_size=3
    ),
)
def test_any_texts_and_facets_come_back_as_they_were(key: str, fields: dict[str, str], facets: dict[str, Any]) -> None:
    assert unpack(key, *pack(key, fields, facets)) == (dump(fields), dump(facets))


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@given(ANY_JSON)
def test_what_is_dumped_is_what_json_says(value: Any) -> None:
    assert dump(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("facets", [{}, {"language": "python", "line": 12}])
def test_texts_that_were_compressed_by_themselves_are_read(facets: dict[str, Any]) -> None:
    kept = zlib.compress(dump({"content": LONG}).encode(), 1)
    assert unpack("a", kept, dump(facets)) == (dump({"content": LONG}), dump(facets))


def test_a_long_text_takes_less_room() -> None:
    packed = pack("a", {"content": LONG}, {})
    assert isinstance(packed.fields, bytes)
    assert len(packed.fields) < len(LONG) / 4


def test_what_a_text_shares_with_others_and_with_its_key_takes_hardly_any_room() -> None:
    path = "harbour/gauges/reading_of_tides.py"
    facets = {"symbolKind": "function", "language": "python", "line": 12, "lineEnd": 14, "exported": True, "test": False}
    packed = pack(f"acme:{path}#read", {"path": path, "signature": "def read(self) -> None"}, facets)
    assert len(packed.fields) + len(packed.facets) < 50


def test_a_short_text_stays_text() -> None:
    assert pack("a", {"content": "A short one."}, {}) == ('{"content":"A short one."}', "{}")


def test_a_placeholder_says_so_where_the_store_looks_for_it() -> None:
    assert pack("a", {"content": LONG}, {"placeholder": True}).facets == '{"placeholder":true}'


def test_texts_of_another_key_are_garbled() -> None:
    with pytest.raises(Garbled):
        unpack("b", *pack("a", {"content": LONG}, {}))


def test_half_a_character_is_left_for_the_store_to_refuse() -> None:
    assert isinstance(pack("a", {"content": LONG + "\ud800"}, {}).fields, str)


def test_a_workspace_keeps_long_texts_compressed_and_answers_with_them(tmp_path: Path) -> None:
    path = tmp_path / "w.dowse"
    with dowse.open(path) as workspace:
        workspace.put(kind="page", key="long", title="Gauge", content=LONG)
        workspace.put(kind="page", key="short", title="Tide", content="At noon.")
        assert workspace.get("long").fields["content"] == LONG
        assert workspace.search("ten minutes").hits[0].record.fields["content"] == LONG
        assert [hit.record.key for hit in workspace.search("table says when", mode="substring").hits] == ["long"]
    assert dict(ask(path, "select key, typeof(fields) from record")) == {"long": "blob", "short": "text"}


def test_what_is_prepared_elsewhere_is_written_as_it_would_be_here(tmp_path: Path, schema: Schema) -> None:
    record = Record("a", "page", "sea", {"body": LONG})
    written = []
    for name in ("here", "there"):
        engine = SqliteEngine(tmp_path / name, schema)
        engine.apply([Put(record, prepared=engine.preparer()([record])[0] if name == "there" else None)])
        engine.close()
        written.append(ask(tmp_path / name, "select fields from record"))
    assert written[0] == written[1]
    assert isinstance(written[0][0][0], bytes)


def test_an_old_workspace_opens_with_all_it_holds_and_no_row_is_written_again(old: Path) -> None:
    before = digest(old)
    texts = ask(old, "select key, fields from record order by key")
    with dowse.open(old) as workspace:
        assert workspace.search("tide 7").hits[0].record.key == "p7"
        assert all(finding.ok for finding in workspace.doctor())
    assert (digest(old), ask(old, "select key, fields from record order by key")) == (before, texts)
    assert ask(old, "pragma integrity_check") == [("ok",)]


def test_what_is_written_to_an_old_workspace_is_compressed(old: Path) -> None:
    with dowse.open(old) as workspace:
        workspace.put(kind="page", key="new", title="Gauge", content=LONG)
        workspace.update("p3", content=LONG)
        assert workspace.get("new").fields == workspace.get("p3").fields
    assert kept(old) == {"text": 39, "blob": 2}


def test_who_has_an_old_workspace_open_while_it_is_migrated_goes_on(old: Path) -> None:
    reader = connect(str(old))
    before = value(reader, "select count(*) from record")
    with dowse.open(old) as workspace:
        workspace.put(kind="page", key="new", title="Gauge", content=LONG)
    assert value(reader, "select count(*) from record") == before + 1
    ((key, fields, facets),) = reader.execute("select key, fields, facets from record where key = 'new'")
    assert unpack(key, fields, facets)[0] == dump({"content": LONG})
    reader.close()


def test_a_migration_that_is_interrupted_leaves_the_column_as_it_was(old: Path) -> None:
    connection = connect(str(old))
    # Stands where the step wants to make its table.
    connection.execute("create table packing (x)")
    with pytest.raises(apsw.SQLError):
        migrate(connection, str(old))
    connection.close()
    assert PLAINLY in str(ask(old, "select sql from sqlite_schema where name = 'record'"))
    execute(old, "drop table packing")
    with dowse.open(old) as workspace:
        assert workspace.get("p3").title == "Tide 3"


def test_a_backup_says_the_same_of_both(path: Path, old: Path, tmp_path: Path) -> None:
    assert kept(path).keys() == {"text", "blob"}
    assert digest(path) == digest(old)
    with dowse.open(path) as workspace:
        assert workspace.backup(tmp_path / "backup.dowse").digest == digest(old)
    assert kept(tmp_path / "backup.dowse") == kept(path)


def test_an_old_backup_is_restored_over_a_new_workspace(path: Path, old: Path) -> None:
    before = digest(old)
    with dowse.open(path) as workspace:
        workspace.delete("p3", purge=True)
        workspace.put(kind="page", key="guest", title="Guest", content=LONG)
        workspace.restore_backup(old, force=True)
        assert workspace.get("p3").title == "Tide 3"
    assert digest(path) == before


def test_garbled_bytes_are_told_as_damage_and_not_as_a_fault_of_ours(path: Path) -> None:
    garble(path, long_one(path))
    told = r"test\.dowse is damaged \(the texts of a record.*--repair"
    with dowse.open(path) as workspace, pytest.raises(NotAWorkspace, match=told):
        workspace.get(long_one(path))


def test_doctor_finds_garbled_bytes_and_a_repair_loses_that_record_alone(path: Path) -> None:
    lost = long_one(path)
    garble(path, lost)
    with open_for_care(path) as workspace:
        assert not all(finding.ok for finding in workspace.doctor())
        told = {finding.name: finding for finding in workspace.repair()}
        assert f"lost: {lost}" in told["saved"].detail
        assert all(finding.ok for finding in workspace.doctor() if finding.name != "edges")
        assert sum(workspace.status().records.values()) == 39


def test_rows_saved_from_a_damaged_file_are_compressed_as_they_were(path: Path) -> None:
    before, lost = kept(path), long_one(path)
    garble(path, lost)
    with open_for_care(path) as workspace:
        workspace.repair()
    assert kept(path) == {**before, "blob": before["blob"] - 1}


def long_one(path: Path) -> str:
    ((key,),) = ask(path, "select key from record where typeof(fields) = 'blob' order by key limit 1")
    return str(key)


def test_random_letters_come_back_too(tmp_path: Path) -> None:
    rng = random.Random(2)
    texts = ["".join(rng.choices(string.printable, k=rng.randrange(100, 3000))) for _ in range(50)]
    with dowse.open(tmp_path / "w.dowse") as workspace:
        workspace.apply([Put(Record(f"r{number}", "page", "Noise", {"content": text})) for number, text in enumerate(texts)])
        assert [workspace.get(f"r{number}").fields["content"] for number in range(50)] == texts


_LETTERS = st.text(alphabet='aAbß"\\\n\t é́京/', max_size=8)
_SOME = st.lists(_LETTERS.filter(str.strip), max_size=2, unique=True)


@given(
    texts=st.lists(
        st.tuples(_LETTERS, _LETTERS, st.lists(_LETTERS.filter(str.strip), max_size=2, unique=True)), min_size=1, max_size=4
    ),
    wanted=_LETTERS.filter(bool),
    long=st.booleans(),
)
def test_no_record_that_holds_a_string_is_passed_over(
    texts: list[tuple[str, str, list[str]]], wanted: str, long: bool, shared: SqliteEngine
) -> None:
    literal = fold(wanted)
    records = [
        Record(f"k{number}", "page", title, {"body": body + (LONG if long else "")}, tags=tuple(sorted(tags)))
        for number, (title, body, tags) in enumerate(texts)
    ]
    shared.apply([*map(Put, records)])
    with shared.view() as view:
        identities = [number for number in view.handles([record.key for record in records]) if number is not None]
        found = {record.key for _, record in holding(view._connection, identities, literal)}
    assert {
        record.key for record in records if any(literal in fold(record.text(name)) for name in ("title", "body", "tags"))
    } <= found


def test_records_that_do_not_hold_a_string_are_passed_over_in_the_order_of_their_numbers(shared: SqliteEngine) -> None:
    texts = {"k0": LONG, "k1": "nothing of it", "k2": "The TIDE table"}
    shared.apply([Put(Record(key, "page", "sea", {"body": text})) for key, text in texts.items()])
    with shared.view() as view:
        identities = [number or 0 for number in view.handles(list(texts))]
        found = list(holding(view._connection, identities[::-1], "tide table"))
    assert [record.key for _, record in found] == ["k0", "k2"]
    assert found[0][1].fields["body"] == LONG
