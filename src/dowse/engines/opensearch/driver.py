"""How does one talk to a cluster? The one door to the official client: bounded waits, retries of what may pass, clear errors."""

import json
import logging
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from opensearchpy import OpenSearch
from opensearchpy import exceptions as failures

from dowse.engines.opensearch.address import AUTHORITY, PASSWORD, TOKEN, USER, Address
from dowse.errors import Busy, StorageError

Json: TypeAlias = dict[str, Any]

# What the client would log is said by our errors, once and in our words.
logging.getLogger("opensearch").addHandler(logging.NullHandler())

# Seconds for one request. A cluster that says nothing for so long is in trouble; a rebuild waits with many short requests.
TIMEOUT = 30.0
# A node that died is tried again by the client on the next one; three are more than a cluster should lose at once.
_RETRIES = 3
# Bytes of one bulk request: large enough that the round trip does not count, small enough for the least heap.
BULK_BYTES = 2 << 20
# How often items that a node had no room for are sent again, and the first pause; pauses double and vary, or all clients return
# together. Some half a minute in all.
_PUSHBACKS = 8
_PAUSE = 0.1
_BUSY = 429
# How a node that dies is told of: what it held is gone, but another one has a copy.
_LEFT = ("disconnected", "node_not_connected", "node_closed")
# An index that was replaced under whoever reads it: it is not found, or found half taken down.
GONE = ("search_context_missing", "No search context found", "index_not_found", "Analyzer is closed", *_LEFT)
# How often a search is asked again while a node is dying.
_LOST = 5
# What nobody reads of a hit, and would be most of an answer of thousands.
_BRIEF = {"filter_path": "-responses.hits.hits._index,-responses.hits.hits._score"}
# Searches that are asked in one request.
MOST_AT_ONCE = 100


class Conflicted(Exception):
    """The document is not the one that was read: someone else wrote it in between."""


class Gone(StorageError):
    """A point in time or an index that the cluster does not hold any more: a node died, or the index was made again."""


class Operation(NamedTuple):
    """One line of a bulk request: a document to put, or to delete if there is none."""

    into: str
    identity: str
    document: Json | None
    version: int | None = None


class Stored(NamedTuple):
    """A document with what proves that it was not changed since."""

    document: Json
    sequence: int
    term: int


