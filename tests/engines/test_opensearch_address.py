"""Is an address read as it was meant, and never shown with its secrets?"""

from pathlib import Path

import pytest

from dowse.engines.opensearch import is_address, parse
from dowse.engines.opensearch.address import without_secrets
from dowse.errors import InvalidRequest


@pytest.mark.parametrize(
    ("text", "hosts", "prefix", "secure"),
    [
        ("opensearch://node/team", (("node", 9200),), "team", False),
        ("opensearch://one:9201,two/team", (("one", 9201), ("two", 9200)), "team", False),
        ("opensearchs://search.example.org/my-team.v2", (("search.example.org", 9200),), "my-team.v2", True),
        ("opensearch://[::1]:9201/team/", (("::1", 9201),), "team", False),
    ],
)
def test_an_address_names_nodes_and_a_workspace(text: str, hosts: tuple[tuple[str, int], ...], prefix: str, secure: bool) -> None:
    address = parse(text, {})
    assert (address.hosts, address.prefix, address.secure) == (hosts, prefix, secure)


@pytest.mark.parametrize("text", ["opensearch://node", "opensearch://node/", "opensearch://node/Team", "opensearch://node/a/b"])
def test_an_address_without_a_good_name_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidRequest, match="opensearch://host:9200/team"):
        parse(text, {})


def test_a_host_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="is no host"):
        parse("opensearch://one,,two/team", {})


def test_who_we_are_stands_in_the_address_or_in_the_environment() -> None:
    environment = {"DOWSE_OPENSEARCH_USER": "bo", "DOWSE_OPENSEARCH_PASSWORD": "b", "DOWSE_OPENSEARCH_TOKEN": "t"}
    named = parse("opensearchs://ann:p%40ss@node/team", environment)
    assert (named.user, named.password) == ("ann", "p@ss")
    other = parse("opensearchs://node/team", environment)
    assert (other.user, other.password, other.token) == ("bo", "b", "t")


@pytest.mark.parametrize("shown", [str, repr])
def test_no_secret_is_ever_shown(shown: "type[str]") -> None:
    address = parse("opensearchs://ann:hush@node/team", {"DOWSE_OPENSEARCH_TOKEN": "hush"})
    assert "hush" not in shown(address)
    assert "ann" not in shown(address)
    assert "hush" not in without_secrets("opensearch://ann:hush@@/Team")


def test_a_refusal_shows_no_secret() -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse("opensearch://ann:hush@node/", {})
    assert "hush" not in str(refused.value)


def test_an_address_survives_being_taken_for_a_path() -> None:
    through = str(Path("opensearch://one:9201,two/team"))
    assert is_address(through)
    assert str(parse(through, {})) == "opensearch://one:9201,two:9200/team"


@pytest.mark.parametrize("text", ["workspace.dowse", "./opensearch/team", "/opensearch://node/team", "opensearch"])
def test_a_path_is_no_address(text: str) -> None:
    assert not is_address(text)
