"""What does a better model say of the best hits? Their closest passages are embedded anew; its cosines stand for the first ones."""

import numpy as np

from dowse.errors import EmbeddingFailed
from dowse.model.declaring import replace
from dowse.model.request import ListPlan
from dowse.model.terms import Query
from dowse.ports import Embedder, View
from dowse.search.meaning import Meaning
from dowse.search.window import Window, weight

# Passages a slow model embeds while someone waits: as many as it takes for the first page to be sure, and a second or two.
BEST = 50


def rescore(view: View, window: Window, plan: ListPlan, query: Query, meaning: Meaning, second: Embedder) -> Window:
    """The window with what the second model says of its best hits in place of what the first one said; a failure is told in it.

    ``plan``: the list by meaning, which says what cosines count for. Hits without a passage stay as they are.
    """
    if meaning.vector is None:
        return window
    best = np.sort(window.ranked(view, BEST))
    best = best[np.argsort(window.parts[best], kind="stable")]
    passages = view.passages(meaning.vector, window.parts[best])
    best = best[[passage is not None for passage in passages]]
    texts = [passage.text for passage in passages if passage is not None]
    try:
        profile = second.profile
        asked = np.asarray(second.embed([query.text], query=True), np.float64)[0]
        if not texts or not asked.any():
            return window
        cosines = np.asarray(second.embed(texts), np.float64) @ asked
    except EmbeddingFailed as error:
        return replace(window, lacking=f"rescoring: {str(error).rstrip('.')}. The order is the first model's.")
    first = meaning.worth(view.similarity(meaning.vector, window.parts[best]))
    before = weight(view, window.parts, plan, query, meaning.strength) * first
    now = weight(view, window.parts, plan, query, profile.strength) * Meaning(unrelated=profile.unrelated).worth(cosines)
    added = now - before
    order = np.argsort(best)
    return window.moved(f"rescored by {profile.name}", best[order], added[order])
