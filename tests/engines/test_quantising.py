"""Vectors as bytes: as close to each other as they were, and exactly so wherever they are compared."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dowse.engines import quantising
from dowse.engines.quantising import (
    NOWHERE,
    SKETCH_WORDS,
    Values,
    cosines,
    distances,
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


@ANY
@given(dimension=dimensions, count=st.integers(0, 3000), share=st.sampled_from([0.0, 0.01, 0.3, 1.0]), seed=st.integers(0, 1000))
def test_what_is_compiled_finds_the_same_distances_and_cosines(dimension: int, count: int, share: float, seed: int) -> None:
    made = vectors(count + 1, dimension, seed)
    values, asked = quantise(made[1:], dimension), question(made[0], dimension)
    assert asked is not None
    sketches = np.ascontiguousarray(sketches_of(values).T)
    inside = np.random.default_rng(seed).random(count) < share

    def found() -> tuple[list[int], list[int], list[float]]:
        levels = np.zeros(NOWHERE + 1, np.int64)
        far = distances(asked, sketches, inside, levels)
        return far.tolist(), levels.tolist(), cosines(asked, values, scales_of(values)).tolist()

    compiled = found()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(quantising, "compiled", None)
        assert found() == compiled


@pytest.mark.skipif(quantising.compiled is None, reason="nothing was compiled; tests/test_compiled.py says whether it should be")
def test_arrays_that_do_not_belong_together_are_refused() -> None:
    sketches, asked = np.zeros((SKETCH_WORDS, 4), np.uint64), np.zeros(SKETCH_WORDS, np.uint64)
    inside, out, levels = np.ones(4, np.bool_), np.zeros(4, np.uint16), np.zeros(NOWHERE + 1, np.int64)
    for wrong in (
        (sketches[:, :3].copy(), asked, inside, out, levels),
        (sketches, asked[1:], inside, out, levels),
        (sketches, asked, inside, out[:3], levels),
        (sketches, asked, inside, out, levels[1:]),
        (sketches[:, ::2], asked, inside, out, levels),
        (sketches, asked, inside, out.astype(np.int64), levels),
    ):
        with pytest.raises((ValueError, BufferError)):
            quantising.compiled.distances(*wrong)
    for values, given_, into in (((2, 3), 4, 2), ((2, 3), 3, 1), ((1, 3), 3, 2)):
        with pytest.raises(ValueError, match="belong together"):
            quantising.compiled.products(np.zeros(values, np.int8), np.zeros(given_, np.float32), np.zeros(into, np.float32))
