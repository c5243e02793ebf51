"""How are vectors kept small and compared exactly? A row of whole numbers each, and some bits that tell far from near.

All arithmetic is on whole numbers that the floats in use hold exactly, so a cosine does not depend on the order of its sums: not on
the processor, the number of threads or the rows beside it. Equal texts are equally close, everywhere.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.errors import EmbeddingFailed
from dowse.model.passage import Vectors

try:
    from dowse.engines import _quantising as compiled
except ImportError:
    compiled = None  # type: ignore[assignment]  # no compiler was there when dowse was installed

# Bits of a sketch, and the 64-bit words they fill. Of a million passages the 4,000 nearest by 512 bits hold 98.5 % of the ten
# nearest by cosine and 97 % of the two hundred; where each bit counts as much as the question tells, all and 99.7 %.
SKETCH_BITS = 512
SKETCH_WORDS = SKETCH_BITS // 64
# What a bit counts at most.
_HEAVIEST = 3
# No sketch is as far off as this.
NOWHERE = SKETCH_BITS * _HEAVIEST + 1
_LARGEST = 127
_SPARSE = 8
# Whole numbers up to here are exact in single precision.
_EXACT = 1 << 24

Values = NDArray[np.int8]
Distances = NDArray[np.uint16]
Places = NDArray[np.int64]
Outline = tuple[NDArray[np.int32], NDArray[np.uint64]]
"""Of neighbouring places: the record of each vector, 0 for none; and the sketches, for each block a row for each word."""


class Question(NamedTuple):
    """A vector that rows are compared with: whole numbers, and their length."""

    values: NDArray[np.float32]
    length: float
    sketch: NDArray[np.uint64]
    """Its words, then those of the bits that count once, then of those that count twice (both: three times)."""


def quantise(vectors: Vectors, dimension: int) -> Values:
    """Rows that point where the vectors point, as closely as a byte a number can; zeros where one says nothing."""
    given = _checked(vectors, dimension)
    largest = np.abs(given).max(axis=1, initial=0.0, keepdims=True)
    largest[largest == 0] = 1
    values: Values = np.rint(given * (_LARGEST / largest)).astype(np.int8)
    return values


def scales_of(values: Values) -> NDArray[np.float32]:
    """What makes each row of length one; 0 for a row of zeros."""
    lengths = np.sqrt(np.square(values, dtype=np.float32).sum(axis=1))
    scales: NDArray[np.float32] = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return scales


def sketches_of(values: Values) -> NDArray[np.uint64]:
    """A few bits of each row: the fewer two rows differ in, the smaller is their angle."""
    return _sketch(values.astype(np.float32))


def question(vector: Vectors, dimension: int) -> Question | None:
    """The vector to compare with; None if it says nothing."""
    given = _checked(np.atleast_2d(np.asarray(vector)), dimension)[0]
    length = float(np.sqrt(np.square(given, dtype=np.float64).sum()))
    if not length:
        return None
    # A sum of products is at most the product of the lengths; the second root is room for rounding.
    steps = _EXACT / (_LARGEST * math.sqrt(dimension)) - math.sqrt(dimension)
    values = np.rint(given * (steps / length)).astype(np.float32)
    whole = float(np.sqrt(np.square(values, dtype=np.float64).sum()))
    return Question(values, whole, _weighted_sketch(values)) if whole else None


def cosines(asked: Question, values: Values, scales: NDArray[np.float32]) -> NDArray[np.float64]:
    """How close each row is to the question, from -1 to 1."""
    return cosines_of(products(asked, values, np.arange(len(values))), asked, scales)


def cosines_of(found: NDArray[np.float32], asked: Question, scales: NDArray[np.float32]) -> NDArray[np.float64]:
    """How close the rows are of which these are the products."""
    return found.astype(np.float64) * scales / asked.length


def products(asked: Question, values: Values, places: Places, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    """Of the rows at some places with the question."""
    found = np.empty(len(places), np.float32) if out is None else out
    if compiled is not None:
        compiled.products(values, places, asked.values, found)
    else:
        # Not ``@``: its threads wait for each other, which on a busy machine takes a hundred times as long as these few sums.
        np.einsum("ij,j->i", values[places].astype(np.float32), asked.values, out=found)
    return found


def candidates(asked: Question, segments: tuple[Outline, ...], allowed: NDArray[np.bool_], most: int) -> Places:
    """The places that may hold one of the closest, ascending: those whose sketches are no further off than the nearest ``most``.

    Of those that are equally far off all or none. ``allowed``: by number of the record.
    """
    if compiled is not None:
        return np.frombuffer(compiled.candidates(segments, allowed, asked.sketch, most), np.int64)
    levels = np.zeros(NOWHERE + 1, np.int64)
    far_off = [_distances(asked, sketches, allowed[owners], levels) for owners, sketches in segments]
    levels[NOWHERE] = 0
    far = min(int(np.searchsorted(np.cumsum(levels), most)), NOWHERE - 1)
    starts = np.cumsum([0, *(len(owners) for owners, _ in segments)]).tolist()
    return np.concatenate(
        [np.empty(0, np.int64), *(np.flatnonzero(each <= far) + start for each, start in zip(far_off, starts, strict=False))]
    )


def restored(values: Values, scales: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vectors again, each of length one."""
    return values * scales[:, None]


