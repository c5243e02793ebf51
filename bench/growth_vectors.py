"""How long does it take to find the nearest vectors? Beside the product of all of them, as single precision floats.

Both compare the vectors a workspace keeps, a byte a number: what is measured is the search, not the rounding.
"""

import time
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from bench.texts import pieces
from dowse.embed.static import StaticEmbedder
from dowse.engines.quantising import SKETCH_WORDS, quantise, question, restored, scales_of, sketches_of
from dowse.engines.sqlite.driver import connect
from dowse.engines.sqlite.meaning import Nearby
from dowse.engines.sqlite.vectors import BLOCK, SEGMENT, Vectors, empty_segment

# Real passages; where more are wanted, each again with some noise, so that every one has neighbours.
_EMBEDDED = 20_000
_NOISE = 0.35
_QUESTIONS = 20
_ROUNDS = 5
_TOP = 10
_FILTERED = 0.01
_SEED = 7
# Of a sum of 256 products in single precision.
_ROUNDING = 1e-6

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Compared:
    name: str
    ours_ms: float
    theirs_ms: float
    recall: float


def compared(count: int) -> list[Compared]:
    chance = np.random.default_rng(_SEED)
    rows, asked = _rows(count, chance)
    vectors = _packed(rows)
    nearby = Nearby(connect(":memory:"), vectors)
    for number, segment in enumerate(vectors.segments):
        assert segment.values is not None
        some = rows[number * SEGMENT : (number + 1) * SEGMENT]
        some[:] = restored(segment.values[: len(some)], segment.scales[: len(some)])
    found = []
    for name, share in (("all", 1.0), ("1 % may answer", _FILTERED)):
        within = np.zeros(count + 1, np.bool_)
        within[1:] = chance.random(count) < share
        found.append(_compared(name, nearby, rows, asked, within))
    return found


def _compared(name: str, nearby: Nearby, rows: Floats, asked: Floats, within: NDArray[np.bool_]) -> Compared:
    inside = np.flatnonzero(within[1:])
    ours, theirs, shared = [], [], 0
    for vector in asked:
        wanted = question(vector, rows.shape[1])
        assert wanted is not None
        best_ours, best_theirs = float("inf"), float("inf")
        for _ in range(_ROUNDS):
            start = time.perf_counter()
            ranking = nearby.nearest(wanted, within, _TOP, -1.0, np.sort)
            best_ours = min(best_ours, time.perf_counter() - start)
            start = time.perf_counter()
            products = rows @ vector
            allowed = products if len(inside) == len(products) else products[inside]
            best = np.argpartition(-allowed, _TOP)[:_TOP]
            best_theirs = min(best_theirs, time.perf_counter() - start)
        # Texts that stand there twice are equally close, and either of them is right.
        tenth = float(allowed[best].min()) - _ROUNDING
        shared += int(np.count_nonzero(products[np.asarray(ranking.handles) - 1] >= tenth))
        ours.append(best_ours)
        theirs.append(best_theirs)
    return Compared(name, median(ours) * 1000, median(theirs) * 1000, shared / (len(asked) * _TOP))


def _rows(count: int, chance: np.random.Generator) -> tuple[Floats, Floats]:
    """Vectors of length one, and some questions: other passages, that are none of them."""
    embedder = StaticEmbedder()
    texts = [piece.text for piece in pieces(min(count, _EMBEDDED) + _QUESTIONS)]
    made = np.asarray(embedder.embed(texts), np.float32)
    real, asked = made[:-_QUESTIONS], made[-_QUESTIONS:]
    rows = np.empty((count, made.shape[1]), np.float32)
    for start in range(0, count, len(real)):
        size = min(len(real), count - start)
        spread = _NOISE if start else 0.0
        some = real[:size] + spread * chance.standard_normal((size, made.shape[1]), np.float32) / np.sqrt(made.shape[1])
        rows[start : start + size] = some / np.maximum(np.linalg.norm(some, axis=1, keepdims=True), 1e-9)
    return rows, asked


def _packed(rows: Floats) -> Vectors:
    """As they lie in memory once a workspace was asked a few times. The record of each is its number, from 1."""
    segments = []
    for start in range(0, len(rows), SEGMENT):
        some = rows[start : start + SEGMENT]
        segment = empty_segment(rows.shape[1])
        assert segment.values is not None
        segment.values[: len(some)] = quantise(some, rows.shape[1])
        segment.owners[: len(some)] = np.arange(start + 1, start + 1 + len(some))
        segment.scales[:] = scales_of(segment.values)
        segment.sketches[:] = sketches_of(segment.values).reshape(-1, BLOCK, SKETCH_WORDS).transpose(0, 2, 1)
        segments.append(segment)
    return Vectors(1, rows.shape[1], tuple(segments), warm=True)
