"""How is everything read that the last commit left? Page by page, for writers, who hold the workspace still while they read."""

from collections.abc import Iterator, Sequence
from typing import Any

from dowse.engines.opensearch.driver import Cluster, Json
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
        answer = cluster.search(body, index)
        if answer["_shards"]["failed"]:
            raise StorageError(f"Some shards of {cluster.address} do not answer: nodes are missing. Nothing was written.")
        hits = answer["hits"]["hits"]
        yield from hits
        if len(hits) < size:
            return
        after = hits[-1]["sort"]


def count(cluster: Cluster, index: str, query: Json) -> int:
    answer = cluster.search({"query": query, "size": 0, "track_total_hits": True}, index)
    return int(answer["hits"]["total"]["value"])
