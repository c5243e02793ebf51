"""Which words are there? Kept with their stems some at a time in a document, for a text brings several new ones.

Four new words come with a record, however many there are already: a document each would be four times as many as there are records.
Words are only ever added; one that stands in two documents is there once.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dowse.engines.opensearch.committing import create_line
from dowse.engines.opensearch.driver import Cluster, Json

# Words of one document: neighbours in the alphabet, so that whoever looks for the forms of a stem reads little beside them.
_PACK = 64
# Words that a process remembers to have written: 8 MB, however many there are.
_SLOTS = 1 << 20
# As many new words are looked up before they are written: those of a few records, by a process that has seen none yet.
_LOOKED_UP = 1000


class Learnt:
    """The words that this process knows to be in an index. Of fixed size: a word may be forgotten, and is then written again."""

    def __init__(self) -> None:
        self._slots = np.zeros(_SLOTS, np.int64)

    def unknown(self, words: Mapping[str, str]) -> dict[str, str]:
        """Those that are not known to be there, with their stems, in order."""
        listed = sorted(words)
        marks, places = self._places(listed)
        return {listed[at]: words[listed[at]] for at in np.flatnonzero(self._slots[places] != marks).tolist()}

    def remember(self, words: Mapping[str, str]) -> None:
        """Called once they are written, and not before: a writer that begins anew writes them then."""
        marks, places = self._places(list(words))
        self._slots[places] = marks

    def clear(self) -> None:
        self._slots[:] = 0

    def _places(self, words: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        marks = np.fromiter(map(hash, words), np.int64, len(words))
        return marks, marks % _SLOTS


def absent(cluster: Cluster, index: str, words: Mapping[str, str]) -> dict[str, str]:
    """Those of a few words that the index lacks; of many all, for it is quicker to write them again."""
    if not words or len(words) > _LOOKED_UP:
        return dict(words)
    listed = sorted(words)
    counted: Json = {"terms": {"field": "word", "include": listed, "size": len(listed)}}
    body: Json = {"query": {"terms": {"word": listed}}, "size": 0, "track_total_hits": False, "aggs": {"word": counted}}
    there = {bucket["key"] for bucket in cluster.search(body, index)["aggregations"]["word"]["buckets"]}
    return {word: words[word] for word in listed if word not in there}


def word_lines(index: str, words: Mapping[str, str]) -> Iterator[str]:
    """Lines for a bulk request. The same words are the same document, so that writing them twice is writing them once."""
    listed = sorted(words)
    for start in range(0, len(listed), _PACK):
        some = listed[start : start + _PACK]
        identity = hashlib.blake2b(" ".join(some).encode(), digest_size=16).hexdigest()
        yield create_line(index, identity, {"word": some, "stem": [words[word] for word in some]})


def pairs(hits: Sequence[Json]) -> Iterator[tuple[str, str]]:
    """The words of some documents, each with its stem."""
    for hit in hits:
        yield from zip(hit["_source"]["word"], hit["_source"]["stem"], strict=True)


def count_words(cluster: Cluster, index: str) -> int:
    """How many there are: exact up to 40,000, beyond it within a few in a hundred."""
    body: Json = {"size": 0, "aggs": {"words": {"cardinality": {"field": "word", "precision_threshold": 40_000}}}}
    return int(cluster.search(body, index)["aggregations"]["words"]["value"])
