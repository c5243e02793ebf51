"""What the sketches let through holds what is closest, whatever else is there, and only what may answer."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from modelling import MODEL, WordModel, close, nearest, prepared, use
from numpy.typing import NDArray

from dowse.engines import quantising
from dowse.engines.passaging import digest_of
from dowse.engines.sqlite import vectors
from dowse.engines.sqlite.engine import SqliteEngine
from dowse.model.change import Delete, KeepVectors, Put, UseModel
from dowse.model.passage import Profile
from dowse.model.record import Record
from dowse.model.request import Scope
from dowse.model.schema import Schema

COUNT, WIDTH = 1500, 64
PROFILE = Profile("drawn", WIDTH, 0.2, "drawn-64")


def drawn(count: int, seed: int) -> NDArray[np.float32]:
    """Vectors in clusters, of a model whose first dimensions tell most."""
    lot = np.random.default_rng(seed)
    spread = np.arange(1, WIDTH + 1) ** -0.5
    centres = np.random.default_rng(99).standard_normal((30, WIDTH))
    made = (centres[lot.integers(0, 30, count)] + 0.7 * lot.standard_normal((count, WIDTH))) * spread
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), np.float32)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory, schema: Schema) -> Path:
    """A workspace of titles, a drawn vector each; every tenth is in a space of its own."""
    path = tmp_path_factory.mktemp("nearby") / "drawn.dowse"
    engine = SqliteEngine(path, schema)
    titles = [f"t{number:04}" for number in range(COUNT)]
    records = [Record(title, "page", title, space="tenth" if n % 10 == 0 else "") for n, title in enumerate(titles)]
    engine.apply([UseModel(PROFILE), *map(Put, records)])
    engine.apply([KeepVectors(PROFILE.fingerprint, tuple(map(digest_of, titles)), drawn(COUNT, 1))])
    engine.close()
    return path


def asked(engine: SqliteEngine, vector: NDArray[np.float32], scope: Scope, limit: int = 10) -> list[tuple[str, float]]:
    with engine.view() as view:
        ranking = view.nearest(vector, view.select(scope), limit, -1.0)
        keys = [record.key for record in view.fetch(ranking.handles)]
    return sorted(zip(keys, map(float, ranking.scores), strict=True), key=lambda item: (-item[1], item[0]))


@pytest.mark.parametrize("scope", [Scope(), Scope(spaces=("tenth",))], ids=["everything", "a tenth"])
def test_a_short_list_holds_nearly_all_that_is_closest(path: Path, schema: Schema, scope: Scope) -> None:
    exact, short = SqliteEngine(path, schema), SqliteEngine(path, schema, shortlist=50 if scope.spaces else 200)
    shares = []
    for vector in drawn(40, 2):
        best, found = asked(exact, vector, scope, limit=3), asked(short, vector, scope, limit=3)
        shares.append(len(set(best) & set(found)) / 3)
    assert np.mean(shares) >= 0.98
    exact.close()
    short.close()


@settings(max_examples=25, deadline=None, database=None, derandomize=True)
@given(seed=st.integers(0, 10_000), tenth=st.booleans(), shortlist=st.integers(1, 400))
def test_whatever_the_shortlist_the_scores_are_exact_and_the_text_itself_comes_first(
    path: Path, schema: Schema, seed: int, tenth: bool, shortlist: int
) -> None:
    scope = Scope(spaces=("tenth",)) if tenth else Scope()
    engine, exact = SqliteEngine(path, schema, shortlist=shortlist), SqliteEngine(path, schema)
    number = seed % COUNT // 10 * 10
    vector = drawn(COUNT, 1)[number]
    found, everything = asked(engine, vector, scope), dict(asked(exact, vector, scope, limit=COUNT))
    assert found[0][0] == f"t{number:04}"
    assert all(everything[key] == score for key, score in found)
    assert len(found) == 10
    engine.close()
    exact.close()


def test_what_is_asked_for_again_is_answered_alike_from_memory(path: Path, schema: Schema) -> None:
    engine = SqliteEngine(path, schema, shortlist=100)
    vector = drawn(1, 3)[0]
    first = asked(engine, vector, Scope())
    assert [asked(engine, vector, Scope()) for _ in range(3)] == [first] * 3
    engine.close()


def test_equally_far_passages_are_all_looked_at(tmp_path: Path, schema: Schema) -> None:
    engine = SqliteEngine(tmp_path / "w.dowse", schema, shortlist=1)
    use(engine)
    prepared(engine, *(Record(f"k{number:03}", "page", "quince jam") for number in range(200)))
    assert nearest(engine, "quince jam", limit=3) == ["k000", "k001", "k002"]
    engine.close()


def test_bits_are_counted_alike_where_nothing_is_compiled_and_numpy_cannot(
    path: Path, schema: Schema, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = SqliteEngine(path, schema, shortlist=50)
    vector = drawn(1, 4)[0]
    counted = asked(engine, vector, Scope())
    monkeypatch.setattr(quantising, "compiled", None)
    assert asked(engine, vector, Scope()) == counted
    monkeypatch.setattr(quantising, "_ones", quantising._counted)
    assert asked(engine, vector, Scope()) == counted
    engine.close()


@pytest.mark.parametrize("dimension", [1, 5, 12, 100])
def test_any_number_of_dimensions_will_do(tmp_path: Path, schema: Schema, dimension: int) -> None:
    model = WordModel(f"of {dimension}", dimension)
    engine = SqliteEngine(tmp_path / "w.dowse", schema, shortlist=1)
    use(engine, model)
    prepared(engine, *(Record(word, "page", word) for word in ("sea", "land", "sky")), model=model)
    assert close(engine, "land", model=model)["land"] == pytest.approx(1.0, abs=1e-3)
    assert MODEL.dimension != dimension
    engine.close()


@pytest.mark.parametrize("most", [1, 16])
def test_vectors_that_are_taken_over_from_commit_to_commit_are_those_that_are_read_anew(
    path: Path, schema: Schema, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(vectors, "_MOST_CHANGED", most)
    own = Path(shutil.copy(path, tmp_path / "w.dowse"))
    writer, kept = SqliteEngine(own, schema), SqliteEngine(own, schema)
    questions = drawn(4, 5)
    for turn in range(10):
        for vector in questions:
            # More than once: the numbers are kept in memory from the second question on.
            asked(kept, vector, Scope())
        with kept.view() as before:
            selected = before.select(Scope())
            expected = before.nearest(questions[0], selected, 10, -1.0).scores.tolist()
            title = f"t{(turn * 397) % COUNT:04}"
            writer.apply([Delete(title, purge=True)] if turn % 3 == 2 else [Put(Record(title, "page", f"new {turn}"))])
            writer.apply([KeepVectors(PROFILE.fingerprint, (digest_of(f"new {turn}"),), questions[:1])])
            fresh = SqliteEngine(own, schema)
            for vector in questions:
                assert asked(kept, vector, Scope()) == asked(fresh, vector, Scope())
            fresh.close()
            # Who began before sees what was there before.
            assert before.nearest(questions[0], selected, 10, -1.0).scores.tolist() == expected
    writer.close()
    kept.close()