class Cluster:
    """A cluster as we use it. ``trips`` counts requests: what a search costs besides its work."""

    def __init__(self, address: Address, *, timeout: float = TIMEOUT, sleep: Callable[[float], None] = time.sleep) -> None:
        self.address = address
        self.trips = 0
        self._sleep = sleep
        # Pauses need not be the same on every run; answers never depend on them.
        self._lot = random.Random()
        options: Json = {}
        if address.token:
            options["headers"] = {"authorization": f"Bearer {address.token}"}
        elif address.user:
            options["http_auth"] = (address.user, address.password)
        if address.authority:
            if not Path(address.authority).is_file():
                raise StorageError(f"There are no certificates at {address.authority}. {AUTHORITY} names the file that holds them.")
            options["ca_certs"] = address.authority
        self._client = OpenSearch(
            hosts=[{"host": host, "port": port} for host, port in address.hosts],
            use_ssl=address.secure,
            verify_certs=address.secure,
            timeout=timeout,
            max_retries=max(_RETRIES, len(address.hosts)),
            retry_on_timeout=True,
            retry_on_status=(502, 503, 504),
            maxsize=32,
            **options,
        )

    def close(self) -> None:
        self._client.close()

    def request(self, method: str, path: str, body: Any = None, parameters: Json | None = None) -> Any:
        """What the cluster answers, in our words if it cannot."""
        self.trips += 1
        with translated(self.address):
            return self._client.transport.perform_request(method, path, params=parameters or {}, body=body)

    def exists(self, path: str) -> bool:
        return bool(self.request("HEAD", path))

    def search(self, body: Json, index: str | None = None) -> Json:
        # Someone must say what was left out: partial answers come back, and who asked looks at ``_shards``.
        told = {"allow_partial_search_results": "true"}
        path = f"/{index}/_search" if index is not None else "/_search"
        attempts = _LOST if index is not None else 0
        for attempt in range(attempts + 1):
            try:
                return self._found(path, body, told)
            except Gone:
                if attempt == attempts:
                    raise
                # The node that was asked has just died; the others need a moment to know.
                self._sleep(_PAUSE * 2**attempt)
        raise AssertionError("the last attempt returns or raises")

    def _found(self, path: str, body: Json, parameters: Json) -> Json:
        found: Json = self.request("POST", path, body, parameters)
        return found

    def search_all(self, asked: Sequence[tuple[str | None, Json]], optional: int = 0) -> list[Json]:
        """The answers to some searches, each of an index or of the point in time that it names, asked in one request.

        ``optional``: as many of the last may fail, and answer without hits.
        """
        found: list[Json] = []
        for start in range(0, len(asked), MOST_AT_ONCE):
            lines = [
                json.dumps(part)
                for index, body in asked[start : start + MOST_AT_ONCE]
                for part in ({"index": index} if index is not None else {}, body)
            ]
            answers = self.request("POST", "/_msearch", "\n".join(lines) + "\n", _BRIEF)["responses"]
            for at, answer in enumerate(answers, start):
                if "error" not in answer:
                    # Who leaves something out of each hit leaves the list out where there is none.
                    answer.setdefault("hits", {}).setdefault("hits", [])
                    found.append(answer)
                elif at < len(asked) - optional:
                    raise _failure(self.address, answer["error"], answer.get("status", 500))
                else:
                    found.append({"hits": {"hits": []}})
        return found

    def get(self, index: str, identity: str) -> Stored | None:
        """A document as it was last written, whether or not searches see it yet."""
        answer = self.request("GET", f"/{index}/_doc/{identity}", parameters={"ignore": 404})
        if not answer.get("found"):
            return None
        return Stored(answer["_source"], answer["_seq_no"], answer["_primary_term"])

    def get_all(self, index: str, identities: Sequence[str], fields: Sequence[str] | None = None) -> dict[str, Json]:
        """Some documents by identity, as they were last written."""
        found: dict[str, Json] = {}
        parameters = {"_source_includes": ",".join(fields)} if fields is not None else {}
        for start in range(0, len(identities), 1000):
            body = {"ids": list(identities[start : start + 1000])}
            for item in self.request("POST", f"/{index}/_mget", body, parameters)["docs"]:
                if "error" in item:
                    raise _failure(self.address, item["error"], 500)
                if item.get("found"):
                    found[item["_id"]] = item["_source"]
        return found

    def swap(self, index: str, identity: str, document: Json, over: Stored | None) -> Stored:
        """Puts a document in the place of the one that was read (None: of nothing). Raises ``Conflicted`` if it is another."""
        where: Json = {"op_type": "create"} if over is None else {"if_seq_no": over.sequence, "if_primary_term": over.term}
        answer = self.request("PUT", f"/{index}/_doc/{identity}", document, where)
        return Stored(document, answer["_seq_no"], answer["_primary_term"])

    def bulk(self, lines: Sequence[str], *, refresh: bool = False) -> list[tuple[str, Json]]:
        """Sends prepared operations. What a node has no room for is sent again, and only that.

        Returns the operations that a newer version stood against, and those that a node refused for good; each with the reason.
        """
        waiting = list(lines)
        refused: list[tuple[str, Json]] = []
        for attempt in range(_PUSHBACKS + 1):
            body = "\n".join(waiting) + "\n"
            answer = self.request("POST", "/_bulk", body, {"refresh": "true"} if refresh else {})
            if not answer["errors"]:
                return refused
            again = []
            for line, item in zip(waiting, answer["items"], strict=True):
                (outcome,) = item.values()
                status = outcome["status"]
                if status == _BUSY and _is_blocked(outcome):
                    # Has the status of a queue that is full, and no pause helps: a disk does not get emptier by waiting.
                    raise _failure(self.address, outcome, status)
                if status in (_BUSY, 502, 503, 504):
                    again.append(line)
                elif status >= 300 and status != 404:
                    refused.append((line, outcome))
            if not again:
                return refused
            waiting = again
            if attempt < _PUSHBACKS:
                self._sleep(_PAUSE * 2**attempt * self._lot.uniform(0.5, 1.0))
        raise Busy(
            f"{self.address}: the cluster had no room for {len(waiting)} operations, again and again. Let it catch up, or give it"
            " more nodes or memory, then try again."
        )

    def refresh(self, *indices: str) -> None:
        self.request("POST", f"/{','.join(indices)}/_refresh")

    def open_moment(self, index: str, keep: str) -> tuple[str, bool]:
        """A point in time of an index, and whether all of its shards take part: searches do not miss those that do not."""
        answer = self.request("POST", f"/{index}/_search/point_in_time", parameters={"keep_alive": keep})
        return str(answer["pit_id"]), is_whole(answer)

    def close_moments(self, moments: Sequence[str]) -> None:
        self.request("DELETE", "/_search/point_in_time", {"pit_id": list(moments)}, {"ignore": 404})


