"""Is the cluster well, and what does it hold?"""

from collections.abc import Iterator

from dowse.engines.opensearch import indices, mapping
from dowse.engines.opensearch.committing import Ledger, Read
from dowse.engines.opensearch.driver import Cluster, Json
from dowse.engines.opensearch.scanning import count
from dowse.engines.opensearch.scoping import EVERY_RECORD
from dowse.engines.opensearch.viewing import OpenSearchView
from dowse.engines.opensearch.vocabulary import count_words
from dowse.model.schema import Schema
from dowse.ports import Finding, Status

# Of a disk: OpenSearch moves shards away at 90 % and stops writing at 95 %.
_FULL = 85.0
# How long a cluster may take to be whole before it is called ill.
_SETTLING = "5s"


def status(cluster: Cluster, view: OpenSearchView) -> Status:
    """What a workspace holds, counted at one moment."""
    state = view.reader.moment.state
    body: Json = {
        "size": 0,
        "track_total_hits": False,
        "aggs": {
            "kinds": {
                "filter": {"bool": {"filter": [EVERY_RECORD], "must_not": [{"term": {"state": "deleted"}}]}},
                "aggs": {"kind": {"terms": {"field": "kind", "size": 1000}}},
            },
            "deleted": {"filter": {"term": {"state": "deleted"}}},
            "edges": {"terms": {"field": "edge", "size": 1000}},
            "spaces": {
                "filter": EVERY_RECORD,
                "aggs": {"space": {"cardinality": {"field": "space", "precision_threshold": 40000}}},
            },
        },
    }
    found = view.reader.complete(body)["aggregations"]
    used = [index for index in (state.truth, state.words, state.passages) if index is not None]
    stats = cluster.request("GET", f"/{','.join(used)}/_stats/store")
    return Status(
        generation=state.generation,
        updated=state.updated,
        records=_buckets(found["kinds"]["kind"]),
        deleted=found["deleted"]["doc_count"],
        edges=_buckets(found["edges"]),
        spaces=found["spaces"]["space"]["value"],
        words=count_words(cluster, state.words),
        bytes=stats["_all"]["total"]["store"]["size_in_bytes"],
        location=str(cluster.address),
        embedding=view.embedding,
    )


def examine(cluster: Cluster, ledger: Ledger, schema: Schema, version: str) -> tuple[Finding, ...]:
    read = ledger.read()
    if read is None:
        return (Finding("state", False, "the document that names the last commit is gone", "restore a snapshot of the indices"),)
    return (
        _health(cluster),
        *_disks(cluster),
        Finding("version", True, f"OpenSearch {version}"),
        _index(read, schema),
        _shards(cluster, read),
        _writing(read),
        _leftovers(cluster, read),
    )


def _health(cluster: Cluster) -> Finding:
    # Copies of an index that was just made need a moment. In the path, for the client takes this name for its own.
    wait = f"wait_for_status=green&timeout={_SETTLING}"
    told = cluster.request("GET", f"/_cluster/health/{cluster.address.prefix}-*?{wait}", parameters={"ignore": 408})
    nodes, lacking = told["number_of_nodes"], told["unassigned_shards"]
    detail = f"{told['status']}: {nodes} node{'' if nodes == 1 else 's'}, {told['active_shards']} shards"
    if told["status"] == "green":
        return Finding("cluster", True, detail)
    what = "some records cannot be found" if told["status"] == "red" else "some shards have no second copy"
    return Finding("cluster", False, f"{detail}, {lacking} without a node: {what}", "start the nodes that are missing, or add one")


def _disks(cluster: Cluster) -> Iterator[Finding]:
    listed = cluster.request("GET", "/_cat/allocation", parameters={"format": "json", "h": "node,disk.percent", "bytes": "b"})
    full = [item for item in listed if item.get("disk.percent") and float(item["disk.percent"]) >= _FULL]
    told = ", ".join(f"{item['node']} at {item['disk.percent']} %" for item in full)
    if full:
        yield Finding("disks", False, f"nearly full: {told}", "free some room or add a node: at 95 % a node takes no more writes")
    else:
        yield Finding("disks", True, f"room on all {len(listed)} of them" if len(listed) > 1 else "there is room")


def _index(read: Read, schema: Schema) -> Finding:
    fits = read.state.fingerprint == mapping.fingerprint(schema)
    detail = "made by this version of dowse" if fits else "made by another version of dowse"
    return Finding("index", fits, detail, "" if fits else "run 'dowse reindex'")


def _shards(cluster: Cluster, read: Read) -> Finding:
    records = count(cluster, read.state.truth, EVERY_RECORD, partial=True)
    told = cluster.request("GET", f"/{read.state.truth}/_settings/index.number_of_shards")
    shards = int(told[read.state.truth]["settings"]["index"]["number_of_shards"])
    wanted = mapping.shards_for(records)
    detail = f"{records} records on {shards} shard{'' if shards == 1 else 's'}"
    if shards >= wanted:
        return Finding("shards", True, detail)
    return Finding("shards", False, f"{detail}; {wanted} would be right", "run 'dowse reindex', which divides them anew")


def _writing(read: Read) -> Finding:
    if read.pending is None:
        return Finding("commits", True, f"the last one is whole: {read.state.commit}")
    return Finding("commits", True, "someone is writing right now; what a writer leaves behind, the next one finishes")


def _leftovers(cluster: Cluster, read: Read) -> Finding:
    used = [read.state.truth, read.state.words, read.state.passages, *((read.pending or {}).get("lease", ()))]
    left = indices.unused(cluster, cluster.address.prefix, used)
    # Not a fault: readers may still hold an index that was just replaced.
    return Finding("indices", True, f"no longer used: {', '.join(left)}; they can be deleted" if left else "all are in use")


def _buckets(found: Json) -> dict[str, int]:
    return dict(sorted((bucket["key"], bucket["doc_count"]) for bucket in found["buckets"]))
