"""What does a cluster in trouble look like from here? Errors in our words, retries of what may pass, and no secret in either."""

import base64
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from pretending import Pretender

from dowse.engines.opensearch import parse
from dowse.engines.opensearch.committing import create_line, line_of, operations_in
from dowse.engines.opensearch.driver import Cluster, Conflicted, Gone, Operation
from dowse.engines.opensearch.indices import check_version
from dowse.engines.opensearch.scanning import scan
from dowse.errors import Busy, StorageError

DONE = {"index": {"_id": "x", "status": 201}}
FULL = {"index": {"_id": "x", "status": 429, "error": {"type": "rejected_execution_exception", "reason": "queue is full"}}}
BLOCKED = "index [team-truth-1] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark];"
NO_DISK = {"index": {"_id": "x", "status": 429, "error": {"type": "cluster_block_exception", "reason": BLOCKED}}}
WRONG = {"index": {"_id": "x", "status": 400, "error": {"type": "mapper_parsing_exception", "reason": "no number"}}}


@contextmanager
def talking(
    *answers: tuple[int, Any], identity: str = "", environment: dict[str, str] | None = None
) -> Iterator[tuple[Cluster, Pretender]]:
    with Pretender(list(answers)).running() as server:
        address = parse(f"opensearch://{identity}127.0.0.1:{server.port}/team", environment or {})
        cluster = Cluster(address, sleep=lambda _: None)
        try:
            yield cluster, server
        finally:
            cluster.close()


def bulk(*items: dict[str, Any]) -> tuple[int, Any]:
    return 200, {"errors": any("error" in next(iter(item.values())) for item in items), "items": list(items)}


def error(kind: str, reason: str) -> dict[str, Any]:
    return {"error": {"type": kind, "reason": reason, "root_cause": [{"type": kind, "reason": reason}]}}


def lines(*names: str) -> list[str]:
    return [line_of(Operation("team-truth-1", name, {"key": name}, 1)) for name in names]


def test_only_what_a_node_had_no_room_for_is_sent_again() -> None:
    with talking(bulk(DONE, FULL, DONE), bulk(DONE)) as (cluster, server):
        assert cluster.bulk(lines("a", "b", "c")) == []
    sent = [[json.loads(line)["key"] for line in body.splitlines()[1::2]] for _, _, body in server.asked]
    assert sent == [["a", "b", "c"], ["b"]]


def test_a_cluster_that_never_has_room_is_said_to_be_busy() -> None:
    with talking(bulk(FULL)) as (cluster, server), pytest.raises(Busy, match="no room for 1 operations"):
        cluster.bulk(lines("a"))
    assert len(server.asked) > 3


def test_a_full_disk_is_named_at_once_although_it_has_the_status_of_a_full_queue() -> None:
    with talking(bulk(DONE, NO_DISK)) as (cluster, server), pytest.raises(StorageError, match="disk of a node is full") as told:
        cluster.bulk(lines("a", "b"))
    assert not isinstance(told.value, Busy)
    assert len(server.asked) == 1


def test_what_is_refused_for_good_comes_back_with_the_reason() -> None:
    with talking(bulk(DONE, WRONG)) as (cluster, _):
        ((line, why),) = cluster.bulk(lines("a", "b"))
    assert '"b"' in line
    assert why["error"]["reason"] == "no number"


def test_a_cluster_that_is_not_there_is_named_with_what_to_do() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        cluster = Cluster(parse(f"opensearch://ann:hush@127.0.0.1:{port}/team", {}))
        with pytest.raises(StorageError, match=r"No node of opensearch://127\.0\.0\.1:\d+/team can be reached") as told:
            check_version(cluster)
        cluster.close()
    assert "hush" not in str(told.value)


@pytest.mark.parametrize("status", [401, 403])
def test_who_is_refused_is_told_what_to_give(status: int) -> None:
    refused = (status, error("security_exception", "no permissions"))
    with talking(refused, identity="ann:hush@") as (cluster, _), pytest.raises(StorageError, match="DOWSE_OPENSEARCH_USER") as told:
        check_version(cluster)
    assert "hush" not in str(told.value)


