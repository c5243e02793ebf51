"""Where is a cluster, and under which name does a workspace live there?"""

import re
from collections.abc import Mapping
from dataclasses import field
from urllib.parse import unquote

from dowse.errors import InvalidRequest
from dowse.model.declaring import dataclass

PLAIN, SECURE = "opensearch://", "opensearchs://"
DEFAULT_PORT = 9200
USER, PASSWORD, TOKEN = "DOWSE_OPENSEARCH_USER", "DOWSE_OPENSEARCH_PASSWORD", "DOWSE_OPENSEARCH_TOKEN"
# A file of certificates to trust beside or instead of the system's, for clusters that sign their own.
AUTHORITY = "DOWSE_OPENSEARCH_CA"
# What indices may be called, less what their own names add.
_PREFIX = re.compile(r"[a-z0-9][a-z0-9_.-]{0,99}")
_SCHEME = re.compile(r"opensearch(s)?:/{1,2}")
_EXAMPLE = "opensearch://host:9200/team"


@dataclass(frozen=True, slots=True)
class Address:
    """Some nodes of a cluster, the prefix of our indices there, and who we are. What is shown of it holds no secret."""

    hosts: tuple[tuple[str, int], ...]
    prefix: str
    secure: bool = False
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    token: str = field(default="", repr=False)
    authority: str = ""

    def __str__(self) -> str:
        hosts = ",".join(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in self.hosts)
        return f"{SECURE if self.secure else PLAIN}{hosts}/{self.prefix}"


def is_address(text: str) -> bool:
    """Whether a text names a cluster and no file; also after it went through a path, which makes one slash of two.

    >>> is_address("opensearch:/host/team"), is_address("./opensearch/team")
    (True, False)
    """
    return _SCHEME.match(text) is not None


def without_secrets(text: str) -> str:
    """An address as it may be shown, whether or not it can be read.

    >>> without_secrets("opensearchs://ann:secret@node/team")
    'opensearchs://node/team'
    """
    return re.sub(r"^(opensearchs?:)/{1,2}([^/]*@)?", r"\1//", text)


def parse(text: str, environment: Mapping[str, str]) -> Address:
    """Reads an address; who we are may stand in it or in the environment.

    >>> str(parse("opensearch://ann:secret@one,two:9201/team", {}))
    'opensearch://one:9200,two:9201/team'
    """
    match = _SCHEME.match(text)
    assert match is not None, "asked only for addresses"
    rest = text[match.end() :]
    place, _, prefix = rest.partition("/")
    identity, _, hosts = place.rpartition("@")
    user, _, password = identity.partition(":")
    prefix = prefix.rstrip("/")
    if not _PREFIX.fullmatch(prefix):
        raise InvalidRequest(
            f"{without_secrets(text)!r} names no workspace: behind the hosts stands a name of lower-case letters, digits, '-', '_'"
            f" or '.', as in {_EXAMPLE}."
        )
    return Address(
        tuple(_host(item, text) for item in hosts.split(",")),
        prefix,
        match[1] is not None,
        unquote(user) or environment.get(USER, ""),
        unquote(password) or environment.get(PASSWORD, ""),
        environment.get(TOKEN, ""),
        environment.get(AUTHORITY, ""),
    )


def _host(text: str, whole: str) -> tuple[str, int]:
    match = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\s:\[\]]+))(?::(\d{1,5}))?", text)
    if match is None:
        raise InvalidRequest(f"{text!r} in {without_secrets(whole)!r} is no host, as in {_EXAMPLE}.")
    return match[1] or match[2], int(match[3] or DEFAULT_PORT)
