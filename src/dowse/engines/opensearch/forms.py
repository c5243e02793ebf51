"""Which words count as a term? Looked up among all words there are, for excerpts to mark and for what stands close together."""

from collections.abc import Sequence

from dowse.engines.opensearch.driver import Cluster, Json
from dowse.engines.opensearch.lanes import Stemmer
from dowse.engines.opensearch.matching import is_single
from dowse.engines.opensearch.snapshots import MOST
from dowse.model.terms import Term


def forms_of(cluster: Cluster, index: str, stemmer: Stemmer, terms: Sequence[Term]) -> dict[Term, frozenset[str]]:
    """Words are only ever added, and those of no use mark nothing: no moment of them is needed."""
    bodies = [{"query": _query(term, stemmer), "size": MOST, "_source": ["word"], "track_total_hits": False} for term in terms]
    found: dict[Term, frozenset[str]] = {}
    for term, answer in zip(terms, cluster.search_all(bodies, index), strict=True):
        words = {hit["_source"]["word"] for hit in answer["hits"]["hits"]}
        found[term] = frozenset(words.union(term.words[:-1] if term.prefix else term.words))
    return found


def _query(term: Term, stemmer: Stemmer) -> Json:
    last = term.words[-1]
    if term.prefix:
        return {"prefix": {"word": last}}
    if term.is_phrase:
        return {"match_none": {}}
    if is_single(last):
        return {"wildcard": {"word": f"*{last}*"}}
    return {"match_none": {}} if term.exact else {"term": {"stem": stemmer.one(last)}}
