"""Is a batch written all or none, also when its writer dies half-way, and by one writer at a time?"""

import os
from collections.abc import Callable, Iterator, Sequence

import pytest
from asking import found, page, put
from clusters import Workspaces

from dowse.engines.opensearch.committing import Ledger
from dowse.engines.opensearch.driver import Cluster, Json
from dowse.engines.opensearch.engine import OpenSearchEngine
from dowse.errors import Conflict, StorageError
from dowse.model.change import Link, Put
from dowse.model.record import Edge
from dowse.model.schema import Schema

pytestmark = pytest.mark.skipif(not os.environ.get("DOWSE_TEST_OPENSEARCH"), reason="needs a cluster: see docs/cluster.md")

StemAll = Callable[[Sequence[str]], list[str]]


class Died(Exception):
    """The process is gone."""


@pytest.fixture
def one(cluster_workspaces: Workspaces) -> Iterator[OpenSearchEngine]:
    with cluster_workspaces.empty(lambda: 1000.0) as engine:
        yield engine


@pytest.fixture
def other(one: OpenSearchEngine, schema: Schema, stem_all: StemAll) -> Iterator[OpenSearchEngine]:
    """The same workspace from another process, which takes a silent writer for dead at once."""
    engine = OpenSearchEngine(one._address, schema, stem_all, clock=lambda: 1000.0)
    engine._ledger = Ledger(engine._cluster, engine._ledger.index, dead_after=0.0)
    yield engine
    engine.close()


def dies_at(monkeypatch: pytest.MonkeyPatch, engine: OpenSearchEngine, call: int) -> None:
    """Lets the writer die before its n-th bulk request."""
    calls = iter(range(1, 100))
    real = Cluster.bulk

    def bulk(cluster: Cluster, lines: Sequence[str], *, refresh: bool = False) -> list[tuple[str, Json]]:
        if cluster is engine._cluster and next(calls) == call:
            raise Died
        return real(cluster, lines, refresh=refresh)

    monkeypatch.setattr(Cluster, "bulk", bulk)


def test_what_a_writer_began_and_did_not_finish_is_finished_by_the_next(
    monkeypatch: pytest.MonkeyPatch, one: OpenSearchEngine, other: OpenSearchEngine
) -> None:
    put(one, page("a", "sea"))
    dies_at(monkeypatch, one, 1)
    with pytest.raises(Died):
        one.apply([Put(page("a", "land")), Put(page("b", "land")), Link(Edge("a", "b", "links"))])
    put(other, page("c", "hill"))
    assert (found(other, "land"), found(other, "sea"), found(other, "hill")) == (["a", "b"], [], ["c"])


def test_a_large_batch_is_finished_from_its_journal(
    monkeypatch: pytest.MonkeyPatch, one: OpenSearchEngine, other: OpenSearchEngine
) -> None:
    text = "tide " * 20_000
    dies_at(monkeypatch, one, 2)
    with pytest.raises(Died):
        put(one, *(page(f"r{number:03}", "lighthouse", text) for number in range(40)))
    assert found(other, "lighthouse") == []
    put(other, page("z", "harbour"))
    assert len(found(other, "lighthouse")) == 40


def test_a_batch_that_was_never_begun_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, one: OpenSearchEngine, other: OpenSearchEngine
) -> None:
    put(one, page("a", "sea"))

    def swap(*_: object) -> None:
        raise Died

    monkeypatch.setattr(one._ledger, "_swap", swap)
    with pytest.raises(Died):
        put(one, page("b", "land"))
    put(other, page("c", "hill"))
    assert found(other, "land") == []


def test_a_writer_that_was_given_up_cannot_write_over_what_came_later(
    monkeypatch: pytest.MonkeyPatch, one: OpenSearchEngine, other: OpenSearchEngine
) -> None:
    put(one, page("a", "sea"))
    real = one._cluster.bulk

    def late(lines: Sequence[str], *, refresh: bool = False) -> list[tuple[str, Json]]:
        put(other, page("a", "hill"))
        return real(lines, refresh=refresh)

    monkeypatch.setattr(one._cluster, "bulk", late)
    with pytest.raises(StorageError, match="another one finished"):
        put(one, page("a", "land"), page("b", "land"))
    assert (found(other, "hill"), found(other, "land")) == (["a"], ["b"])


def test_of_two_writers_who_expect_the_same_version_one_is_refused(one: OpenSearchEngine, other: OpenSearchEngine) -> None:
    put(one, page("a", "sea"))
    other.apply([Put(page("a", "land"), expected=1)])
    with pytest.raises(Conflict, match="at version 2"):
        one.apply([Put(page("a", "hill"), expected=1)])


def test_a_reader_in_another_process_sees_a_commit_at_once(one: OpenSearchEngine, other: OpenSearchEngine) -> None:
    for number in range(5):
        put(one, page(str(number), "sea"))
        assert len(found(other, "sea")) == number + 1


def test_an_index_that_is_made_again_is_found_by_readers_elsewhere(one: OpenSearchEngine, other: OpenSearchEngine) -> None:
    put(one, page("a", "sea"))
    with other.view() as view:
        assert one.reindex() == 1
        assert list(view.find(["a"])) == ["a"]
    assert found(other, "sea") == ["a"]


def test_a_search_takes_few_requests(one: OpenSearchEngine) -> None:
    put(one, *(page(str(number), "sea land hill") for number in range(50)))
    found(one, "sea land")
    before = one.trips
    found(one, "sea hill")
    assert one.trips - before <= 4
