"""What does the query mean, as a vector? And where that cannot be told, why not."""

import numpy as np
from numpy.typing import NDArray

from dowse.errors import EmbeddingFailed
from dowse.model.declaring import dataclass
from dowse.model.passage import Vectors
from dowse.model.ranking import Scores
from dowse.model.terms import Query
from dowse.ports import Embedder, View

NO_VECTORS = "vectors: no embedding model is set up, so the answer is by words alone"


@dataclass(frozen=True, slots=True)
class Meaning:
    """A query as a vector. ``floor``: the cosine below which similarity means nothing.

    ``vector`` is None where the query cannot be compared; ``lacking`` then says why. With both None and blank the model knows
    nothing of what the query says: a list by meaning runs and finds nothing.
    """

    vector: Vectors | None = None
    floor: float = 0.0
    unrelated: float = 0.0
    """The cosine of texts that have nothing in common."""
    strength: float = 1.0
    """How much more the model knows than the one in the package."""
    trust: float = 1.0
    """How much of the query the model knows; what cosines count for beside the words."""
    lacking: str = ""
    passing: bool = False
    """What is said here may be otherwise at the next question, without anyone writing."""
    partial: str = ""
    """Said of an answer for which some records could not be compared."""

    def worth(self, cosines: Scores) -> NDArray[np.float64]:
        """What cosines count for: 0 for texts that have nothing in common, 1 for the same text in other words."""
        above = (np.asarray(cosines, np.float64) - self.unrelated) / (1.0 - self.unrelated)
        return self.trust * np.maximum(above, 0.0)


NOT_ASKED = Meaning()
"""Of a query that is not asked by meaning."""
_NO_EMBEDDER = Meaning(lacking=NO_VECTORS)


def understand(query: Query, view: View, embedder: Embedder | None) -> Meaning:
    """The query as a vector, if the store holds vectors of the same model."""
    if embedder is None:
        return _NO_EMBEDDER
    try:
        profile = embedder.profile
        stored = view.embedding
        if stored.profile is None or not stored.done:
            return Meaning(lacking=_not_yet(stored.waiting), passing=bool(stored.waiting))
        if stored.profile.fingerprint != profile.fingerprint:
            return Meaning(
                lacking=f"vectors: they are of {stored.profile.name}, not of {profile.name}; 'dowse embed' makes new ones"
            )
        vector, trust = _vector(query, embedder)
    except EmbeddingFailed as error:
        import logging  # a search that goes well logs nothing

        logging.getLogger(__name__).warning("searching by words alone: %s", error)
        return Meaning(lacking=f"vectors: {str(error).rstrip('.')}. The answer is by words alone.", passing=True)
    partial = f"vectors: {stored.waiting:,} passages have none yet" if stored.waiting else ""
    return Meaning(vector, profile.floor, profile.unrelated, profile.strength, trust, partial=partial, passing=bool(partial))


def _vector(query: Query, embedder: Embedder) -> tuple[Vectors | None, float]:
    """The query's direction, and how much of it the model knows.

    Of a report the headline says as much as everything below it: logs and versions would else be most of what it means.
    """
    texts = [query.headline, query.text] if query.headline else [query.text]
    rows = np.asarray(embedder.embed(texts, query=True), np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    known = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0).sum(axis=0)
    length = float(np.linalg.norm(known))
    return (known / length if length else None), float(lengths.max())


def _not_yet(waiting: int) -> str:
    if waiting:
        return f"vectors: {waiting:,} passages wait for theirs, so the answer is by words alone; 'dowse embed' makes them"
    return "vectors: there are none yet, so the answer is by words alone; 'dowse embed' makes them"
