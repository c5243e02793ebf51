"""Whom do we trust, and who are we to a cluster? Over real TLS, by passwords and tokens, with errors that say what to do."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from gates import Authority, basic, gate
from pretending import Pretender

import dowse
from dowse.engines.opensearch import parse
from dowse.engines.opensearch.address import AUTHORITY, PASSWORD, TOKEN, USER
from dowse.engines.opensearch.driver import Cluster
from dowse.engines.opensearch.indices import check_version, remove_workspace
from dowse.errors import StorageError

HOSTS = os.environ.get("DOWSE_TEST_OPENSEARCH", "")
ROOT = {"version": {"distribution": "opensearch", "number": "2.5.0"}}
ADMITTED = (basic("ann", "hush-hush"), "Bearer whispered")
ANN = {USER: "ann", PASSWORD: "hush-hush"}


@contextmanager
def talking(authority: Authority, environment: dict[str, str], *, ended: int = -1) -> Iterator[Cluster]:
    """A client before a gate, behind which someone answers as a node does."""
    with (
        Pretender([(200, ROOT)]).running() as node,
        gate(authority.context(ended=ended), ("127.0.0.1", node.port), ADMITTED) as port,
    ):
        cluster = Cluster(parse(f"opensearchs://127.0.0.1:{port}/team", environment), sleep=lambda _: None)
        try:
            yield cluster
        finally:
            cluster.close()


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "ours")


def refusal(cluster: Cluster) -> StorageError:
    with pytest.raises(StorageError) as told:
        check_version(cluster)
    assert told.value.code == "storage"
    assert not any(secret in str(told.value) for secret in ("hush", "whispered", "Basic", "Bearer"))
    return told.value


@pytest.mark.parametrize("identity", [ANN, {TOKEN: "whispered"}])
def test_a_cluster_whose_authority_is_named_is_trusted_and_knows_us(authority: Authority, identity: dict[str, str]) -> None:
    with talking(authority, {**identity, AUTHORITY: str(authority.path)}) as cluster:
        assert check_version(cluster) == "2.5.0"


@pytest.mark.parametrize("identity", [{}, {**ANN, PASSWORD: "hush"}, {TOKEN: "hush"}])
def test_who_gives_no_or_a_wrong_password_or_token_is_told_what_to_give(authority: Authority, identity: dict[str, str]) -> None:
    with talking(authority, {**identity, AUTHORITY: str(authority.path)}) as cluster:
        told = str(refusal(cluster))
    assert "refuses us" in told
    assert all(name in told for name in (USER, PASSWORD, TOKEN))


def test_a_certificate_of_an_unknown_authority_is_not_trusted(authority: Authority, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    other = Authority(tmp_path / "elsewhere", "theirs")
    for environment in (ANN, {**ANN, AUTHORITY: str(other.path)}):
        with talking(authority, environment) as cluster:
            told = str(refusal(cluster))
        assert "cannot be trusted" in told
        assert AUTHORITY in told


def test_a_certificate_that_has_expired_is_not_trusted_and_said_to_have(authority: Authority) -> None:
    with talking(authority, {**ANN, AUTHORITY: str(authority.path)}, ended=2) as cluster:
        told = str(refusal(cluster))
    assert "expired" in told
    assert "renewed" in told


def test_a_file_of_certificates_that_is_not_there_is_named(authority: Authority, tmp_path: Path) -> None:
    missing = tmp_path / "missing.pem"
    with pytest.raises(StorageError, match=r"missing\.pem.*DOWSE_OPENSEARCH_CA"), talking(authority, {AUTHORITY: str(missing)}):
        pass


@pytest.mark.skipif(not HOSTS, reason="needs a cluster: see docs/cluster.md")
@pytest.mark.parametrize("identity", [ANN, {TOKEN: "whispered"}])
def test_a_workspace_is_written_and_found_through_tls(
    authority: Authority, identity: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {**identity, AUTHORITY: str(authority.path)}.items():
        monkeypatch.setenv(name, value)
    host, _, number = HOSTS.partition(",")[0].partition(":")
    with gate(authority.context(), (host, int(number)), ADMITTED) as port:
        address = f"opensearchs://127.0.0.1:{port}/trust-{uuid.uuid4().hex[:8]}"
        with dowse.open(address, model="none") as workspace:
            workspace.put(kind="page", key="tides", title="tide table", fields={"content": "high water at noon"})
            assert [hit.record.key for hit in workspace.search("high water").hits] == ["tides"]
            assert "hush" not in workspace.status().location
        cluster = Cluster(parse(address, {**identity, AUTHORITY: str(authority.path)}))
        remove_workspace(cluster, cluster.address.prefix)
        cluster.close()