def is_whole(answer: Json) -> bool:
    """Whether every shard took part. One without a copy has not failed: it is only missing from those that succeeded."""
    shards = answer["_shards"]
    return bool(shards["successful"] >= shards["total"])


@contextmanager
def translated(address: Address) -> Iterator[None]:
    """The client's errors in our words: what was wrong, where, and what to do. No address shown holds a secret."""
    try:
        yield
    except failures.ConflictError as error:
        raise Conflicted from error
    except (failures.AuthenticationException, failures.AuthorizationException) as error:
        if _is_blocked(error.info):
            # Said with the same status as a missing permission, and something else altogether.
            raise _failure(address, error.info, error.status_code, error) from error
        raise StorageError(
            f"{address} refuses us ({_reason(error)}). Give {USER} and {PASSWORD}, or {TOKEN}, of someone who may read and write"
            f" the indices {address.prefix}-*."
        ) from error
    except failures.SSLError as error:
        # Another authority helps where the certificate is good, and nowhere else.
        expired = "expired" in str(error.info)
        remedy = "It must be renewed there" if expired else f"Name the certificates that sign it in {AUTHORITY}"
        raise StorageError(f"{address} cannot be trusted: {error.info}. {remedy}.") from error
    except failures.ConnectionTimeout as error:
        raise Busy(f"{address} did not answer in time. It may be overloaded or have lost its quorum; try again.") from error
    except failures.ConnectionError as error:
        raise StorageError(
            f"No node of {address} can be reached. Check that most of the cluster's nodes run, and name several of them, separated"
            " by commas."
        ) from error
    except failures.TransportError as error:
        raise _failure(address, error.info if isinstance(error.info, dict) else {}, error.status_code, error) from error


def _is_blocked(told: Any) -> bool:
    return "cluster_block" in str(told)


def _failure(address: Address, told: Any, status: Any, error: Exception | None = None) -> Exception:
    reason = _told(told) or (str(error.args[1]) if error is not None and len(error.args) > 1 else "")
    if any(sign in str(told) for sign in _LEFT):
        return Gone(
            f"A node of {address} is gone ({reason}). Try again; if that does not help, too few nodes are there: start those that"
            " are missing."
        )
    if any(sign in str(told) for sign in GONE):
        return Gone(f"{address} does not hold any more what was being read ({reason}). Try again.")
    if status == 503 or "all shards failed" in reason or "no_shard_available" in str(told):
        return StorageError(
            f"{address} cannot answer now ({reason}): nodes are missing. Start them again; 'dowse doctor' says what lacks."
        )
    if status == _BUSY and "block" not in reason:
        return Busy(f"{address} is overloaded ({reason}). Try again later.")
    if "read-only" in reason or "flood" in reason or "blocked by" in reason:
        return StorageError(f"{address} takes no writes ({reason}). The disk of a node is full: free some room, then try again.")
    return StorageError(f"{address} refused a request ({status}: {reason}).")


def _told(told: Any) -> str:
    """The innermost reason of an error."""
    if not isinstance(told, dict):
        return str(told or "")
    inner = told.get("error", told)
    if not isinstance(inner, dict):
        return str(inner)
    causes = inner.get("root_cause") or [inner]
    caused = inner.get("caused_by")
    deeper = f": {_told(caused)}" if isinstance(caused, dict) and caused.get("reason") else ""
    return f"{causes[0].get('reason', causes[0].get('type', ''))}{deeper}"


def _reason(error: failures.TransportError) -> str:
    return _told(error.info) or str(error.status_code)
