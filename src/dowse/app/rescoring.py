"""How does a second model stay quick enough to be asked while someone waits? What it said of a passage is remembered."""

import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from dowse.model.passage import Profile, Vectors
from dowse.ports import Embedder

# Passages that stand in front of one question stand in front of the next: a few megabytes for the last hundred questions.
_REMEMBERED = 4096


class SecondModel:
    """A slow model that embeds no passage twice, as far as it remembers."""

    def __init__(self, embedder: Embedder, limit: int = _REMEMBERED) -> None:
        self._embedder = embedder
        self._limit = limit
        self._known: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def profile(self) -> Profile:
        return self._embedder.profile

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if query:
            return self._embedder.embed(texts, query=True)
        with self._lock:
            known = {text: self._known[text] for text in texts if text in self._known}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            known |= dict(zip(missing, self._embedder.embed(missing), strict=True))
        with self._lock:
            for text in texts:
                self._known[text] = known[text]
                self._known.move_to_end(text)
            while len(self._known) > self._limit:
                self._known.popitem(last=False)
        return np.stack([known[text] for text in texts]) if texts else self._embedder.embed([])

    def close(self) -> None:
        self._embedder.close()
