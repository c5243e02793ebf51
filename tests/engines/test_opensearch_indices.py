"""Are indices made from templates where we may put them, and whole where we may not?"""

import json
import os
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from clusters import remove, test_address
from pretending import Pretender

from dowse.engines.opensearch import mapping, parse
from dowse.engines.opensearch.driver import Cluster
from dowse.engines.opensearch.engine import OpenSearchEngine
from dowse.engines.opensearch.indices import create, numbers_of
from dowse.model.schema import Schema

DONE = (200, {"acknowledged": True})
FORBIDDEN = (403, {"error": {"type": "security_exception", "reason": "no permissions"}})
OVERLAPPING = (400, {"error": {"type": "illegal_argument_exception", "reason": "multiple templates may not match"}})


def asked_for(name: str, body: dict[str, Any], answer: tuple[int, Any]) -> list[tuple[str, dict[str, Any]]]:
    """What is sent to make an index, with one answer to the template."""
    with Pretender([answer, DONE]).running() as server:
        cluster = Cluster(parse(f"opensearch://127.0.0.1:{server.port}/team", {}))
        create(cluster, name, body)
        cluster.close()
    return [(path, json.loads(body)) for _, path, body in server.asked]


def test_an_index_is_made_from_the_template_of_its_kind_which_leaves_the_number_of_shards_open() -> None:
    whole = mapping.truth(3)
    (first, template), (second, index) = asked_for("team-truth-1", whole, DONE)
    assert (first, second) == ("/_index_template/team-truth", "/team-truth-1")
    assert index == {"settings": {"number_of_shards": 3}}
    assert template["index_patterns"] == ["team-truth-*"]
    assert template["template"]["mappings"] == whole["mappings"]
    assert {**template["template"]["settings"], **index["settings"]} == whole["settings"]


@pytest.mark.parametrize("refused", [FORBIDDEN, OVERLAPPING])
def test_an_index_is_made_whole_where_its_template_is_refused(refused: tuple[int, Any]) -> None:
    _, (path, index) = asked_for("team-truth-1", mapping.truth(3), refused)
    assert (path, index) == ("/team-truth-1", mapping.truth(3))


def test_the_index_of_the_state_is_one_of_its_kind_and_has_no_template() -> None:
    assert [path for path, _ in asked_for("team-state", mapping.state(), DONE)] == ["/team-state"]


@pytest.mark.parametrize(("version", "largest"), [("2.4.0", 1024), ("2.14.0", 16_000), ("3.2.0-SNAPSHOT", 16_000)])
def test_how_many_numbers_a_vector_may_have_depends_on_the_version(version: str, largest: int) -> None:
    assert mapping.largest_dimension(numbers_of(version)) == largest


@pytest.mark.skipif(not os.environ.get("DOWSE_TEST_OPENSEARCH"), reason="needs a cluster: see docs/cluster.md")
def test_an_index_that_someone_makes_by_hand_reads_documents_as_ours_do(
    schema: Schema, stem_all: Callable[[Sequence[str]], list[str]]
) -> None:
    address = test_address("test-templates")
    OpenSearchEngine(address, schema, stem_all).close()
    cluster = Cluster(address)
    try:
        cluster.request("PUT", "/test-templates-truth-9")
        ours, theirs = (
            cluster.request("GET", f"/test-templates-truth-{number}/_mapping")[f"test-templates-truth-{number}"]
            for number in (1, 9)
        )
        assert ours == theirs
        told = cluster.request("GET", "/test-templates-truth-9/_settings")["test-templates-truth-9"]["settings"]["index"]
        assert (told["refresh_interval"], told["auto_expand_replicas"]) == ("-1", "0-1")
    finally:
        remove(address)
        cluster.close()
