"""What does a text mean to two models together? The one that was chosen, and beside it the one in the package, as one vector.

They err on different texts: a transformer knows prose, the table in the package was made of code and its documentation. Their
vectors stand side by side in one, so that its cosine is the sum of theirs, each with its share. Engines and stages need not know.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from dowse.model.passage import Profile
from dowse.ports import Embedder

# What the cosine of the model beside counts for, of one. For granite, whose cosines lie in a narrow band, that is a third of what
# is told; from a quarter to a third the judged sets see no difference (docs/ranking.md).
SHARE = 0.2

# Of a sha256, as long as a model's own.
_LETTERS = 16

Floats = npt.NDArray[np.float32]


class PairedEmbedder:
    """Two models as one. What the chosen one does not understand has no vector, and a query is trusted as far as it trusts it."""

    def __init__(self, chosen: Embedder, beside: Embedder, share: float = SHARE) -> None:
        self._chosen = chosen
        self._beside = beside
        self._share = share
        self._paired: tuple[Profile, Profile] | None = None

    @property
    def chosen(self) -> Embedder:
        return self._chosen

    @property
    def profile(self) -> Profile:
        told = self._chosen.profile
        if self._paired is None or self._paired[0] != told:
            self._paired = told, self._joined(told, self._beside.profile)
        return self._paired[1]

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Floats:
        said = np.asarray(self._chosen.embed(texts, query=query), np.float32)
        trusts = np.linalg.norm(said, axis=1, keepdims=True)
        beside = np.asarray(self._beside.embed(texts, query=query), np.float32)
        # A row is as long as the share of its cosine is to be when both rows are multiplied.
        own, other = np.sqrt(1.0 - self._share), np.sqrt(self._share)
        rows = np.hstack((own * _unit(said, trusts), other * beside)) * (trusts > 0)
        found: Floats = (_unit(rows, np.linalg.norm(rows, axis=1, keepdims=True)) * trusts).astype(np.float32)
        return found

    def close(self) -> None:
        self._chosen.close()
        self._beside.close()

    def _joined(self, chosen: Profile, beside: Profile) -> Profile:
        def mixed(own: float, other: float) -> float:
            return (1.0 - self._share) * own + self._share * other

        told = f"{chosen.fingerprint} {beside.fingerprint} {self._share}"
        return replace(
            chosen,
            name=f"{chosen.name} + {beside.name}",
            dimension=chosen.dimension + beside.dimension,
            floor=mixed(chosen.floor, beside.floor),
            unrelated=mixed(chosen.unrelated, beside.unrelated),
            fingerprint=hashlib.sha256(told.encode()).hexdigest()[:_LETTERS],
        )


def _unit(rows: Floats, lengths: Floats) -> Floats:
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
