"""Which words count as a term? Looked up among all words there are, for excerpts to mark and for what stands close together."""

from collections.abc import Callable, Sequence

from dowse.engines.opensearch.driver import Json
from dowse.engines.opensearch.lanes import Stemmer
from dowse.engines.opensearch.vocabulary import pairs
from dowse.model.terms import Term
from dowse.text.spelling import slips
from dowse.text.words import is_paired

# Documents of words that are read for a term: some ten thousand words that begin alike, more than a page could mark.
_MOST_READ = 500
# Words that are looked at as what may have been meant; the closest come first.
_MOST_SPELT = 200


class Forms:
    """The forms of some terms. Words are only ever added, and those of no use mark nothing: no moment of them is needed."""

    def __init__(self, terms: Sequence[Term], stemmer: Stemmer) -> None:
        self._terms = terms
        self._lookups = {term: lookup for term in terms if (lookup := _lookup(term, stemmer)) is not None}

    @property
    def bodies(self) -> list[Json]:
        """What to ask of the index of words."""
        return [{"query": query, "size": _MOST_READ, "track_total_hits": False} for query, _ in self._lookups.values()]

    def found(self, answers: Sequence[Json]) -> dict[Term, frozenset[str]]:
        """What the answers say, and the term itself."""
        told: dict[Term, frozenset[str]] = {}
        for (term, (_, counts)), answer in zip(self._lookups.items(), answers, strict=True):
            told[term] = frozenset(word for word, stem in pairs(answer["hits"]["hits"]) if counts(word, stem))
        return {term: told.get(term, frozenset()).union(term.words[:-1] if term.prefix else term.words) for term in self._terms}


def near_bodies(words: Sequence[str]) -> list[Json]:
    """What to ask of the index of words for those spelt like some others: as ``text.spelling`` counts, so does the cluster."""
    return [{"query": {"fuzzy": {"word": _fuzzy(word)}}, "size": _MOST_READ, "track_total_hits": False} for word in words]


def _fuzzy(word: str) -> Json:
    return {"value": word, "fuzziness": slips(word), "prefix_length": 1, "max_expansions": _MOST_SPELT, "transpositions": True}


def is_single(word: str) -> bool:
    """Where words are pairs of characters, one character stands inside them."""
    return len(word) == 1 and is_paired(word)


def _lookup(term: Term, stemmer: Stemmer) -> tuple[Json, Callable[[str, str], bool]] | None:
    """Finds the documents that hold forms of a term, and tells which of their words are; None where only the term itself is."""
    last = term.words[-1]
    if term.prefix:
        return {"prefix": {"word": last}}, lambda word, _: word.startswith(last)
    if term.is_phrase:
        return None
    if is_single(last):
        return {"wildcard": {"word": f"*{last}*"}}, lambda word, _: last in word
    if term.exact:
        return None
    wanted = stemmer.one(last)
    return {"term": {"stem": wanted}}, lambda _, stem: stem == wanted
