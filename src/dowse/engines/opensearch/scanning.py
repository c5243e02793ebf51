"""How is everything read that the last commit left? Page by page, for writers, who hold the workspace still while they read."""

from collections.abc import Iterator, Sequence
from typing import Any

from dowse.engines.opensearch.driver import Cluster, Json, is_whole
from dowse.engines.opensearch.snapshots import PAGE
from dowse.errors import StorageError


def scan(
    cluster: Cluster, index: str, query: Json, sort: Sequence[str], fields: Sequence[str] | None = None, size: int = PAGE
) -> Iterator[Json]:
    """Every hit in the order of some fields that tell all hits apart."""
    after: list[Any] | None = None
    while True:
        body: Json = {"query": query, "sort": list(sort), "size": size, "track_total_hits": False}
        if fields is not None:
            body["_source"] = list(fields)
        if after is not None:
            body["search_after"] = after
        hits = _complete(cluster, body, index)["hits"]["hits"]
        yield from hits
        if len(hits) < size:
            return
        after = hits[-1]["sort"]


def count(cluster: Cluster, index: str, query: Json, *, partial: bool = False) -> int:
    """How many there are; ``partial``: in the shards that answer."""
    body: Json = {"query": query, "size": 0, "track_total_hits": True}
    answer = cluster.search(body, index) if partial else _complete(cluster, body, index)
    return int(answer["hits"]["total"]["value"])


def _complete(cluster: Cluster, body: Json, index: str) -> Json:
    """A writer that saw only some of the records would take the others for absent."""
    answer = cluster.search(body, index)
    if not is_whole(answer):
        raise StorageError(f"Some shards of {cluster.address} do not answer: nodes are missing. Nothing was written.")
    return answer