def test_a_user_goes_as_basic_authorisation_and_a_token_as_bearer() -> None:
    root = (200, {"version": {"distribution": "opensearch", "number": "2.5.0"}})
    with talking(root, identity="ann:hush@") as (cluster, server):
        check_version(cluster)
    assert server.headers[0]["authorization"] == "Basic " + base64.b64encode(b"ann:hush").decode()
    with talking(root, environment={"DOWSE_OPENSEARCH_TOKEN": "abc"}) as (cluster, server):
        check_version(cluster)
    assert server.headers[0]["authorization"] == "Bearer abc"


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ({"number": "8.1.0"}, "no OpenSearch cluster"),
        ({"distribution": "opensearch", "number": "2.3.0"}, "runs OpenSearch 2.3.0; dowse needs 2.4"),
    ],
)
def test_a_server_that_cannot_hold_a_workspace_is_refused(version: dict[str, str], told: str) -> None:
    with talking((200, {"version": version})) as (cluster, _), pytest.raises(StorageError, match=told):
        check_version(cluster)


@pytest.mark.parametrize("number", ["2.4.0", "2.19.1", "3.2.0-SNAPSHOT"])
def test_newer_versions_are_welcome(number: str) -> None:
    with talking((200, {"version": {"distribution": "opensearch", "number": number}})) as (cluster, _):
        assert check_version(cluster) == number


@pytest.mark.parametrize(
    ("status", "answer", "kind", "told"),
    [
        (503, error("cluster_block_exception", "no cluster manager"), StorageError, "nodes are missing"),
        (429, error("cluster_block_exception", "index blocked by: [FORBIDDEN/12/read-only / allow delete]"), StorageError, "disk"),
        (403, error("cluster_block_exception", "blocked by: [FORBIDDEN/8/write]"), StorageError, "takes no writes"),
        (429, error("circuit_breaking_exception", "data too large"), Busy, "overloaded"),
        (404, error("search_context_missing_exception", "No search context found"), Gone, "does not hold any more"),
        (400, error("query_shard_exception", "failed to create query: this Analyzer is closed"), Gone, "does not hold any more"),
        (409, error("version_conflict_engine_exception", "conflict"), Conflicted, "^$"),
        (400, error("parsing_exception", "unknown query"), StorageError, "unknown query"),
    ],
)
def test_errors_say_what_is_wrong_and_what_to_do(status: int, answer: Any, kind: type[Exception], told: str) -> None:
    with talking((status, answer)) as (cluster, _), pytest.raises(kind, match=told):
        cluster.request("POST", "/team-truth-1/_search", {})


def test_operations_come_out_of_a_journal_as_they_went_in() -> None:
    operations = [
        line_of(Operation("i", "a", {"text": 'two\nlines and "quotes"\u2028'}, 3)),
        line_of(Operation("i", "b", None, 3)),
        create_line("i", "c", {"delete": True}),
    ]
    assert operations_in("\n".join(operations)) == operations


SEARCHED = {"hits": {"total": {"value": 0}, "hits": []}}


@pytest.mark.parametrize(
    ("shards", "whole"),
    [
        ({"total": 3, "successful": 3, "skipped": 1, "failed": 0}, True),
        ({"total": 3, "successful": 2, "skipped": 0, "failed": 1}, False),
        ({"total": 3, "successful": 2, "skipped": 0, "failed": 0}, False),
    ],
)
def test_a_shard_without_a_copy_is_missed_although_it_has_not_failed(shards: dict[str, int], whole: bool) -> None:
    with talking((200, {"pit_id": "moment", "_shards": shards})) as (cluster, _):
        assert cluster.open_moment("team-truth-1", "1m") == ("moment", whole)
    with talking((200, {**SEARCHED, "_shards": shards})) as (cluster, _):
        if whole:
            assert list(scan(cluster, "team-truth-1", {"match_all": {}}, ["key"])) == []
        else:
            with pytest.raises(StorageError, match="Nothing was written"):
                list(scan(cluster, "team-truth-1", {"match_all": {}}, ["key"]))