def _distances(asked: Question, sketches: NDArray[np.uint64], inside: NDArray[np.bool_], levels: Places) -> Distances:
    """How far off each sketch is, ``NOWHERE`` outside; adds to ``levels`` how many are how far."""
    found = np.full(len(inside), NOWHERE, np.uint16)
    # Where few may answer, their sketches are picked out first.
    if np.count_nonzero(inside) * _SPARSE < len(inside):
        blocks, places = np.nonzero(inside.reshape(len(sketches), -1))
        found[inside] = _differing(sketches[blocks, :, places].T, asked)
    else:
        np.copyto(found, _differing(sketches.transpose(1, 0, 2).reshape(SKETCH_WORDS, -1), asked), where=inside)
    levels += np.bincount(found, minlength=len(levels))
    return found


def _differing(sketches: NDArray[np.uint64], asked: Question) -> Distances:
    counts = np.zeros(sketches.shape[1], np.uint16)
    for word, wanted, once, twice in zip(sketches, *asked.sketch, strict=True):
        differing = np.bitwise_xor(word, wanted)
        counts += _ones(differing & once)
        counts += _ones(differing & twice) * np.uint8(2)
    return counts


def _counted(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """How many bits of each word are set, by looking up those of its bytes: for NumPy 1, which cannot count."""
    of_bytes = np.array([number.bit_count() for number in range(256)], np.uint8)
    counts: NDArray[np.uint8] = of_bytes[words.view(np.uint8)].reshape(len(words), 8).sum(axis=1, dtype=np.uint8)
    return counts


_ones: Callable[[NDArray[np.uint64]], NDArray[np.uint8]] = getattr(np, "bitwise_count", _counted)


def _checked(vectors: Vectors, dimension: int) -> NDArray[np.float32]:
    given = np.asarray(vectors, np.float32)
    if given.ndim != 2 or given.shape[1] != dimension:
        found = given.shape[-1] if given.ndim else 0
        raise EmbeddingFailed(
            f"The model gave vectors of {found} numbers, but those of this workspace have {dimension}."
            " Name the model again, so that every passage is embedded anew."
        )
    return given if np.isfinite(given).all() else np.nan_to_num(given, nan=0.0, posinf=0.0, neginf=0.0)


def _sketch(values: NDArray[np.float32]) -> NDArray[np.uint64]:
    """Which side of each of some planes a row lies on."""
    return _packed(_turned(values) > 0)


def _weighted_sketch(values: NDArray[np.float32]) -> NDArray[np.uint64]:
    """The sketch of one row, and what each of its bits counts: the further from a plane it lies, the more says the side of it.

    In thirds of twice the mean distance. All are whole numbers, so that no rounding decides.
    """
    turned = _turned(values[None])
    squares = np.square(turned.astype(np.int64))
    # Halfway between the thirds: 1/3, 1 and 5/3 of the mean.
    steps = squares * (9 * SKETCH_BITS)
    weights = sum([(steps >= bound * squares.sum()).astype(np.int64) for bound in (1, 9, 25)], np.zeros_like(steps))
    return np.concatenate([_packed(turned > 0), _packed((weights & 1) > 0), _packed((weights & 2) > 0)])


def _packed(sides: NDArray[np.bool_]) -> NDArray[np.uint64]:
    packed = np.ascontiguousarray(np.packbits(sides, axis=1, bitorder="little"))
    return packed.view("<u8").astype(np.uint64, copy=False)


def _turned(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """How far from each of some planes a row lies, and on which side.

    The planes are at right angles and mix all dimensions, for those of a model tell unlike much and a bit each would waste most of
    them: Hadamard transforms of the numbers with signs drawn by lot.
    """
    signs = _signs(values.shape[1])
    turns, _, width = signs.shape
    given = np.zeros((turns, len(values), width), np.float32)
    given[:, :, : values.shape[1]] = values
    given *= signs
    # A transform is the product of two small ones, over the rows and the columns of a square.
    one, other = _hadamard(width)
    mixed = one @ (given.reshape(turns, len(values), len(one), len(other)) @ other)
    turned: NDArray[np.float32] = mixed.reshape(turns, len(values), width).transpose(1, 0, 2).reshape(len(values), turns * width)
    return turned[:, :SKETCH_BITS]


@lru_cache(maxsize=4)
def _signs(dimension: int) -> NDArray[np.float32]:
    """For each transform that fills the sketch a sign a number; the same lot everywhere."""
    width = 1 << max(0, dimension - 1).bit_length()
    turns = -(-SKETCH_BITS // width)
    import hashlib  # loads OpenSSL, which a search by words never needs

    drawn = np.frombuffer(hashlib.shake_128(b"dowse").digest(turns * width), np.uint8).reshape(turns, 1, width)
    return np.where(drawn & 1, 1, -1).astype(np.float32)


@lru_cache(maxsize=4)
def _hadamard(width: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Two Hadamard matrices whose product of sizes is the width."""
    matrix = np.ones((1, 1), np.float32)
    half = (width.bit_length() - 1) // 2
    for _ in range(half):
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix, np.block([[matrix, matrix], [matrix, -matrix]]) if len(matrix) ** 2 < width else matrix
