"""Vectors as bytes: as close to each other as they were, and exactly so wherever they are compared."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dowse.engines import quantising
from dowse.engines.quantising import (
    SKETCH_WORDS,
    Values,
    candidates,
    cosines,
    quantise,
    question,
    restored,
    scales_of,
    sketches_of,
)
from dowse.errors import EmbeddingFailed

ANY = settings(max_examples=60, deadline=None, database=None, derandomize=True)
dimensions = st.sampled_from([1, 3, 8, 16, 100, 256, 384, 1024])


def vectors(count: int, dimension: int, seed: int = 0) -> NDArray[np.float64]:
    made = np.random.default_rng(seed).standard_normal((count, dimension))
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True))


def compared(vector: NDArray[np.float64], values: Values) -> NDArray[np.float64]:
    asked = question(vector, values.shape[1])
    assert asked is not None
    return cosines(asked, values, scales_of(values))


@ANY
@given(dimension=dimensions, seed=st.integers(0, 1000))
def test_cosines_of_bytes_are_those_of_the_vectors(dimension: int, seed: int) -> None:
    made = vectors(40, dimension, seed)
    values = quantise(made, dimension)
    assert compared(made[0], values) == pytest.approx(made @ made[0], abs=0.01)
    assert restored(values, scales_of(values)) == pytest.approx(made, abs=0.01)


@ANY
@given(dimension=dimensions, seed=st.integers(0, 1000))
def test_a_cosine_does_not_depend_on_what_is_compared_beside_it(dimension: int, seed: int) -> None:
    made = vectors(33, dimension, seed)
    values, asked = quantise(made, dimension), question(made[5], dimension)
    assert asked is not None
    together = compared(made[5], values)
    assert together.tolist() == [compared(made[5], values[n : n + 1])[0] for n in range(33)]
    products = [sum(int(a) * int(b) for a, b in zip(row, asked.values, strict=True)) for row in values]
    scaled = zip(products, scales_of(values), strict=True)
    assert together.tolist() == [float(product) * float(scale) / asked.length for product, scale in scaled]


def test_a_vector_quantised_alone_is_the_same_as_among_others() -> None:
    made = vectors(50, 256)
    together = quantise(made, 256)
    alone = [quantise(made[n : n + 1], 256) for n in range(50)]
    assert (together == np.concatenate(alone)).all()
    assert (scales_of(together) == np.concatenate([scales_of(values) for values in alone])).all()
    assert (sketches_of(together) == np.concatenate([sketches_of(values) for values in alone])).all()


@pytest.mark.parametrize("dimension", [16, 256, 384])
def test_the_fewer_bits_differ_the_smaller_is_the_angle(dimension: int) -> None:
    base, other = vectors(2, dimension)
    steps = np.array([base * (1 - share) + other * share for share in (0.0, 0.2, 0.5, 0.8, 1.0)])
    sketches = sketches_of(quantise(steps, dimension))
    assert sketches.shape == (5, SKETCH_WORDS)
    distances = [sum(int(a ^ b).bit_count() for a, b in zip(row, sketches[0], strict=True)) for row in sketches]
    assert distances == sorted(distances)
    assert distances[0] == 0
    angle = float(np.arccos(base @ other))
    assert distances[-1] / (64 * SKETCH_WORDS) == pytest.approx(angle / np.pi, abs=0.12)


def test_how_long_a_vector_is_does_not_matter() -> None:
    made = vectors(3, 16)
    assert (quantise(made * 8, 16) == quantise(made, 16)).all()


@pytest.mark.parametrize("nothing", [np.zeros(8), np.full(8, np.nan)])
def test_a_vector_of_nothing_is_close_to_nothing(nothing: NDArray[np.float64]) -> None:
    assert compared(np.ones(8), quantise(np.array([nothing]), 8)).tolist() == [0.0]
    assert question(nothing, 8) is None


def test_no_vectors_are_no_rows() -> None:
    none = quantise(np.empty((0, 8)), 8)
    assert (none.shape, scales_of(none).shape, sketches_of(none).shape) == ((0, 8), (0,), (0, SKETCH_WORDS))


def test_vectors_of_another_size_are_refused() -> None:
    with pytest.raises(EmbeddingFailed, match="vectors of 7 numbers, but those of this workspace have 8"):
        quantise(np.ones((2, 7)), 8)
    with pytest.raises(EmbeddingFailed, match="vectors of 7 numbers"):
        question(np.ones(7), 8)


def blocks_of(values: Values, block: int) -> NDArray[np.uint64]:
    """Sketches as they lie in memory."""
    return np.ascontiguousarray(sketches_of(values).reshape(-1, block, SKETCH_WORDS).transpose(0, 2, 1))


@ANY
@given(
    dimension=dimensions,
    blocks=st.lists(st.integers(0, 6), max_size=3),
    block=st.sampled_from([1, 8, 100, 256]),
    share=st.sampled_from([0.0, 0.01, 0.3, 1.0]),
    alike=st.booleans(),
    most=st.integers(1, 400),
    seed=st.integers(0, 1000),
)
def test_what_is_compiled_finds_the_same_places_and_cosines(
    dimension: int, blocks: list[int], block: int, share: float, alike: bool, most: int, seed: int
) -> None:
    chance = np.random.default_rng(seed)
    sizes = [count * block for count in blocks]
    asked = question(vectors(1, dimension, seed)[0], dimension)
    assert asked is not None
    rows = [
        quantise(vectors(size, dimension, seed + at) if size else np.empty((0, dimension)), dimension)
        for at, size in enumerate(sizes)
    ]
    if alike:
        rows = [np.repeat(some[: len(some) // 5], 5, axis=0) if len(some) % 5 == 0 else some for some in rows]
    owners = [chance.integers(0, 50, size).astype(np.int32) for size in sizes]
    segments = tuple((whose, blocks_of(some, block)) for whose, some in zip(owners, rows, strict=True))
    allowed = chance.random(50) < share

    def found() -> tuple[list[int], list[list[float]]]:
        places = candidates(asked, segments, allowed, most)
        return places.tolist(), [cosines(asked, some, scales_of(some)).tolist() for some in rows]

    compiled = found()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(quantising, "compiled", None)
        assert found() == compiled


@ANY
@given(dimension=dimensions, most=st.integers(1, 100), seed=st.integers(0, 1000))
def test_candidates_are_those_that_differ_least_in_the_bits_that_count(dimension: int, most: int, seed: int) -> None:
    rows, asked = quantise(vectors(256, dimension, seed), dimension), question(vectors(1, dimension, seed + 1)[0], dimension)
    assert asked is not None
    bits = [[(int(word) >> bit) & 1 for word in sketch for bit in range(64)] for sketch in [*sketches_of(rows), *asked.sketch]]
    wanted, once, twice = bits[256:]
    far = [sum((a ^ b) * (one + 2 * two) for a, b, one, two in zip(row, wanted, once, twice, strict=True)) for row in bits[:256]]
    last = sorted(far)[most - 1]
    found = candidates(asked, ((np.ones(256, np.int32), blocks_of(rows, 256)),), np.ones(2, np.bool_), most)
    assert found.tolist() == [place for place, off in enumerate(far) if off <= last]


def test_a_bit_counts_as_much_as_the_question_lies_off_its_plane() -> None:
    asked = question(vectors(1, 256)[0], 256)
    assert asked is not None
    turned = np.abs(quantising._turned(asked.values[None])[0])
    _, once, twice = (np.unpackbits(words.view(np.uint8), bitorder="little") for words in asked.sketch)
    mean = float(np.sqrt(np.square(turned, dtype=np.float64).mean()))
    assert (once + 2 * twice).tolist() == np.clip(np.rint(turned / mean * 1.5), 0, 3).tolist()


@pytest.mark.skipif(quantising.compiled is None, reason="nothing was compiled; tests/test_compiled.py says whether it should be")
def test_arrays_that_do_not_belong_together_are_refused() -> None:
    owners, sketches = np.zeros(8, np.int32), np.zeros((2, SKETCH_WORDS, 4), np.uint64)
    allowed, asked = np.ones(1, np.bool_), np.zeros((3, SKETCH_WORDS), np.uint64)
    for wrong in (
        (((owners, sketches[:, :7].copy()),), allowed, asked, 1),
        (((owners[:7], sketches),), allowed, asked, 1),
        (((owners, sketches[0]),), allowed, asked, 1),
        (((owners, sketches[..., ::2]),), allowed, asked, 1),
        (((owners.astype(np.int64), sketches),), allowed, asked, 1),
        (((owners, sketches.astype(np.uint32)),), allowed, asked, 1),
        (((owners, sketches),), allowed, asked[1:], 1),
        (((owners, sketches),), allowed.astype(np.int64), asked, 1),
        (((np.zeros(4096, np.int32), np.zeros((1, SKETCH_WORDS, 4096), np.uint64)),), allowed, asked, 1),
    ):
        with pytest.raises((ValueError, BufferError)):
            quantising.compiled.candidates(*wrong)
    for foreign in (-1, 1):
        with pytest.raises(IndexError, match="a record that is not there"):
            quantising.compiled.candidates(((np.full(8, foreign, np.int32), sketches),), allowed, asked, 1)
    for values, places, given_, into in (((2, 3), [0], 4, 1), ((2, 3), [0], 3, 2), ((1, 3), [1], 3, 1), ((1, 3), [-1], 3, 1)):
        with pytest.raises(ValueError, match="belong together"):
            quantising.compiled.products(
                np.zeros(values, np.int8), np.array(places), np.zeros(given_, np.float32), np.zeros(into, np.float32)
            )
