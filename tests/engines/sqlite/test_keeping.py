"""Vectors in the file: they are there for whoever opens it, cost little to count, and are looked after."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from asking import page, put
from modelling import MODEL, WordModel, catch_up, close, counts, kept, nearest, prepared, told, use, waiting

from dowse.engines import passaging
from dowse.engines.embedding import Meaning
from dowse.engines.sqlite.driver import Connection, connect, value
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.engines.sqlite.vectors import BLOCK, VectorCache
from dowse.model.change import Delete, Put
from dowse.model.passage import Embedding
from dowse.model.record import Record
from dowse.model.schema import Column, Field, Kind, Schema
from dowse.ports import Finding


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "w.dowse"


def wordy(count: int) -> list[Record]:
    return [page(f"k{number:04}", f"word{number} other{number}") for number in range(count)]


def faults(engine: SqliteEngine) -> dict[str, Finding]:
    return {finding.name: finding for finding in engine.examine() if not finding.ok}


def test_who_opens_the_file_again_finds_the_same(path: Path, schema: Schema) -> None:
    engine = SqliteEngine(path, schema)
    use(engine)
    prepared(engine, *wordy(300))
    put(engine, page("late", "late"))
    before = (told(engine), close(engine, "word7 other9"))
    engine.close()
    engine = SqliteEngine(path, schema)
    assert (told(engine), close(engine, "word7 other9"), waiting(engine)) == (*before, ["late"])
    engine.close()


def test_what_another_process_embeds_is_found_here(path: Path, schema: Schema) -> None:
    engine = SqliteEngine(path, schema)
    use(engine)
    prepared(engine, *wordy(20))
    assert "new" not in nearest(engine, "harbour")
    here = Path(__file__).parent.parent
    script = (
        f"import sys; sys.path[:0] = [{str(here)!r}]\n"
        "from conftest import SCHEMA\nfrom modelling import *\nfrom dowse.engines.sqlite.engine import SqliteEngine\n"
        f"engine = SqliteEngine({str(path)!r}, SCHEMA)\n"
        "prepared(engine, Record('new', 'page', 'harbour'))\nengine.close()\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
    assert nearest(engine, "harbour")[0] == "new"
    engine.close()


def test_a_preparer_can_be_sent_to_another_process(path: Path, schema: Schema) -> None:
    engine = SqliteEngine(path, schema)
    use(engine)
    sent = pickle.loads(pickle.dumps(engine.preparer(MODEL)))
    back = pickle.loads(pickle.dumps(sent([page("a", "sea")])[0]))
    engine.apply([Put(page("a", "sea"), prepared=back)])
    assert (counts(engine), nearest(engine, "sea")) == ((1, 0), ["a"])
    engine.close()


def test_vectors_come_back_from_another_process_as_they_were() -> None:
    values = np.arange(-4, 4, dtype=np.int8).reshape(2, 4)
    for sent in (Meaning((b"one", b"two"), "abc", values), Meaning((b"one",), "abc"), Meaning(())):
        back = pickle.loads(pickle.dumps(sent))
        assert back[:2] == sent[:2]
        assert (back.values is None) == (sent.values is None)
        assert sent.values is None or np.array_equal(back.values, sent.values)


def test_without_a_model_nothing_is_written_for_it(path: Path, schema: Schema) -> None:
    engine = SqliteEngine(path, schema)
    prepared(engine, *wordy(50))
    engine.close()
    connection = connect(str(path))
    assert [value(connection, f"select count(*) from {table}") for table in ("passage", "sketch", "vector")] == [0, 0, 0]
    connection.close()


def test_what_a_search_must_know_first_is_not_counted_but_noted(path: Path, schema: Schema) -> None:
    engine = SqliteEngine(path, schema)
    use(engine)
    put(engine, *wordy(10))
    connection = connect(str(path))
    connection.execute("delete from passage")
    assert told(engine) == Embedding(MODEL.profile, 0, 10)
    connection.close()
    engine.close()


@pytest.mark.parametrize(
    ("sql", "index"),
    [
        ("select record, number, digest from passage where waiting order by record, number", "passage_waiting"),
        ("select id, record from passage where digest = ? and waiting", "passage_digest"),
        ("select id from passage where record = ?", "passage_record"),
    ],
)
def test_passages_are_found_by_their_indexes(path: Path, schema: Schema, sql: str, index: str) -> None:
    SqliteEngine(path, schema).close()
    connection = connect(str(path))
    bindings = (b"x",) if "?" in sql else ()
    plan = [row[3] for row in connection.execute(f"explain query plan {sql}", bindings)]
    assert len(plan) == 1
    assert index in plan[0]
    connection.close()


def test_a_reader_reads_again_only_what_changed(path: Path, schema: Schema) -> None:
    engine = SqliteEngine(path, schema)
    use(engine)
    prepared(engine, *wordy(10))
    cache = VectorCache()
    connection = connect(str(path))

    def read() -> object:
        generation = value(connection, "select value from meta where name = 'generation'")
        return cache.at(connection, generation, MODEL.dimension).segments[0]

    first = read()
    engine.apply([Delete("k0001")])
    assert read() is first
    prepared(engine, page("new", "harbour"))
    assert read() is not first
    connection.close()
    engine.close()


def test_places_are_used_again_and_room_is_given_back(path: Path, schema: Schema) -> None:
    engine = SqliteEngine(path, schema)
    use(engine)
    prepared(engine, *wordy(3 * BLOCK))
    engine.apply([Delete(record.key, purge=True) for record in wordy(3 * BLOCK)])
    connection = connect(str(path))
    assert value(connection, "select count(*) from vector") == 0
    prepared(engine, *wordy(2 * BLOCK))
    assert value(connection, "select max(id) from passage") <= 2 * BLOCK
    assert (nearest(engine, "word5")[0], faults(engine)) == ("k0005", {})
    connection.close()
    engine.close()


def test_texts_that_are_cut_in_another_way_are_cut_again_and_the_others_keep_their_vectors(path: Path, schema: Schema) -> None:
    engine = SqliteEngine(path, schema)
    use(engine)
    prepared(engine, page("a", "sea", "salt"), Record("n", "note", fields={"body": "gulls"}, parent="a"))
    engine.close()
    named = Kind("page", (Field("title", Column.TITLE, named=True), Field("body", named=True)))
    engine = SqliteEngine(path, Schema({**schema.kinds, "page": named}, schema.edges))
    assert (counts(engine), waiting(engine)) == ((2, 0), [])
    named = Kind("page", (Field("title", Column.TITLE, named=True), Field("body", Column.TAGS)))
    engine.close()
    engine = SqliteEngine(path, Schema({**schema.kinds, "page": named}, schema.edges))
    assert (counts(engine), waiting(engine)) == ((1, 1), ["sea"])
    assert faults(engine) == {}
    engine.close()


def test_another_version_of_the_cutting_is_noticed_on_opening(path: Path, schema: Schema, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = SqliteEngine(path, schema)
    use(engine)
    prepared(engine, page("a", "sea", "salt " * 300))
    engine.close()
    monkeypatch.setattr(passaging, "WINDOW", 500)
    engine = SqliteEngine(path, schema)
    assert counts(engine)[1] > 1
    catch_up(engine)
    assert (nearest(engine, "salt"), faults(engine)) == (["a"], {})
    engine.close()


def test_many_records_are_made_to_wait_in_one_go(path: Path, schema: Schema) -> None:
    engine = SqliteEngine(path, schema)
    put(engine, *wordy(4500))
    use(engine)
    assert counts(engine) == (0, 4500)
    catch_up(engine, limit=5000)
    use(engine, WordModel("others"))
    assert (counts(engine), faults(engine)) == ((0, 4500), {})
    engine.close()


class TestExamining:
    @pytest.fixture
    def engine(self, path: Path, schema: Schema) -> SqliteEngine:
        engine = SqliteEngine(path, schema)
        use(engine)
        prepared(engine, *wordy(300))
        put(engine, page("late", "late"))
        return engine

    def broken(self, engine: SqliteEngine, path: Path, sql: str, name: str) -> None:
        """Damages the file, finds the fault by its name, and sees it repaired by what the finding says."""
        connection: Connection = connect(str(path))
        connection.execute(sql)
        connection.close()
        fault = faults(engine)[name]
        assert fault.repair == "dowse reindex"
        engine.reindex()
        assert faults(engine) == {}
        catch_up(engine)
        assert (counts(engine), nearest(engine, "word7 other7")[0]) == ((301, 0), "k0007")
        engine.close()

    def test_a_sound_workspace_says_how_far_it_is(self, engine: SqliteEngine) -> None:
        details = {finding.name: finding.detail for finding in engine.examine()}
        assert details["vectors"] == "300 of words"
        assert details["embedding"] == "1 passages wait for a vector"
        engine.close()

    def test_nothing_is_said_of_vectors_where_there_is_no_model(self, path: Path, schema: Schema) -> None:
        engine = SqliteEngine(path, schema)
        assert not {"passages", "vectors", "embedding"} & {finding.name for finding in engine.examine()}
        engine.close()

    @pytest.mark.parametrize(
        ("sql", "name"),
        [
            ("delete from passage where id % 3 = 0", "passages"),
            ("update passage set record = record + 100000 where id % 3 = 0", "passages"),
            ("update passage set digest = zeroblob(16) where id % 3 = 0", "passages"),
            ("delete from sketch where id = 0", "vectors"),
            ("delete from vector where id = 1", "vectors"),
            ("update vector set data = zeroblob(5)", "vectors"),
            ("update sketch set data = zeroblob(5)", "vectors"),
            ("update passage set waiting = 1 where id % 3 = 0", "vectors"),
            ("update meta set value = 9 where name = 'vectors_waiting'", "embedding"),
        ],
    )
    def test_damage_is_found_and_repaired(self, engine: SqliteEngine, path: Path, sql: str, name: str) -> None:
        self.broken(engine, path, sql, name)

    def test_what_is_sound_keeps_its_vectors_through_a_repair(self, engine: SqliteEngine, path: Path) -> None:
        connection = connect(str(path))
        connection.execute("delete from vector where id = 1")
        connection.close()
        engine.reindex()
        done, left = counts(engine)
        assert (done, left) == (BLOCK - 1, 301 - (BLOCK - 1))
        assert nearest(engine, "word7 other7")[0] == "k0007"
        engine.apply([kept(MODEL, "word290 other290")])
        assert nearest(engine, "word290 other290")[0] == "k0290"
        engine.close()
