"""How does a trained table become the file in the package?"""

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dowse.embed.wordpieces import CONTINUES
from training.batches import Bags

Floats = npt.NDArray[np.float32]

# Passages whose vectors say which directions carry most.
SAMPLED = 40_000

# Of short letter strings so many are words people type; the others in the vocabulary are abbreviations that random letters
# hit as often.
WELL_KNOWN = {2: 30, 3: 400, 4: 2_200}

# The cosine that a query and a passage of another subject rarely reach; training/floor.py measures it.
FLOOR = 0.28


class Trained(NamedTuple):
    rows: Floats
    emphasis: Floats
    damping: Floats


def write(
    path: Path, name: str, trained: Trained, vocabulary: list[str], packages: npt.NDArray[np.int32], passages: Bags,
    floor: float = FLOOR,
) -> None:  # fmt: skip
    """Writes beside the file and renames, so that a reader never sees half of it."""
    rows = trained.rows @ _turn(trained, passages)
    scale = np.maximum(np.abs(rows).max(axis=1), 1e-9) / 127
    parts = {
        "rows": np.round(rows / scale[:, None]).astype(np.int8),
        "passage_scale": scale.astype(np.float32),
        "query_scale": (scale * trained.emphasis).astype(np.float32),
        "damping": np.clip(trained.damping, 0.0, 1.5).astype(np.float32),
        "well_known": well_known(vocabulary, packages),
        "vocabulary": np.frombuffer("\n".join(vocabulary).encode(), np.uint8),
    }
    fingerprint = hashlib.sha256(b"".join(part.tobytes() for part in parts.values())).hexdigest()[:16]
    head = {"name": name, "dimension": rows.shape[1], "floor": floor, "fingerprint": fingerprint}
    aside = path.with_name(path.name + ".part.npz")
    np.savez(aside, head=np.frombuffer(json.dumps(head).encode(), np.uint8), **parts)
    aside.rename(path)


def well_known(vocabulary: list[str], packages: npt.NDArray[np.int32]) -> npt.NDArray[np.uint8]:
    """The whole words that random letters would not hit: of the short ones only the most widespread."""
    left = dict(WELL_KNOWN)
    known = np.zeros(len(vocabulary), np.uint8)
    for index in np.argsort(-packages, kind="stable"):
        word = vocabulary[index]
        if word.startswith(CONTINUES) or not word.isalpha() or len(word) < 2:
            continue
        if len(word) in left:
            left[len(word)] -= 1
        known[index] = left.get(len(word), 0) >= 0
    return known


def _turn(trained: Trained, passages: Bags) -> Floats:
    """The directions of passages' vectors, those that carry most first. Cosines stay what they are."""
    chosen = np.linspace(0, len(passages.starts) - 2, min(SAMPLED, len(passages.starts) - 1)).astype(np.int64)
    rows = trained.rows
    moments = np.zeros((rows.shape[1], rows.shape[1]))
    for part in np.array_split(chosen, max(1, len(chosen) // 1000)):
        pieces, starts, times = passages.take(part)
        filled = np.diff(np.append(starts, len(pieces))) > 0
        vectors = np.add.reduceat(rows[pieces] * (times ** trained.damping[pieces])[:, None], starts[filled], axis=0)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        moments += vectors.T @ vectors
    values, directions = np.linalg.eigh(moments)
    return directions[:, np.argsort(-values)].astype(np.float32)
